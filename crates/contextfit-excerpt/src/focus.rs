//! The closeness of units to the query.

use std::borrow::Cow;

use contextfit_kernel::{ByteRange, MeasuredBlock, Scorer, Values};
use contextfit_text::{Bm25, float, is_made_up};

use crate::{
    signals::{Signal, signal},
    table::add_columns,
};

/// The number of bytes that are read of a unit. Longer lines are matched by their start.
const READ_UNIT_BYTES: usize = 4096;

/// The maximum number of names in a query that are searched for.
const MAX_QUERY_NAMES: usize = 8;

/// If the closest unit scores less than this share of the query's score for itself, it does not get the full focus.
/// Otherwise "call it and tell me what you see" would be answered by any text that shares one word with it.
const FULL_FOCUS_SHARE: f64 = 0.5;

/// Returns the focus for [`excerpt`](crate::excerpt), one list per part: how close each unit is to `query`, as its
/// [`Bm25`] score relative to that of the closest unit, or to half of the query's score for itself if that is higher.
///
/// If the query has a word of failure, every unit that reports an error has that word too. All numbers are zero if the
/// query is empty or none of its words occur. A part is a block with a range of it that lies between unit borders. Linear
/// in the length of the parts.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Block, Passage, Tokens};
/// #     pub use ::contextfit_kernel as kernel;
/// #     pub use ::contextfit_excerpt as search;
/// # }
/// use contextfit::{Block, Passage, Tokens, kernel::{ByteRange, MeasuredBlock, Unit}, search::focus};
///
/// let block = Block::passage("a", Passage::default(), "12 passed\nfan_speed: too slow\n");
/// let unit = |end| Unit { end, tokens_through: Tokens::new(end), splits: false };
/// let measured = MeasuredBlock::new(&block, vec![unit(10), unit(30)], Tokens::ZERO);
/// let parts = [(&measured, ByteRange::whole(&block.text))];
/// assert_eq!(focus(&parts, "what is the fan speed"), [[0.0, 1.0]]);
/// ```
#[must_use]
pub fn focus(parts: &[(&MeasuredBlock<'_>, ByteRange)], query: &str) -> Vec<Vec<f64>> {
    let units = |(block, range): &(&MeasuredBlock<'_>, ByteRange)| {
        block.units_before(range.start())..block.units_before(range.end())
    };
    if query.trim().is_empty() {
        return parts.iter().map(|part| vec![0.0; units(part).len()]).collect();
    }
    let texts = parts.iter().flat_map(|part| units(part).map(|n| beginning(part.0.text(n, n + 1))));
    let texts: Vec<&str> = texts.collect();
    let failures = query.split_whitespace().filter(|word| signal(word) == Signal::Error);
    let failures: String = failures.flat_map(|word| [" ", word]).collect();
    let told = texts.iter().map(|text| with_failures(text, &failures));
    // The query is scored as the last text, which shows how close a unit could be.
    let told: Vec<Cow<'_, str>> = told.chain([query.into()]).collect();
    let told: Vec<&str> = told.iter().map(|text| &**text).collect();
    let mut scores = Bm25::default().score(query, &told);
    let all = scores.pop().unwrap_or_default();
    add_names(query, &texts, all, &mut scores);
    add_columns(query, &texts, all, &mut scores);
    let best = scores.iter().copied().fold(all * FULL_FOCUS_SHARE, f64::max);
    let share = |score: f64| if best > 0.0 { (score / best).powi(2) } else { 0.0 };
    let mut shares = scores.into_iter().map(share);
    parts.iter().map(|part| shares.by_ref().take(units(part).len()).collect()).collect()
}

/// Raises the score of each text that contains a name from the query exactly as written: a word in quotes, or one with
/// digits, signs or capitals (`app_17`, `4.18.0`, `06:43:20`, `src/main.rs`, `refundOrder`). A name that occurs in many
/// texts counts less.
fn add_names(query: &str, texts: &[&str], all: f64, scores: &mut [f64]) {
    // ablate: excerpt.names => ()
    let is_sign = |c: char| !c.is_alphanumeric();
    let words = query.split_whitespace().map(|word| (is_quoted(word), word.trim_matches(is_sign)));
    let names = words.filter(|&(is_quoted, word)| {
        let told = |c: char| c.is_ascii_digit() || is_sign(c) && c != '\'' && c != '\u{2019}';
        is_number(word) || word.len() > 2 && (is_quoted || word.contains(told) || is_made_up(word))
    });
    for (_, name) in names.take(MAX_QUERY_NAMES) {
        let has = |text: &&str| {
            text.match_indices(name).any(|(at, _)| {
                let (before, behind) = (text.get(..at), text.get(at + name.len()..));
                // A number may be part of a word: 47 occurs in `W47`.
                let goes_on = |c: Option<char>| {
                    c.is_some_and(|c| {
                        if is_number(name) { c.is_ascii_digit() || c == '.' } else { c.is_alphanumeric() }
                    })
                };
                !goes_on(before.and_then(|text| text.chars().next_back()))
                    && !goes_on(behind.and_then(|text| text.chars().next()))
            })
        };
        let found: Vec<usize> = (0..scores.len()).filter(|&n| texts.get(n).is_some_and(has)).collect();
        let worth = all / (1.0 + float(found.len()).ln());
        for n in found {
            scores.change(n, |score| *score += worth);
        }
    }
}

/// `text` with the words of failure of `query` behind it if it reports an error, whatever its words: "why does it fail" is
/// answered by `error: cannot find symbol`.
fn with_failures<'t>(text: &'t str, failures: &str) -> Cow<'t, str> {
    // ablate: excerpt.failures => text.into()
    match !failures.is_empty() && signal(text) == Signal::Error {
        true => [text, failures].concat().into(),
        false => text.into(),
    }
}

