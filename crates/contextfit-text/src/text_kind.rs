//! The kind of a text: code, a log, a table, prose.

mod features;
mod line;

use std::sync::LazyLock;

use contextfit_kernel::{Block, ByteRange, MeasuredBlock, TextKind};

use crate::{Language, Shape, begins_as_json, is_json};

/// The weight of each feature, in the order of [`features::features`], for each kind. `cargo xtask fit kinds` writes
/// the file.
static WEIGHTS: LazyLock<Vec<[f64; TextKind::ALL.len()]>> = LazyLock::new(|| {
    let row = |line: &str| {
        let mut numbers = line.split('\t').skip(1).map(|number| number.parse().unwrap_or_default());
        std::array::from_fn(|_| numbers.next().unwrap_or_default())
    };
    include_str!("text_kind/weights.tsv").lines().skip(1).map(row).collect()
});

/// The kind of `text`: JSON if all of it is, and otherwise the kind with the highest score. A score is the sum of the
/// square roots of features of a sample of lines, with fitted weights. Reads at most 56 lines; if a bracket begins the
/// text or a line, it also tries to read JSON from there, which is linear in the length of the text.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel as kernel; pub use ::contextfit_text as text; }
/// use contextfit::{kernel::TextKind, text::text_kind};
///
/// assert_eq!(text_kind("src/a.rs:3: fn a() {}\nsrc/b.rs:14: fn b() {}\n"), TextKind::Listing);
/// assert_eq!(text_kind("The river is wide, and the town on it has two schools."), TextKind::Prose);
/// ```
#[must_use]
pub fn text_kind(text: &str) -> TextKind {
    // A text that can be read as JSON is certainly JSON.
    if is_json(text) {
        return TextKind::Json;
    }
    let best = TextKind::ALL.into_iter().zip(scores(text)).rev().max_by(|(_, a), (_, b)| a.total_cmp(b));
    best.map_or(TextKind::Other, |(kind, _)| kind)
}

/// The lead of prose over the most likely other kind, negative if prose is less likely: the difference of the scores of
/// [`text_kind`], which is the logarithm of the odds. Negative infinity for JSON.
#[must_use]
pub fn prose_lead(text: &str) -> f64 {
    if is_json(text) {
        return f64::NEG_INFINITY;
    }
    let scores = scores(text);
    let best = |is_prose: bool| {
        let of_kind =
            TextKind::ALL.into_iter().zip(scores).filter(|(kind, _)| (*kind == TextKind::Prose) == is_prose);
        of_kind.map(|(_, score)| score).fold(f64::NEG_INFINITY, f64::max)
    };
    best(true) - best(false)
}

/// The scores of the kinds of `text`.
fn scores(text: &str) -> [f64; TextKind::ALL.len()] {
    let mut scores = [0.0; TextKind::ALL.len()];
    for ((_, feature), weights) in features::features(text).zip(&*WEIGHTS) {
        if feature != 0.0 {
            scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += feature.sqrt() * weight);
        }
    }
    scores
}

/// The features of `text` by which [`text_kind`] judges it, each from 0 to 1, with their names.
#[must_use]
pub fn kind_features(text: &str) -> Vec<(&'static str, f64)> {
    features::features(text).collect()
}

/// The kind of the text of `block`, by its language if that determines the kind, otherwise by [`text_kind`]. A log can
/// contain anything that programs print.
#[must_use]
pub fn kind_of_block(block: &Block) -> TextKind {
    let language = Language::of_block(block);
    match language.map_or("text", |language| language.name) {
        // What is no JSON has no members to count; with comments, it is code.
        "json" if !begins_as_json(&block.text) => match text_kind(&block.text) {
            TextKind::Code => TextKind::Json,
            kind => kind,
        },
        "json" => TextKind::Json,
        "diff" => TextKind::Diff,
        "csv" => TextKind::Table,
        "log" => match text_kind(&block.text) {
            TextKind::Prose | TextKind::Code | TextKind::Other => TextKind::Log,
            kind => kind,
        },
        "code" | "text" => text_kind(&block.text),
        _ if language.is_some_and(|language| language.shape == Shape::Prose) => TextKind::Prose,
        _ => TextKind::Code,
    }
}

/// The kind of the text in `range` of `block`, as recorded when it was measured, otherwise by [`text_kind`].
#[must_use]
pub fn kind_of(block: &MeasuredBlock<'_>, range: ByteRange) -> TextKind {
    block.kind(range).unwrap_or_else(|| text_kind(range.of(&block.block().text).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::Passage;

    use super::*;

    #[test]
    fn names_go_first() {
        let log = "2024-05-01 12:00:00 INFO ready\n2024-05-01 12:00:01 ERROR disk full\n";
        let prose = "It lies on a wide river, and has two schools. Both of them are old.\n";
        for (path, text, expect) in [
            ("a.json", "{\"a\": 1,\n\"b\": [", TextKind::Json),
            ("a.json", "// Settings\n{\n  \"a\": 1,\n  \"b\": [2, 3],\n}\n", TextKind::Json),
            ("a.json", prose, TextKind::Prose),
            ("a.csv", prose, TextKind::Table),
            ("a.log", prose, TextKind::Log),
            ("a.log", "{\"a\": 1}\n{\"a\": 2}\n", TextKind::Json),
            ("a.txt", log, TextKind::Log),
            ("a", prose, TextKind::Prose),
            ("a.md", log, TextKind::Prose),
            ("a.py", log, TextKind::Code),
        ] {
            let passage = Passage::at(path);
            assert_eq!(kind_of_block(&Block::passage("a", passage, text)), expect, "{path}: {text}");
        }
    }

    #[test]
    fn every_feature_has_its_weights() {
        let rows: Vec<&str> = include_str!("text_kind/weights.tsv").lines().collect();
        let kinds: Vec<&str> = rows[0].split('\t').skip(1).collect();
        assert_eq!(kinds.len(), TextKind::ALL.len());
        let names: Vec<&str> = rows[1..].iter().filter_map(|row| row.split('\t').next()).collect();
        assert_eq!(names, kind_features("a").iter().map(|(name, _)| *name).collect::<Vec<_>>());
        assert!(rows.iter().all(|row| row.split('\t').count() == kinds.len() + 1));
    }
}
