//! The savings of writing tool outputs without loss: `lossless FILE`, a file of cases, each line with its `kind` and,
//! in its `request`, the results of tools. Tokens are those of o200k_base; each distinct output counts once.

#![allow(clippy::print_stdout, reason = "an example that prints figures")]

use std::{
    collections::{BTreeMap, HashSet},
    error::Error,
    fs,
};

use contextfit_excerpt::lossless;
use contextfit_kernel::{
    Block, ByteRange, Context, Framing, Layout, Piece, Rewrite, Role, TokenCounter, Tokens, Turn,
};
use contextfit_pipeline::measure;
use contextfit_text::Tiktoken;
use serde_json::Value;

/// The number of outputs and of those that became shorter, the tokens of the latter, and the tokens of all before and
/// after.
#[derive(Clone, Copy, Default)]
struct Sum {
    outputs: usize,
    shorter: usize,
    touched: usize,
    before: usize,
    after: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("lossless FILE")?;
    let Ok(lines) = fs::read_to_string(&path) else {
        println!("{path} not found: nothing to measure");
        return Ok(());
    };
    let (mut seen, mut sums) = (HashSet::new(), BTreeMap::<String, Sum>::new());
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line)?;
        let kind = case.get("kind").and_then(Value::as_str).unwrap_or_default();
        let mut found = Vec::new();
        results(case.get("request").unwrap_or(&Value::Null), &mut found);
        for text in found.into_iter().filter(|text| !text.is_empty()) {
            if seen.insert(text.clone()) {
                let (rewrites, before, after) = written(text);
                let used = rewrites.iter().map(|rewrite| format!("  with {rewrite:?}"));
                for name in [kind.to_owned(), "all".to_owned()].into_iter().chain(used) {
                    let sum = sums.entry(name).or_default();
                    let touched = if after < before { before } else { 0 };
                    *sum = Sum {
                        outputs: sum.outputs + 1,
                        shorter: sum.shorter + usize::from(after < before),
                        touched: sum.touched + touched,
                        before: sum.before + before,
                        after: sum.after + after,
                    };
                }
            }
        }
    }
    println!(
        "| kind | outputs | shorter | tokens | saved | of those shorter |\n|---|---:|---:|---:|---:|---:|"
    );
    for (name, Sum { outputs, shorter, touched, before, after }) in sums {
        let share = |of: usize| 100.0 * (before - after) as f64 / of.max(1) as f64;
        println!(
            "| {name} | {outputs} | {shorter} | {before} | {:.1} % | {:.1} % |",
            share(before),
            share(touched)
        );
    }
    Ok(())
}

/// The texts of the tool results in `value`.
fn results(value: &Value, found: &mut Vec<String>) {
    let is = |name: &str, wanted: &str| value.get(name).and_then(Value::as_str) == Some(wanted);
    let result = match () {
        () if is("type", "tool_result") || is("role", "tool") => value.get("content"),
        () if is("type", "function_call_output") => value.get("output"),
        () => None,
    };
    match (result, value) {
        (Some(Value::String(text)), _) => found.push(text.clone()),
        (Some(parts), _) => {
            let parts = parts.as_array().into_iter().flatten();
            let texts = parts.filter_map(|part| part.get("text").and_then(Value::as_str));
            found.push(texts.collect::<Vec<_>>().concat());
        }
        (None, Value::Array(values)) => values.iter().for_each(|value| results(value, found)),
        (None, Value::Object(members)) => members.values().for_each(|value| results(value, found)),
        (None, _) => {}
    }
}

/// The rewritings used on `text`, and its tokens before and after; unchanged if rewriting saves none.
fn written(text: String) -> (HashSet<Rewrite>, usize, usize) {
    let counter = Tiktoken::o200k_base();
    let framing = Framing { request: Tokens::ZERO, record: Tokens::ZERO };
    let context = Context::new(vec![Block::turn("output", Turn::new(Role::Tool), text)])
        .with_layout(Layout::conversation(framing));
    let input = measure(&context, &counter);
    let Some(block) = input.blocks.first() else { return (HashSet::new(), 0, 0) };
    let source = block.block().text.as_str();
    let pieces = lossless(block, ByteRange::whole(source));
    let shown: String = pieces.iter().map(|piece| piece.text(source)).collect();
    let rewrites = pieces.iter().filter_map(|piece| match piece {
        Piece::Rewritten { rewrite, .. } => Some(*rewrite),
        _ => None,
    });
    let (before, after) = (block.tokens().get(), counter.count(&shown).get());
    (rewrites.collect(), before, after.min(before))
}
