//! Counting a text once, with a figure for each of its units.

mod tails;

use contextfit_kernel::{TokenCounter, Tokens, Unit};

use self::tails::{NEAR, Tails};

/// The units of `text` that end at `ends`, each with the tokens from the start of the text through it.
///
/// `ends` are byte offsets at character borders, ascending, the last one `text.len()`; for an empty text there are
/// none. The figures never fall. The last one is exactly `counter.count(text)`, and at every unit that
/// [`splits`](Unit::splits) the figure is exactly the count of the text through it. So it is, but for a token in rare
/// cases, wherever the counter splits at most 15 bytes before the end, white space at the very end aside unless it is
/// a line feed: it goes with what follows. Other units share the tokens up to the next such place by their bytes.
///
/// Every byte is counted once, those few excepted: linear in the length of the text. A counter that splits nowhere is
/// called once, or twice when the first units are very short.
///
/// ```
/// use contextfit_text::{CharsPer, tally};
///
/// let counter = CharsPer::new(4).unwrap();
/// let units = tally(&counter, "counted by the four characters\n", &[11, 20, 31]);
/// assert_eq!(units.iter().map(|unit| unit.tokens_through.get()).collect::<Vec<_>>(), [3, 5, 8]);
/// ```
#[must_use]
pub fn tally(counter: &dyn TokenCounter, text: &str, ends: &[usize]) -> Vec<Unit> {
    let mut tally = Tally {
        counter,
        text,
        units: Vec::with_capacity(ends.len()),
        settled: 0,
        at: 0,
        tokens: Tokens::ZERO,
        tails: Tails::default(),
    };
    for &end in ends {
        tally.add(end);
    }
    tally.units
}

/// The figure of a unit that has none yet.
const OPEN: Tokens = Tokens::MAX;

/// A tally as far as it has come.
struct Tally<'a> {
    counter: &'a dyn TokenCounter,
    text: &'a str,
    units: Vec<Unit>,
    /// How many units have their final figure.
    settled: usize,
    /// Everything before this byte is counted, and the counter splits here.
    at: usize,
    /// The tokens before it.
    tokens: Tokens,
    tails: Tails,
}

impl Tally<'_> {
    /// Adds the unit that ends at `end`.
    fn add(&mut self, end: usize) {
        let splits = self.counter.splits_at(self.text, end);
        let mut unit = Unit { end, tokens_through: OPEN, splits };
        if splits || end >= self.text.len() {
            self.units.push(unit);
            self.count_to(end);
            return;
        }
        if end.saturating_sub(self.at) > NEAR {
            let near = (end.saturating_sub(NEAR)..end).rev().find(|&at| self.counter.splits_at(self.text, at));
            if let Some(near) = near {
                self.count_to(near);
            }
        }
        if let Some(tail) = self.text.get(self.at..end).filter(|tail| tail.len() <= NEAR) {
            unit.tokens_through = self.tokens + self.tails.count(self.counter, tail);
        }
        self.units.push(unit);
    }

    /// Counts up to `cut`, and gives the units that end there or before their figures.
    fn count_to(&mut self, cut: usize) {
        let tokens = self.counter.count(self.text.get(self.at..cut).unwrap_or_default());
        let bytes = cut.saturating_sub(self.at);
        let through = self.tokens + tokens;
        let mut least = self.tokens;
        for unit in self.units.iter_mut().skip(self.settled) {
            if unit.tokens_through == OPEN {
                let share = share(tokens.get(), unit.end.saturating_sub(self.at), bytes);
                unit.tokens_through = self.tokens + Tokens::new(share);
            }
            // More text can mean fewer tokens, where a longer one stands for several.
            unit.tokens_through = unit.tokens_through.max(least).min(through);
            least = unit.tokens_through;
        }
        self.settled = self.units.len();
        self.at = cut;
        self.tokens = through;
    }
}

/// `tokens * part / whole`, rounded up: what is there costs something.
fn share(tokens: usize, part: usize, whole: usize) -> usize {
    if part >= whole {
        return tokens;
    }
    let wide = (tokens as u128 * part as u128).div_ceil(whole as u128);
    usize::try_from(wide).unwrap_or(tokens)
}
