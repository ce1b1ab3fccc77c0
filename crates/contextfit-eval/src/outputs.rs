//! Outputs of tools in transcripts: are the facts needed to go on still in what the model reads?

use std::{ops::Range, sync::Arc};

use contextfit_formats::{Conversation, WireFormat, valid};
use contextfit_kernel::{CompressionResult, Context, TokenCounter, Tokens};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Base, EvalError, Gold, Input, Item, Kept,
    folder::{Folder, Line, some},
    item::Places,
    transcript::{is_of, is_system, messages},
};

/// The most bytes between the mention of a folder and the name of a file in it.
const FOLDER: usize = 4000;

/// A value of fewer bytes means nothing without its key.
const VALUE: usize = 3;

#[derive(Deserialize)]
struct CaseLine {
    id: String,
    format: Format,
    /// The size of which budgets are shares.
    tokens: usize,
    request: Value,
    facts: Vec<Fact>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    OpenAi,
    Anthropic,
}

/// A fact needed to go on.
#[derive(Deserialize)]
pub(crate) struct Fact {
    /// Strings that must appear together.
    pub(crate) must: Vec<String>,
    /// The most characters between them.
    span: usize,
}

/// The cases of a folder.
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    folder.items("cases", folder.read("cases")?, item)
}

/// The item of a line; on error, the field and a message.
fn item(case: CaseLine) -> Result<Item, (String, String)> {
    some("facts", &case.facts)?;
    for (n, fact) in case.facts.iter().enumerate() {
        some(&format!("facts[{n}].must"), &fact.must)?;
    }
    let format = match case.format {
        Format::OpenAi => WireFormat::OpenAiChat,
        Format::Anthropic => WireFormat::AnthropicMessages,
    };
    let is_valid = valid(&case.request, format).is_ok();
    let conversation = Conversation::parse_as(case.request, format)
        .map_err(|error| (format!("request.{}", error.path), error.message))?;
    let conversation = Arc::new(conversation);
    let gold = Facts {
        conversation: conversation.clone(),
        is_valid,
        tokens: Tokens::new(case.tokens),
        facts: case.facts,
    };
    Ok(Item { id: case.id, gold: Box::new(gold), input: Input::Conversation { conversation, query: None } })
}

/// The facts that must still be readable in an output.
struct Facts {
    conversation: Arc<Conversation>,
    /// Whether a provider would accept the request unchanged.
    is_valid: bool,
    tokens: Tokens,
    facts: Vec<Fact>,
}

impl Gold for Facts {
    fn base(&self, _: &Context, _: &dyn TokenCounter) -> Base {
        Base { fixed: Tokens::ZERO, shared: self.tokens }
    }

    fn places(&self, text: &str) -> Vec<Places> {
        places(&self.facts, text)
    }

    fn judge(&self, _: &Context, result: Option<&CompressionResult>, _: &dyn TokenCounter) -> Kept {
        let Some(result) = result else { return Kept { invalid: Some(false), ..Kept::default() } };
        let request = self.conversation.shortened(result);
        let text = read(messages(&request));
        let kept = self.facts.iter().filter(|fact| fact.stands_in(&text)).count();
        let refused = self.is_valid && valid(&request, self.conversation.format()).is_err();
        Kept { invalid: Some(refused), ..Kept::of(kept, self.facts.len()) }
    }
}

/// The places of those of `facts` that `text` states.
pub(crate) fn places(facts: &[Fact], text: &str) -> Vec<Places> {
    facts.iter().map(|fact| fact.places(text)).filter(|places| !places.is_empty()).collect()
}

/// What a model reads of outputs and of the text that replaces them: results, assistant messages, records.
fn read(messages: &[Value]) -> String {
    let mut texts: Vec<&str> = Vec::new();
    for message in messages.iter().filter(|message| !is_system(message)) {
        let is_read = |text: &&str| !is_of(message, "user") || text.starts_with('[');
        match message.get("content") {
            Some(Value::Array(parts)) => {
                for part in parts {
                    texts.extend(part.get("text").and_then(Value::as_str).filter(is_read));
                    texts.extend(part.get("content").into_iter().flat_map(strings));
                }
            }
            content => texts.extend(content.and_then(Value::as_str).filter(is_read)),
        }
    }
    texts.join("\n")
}

/// The texts of the content of a result.
fn strings(content: &Value) -> Vec<&str> {
    match content {
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect()
        }
        content => content.as_str().into_iter().collect(),
    }
}

impl Fact {
    /// A single string.
    pub(crate) fn of(string: String) -> Self {
        Self { must: vec![string], span: usize::MAX }
    }

    /// Whether its strings appear near one another in `text`.
    pub(crate) fn stands_in(&self, text: &str) -> bool {
        let found: Option<Vec<&str>> = self.must.iter().map(|string| written(string, text)).collect();
        found.is_some_and(|strings| distance(&strings, text).is_some_and(|span| span <= self.span))
    }

    /// The bytes of its strings in `text`, once for each place where they stand near one another as they are.
    pub(crate) fn places(&self, text: &str) -> Vec<Vec<Range<usize>>> {
        let strings: Vec<&str> = self.must.iter().map(String::as_str).collect();
        let mut places = stretches(&strings, text);
        places.retain(|places| span(places, text).is_some_and(|span| span <= self.span));
        places
    }
}

