//! How near units are to a query by meaning.

use contextfit_kernel::{PartedText, Question, Scorer, Values};
use contextfit_text::words;

use super::document::{Document, DocumentUnit};

/// The number of units that are compared, the best by words.
const COMPARED: usize = 200;

/// The lines that are compared together, and the lines from one such window to the next.
const WINDOW_LINES: usize = 8;
const STEP_LINES: usize = WINDOW_LINES / 2;

/// The bytes of a unit that are read.
const READ_BYTES: usize = 6_000;

/// The nearness of each unit to `query` by `scorer`: the highest of any window of its lines, each after the path and the
/// name. Units other than the best by `scores` get the lowest of those. Linear in the length of the best.
pub(crate) fn nearest_windows(
    query: &str,
    documents: &[Document<'_>],
    scores: &[f64],
    scorer: &dyn Scorer,
) -> Vec<f64> {
    let units = documents.iter().flat_map(|document| document.units.iter().map(move |unit| (document, unit)));
    let mut best: Vec<(usize, (&Document<'_>, &DocumentUnit<'_>))> = units.enumerate().collect();
    let score = |n: usize| scores.get(n).copied().unwrap_or(f64::NEG_INFINITY);
    best.sort_by(|(a, _), (b, _)| score(*b).total_cmp(&score(*a)));
    best.truncate(COMPARED);
    let (mut parts, mut texts, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    for (place, (_, (document, unit))) in best.iter().enumerate() {
        let windows = windows(document, unit, &mut parts);
        owners.extend(windows.iter().map(|_| place));
        texts.extend(windows);
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (query, mut near) = (plain(query), vec![0.0_f64; best.len()]);
    let scores_of_texts = scorer.score_parts(&parts, &[Question { query: &query, texts: &texts }]);
    for (owner, score) in owners.into_iter().zip(scores_of_texts.into_iter().flatten()) {
        near.change(owner, |near| *near = near.max(score));
    }
    let lowest = near.iter().copied().reduce(f64::min).unwrap_or_default();
    let mut all = vec![lowest; scores.len()];
    for ((n, _), near) in best.into_iter().zip(near) {
        all.set(n, near);
    }
    all
}

/// The texts to compare for `unit`, made of `parts`, to which its head and its lines are added.
fn windows(document: &Document<'_>, unit: &DocumentUnit<'_>, parts: &mut Vec<String>) -> Vec<PartedText> {
    let text = unit.range.of(document.text).unwrap_or_default();
    let text = text.get(..text.floor_char_boundary(READ_BYTES)).unwrap_or_default();
    let head = parts.len();
    parts.push(plain(document.path) + &plain(unit.name));
    parts.extend(text.lines().map(plain));
    let lines = head + 1..parts.len();
    let starts = (0..lines.len().saturating_sub(STEP_LINES).max(1)).step_by(STEP_LINES);
    let window = |start: usize| lines.start + start..(lines.start + start + WINDOW_LINES).min(lines.end);
    starts.map(|start| PartedText(vec![head..head + 1, window(start)])).collect()
}

/// The words of `text` in lowercase, identifiers divided, each followed by a space: as the built-in table was trained.
fn plain(text: &str) -> String {
    words(text).flat_map(|word| [word, " "]).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::ByteRange;

    use super::*;
    use crate::ranking::UnitKind;

    /// Rates texts by how many of the words of the query they have.
    struct Shared;

    impl Scorer for Shared {
        fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
            let has = |text: &str, word: &str| text.split_whitespace().any(|other| other == word);
            let count = |text: &&str| query.split_whitespace().filter(|word| has(text, word)).count();
            texts.iter().map(count).map(|count| count as f64).collect()
        }
    }

    /// Rates nothing, as a model that failed.
    struct Failed;

    impl Scorer for Failed {
        fn score(&self, _: &str, _: &[&str]) -> Vec<f64> {
            Vec::new()
        }
    }

    /// A document of `n` units of the same size.
    fn document(text: &str, n: usize) -> Document<'_> {
        let length = text.len() / n;
        let units = (0..n).map(|unit| DocumentUnit {
            range: ByteRange::new(unit * length, (unit + 1) * length).unwrap(),
            kind: UnitKind::Function,
            name: "runLoop",
            holders: String::new(),
            is_changed: false,
        });
        Document { path: "src/engine_room.rs", text, score: None, units: units.collect() }
    }

    #[test]
    fn the_nearest_window_counts() {
        let other = "let a_b = other.thing();\n".repeat(20);
        let motor = format!("{}let s = stopMotor();    \n", "let a_b = other.thing();\n".repeat(19));
        let text = [other.as_str(), &motor, &other].concat();
        let documents = [document(&text, 3)];
        let of = |query: &str, scores: &[f64]| nearest_windows(query, &documents, scores, &Shared);
        assert_eq!(of("stop the motor", &[0.0; 3]), [0.0, 2.0, 0.0]);
        assert_eq!(of("EngineRoom: run", &[0.0; 3]), [3.0; 3], "path and name count everywhere");
        assert_eq!(nearest_windows("stop", &documents, &[0.0; 3], &Failed), [0.0; 3]);
        assert!(nearest_windows("stop", &[], &[], &Shared).is_empty());
        // Identifiers are divided, and windows overlap by half.
        let mut parts = Vec::new();
        let windows = windows(&documents[0], &documents[0].units[1], &mut parts);
        let windows: Vec<String> =
            windows.iter().map(|window| window.of(&parts).map(String::as_str).collect()).collect();
        assert_eq!(windows.len(), 4);
        assert!(windows.iter().all(|window| window.starts_with("src engine room rs run loop let a b other")));
        assert!(windows[3].ends_with("let s stop motor ") && !windows[2].contains("motor"));
    }

    #[test]
    fn only_the_best_by_words_are_compared() {
        // Two too many; the first is near to nothing.
        let text = "halt\n".to_owned() + &"stop\n".repeat(COMPARED + 1);
        let documents = [document(&text, COMPARED + 2)];
        let mut scores = vec![1.0; COMPARED + 2];
        let of = |scores: &[f64]| nearest_windows("stop", &documents, scores, &Shared);
        assert_eq!(of(&scores)[0].to_bits(), 0.0_f64.to_bits());
        (scores[0], scores[7]) = (-1.0, 0.5);
        // The others get the lowest value of those that are compared.
        assert_eq!(of(&scores), vec![1.0; COMPARED + 2]);
    }

    #[test]
    fn nothing_breaks_on_any_text() {
        for text in ["", "\n", "\u{301}", "日本語\n".repeat(2_000).as_str(), &"é".repeat(7_000)] {
            let documents = [document(text, 1)];
            assert_eq!(nearest_windows("日本", &documents, &[0.0], &Shared).len(), 1);
        }
    }
}
