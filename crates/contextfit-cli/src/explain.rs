//! The table of `--explain`: the outcome for each block.

use std::collections::HashMap;

use comfy_table::{Cell, ContentArrangement};
use contextfit::{
    formats::AnswerBlock,
    kernel::{CompressionResult, Context, NoSummary, SummarySource, one_line},
    presets::{ExplainedSentence, ExplainedUnit, Fitter, UnitShown},
    search::Explanation,
};

use crate::{
    console,
    error::CliError,
    summary::{self, grouped},
    tables::{headed, right},
};

/// The most rows for shown blocks: more than anyone reads.
const SHOWN: usize = 200;
/// The most rows for dropped blocks; if there are more, they are only counted.
const DROPPED: usize = 20;

/// The most units, sentences, and parts of a score to print.
const UNITS: usize = 10;
const SENTENCES: usize = 3;
const PARTS: usize = 4;

/// Prints the table to standard error, then the scores of the best units or sentences.
pub(crate) fn print(fitter: &Fitter, input: &Context, result: &CompressionResult, blocks: &[AnswerBlock]) {
    console::note(table(blocks, &summary::turns(input)));
    fitter.applied_feedback(input, result).into_iter().for_each(console::note);
    summaries(input, result).into_iter().for_each(console::note);
    fitter.explain_units(input, result).iter().take(UNITS).map(line).for_each(console::note);
    let sentences = fitter.explain_sentences(input, result).into_iter();
    for ExplainedSentence { id, range, why, .. } in sentences.take(SENTENCES) {
        console::note(format!("\n{id}, bytes {} to {}\n{}", range.start(), range.end(), told(&why)));
    }
}

/// A unit with its score, the parts of that, and whether it is shown.
fn line(unit: &ExplainedUnit<'_>) -> String {
    let ExplainedUnit { id, line, name, score, why, shown, .. } = unit;
    let parts = why.iter().take(PARTS).map(|(part, value)| format!("{part} {value:+.2}"));
    let parts: Vec<String> = parts.collect();
    let shown = match shown {
        UnitShown::Whole => "",
        UnitShown::Part => "; in part",
        _ => "; not shown",
    };
    format!("{score:6.2}  {id}:{line} {name}  ({}{shown})", parts.join(", "))
}

/// What `--why` asks about.
struct Asked<'t> {
    target: &'t str,
    path: Option<&'t str>,
    /// The name of a unit, or the number of one of its lines.
    symbol: &'t str,
}

impl<'t> Asked<'t> {
    fn new(target: &'t str) -> Result<Self, CliError> {
        let (path, symbol) =
            target.rsplit_once(':').map_or((None, target), |(path, symbol)| (Some(path), symbol));
        let path = path.map(|path| path.strip_prefix("./").unwrap_or(path));
        if symbol.is_empty() {
            return Err(CliError::Usage(format!(
                "--why {target}: expected PATH:SYMBOL, SYMBOL or PATH:LINE"
            )));
        }
        Ok(Self { target, path, symbol })
    }

    /// Whether it may ask about the block called `id`.
    fn is_in(&self, id: &str) -> bool {
        self.path.is_none_or(|path| {
            id.strip_suffix(path).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
        })
    }

    /// Whether it asks about `unit` of `input`.
    fn means(&self, unit: &ExplainedUnit<'_>, input: &Context) -> bool {
        let has = |line: usize| {
            let block = input.blocks.iter().find(|block| block.id == unit.id);
            let text = block.and_then(|block| unit.range.of(&block.text)).unwrap_or_default();
            (unit.line..unit.line + text.lines().count()).contains(&line)
        };
        unit.name == self.symbol || self.symbol.parse().is_ok_and(has)
    }

    /// The error if it asks about none of `units`.
    fn unknown(&self, units: &[ExplainedUnit<'_>], input: &Context, result: &CompressionResult) -> CliError {
        let names = units.iter().filter(|unit| self.is_in(unit.id)).map(|unit| unit.name.as_str());
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).take(UNITS).collect();
        let steps = result.plan().into_iter().flat_map(|plan| &plan.steps);
        let of_file = input.blocks.iter().zip(steps).filter(|(block, _)| self.is_in(&block.id));
        let reasons: Vec<String> =
            of_file.map(|(block, step)| format!("{}: {}", block.id, step.reason)).collect();
        let there = match self.path.filter(|_| names.is_empty()) {
            Some(path) if reasons.is_empty() => format!("no file {path} was read"),
            Some(_) => format!("it has no ranked part ({})", reasons.join("; ")),
            None => format!("there are {}, among others; a line number also names a part", names.join(", ")),
        };
        CliError::Usage(format!("--why {}: nothing has this name or line; {there}", self.target))
    }
}

