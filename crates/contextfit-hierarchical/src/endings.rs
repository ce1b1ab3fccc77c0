//! What sentences say is over, has changed or is replaced.

use contextfit_text::words;

use crate::one_liner::sentences;

/// Phrases for something that is over, in the clause that says so.
const OVER: [&str; 27] = [
    "no longer",
    "any more",
    "anymore",
    "replace",
    "supersede",
    "obsolete",
    "deprecated",
    "used to",
    "retired",
    "switched off",
    "turned off",
    "shut down",
    "decommissioned",
    "discontinued",
    "left the company",
    "has left",
    "migrated",
    "nicht mehr",
    "kein mehr",
    "keine mehr",
    "abgeschaltet",
    "abgelöst",
    "ersetzt",
    "n'est plus",
    "ne sont plus",
    "remplac",
    "ya no ",
];

/// Phrases after which comes what is over, before [what it became](TO).
const FROM: [&str; 9] = [
    "instead of ",
    "migration from ",
    "migrated from ",
    "moved from ",
    "switched from ",
    "statt ",
    "anstelle von ",
    "au lieu de ",
    "en lugar de ",
];
const TO: [&str; 6] = [" to ", " zu ", " nach ", ", ", ": ", " ("];

/// Verbs of a change from one figure to another.
const CHANGING: [&str; 14] = [
    "changed",
    "extended",
    "raised",
    "increased",
    "lowered",
    "reduced",
    "shortened",
    "cut",
    "moved",
    "grew",
    "rose",
    "fell",
    "dropped",
    "went",
];

/// Phrases of a memory that replaces another, whatever their dates.
pub(crate) const REPLACES: [&str; 2] = ["replaces ", "supersedes "];

/// The words of `text` that begin with a digit.
pub(crate) fn figures(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// The figure that `sentence` says was there before: 14 in `extended from 14 to 30 days`, also `from 14 days to 30`.
pub(crate) fn figure_before(sentence: &str) -> Option<&str> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    words.iter().find(|word| CHANGING.contains(&word.to_lowercase().as_str()))?;
    let is_figure =
        |word: Option<&&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let (at, _) = words.iter().enumerate().find(|(at, word)| {
        let to = (at + 2..at + 4).find(|&to| words.get(to).is_some_and(|word| *word == "to"));
        word.eq_ignore_ascii_case("from")
            && is_figure(words.get(at + 1))
            && to.is_some_and(|to| is_figure(words.get(to + 1)))
    })?;
    words.get(at + 1).copied()
}

/// The sentences of `text` that contain one of `cues`, without the cues: they are not the subject.
pub(crate) fn said(text: &str, cues: &[&str]) -> Vec<String> {
    sentences(text).filter_map(|sentence| Some(around(sentence, cues)?.join(" "))).collect()
}

/// What stands before and after the first of `cues` that `part` contains; `None` if it contains none.
fn around<'t>(part: &'t str, cues: &[&str]) -> Option<[&'t str; 2]> {
    let lower = part.to_ascii_lowercase();
    let (at, cue) = cues.iter().find_map(|cue| Some((lower.find(cue)?, cue)))?;
    Some([part.get(..at)?, part.get(at + cue.len()..)?])
}

/// What `sentence` says is over: MySQL in `we moved from MySQL to PostgreSQL`, otherwise a clause, before and after the
/// phrase that says so.
pub(crate) fn over(sentence: &str) -> Option<[&str; 2]> {
    if let Some([_, rest]) = around(sentence, &FROM) {
        let end = TO.iter().filter_map(|to| rest.find(to)).min().unwrap_or(rest.len());
        return Some(["", rest.get(..end)?]);
    }
    sentence.split(';').find_map(|clause| around(clause, &OVER))
}

/// What something that is over was for.
pub(crate) fn purpose(over: &str) -> Option<&str> {
    around(over, &[" for ", " für ", " pour ", " para "]).map(|[_, purpose]| purpose)
}