/// The form of `string` in `text`: unchanged, as a JSON member without blanks or quotes, or what remains of it if its
/// key heads a column or its folder heads a list.
fn written<'s>(string: &'s str, text: &str) -> Option<&'s str> {
    if text.contains(string) {
        return Some(string);
    }
    if let Some((key, value)) = string.strip_prefix('"').and_then(|rest| rest.split_once("\":")) {
        let value = value.strip_prefix(' ').unwrap_or(value);
        let bare = value.trim_matches('"');
        let joined = [
            format!("\"{key}\":{value}"),
            format!("{key}: {bare}"),
            format!("{key}:{bare}"),
            format!("{key}={bare}"),
        ];
        let is_column = || bare.len() >= VALUE && text.contains(key);
        let stands = joined.iter().any(|joined| text.contains(joined)) || is_column();
        return (stands && text.contains(bare)).then_some(bare);
    }
    let (folder, name) =
        string.rsplit_once('/').filter(|(folder, name)| !folder.is_empty() && !name.is_empty())?;
    let near = |(at, _): (usize, &str)| {
        let start = at + folder.len();
        let end = text.floor_char_boundary((start + FOLDER).min(text.len()));
        text.get(start..end).is_some_and(|list| list.contains(name))
    };
    (!string.contains('\n') && text.match_indices(folder).any(near)).then_some(name)
}

/// The length in characters of the shortest stretch of `text` that contains all of `strings`.
fn distance(strings: &[&str], text: &str) -> Option<usize> {
    stretches(strings, text).iter().filter_map(|places| span(places, text)).min()
}

/// The length in characters of the stretch of `text` that has all of `places`.
fn span(places: &[Range<usize>], text: &str) -> Option<usize> {
    let from = places.iter().map(|place| place.start).min()?;
    let to = places.iter().map(|place| place.end).max()?;
    text.get(from..to).map(|stretch| stretch.chars().count())
}

/// For each occurrence in `text` of the rarest of `strings`, its bytes and those of the nearest occurrence of each of the
/// others. Linear in the length of the text, times the logarithm of the number of occurrences.
fn stretches(strings: &[&str], text: &str) -> Vec<Vec<Range<usize>>> {
    let places = |string: &&str| text.match_indices(*string).map(|(at, _)| at).collect::<Vec<_>>();
    let all: Vec<Vec<usize>> = strings.iter().map(places).collect();
    let rarest = all.iter().min_by_key(|places| places.len()).map_or(&[][..], Vec::as_slice);
    let stretch = |&at: &usize| {
        let nearest = |(string, places): (&&str, &Vec<usize>)| {
            let after = places.partition_point(|place| *place < at);
            let beside = [after.checked_sub(1), Some(after)].into_iter().flatten();
            let nearest = beside.filter_map(|n| places.get(n)).min_by_key(|place| place.abs_diff(at))?;
            Some(*nearest..nearest + string.len())
        };
        strings.iter().zip(&all).map(nearest).collect()
    };
    rarest.iter().filter_map(stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(must: &[&str], span: usize, text: &str, expect: bool) {
        let fact = Fact { must: must.iter().map(|&string| string.to_owned()).collect(), span };
        assert_eq!(fact.stands_in(text), expect, "{must:?} in {text:?}");
    }

    #[test]
    fn strings_stand_together() {
        check(&["a.rs:3", "refused"], 40, "error: refused\n --> a.rs:3\n", true);
        check(&["a.rs:3", "refused"], 18, "error: refused\n --> a.rs:3\n", false);
        check(&["a.rs:3", "refused"], 20, &format!("refused {} a.rs:3: refused", "x".repeat(90)), true);
        check(&["a.rs:3"], 40, "a.rs:30 and a.rs", true);
        check(&["a.rs:3"], 40, "a.rs", false);
    }

    #[test]
    fn members_and_folders_written_otherwise() {
        check(&["\"phase\": \"Failed\""], 40, "{\"phase\":\"Failed\"}", true);
        check(&["\"phase\": \"Failed\""], 40, "{\"columns\":[\"phase\"],\"rows\":[[\"Failed\"]]}", true);
        check(&["\"phase\": \"Failed\""], 40, "Failed", false);
        check(&["\"restarts\": 14"], 40, "\"restarts\":14", true);
        check(&["\"restarts\": 14"], 40, "[\"restarts\"],[14]", false);
        check(&["src/net/tcp.rs:3"], 40, "src/net/\n\tudp.rs:1\n\ttcp.rs:3\n", true);
        check(&["src/net/tcp.rs:3"], 40, "tcp.rs:3\nsrc/net/\n", false);
    }

    #[test]
    fn what_users_say_is_no_output() {
        let said = serde_json::json!([
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "is it refused?"},
            {"role": "user", "content": "[Earlier turns, shortened]"},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "ok"}]}]},
            {"role": "tool", "tool_call_id": "u", "content": "done"},
        ]);
        assert_eq!(read(said.as_array().unwrap()), "[Earlier turns, shortened]\nok\ndone");
    }
}
