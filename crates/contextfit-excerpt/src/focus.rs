//! How close each unit of a text is to what is asked.

use contextfit_kernel::{ByteRange, MeasuredBlock, Scorer};
use contextfit_ranking::Bm25;

/// Bytes of a unit that are read: a line of a megabyte is found by its beginning.
const READ: usize = 4096;

/// What [`excerpt`](crate::excerpt) takes as its focus, for each of `parts` and in order: how close each of its units is to
/// `query`, by [`Bm25`], in shares of the closest unit of all parts.
///
/// All zero where no word of the query occurs, or there is none. A part is a block with a range of it that lies between unit
/// borders. Linear in the length of the parts.
///
/// ```
/// use contextfit_excerpt::focus;
/// use contextfit_kernel::{Block, ByteRange, MeasuredBlock, Passage, Tokens, Unit};
///
/// let block = Block::passage("a", Passage::default(), "12 passed\nfan_speed: too slow\n");
/// let unit = |end| Unit { end, tokens_through: Tokens::new(end), splits: false };
/// let measured = MeasuredBlock::new(&block, vec![unit(10), unit(30)], Tokens::ZERO);
/// let parts = [(&measured, ByteRange::whole(&block.text))];
/// assert_eq!(focus(&parts, "how fast is the fan"), [[0.0, 1.0]]);
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
    let scores = Bm25::default().score(query, &texts.collect::<Vec<_>>());
    let best = scores.iter().copied().fold(0.0, f64::max);
    let share = |score: f64| if best > 0.0 { score / best } else { 0.0 };
    let mut shares = scores.into_iter().map(share);
    parts.iter().map(|part| shares.by_ref().take(units(part).len()).collect()).collect()
}

/// The first bytes of a text, whole characters.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(READ)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Block, Passage, Tokens, Unit};

    use super::*;

    /// The focus on the lines of each text, in halves.
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
        check("getUserName", &["a\nfn get_user_name()\n", ""], &[&[false, true], &[]]);
        check("zebra", &["a\nb\n"], &[&[false; 2]]);
        check(" ", &["a\nb\n"], &[&[false; 2]]);
        check("a", &[], &[]);
    }
}
