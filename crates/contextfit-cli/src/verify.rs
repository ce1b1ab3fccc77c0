//! `verify`: checks the file of `--report` again, from the originals in it.

mod claims;
mod memories;
mod stand_ins;

use std::path::{Path, PathBuf};

use clap::ValueHint;
use contextfit::{
    kernel::Measured,
    pipeline::{Claim, measure_planned, verified},
    text::counter,
};

use self::claims::Claims;
use crate::{
    chat::RecordRole,
    console,
    error::CliError,
    input::{self, STDIN},
    memory::MemoryReport,
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

Makes the result again from the originals and the plan in the report, and compares the text byte for byte, its tokens, \
what is said of each block, the metrics, and for conversations who says and calls what; for memories the levels. Why a \
strategy chose this plan is its claim. Needs no model and no network. Exit code 1 with the first thing that differs.")]
pub(crate) struct VerifyArgs {
    /// The report, as written by --report; standard input if absent or -
    #[arg(value_hint = ValueHint::FilePath, default_value = STDIN, hide_default_value = true)]
    file: PathBuf,
    /// Also check that this file holds the result, as files, search, chat or memory printed it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// The role that chat was told to give the record
    #[arg(long, value_name = "ROLE", value_enum, default_value_t, hide_default_value = true)]
    record_role: RecordRole,
}

/// The stage in which a model shortened long passages.
const SHORTENING: &str = "llm";

pub(crate) fn run(args: &VerifyArgs) -> Result<(), CliError> {
    let path = args.file.as_path();
    let name = input::name(path);
    let is_stdin = |path: &Path| path == Path::new(STDIN);
    if args.output.as_deref().is_some_and(is_stdin) && is_stdin(path) {
        return Err(CliError::Usage(
            "standard input cannot be both the report and the output: name a file for one of them".into(),
        ));
    }
    let text = input::read(path)?;
    let failed = |why: String| CliError::Failed(format!("{name}: {why}"));
    if let Some(report) = MemoryReport::parse(&text, path)? {
        let tokens = memories::check(&report, counter(&report.tokenizer)?).map_err(failed)?;
        check_output(args, |output| claims::check_context(&report.context, output))?;
        tell(&name, report.context.len(), tokens.get(), &report.tokenizer, report.ladders.len());
        return Ok(());
    }
    let report = Report::parse(&text, path)?;
    stand_ins::check_layout(&report.input.layout).map_err(failed)?;
    let claim = Claim { text: &report.text, tokens: report.metrics.tokens_after, plan: report.plan() };
    let counter = report.counter()?;
    let mut result = verified(&report.input, &claim, &report.budget, &*counter)
        .map_err(|error| failed(error.to_string()))?;
    if report.stages.iter().any(|stage| stage.strategy == SHORTENING) {
        // The report has what the model made of the originals.
        result.metrics.tokens_before = report.metrics.tokens_before;
    }
    if let Some(plan) = report.plan() {
        let is_right = |input: &Measured<'_>| stand_ins::check(input, plan).is_ok();
        let input = measure_planned(&report.input, &report.budget, Some(plan), &*counter, &is_right)
            .map_err(|error| failed(error.to_string()))?;
        stand_ins::check(&input, plan).map_err(failed)?;
    }
    let claims = Claims { result: &result, counter: &*counter, record_role: args.record_role.role() };
    claims::check(&report, &claims).map_err(failed)?;
    check_output(args, |output| claims::check_output(&report, &claims, output))?;
    let (bytes, tokens) = (report.text.len(), report.metrics.tokens_after.get());
    tell(&name, bytes, tokens, &report.tokenizer, report.input.blocks.len());
    Ok(())
}

/// Checks the file of `--output`, if there is one.
fn check_output(args: &VerifyArgs, check: impl FnOnce(&str) -> Result<(), String>) -> Result<(), CliError> {
    let Some(output) = &args.output else { return Ok(()) };
    check(&input::read(output)?).map_err(|why| CliError::Failed(format!("{}: {why}", output.display())))
}

/// Says what was verified.
fn tell(name: &str, bytes: usize, tokens: usize, tokenizer: &str, originals: usize) {
    console::note(format!(
        "{name}: verified {} bytes and {} tokens ({tokenizer}), from {}",
        grouped(bytes),
        grouped(tokens),
        counted(originals, "original", "originals"),
    ));
}
