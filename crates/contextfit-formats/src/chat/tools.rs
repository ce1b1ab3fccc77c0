//! The tokens of the tools that a request offers.

use contextfit_kernel::{TokenCounter, Tokens};
use serde_json::{Map, Value};

use super::{
    entry::{Weight, as_counted, text},
    framing,
};

// The numbers of tokens from the OpenAI cookbook, "How to count tokens with tiktoken", for gpt-4o.
const FUNCTION: usize = 7;
const FUNCTIONS_END: usize = 12;
const PROPERTIES: usize = 3;
const PROPERTY: usize = 3;
const ENUM_ITEM: usize = 3;

/// Adds the tokens of the functions in `tools`, as OpenAI models read them. The cookbook does not cover nested schemas,
/// tools other than functions, or keywords other than description, type and enum; their JSON is counted, which is an
/// upper bound.
pub(super) fn openai(weight: &mut Weight, tools: &[Value]) {
    for tool in tools {
        let function = tool.get("function").unwrap_or(tool);
        weight.add(FUNCTION);
        match text(function, "name") {
            Some(name) => weigh_function(weight, name, function),
            None => weight.count_json(tool),
        }
    }
    if !tools.is_empty() {
        weight.add(FUNCTIONS_END);
    }
}

fn weigh_function(weight: &mut Weight, name: &str, function: &Value) {
    weight.count([name, description(function)].join(":"));
    if let Some(format) = function.get("format") {
        weight.count_json(format);
    }
    let Some(parameters) = function.get("parameters") else { return };
    let beside =
        rest(parameters, &["type", "properties", "required", "additionalProperties", "$schema", "title"]);
    if !beside.is_empty() {
        weight.count_json(&Value::Object(beside));
    }
    let Some(properties) = parameters.get("properties").and_then(Value::as_object) else { return };
    if !properties.is_empty() {
        weight.add(PROPERTIES);
    }
    for (name, property) in properties {
        weight.add(PROPERTY);
        let kind = as_counted(property.get("type"));
        // The cookbook subtracts 3 tokens for an enum; without items, that would be negative.
        let items = property.get("enum").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        weight.add((items.len() * ENUM_ITEM).saturating_sub(3));
        for item in items {
            weight.count(as_counted(Some(item)));
        }
        weight.count([name, kind.as_str(), description(property)].join(":"));
        let beside = rest(property, &["type", "description", "enum", "title"]);
        if !beside.is_empty() {
            weight.count_json(&Value::Object(beside));
        }
    }
}

/// A description without its final full stop, as counted by the cookbook.
fn description(of: &Value) -> &str {
    let description = text(of, "description").unwrap_or_default();
    description.strip_suffix('.').unwrap_or(description)
}

/// The fields of a schema other than `known`.
fn rest(schema: &Value, known: &[&str]) -> Map<String, Value> {
    let fields = schema.as_object().into_iter().flatten();
    fields
        .filter(|(name, _)| !known.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Adds the tokens of Anthropic tools: their JSON as it is sent.
pub(super) fn anthropic(weight: &mut Weight, tools: &[Value]) {
    if !tools.is_empty() {
        weight.add(framing::ANTHROPIC_TOOLS);
    }
    for tool in tools {
        weight.add(FUNCTION);
        weight.count_json(tool);
    }
}

/// The tokens of tools and schemas in `body`, in addition to its messages.
pub(super) fn request(body: &Value, anthropic_body: bool, counter: &dyn TokenCounter) -> Tokens {
    let mut weight = Weight::default();
    weight.add(framing::ANSWER);
    let list = |name: &str| body.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if anthropic_body {
        anthropic(&mut weight, list("tools"));
    } else {
        openai(&mut weight, list("tools"));
        openai(&mut weight, list("functions"));
    }
    // The model reads a schema that its answer must follow.
    for pointer in ["/response_format/json_schema", "/text/format/schema", "/output_format/schema"] {
        if let Some(schema) = body.pointer(pointer) {
            weight.count_json(schema);
        }
    }
    weight.tokens(counter)
}
