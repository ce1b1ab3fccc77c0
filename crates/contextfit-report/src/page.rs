//! One compression as a self-contained page.

use contextfit_kernel::{Action, Budget, ByteRange, Entry, Outcome, Piece, Stage};
use serde::Serialize;

use crate::{
    compression::Compression,
    outcome::{BlockOutcome, Fate},
    quality::Quality,
};

/// The page, with a place for its data.
const TEMPLATE: &str = include_str!("page.html");

/// Where the data goes; in the template it occurs once.
const PLACE: &str = "{{data}}";

/// The data of a page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    title: &'a str,
    tokenizer: &'a str,
    query: Option<&'a str>,
    budget: Budget,
    conversation: bool,
    stages: Vec<Tried<'a>>,
    quality: &'a Quality,
    blocks: Vec<BlockData<'a>>,
}

/// A stage: a rung of the ladder of strategies.
#[derive(Serialize)]
struct Tried<'a> {
    strategy: &'a str,
    /// The strategy that it chose, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<&'a str>,
    attempts: usize,
    outcome: String,
    applied: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BlockData<'a> {
    #[serde(flatten)]
    outcome: BlockOutcome,
    /// The number of a turn, as records have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    /// The role of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    /// The calls that a turn makes: the tool, and the arguments with their kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<(&'a str, PartKind, &'a str)>,
    /// Its text in order, each part with its kind.
    parts: Vec<(PartKind, &'a str)>,
    /// What the output shows instead: an entry of the record, a summary, metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<String>,
}

/// The kind of a part, in one letter.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
enum PartKind {
    /// Shown verbatim.
    #[serde(rename = "k")]
    Kept,
    /// Not shown.
    #[serde(rename = "x")]
    Cut,
    /// A marker, which the input does not have.
    #[serde(rename = "m")]
    Marker,
    /// Shown losslessly rewritten: the source.
    #[serde(rename = "w")]
    Source,
    /// Shown losslessly rewritten: the text shown.
    #[serde(rename = "r")]
    Rewritten,
}

/// A page in HTML that shows `compression` in place: what of each block was kept, cut, quoted, summarized and dropped,
/// and why; the budget; the stages tried; and `quality`. `title` names the result and `tokenizer` its unit.
///
/// The page is one file that loads nothing. Texts of the input are data in it, never markup. Linear in the length of
/// the input.
///
/// # Errors
/// None in practice: only if the data could not be written as JSON.
pub fn page(
    compression: &Compression<'_>,
    quality: &Quality,
    title: &str,
    tokenizer: &str,
) -> Result<String, serde_json::Error> {
    let input = compression.input();
    let blocks = compression.outcomes().into_iter().zip(input.numbers()).enumerate();
    let data = Data {
        title,
        tokenizer,
        query: input.query.as_deref(),
        budget: compression.budget,
        conversation: input.layout.framing.is_some(),
        stages: compression.stages.iter().map(Tried::of).collect(),
        quality,
        blocks: blocks.map(|(n, (outcome, number))| BlockData::of(compression, n, number, outcome)).collect(),
    };
    // Without `<` nothing ends the element that holds the data. In JSON it occurs in strings only.
    let json = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let (before, after) = TEMPLATE.split_once(PLACE).unwrap_or((TEMPLATE, ""));
    Ok([before, &json, after].concat())
}

impl<'a> Tried<'a> {
    fn of(stage: &'a Stage) -> Self {
        let outcome = match &stage.outcome {
            Outcome::Applied => "applied".to_owned(),
            Outcome::TooLong(tokens) => format!("too long: {tokens} tokens"),
            Outcome::Failed(why) => format!("failed: {why}"),
            _ => "not applied".to_owned(),
        };
        let applied = stage.outcome == Outcome::Applied;
        let chosen = stage.plan.as_ref().map(|plan| plan.strategy.as_str());
        let chosen = chosen.filter(|chosen| *chosen != stage.strategy);
        Self { strategy: &stage.strategy, chosen, attempts: stage.attempts, outcome, applied }
    }
}

impl<'a> BlockData<'a> {
    fn of(compression: &Compression<'a>, n: usize, number: usize, outcome: BlockOutcome) -> Self {
        let block = compression.input().blocks.get(n);
        let text = block.map_or("", |block| block.text.as_str());
        let action = compression.step(n).map_or(&Action::Keep, |step| &step.action);
        let (parts, instead) = match action {
            Action::Keep => (vec![(PartKind::Kept, text)], None),
            Action::Summarize { .. } | Action::Drop => {
                (vec![(PartKind::Cut, text)], compression.summary_of(n))
            }
            Action::Render { text: shown, .. } => (vec![(PartKind::Cut, text)], Some(shown.clone())),
            Action::Cut { pieces } => (cut(text, pieces), None),
            Action::Record { entries } => {
                let shown = block.map(|block| Entry::texts(entries, block).join("\n"));
                (quoted_in(text, action.shown(text)), shown)
            }
        };
        let parts = parts.into_iter().filter(|(_, text)| !text.is_empty()).collect();
        let turn = block.and_then(|block| block.as_turn());
        let kind = if compression.is_shown(n) { PartKind::Kept } else { PartKind::Cut };
        let calls = turn.into_iter().flat_map(|turn| &turn.calls);
        let calls = calls.map(|call| (call.name.as_str(), kind, call.arguments.as_str())).collect();
        let number = turn.map(|_| number);
        Self { outcome, number, role: turn.map(|turn| turn.role.name()), calls, parts, instead }
    }
}

impl Compression<'_> {
    /// The summary that covers block `n`, which it is not the last block of.
    fn summary_of(&self, n: usize) -> Option<String> {
        if Fate::of(self.step(n)) != Fate::Summarized {
            return None;
        }
        let mut after = self.plan?.steps.iter().skip(n);
        after.find_map(|step| match &step.action {
            Action::Render { text, .. } => Some(text.clone()),
            _ => None,
        })
    }
}

/// The parts of `text` that is cut to `pieces`, in order. A marker comes before the text that it replaces.
fn cut<'a>(text: &'a str, pieces: &'a [Piece]) -> Vec<(PartKind, &'a str)> {
    let mut parts = Vec::new();
    let mut at = 0;
    for piece in pieces {
        let Some(range) = piece.range() else {
            parts.push((PartKind::Marker, piece.text(text)));
            continue;
        };
        parts.push((PartKind::Cut, text.get(at..range.start()).unwrap_or_default()));
        let source = range.of(text).unwrap_or_default();
        match piece {
            Piece::Rewritten { text, .. } => {
                parts.extend([(PartKind::Source, source), (PartKind::Rewritten, text.as_str())]);
            }
            _ => parts.push((PartKind::Kept, source)),
        }
        at = at.max(range.end());
    }
    parts.push((PartKind::Cut, text.get(at..).unwrap_or_default()));
    parts
}

/// The parts of `text`, of which a record quotes `ranges`.
fn quoted_in(text: &str, mut ranges: Vec<ByteRange>) -> Vec<(PartKind, &str)> {
    ranges.sort_unstable();
    let mut parts = Vec::new();
    let mut at = 0;
    for range in ranges {
        // Two entries may quote the same.
        let start = range.start().max(at);
        parts.push((PartKind::Cut, text.get(at..start).unwrap_or_default()));
        parts.push((PartKind::Kept, text.get(start..range.end()).unwrap_or_default()));
        at = at.max(range.end());
    }
    parts.push((PartKind::Cut, text.get(at..).unwrap_or_default()));
    parts
}
