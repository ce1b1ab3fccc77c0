//! JSON with a few lines before and after it (a warning, the headers of a response, a prompt), or cut off at its end.

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, TokenCounter, Tokens};
use contextfit_text::{begins_as_json, is_json};

use crate::{choice::text_of, excerpt, json::Tree};

/// This many lines are tried as the start of the JSON: most lines that begin with a bracket are log lines.
const ATTEMPTS: usize = 3;

/// The lines around the JSON are shown whole if they take at most one in this many tokens of the room; if the JSON is
/// most of the text, they are cut to that.
const PART: usize = 4;

/// The excerpt of the part `range` of `block` if it is JSON with a few lines around it: these lines whole, and as much
/// of the JSON as fits. `None` for other texts. Linear.
pub(crate) fn fit(
    block: &MeasuredBlock<'_>,
    range: ByteRange,
    focus: &[f64],
    room: Tokens,
    counter: &dyn TokenCounter,
) -> Option<Vec<Piece>> {
    let json = json(block, range)?;
    let units = |range: ByteRange| (block.units_before(range.start()), block.units_before(range.end()));
    let first = block.units_before(range.start());
    let around = ByteRange::new(range.start(), json.start())
        .into_iter()
        .chain(ByteRange::new(json.end(), range.end()));
    let around: Vec<ByteRange> = around.filter(|part| !part.is_empty()).collect();
    let text = &block.block().text;
    let within = |part: ByteRange| {
        let (from, to) = units(part);
        focus.get(from - first..(to - first).min(focus.len())).unwrap_or_default()
    };
    let all: Tokens = around.iter().map(|part| counter.count(part.of(text).unwrap_or_default())).sum();
    let most = room.get() / PART;
    if all.get() > most && json.len() <= range.len() / 2 {
        return None;
    }
    // The headers of a response may be long.
    let shown = |part: ByteRange| match all.get() > most {
        true => excerpt(block, part, within(part), Tokens::new(most / around.len()), counter),
        false => vec![Piece::Source(part)],
    };
    let around: Vec<Vec<Piece>> = around.iter().map(|part| shown(*part)).collect();
    let taken: Tokens = around.iter().map(|pieces| counter.count(&text_of(pieces, text))).sum();
    let cut = Tree::of(block, json, within(json))?.fit(room.saturating_sub(taken), None, counter);
    let before = usize::from(json.start() > range.start());
    let (head, tail) = around.split_at(before);
    Some([head.concat(), cut, tail.concat()].concat())
}

/// The range of the JSON in the part `range` of `block`: whole lines, between unit borders.
fn json(block: &MeasuredBlock<'_>, range: ByteRange) -> Option<ByteRange> {
    let text = range.of(&block.block().text)?;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for line in text.split_inclusive('\n') {
        lines.push((lines.last().map_or(range.start(), |(at, line)| at + line.len()), line));
    }
    let found = |end: usize, is: fn(&str) -> bool| {
        let starts = lines.iter().filter(|(_, line)| line.starts_with(['{', '[']));
        starts
            .take(ATTEMPTS)
            .filter_map(|(start, _)| ByteRange::new(*start, end))
            .filter(|json| block.is_unit_boundary(json.start()) && block.is_unit_boundary(json.end()))
            .find(|json| json.of(&block.block().text).is_some_and(is))
    };
    let last = lines.iter().rfind(|(_, line)| line.trim_end().ends_with(['}', ']']));
    last.and_then(|(at, line)| found(at + line.len(), is_json)).or_else(|| found(range.end(), begins_as_json))
}
