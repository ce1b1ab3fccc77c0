//! Checks whether an answer is in the language of its source.

use contextfit_kernel::{Unfit, Values};

use crate::detection::{leading, stop_words_of};

/// Fewer letters than this do not identify a script, nor do fewer function words identify a language.
const LETTERS: usize = 12;
const GRAMMAR: usize = 4;

/// To be distinguished from another language, a language must have this many times as many function words, because
/// languages share some.
const FUNCTION_WORDS_FACTOR: usize = 2;

/// The minimum share, in percent, of a source's letters in a script that it is written in. Less than [`TRACE_PERCENT`]
/// is a quotation or a name.
const SCRIPT_PERCENT: usize = 20;
const TRACE_PERCENT: usize = 5;

/// Writing systems that readers distinguish, with their Unicode ranges. Kana identifies Japanese, which uses Han too.
const SCRIPTS: [(&str, &[(u32, u32)]); 12] = [
    ("Latin script", &[(0x41, 0x24f), (0x1e00, 0x1eff)]),
    ("Greek", &[(0x370, 0x3ff), (0x1f00, 0x1fff)]),
    ("Cyrillic script", &[(0x400, 0x52f)]),
    ("Hebrew script", &[(0x590, 0x5ff)]),
    ("Arabic script", &[(0x600, 0x77f)]),
    ("Devanagari script", &[(0x900, 0x97f)]),
    ("Bengali script", &[(0x980, 0x9ff)]),
    ("Tamil script", &[(0xb80, 0xbff)]),
    ("Thai", &[(0xe00, 0xe7f)]),
    ("Korean", &[(0x1100, 0x11ff), (0xac00, 0xd7a3)]),
    ("Japanese", &[(0x3041, 0x30ff)]),
    ("Chinese", &[(0x3400, 0x4dbf), (0x4e00, 0x9fff)]),
];

/// Checks that `answer` is in a script and a language of `source`. Passes if there is too little text to decide.
pub(super) fn check(source: &str, answer: &str) -> Result<(), Unfit> {
    let (theirs, ours) = (scripts(source), scripts(answer));
    let other =
        |found: &str, expected: &str| Err(Unfit::Language { found: found.into(), expected: expected.into() });
    let name = |n: usize| SCRIPTS.get(n).map_or("", |(name, _)| name);
    let all = |counts: &[usize; 12]| counts.iter().sum::<usize>();
    if all(&theirs) < LETTERS || all(&ours) < LETTERS {
        return Ok(());
    }
    let percent = |counts: &[usize; 12], n: usize| counts.at(n) * 100 / all(counts);
    let main = |counts: &[usize; 12]| (0..12).max_by_key(|&n| (percent(counts, n), 12 - n)).unwrap_or(0);
    let (wrote, writes) = (main(&theirs), main(&ours));
    if percent(&theirs, writes) < TRACE_PERCENT && writes != wrote {
        return other(name(writes), name(wrote));
    }
    let (stops, said) = (stop_words_of(source), stop_words_of(answer));
    let (natural_language, spoken, _) = leading(&said);
    // A text about code has Latin letters in any language, so function words decide.
    let foreign =
        (1..12).find(|&n| percent(&theirs, n) >= SCRIPT_PERCENT && percent(&ours, n) < TRACE_PERCENT);
    if let Some(n) = foreign.filter(|_| spoken >= GRAMMAR) {
        let latin = |counts: &[usize; 12]| counts.first().copied().unwrap_or(0).max(1);
        let there = stops.at(natural_language as usize) * latin(&ours) * FUNCTION_WORDS_FACTOR * 2;
        if there < spoken * latin(&theirs) {
            return other(natural_language.english_name(), name(n));
        }
    }
    let (main, most_said, _) = leading(&stops);
    let apart = |of: usize, than: usize| of >= GRAMMAR && of >= FUNCTION_WORDS_FACTOR * than;
    if main != natural_language
        && apart(spoken, said.at(main as usize))
        && apart(most_said, stops.at(natural_language as usize))
    {
        return other(natural_language.english_name(), main.english_name());
    }
    Ok(())
}

/// The number of letters of each script in `text`; Han next to Kana is Japanese.
fn scripts(text: &str) -> [usize; 12] {
    let mut counts = [0; 12];
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        let code = u32::from(c);
        let is_in = |ranges: &[(u32, u32)]| ranges.iter().any(|(from, to)| (*from..=*to).contains(&code));
        let script = SCRIPTS.iter().position(|(_, ranges)| is_in(ranges));
        script.and_then(|n| counts.get_mut(n)).into_iter().for_each(|count| *count += 1);
    }
    let [.., kana, han] = &mut counts;
    if *kana * 10 >= *han {
        *kana += std::mem::take(han);
    }
    counts
}
