//! `verify`: checks the file of `--report` again, from the originals in it.

use std::path::PathBuf;

use clap::ValueHint;
use contextfit_formats::BRIDGE;
use contextfit_pipeline::{Claim, verify};
use serde_json::Value;

use crate::{
    console,
    error::CliError,
    input,
    result::Report,
    summary::{counted, grouped},
};

/// The flags of `verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit files src --budget 4000 --report result.json > context.txt
  contextfit verify result.json
  contextfit verify result.json --output context.txt

Makes the text again from the originals and the plan in the report, counts it, and compares: every byte of the result is \
part of an original, a declared marker, rewrite or summary, or the output differs. Needs no model and no network. Exit \
code 1 with the first byte that differs.")]
pub(crate) struct VerifyArgs {
    /// The report, as written by --report; standard input if absent or -
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// Also check that this file holds the context
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<(), CliError> {
    let path = args.file.as_deref();
    let name = input::name(path);
    let report = Report::read(path)?;
    let claim = Claim { text: &report.text, tokens: report.tokens(), plan: report.plan() };
    let counter = report.counter()?;
    let failed = |why: String| CliError::Failed(format!("{name}: {why}"));
    verify(&report.input, &claim, &report.budget, &*counter).map_err(|error| failed(error.to_string()))?;
    shown_in_answer(&report).map_err(failed)?;
    if let Some(output) = &args.output {
        let found = input::read(Some(output))?;
        if found.trim_end_matches('\n') != report.text.trim_end_matches('\n') {
            return Err(failed(format!("{} does not hold the context", output.display())));
        }
    }
    console::note(format!(
        "{name}: verified {} bytes and {} tokens ({}), from {}",
        grouped(report.text.len()),
        grouped(report.tokens().get()),
        report.tokenizer,
        counted(report.input.blocks.len(), "original", "originals"),
    ));
    Ok(())
}

/// Checks that the answer in the report shows the verified text.
fn shown_in_answer(report: &Report) -> Result<(), String> {
    if let Some(context) = &report.context {
        let same = *context == report.text;
        return if same { Ok(()) } else { Err("`context` is not the verified text".into()) };
    }
    let answer = report.messages.as_ref().or(report.request.as_ref());
    let answer = answer.ok_or("the report has neither a context nor messages")?;
    let mut said = Vec::new();
    match answer {
        Value::Array(messages) => messages.iter().for_each(|message| collect(message, &mut said)),
        _ => ["system", "instructions", "messages", "input"]
            .iter()
            .filter_map(|field| answer.get(field))
            .for_each(|value| collect(value, &mut said)),
    }
    let strange = said.into_iter().find(|text| !report.text.contains(*text) && *text != BRIDGE);
    strange.map_or(Ok(()), |text| {
        let quoted: String = text.chars().take(60).collect();
        Err(format!("a message says {quoted:?}, which is not part of the verified text"))
    })
}

/// The texts of a message, an item, or several of them.
fn collect<'v>(value: &'v Value, said: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => said.push(text),
        Value::Array(values) => values.iter().for_each(|value| collect(value, said)),
        Value::Object(fields) => {
            let kind = fields.get("type").and_then(Value::as_str).unwrap_or("message");
            let field = match kind {
                "message" | "tool_result" => "content",
                "text" | "input_text" | "output_text" => "text",
                "function_call_output" => "output",
                // Calls, images and reasoning are not text.
                _ => return,
            };
            fields.get(field).into_iter().for_each(|value| collect(value, said));
        }
        _ => {}
    }
}
