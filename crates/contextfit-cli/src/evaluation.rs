//! `report`: evaluates the file of `--report`, as text, JSON or a page.

use std::{collections::HashMap, path::PathBuf};

use clap::ValueHint;
use contextfit::{
    formats::{Conversation, WireFormat, valid},
    kernel::one_line,
    report::{Loss, Quality, page},
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    console,
    embeddings::{self, EmbeddingsArgs},
    error::CliError,
    input::{self, STDIN},
    output, report,
    result::Report,
    summary::{counted, grouped, percent, turns},
    target::Target,
};

/// The flags of `report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit files src --query \"how are tokens counted\" --budget 4000 --report result.json > context.txt
  contextfit report result.json
  contextfit report result.json --json | jq .lost.numbers.names
  contextfit report result.json --html result.html

Says what one compression lost, by name: identifiers, numbers, quoted strings, instructions and words of the query that \
the input has and the output does not. Needs no model and no network.")]
pub(crate) struct ReportArgs {
    /// The result, as written by --report; standard input if absent or -
    #[arg(value_hint = ValueHint::FilePath, default_value = STDIN, hide_default_value = true)]
    file: PathBuf,
    /// The most names to print of each kind
    #[arg(short, long, value_name = "N", default_value_t = 8)]
    names: usize,
    /// Print JSON, with up to 50 names of each kind
    #[arg(long, conflicts_with = "names")]
    json: bool,
    /// Write a page for a browser: one file that loads nothing, with every block in place
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = report::file(), conflicts_with_all = ["names", "json"])]
    html: Option<PathBuf>,
    /// Let --html overwrite any file but the result; otherwise only an empty one, or one that contextfit wrote
    #[arg(long, requires = "html")]
    force: bool,
    #[command(flatten)]
    embeddings: EmbeddingsArgs,
}

/// The evaluation as JSON.
#[derive(Serialize)]
struct Evaluation {
    #[serde(flatten)]
    quality: Quality,
    /// Whether the shortened request would be accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    wire: Option<Wire>,
}

/// Whether a provider would accept the messages.
#[derive(Serialize)]
struct Wire {
    /// The format that they were read as.
    format: WireFormat,
    /// The first fault; `None` if there is none.
    fault: Option<String>,
}

pub(crate) fn run(args: &ReportArgs) -> Result<(), CliError> {
    let path = args.file.as_path();
    if let Some(target) = Target::check(args.html.as_deref(), args.force)? {
        target.refuse([path])?;
    }
    let scorer = args.embeddings.open()?.map(embeddings::remembering).map(|model| model.scorer);
    let report = Report::read(path)?;
    let counter = report.counter()?;
    let compression = report.compression(path, &*counter)?;
    let quality = Quality::of(&compression);
    let quality = match scorer {
        Some(scorer) => quality.with_nearness(&compression, &*scorer),
        None => quality,
    };
    if let Some(file) = &args.html {
        let page =
            page(&compression, &quality, &input::name(path), &report.tokenizer).map_err(CliError::Json)?;
        report::write(file, page.as_bytes())?;
        console::note(format!("wrote {}", file.display()));
        return Ok(());
    }
    let evaluation = Evaluation { quality, wire: wire(&report) };
    if args.json {
        output::json(&evaluation)
    } else {
        let told = told(&evaluation, args.names, &turns(&report.input));
        output::line(&format!("{}: {told}", input::name(path)))
    }
}

/// Checks the messages in the report as a provider would.
fn wire(report: &Report) -> Option<Wire> {
    let value: &Value = &serde_json::from_str(report.request.as_ref()?.get()).ok()?;
    let format = Conversation::parse(value.clone()).ok()?.format();
    Some(Wire { format, fault: valid(value, format).err().map(|fault| fault.to_string()) })
}

/// The evaluation for people.
fn told(evaluation: &Evaluation, names: usize, turns: &HashMap<&str, String>) -> String {
    let Evaluation { quality, wire } = evaluation;
    let mut text = format!(
        "{} of {} tokens, from {}\n",
        grouped(quality.tokens_after.get()),
        grouped(quality.available.get()),
        grouped(quality.tokens_before.get()),
    );
    let output = quality.output;
    let mut parts = vec![format!("{} in whole lines and sentences", percent(output.share_whole()))];
    let mut part = |bytes: usize, what: &str| {
        if bytes > 0 {
            parts.push(format!("{} bytes of {what}", grouped(bytes)));
        }
    };
    part(output.rewritten, "lossless rewrites");
    part(output.parts, "parts of long lines");
    part(output.summaries, "summaries");
    part(output.descriptions, "metadata");
    part(output.markers, "markers");
    text.push_str(&format!("output: {}\n", parts.join(", ")));
    if let Some(share) = quality.repetition.share() {
        let said = format!("dropped: {} of it is said again in what is shown\n", percent(share));
        text.push_str(&said);
    }
    if let Some(calls) = &quality.transcript {
        let of = counted(calls.calls_before, "call", "calls");
        let paired = if calls.paired { "each with its results" } else { "some without their results" };
        text.push_str(&format!("transcript: {} of {of} kept, {paired}", grouped(calls.calls_after)));
        if let Some(Wire { format, fault }) = wire {
            let fault = fault.as_ref().map(|fault| format!("; not valid {format}: {fault}"));
            text.push_str(&fault.unwrap_or_default());
        }
        text.push('\n');
    }
    if let Some(nearness) = quality.nearness {
        text.push_str(&format!(
            "nearness: {nearness:.3} on average from a part of the input to the output\n"
        ));
    }
    let lost = quality.lost.each().filter(|(_, loss)| loss.of > 0);
    text.push_str(&losses("lost", lost, names, turns));
    text.trim_end().to_owned()
}

/// The `lost` names under headings that begin with `title`, at most `most` of each kind, one per line. `turns` has what
/// to call messages.
pub(crate) fn losses<'l>(
    title: &str,
    lost: impl Iterator<Item = (&'static str, &'l Loss)>,
    most: usize,
    turns: &HashMap<&str, String>,
) -> String {
    let of = |(kind, loss): (&str, &Loss)| {
        let (total, of) = (grouped(loss.total), grouped(loss.of));
        format!("\n{title} {kind}: {total} of {of}\n{}", listed(loss, most, turns))
    };
    lost.map(of).collect()
}

/// The names of `loss`, at most `most`.
fn listed(loss: &Loss, most: usize, turns: &HashMap<&str, String>) -> String {
    let mut text = String::new();
    for lost in loss.names.iter().take(most) {
        let times = if lost.times > 1 { format!(" ({}x)", grouped(lost.times)) } else { String::new() };
        let place = turns.get(lost.block.as_str()).map(|turn| format!("message {turn}"));
        let place = place.as_deref().unwrap_or(&lost.block);
        text.push_str(&format!("  {}{times}  in {}\n", one_line(&lost.name), one_line(place)));
    }
    let more = loss.total.saturating_sub(most.min(loss.names.len()));
    if more > 0 && most > 0 {
        text.push_str(&format!("  ... and {} more\n", grouped(more)));
    }
    text
}