/// The lines that say why the units that `target` names, as `PATH:SYMBOL`, `SYMBOL` or `PATH:LINE`, are shown or not.
///
/// # Errors
/// [`CliError::Usage`] with what there is, if it names none.
pub(crate) fn why(
    fitter: &Fitter,
    input: &Context,
    result: &CompressionResult,
    target: &str,
) -> Result<Vec<String>, CliError> {
    let asked = Asked::new(target)?;
    let units = fitter.explain_units(input, result);
    if units.is_empty() {
        let strategy = result.plan().map_or("none, everything fits", |plan| plan.strategy.as_str());
        let why = format!("--why: units are ranked by the strategy outline; this result is by {strategy}");
        return Ok(vec![why]);
    }
    let last = units.iter().rfind(|unit| unit.shown == UnitShown::Whole);
    let mut lines = Vec::new();
    for unit in units.iter().filter(|unit| asked.is_in(unit.id) && asked.means(unit, input)) {
        let last = last.filter(|_| unit.shown != UnitShown::Whole).map(|last| {
            format!("; the last one shown whole has place {} and a score of {:.2}", last.rank, last.score)
        });
        let (rank, tokens) = (unit.rank, grouped(unit.tokens.get()));
        let place = format!("        place {rank} of {}, {tokens} tokens", grouped(units.len()));
        lines.extend([line(unit), place + &last.unwrap_or_default()]);
        lines.extend(unit.why.iter().map(|(part, value)| format!("        {value:+6.2}  {part}")));
    }
    if lines.is_empty() { Err(asked.unknown(&units, input, result)) } else { Ok(lines) }
}

/// A line for each summary that the model failed to give, with the reason.
fn summaries(input: &Context, result: &CompressionResult) -> Vec<String> {
    let id = |at: usize| input.blocks.get(at).map_or("", |block| block.id.as_str());
    let summaries = result.stages.iter().flat_map(|stage| &stage.summaries);
    let told = summaries.filter_map(|summary| match &summary.source {
        SummarySource::Fallback(why) if *why != NoSummary::NotAsked => {
            let (first, last) = (id(summary.from), id(summary.to.saturating_sub(1)));
            let place = if first == last { first.to_owned() } else { format!("{first} to {last}") };
            Some(format!("{}: not summarized by the model: {}", one_line(&place), one_line(&why.to_string())))
        }
        _ => None,
    });
    told.collect()
}

/// The tree without parts that add nothing.
fn told(why: &Explanation) -> String {
    let mut why = why.clone();
    why.parts.retain(|part| part.value > 0.0);
    why.to_string().trim_end().to_owned()
}

/// The table, followed by the number of blocks that it leaves out. `names` has what to call a block besides its id.
fn table(blocks: &[AnswerBlock], names: &HashMap<&str, String>) -> String {
    let mut table = headed([Cell::new("block"), right("level"), right("tokens"), Cell::new("reason")]);
    table.use_stderr().set_content_arrangement(ContentArrangement::Dynamic);
    let dropped = blocks.iter().filter(|block| block.level.is_none()).count();
    let mut shown = 0;
    for block in blocks {
        shown += usize::from(block.level.is_some());
        if if block.level.is_some() { shown <= SHOWN } else { dropped <= DROPPED } {
            let tokens = right(grouped(block.tokens.get()));
            table.add_row(vec![
                Cell::new(one_line(names.get(block.id.as_str()).unwrap_or(&block.id))),
                right(level(block)),
                tokens,
                Cell::new(&block.reason),
            ]);
        }
    }
    let mut text = table.to_string();
    if let more @ 1.. = shown.saturating_sub(SHOWN) {
        text.push_str(&format!("\n... and {} more shown", grouped(more)));
    }
    if dropped > DROPPED {
        text.push_str(&format!("\n... and {} dropped", grouped(dropped)));
    }
    text
}

/// The level in digits, a dash for a dropped block.
fn level(block: &AnswerBlock) -> String {
    block.level.map_or_else(|| "-".into(), |level| u8::from(level).to_string())
}