/// Whether `word` is in quotes; other characters may follow, as in `'step'?`.
fn is_quoted(word: &str) -> bool {
    let opens = |sign: &char| matches!(sign, '\'' | '"' | '`');
    let closes = |sign: char| word.char_indices().skip(1).any(|(_, c)| c == sign);
    word.chars().next().filter(opens).is_some_and(closes)
}

/// Whether `word` has only digits.
fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first [`READ_UNIT_BYTES`] of a text, cut at a character boundary.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(READ_UNIT_BYTES)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Block, Passage, Tokens, Unit};

    use super::*;

    /// Checks which lines of each text have more than half of the focus.
    #[track_caller]
    fn check(query: &str, texts: &[&str], expect: &[&[bool]]) {
        let block = |text: &&str| Block::passage("a", Passage::default(), *text);
        let blocks: Vec<Block> = texts.iter().map(block).collect();
        let measured: Vec<MeasuredBlock<'_>> = blocks.iter().map(lines).collect();
        let parts: Vec<_> =
            measured.iter().map(|block| (block, ByteRange::whole(&block.block().text))).collect();
        let shares = focus(&parts, query);
        let close: Vec<Vec<bool>> =
            shares.iter().map(|part| part.iter().map(|share| *share > 0.5).collect()).collect();
        assert_eq!(close, expect, "{shares:?}");
        assert!(shares.iter().flatten().all(|share| (0.0..=1.0).contains(share)));
    }

    fn lines(block: &Block) -> MeasuredBlock<'_> {
        let mut end = 0;
        let units = block.text.split_inclusive('\n').map(|line| {
            end += line.len();
            Unit { end, tokens_through: Tokens::new(end), splits: false }
        });
        MeasuredBlock::new(block, units.collect(), Tokens::ZERO)
    }

    #[test]
    fn shares_of_the_closest() {
        check(
            "connection refused",
            &["ok\nok\n", "connection refused\nok\n"],
            &[&[false; 2], &[true, false]],
        );
        check("why did the tests fail", &["test a ... FAILED\ntest b ... ok\n"], &[&[true, false]]);
        check("why does it fail", &["a\nerror: no such name\n", "b\n"], &[&[false, true], &[false]]);
        check("what came instead of the 'step'?", &["it came one step\nthe end\n"], &[&[true, false]]);
        check("getUserName", &["a\nfn get_user_name()\n", ""], &[&[false, true], &[]]);
        check("what is app_17", &["app_1 up\napp_17 up\n", "app 17\n"], &[&[false, true], &[false]]);
        check("call it and tell me what the data looks like", &["it looks good\nall done\n"], &[&[false; 2]]);
        check("who is on call in week 47", &["W46,Bo\nW47,Ann\nW48,Bo\n"], &[&[false, true, false]]);
        check("zebra", &["a\nb\n"], &[&[false; 2]]);
        check(" ", &["a\nb\n"], &[&[false; 2]]);
        check("a", &[], &[]);
    }
}
