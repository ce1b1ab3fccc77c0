//! Similar lines: one template filled with different numbers, names and paths, as in Drain (He and others 2017, "Drain:
//! An Online Log Parsing Approach with Fixed Depth Tree").

use contextfit_kernel::Values;
use std::hash::{BuildHasher, Hasher};

use foldhash::{HashMap, HashMapExt, HashSet, fast::FixedState};

use crate::{
    numbers::{Numbers, number},
    rows::Rows,
};

/// The maximum number of tokens of a line that are examined.
const MAX_LINE_TOKENS: usize = 24;

/// The maximum number of templates in a bucket. Those in it have the same first token and the same length.
const BUCKET: usize = 16;

/// The maximum number of templates, to bound memory.
const TEMPLATES: usize = 1 << 16;

/// A line matches a template if they share at least this fraction of their tokens.
const SHARED: (usize, usize) = (3, 5);

/// The maximum number of values counted at a position. With more, it has names and not one of a few words.
const MAX_DISTINCT_VALUES: usize = 32;

/// The values at a position are judged if its template has at least this many lines. A rare value occurs at most once
/// in `RARE_ONE_IN_LINES` lines.
const USUAL_LINES: u32 = 16;
const RARE_ONE_IN_LINES: u32 = 16;

/// If all lines but one share a value, the other value is odd if there are at least this many lines.
const SHARED_BY_ROWS: u32 = 8;

/// The templates of rows.
pub(crate) struct Templates {
    /// The template of each row.
    of: Vec<u32>,
    /// Whether a row has a rare word at a position with few values, or an outlying number.
    is_odd: Vec<bool>,
    counts: Vec<u32>,
    /// How rare the words of each row are: the mean, and the highest.
    rarity_of_words: Vec<(f32, f32)>,
}

/// The data of a template.
struct Template {
    /// A hash of each token; zero for tokens that vary.
    tokens: Vec<u64>,
    count: u32,
    /// The number of occurrences of each value at each position; `None` with more than [`MAX_DISTINCT_VALUES`] values.
    values: Vec<Option<HashMap<u64, u32>>>,
}

impl Templates {
    /// Finds the templates of `rows`. Linear in their length.
    pub(crate) fn of(rows: &Rows<'_, '_>) -> Self {
        let mut known: Vec<Template> = Vec::new();
        let mut buckets: HashMap<(usize, u64), Vec<u32>> = HashMap::new();
        let mut line = Vec::new();
        let mut of = Vec::with_capacity(rows.len());
        let mut numbers: HashMap<(u32, usize), Numbers> = HashMap::new();
        let mut found_numbers = Vec::new();
        let mut having: HashMap<u64, u32> = HashMap::new();
        for (n, text) in rows.bodies().enumerate() {
            read(text, &mut line, |at, number| found_numbers.push((at, number)));
            line.iter().filter(|word| **word > 0).for_each(|word| *having.entry(*word).or_default() += 1);
            let first = line.first().copied().unwrap_or_default();
            let bucket = buckets.entry((line.len(), first)).or_default();
            let same = |n: &&u32| known.get(**n as usize).is_some_and(|template| template.takes(&line));
            let found = bucket.iter().find(same).copied().unwrap_or_else(|| {
                if known.len() >= TEMPLATES || bucket.len() >= BUCKET {
                    return bucket.first().copied().unwrap_or(0);
                }
                let new = u32::try_from(known.len()).unwrap_or(0);
                known.push(Template::new(&line));
                bucket.push(new);
                new
            });
            known.change(found as usize, |template| template.add(&line));
            of.push(found);
            for (at, number) in found_numbers.drain(..) {
                numbers.entry((found, at)).or_default().add(n, number);
            }
        }
        let outlying: HashSet<usize> = numbers.values().flat_map(Numbers::outliers).collect();
        let all = of.len().max(2) as f32;
        let rarity = |word: &u64| {
            let having = having.get(word).copied().unwrap_or(1) as f32;
            ((all + 1.0) / (having + 0.5)).ln() / all.ln()
        };
        let judged = rows.bodies().zip(&of).enumerate().map(|(row, (text, &n))| {
            read(text, &mut line, |_, _| {});
            let is_odd = outlying.contains(&row)
                || known.get(n as usize).is_some_and(|template| template.is_odd(&line));
            line.retain(|word| *word > 0);
            let sum: f32 = line.iter().map(rarity).sum();
            let most = line.iter().map(rarity).fold(0.0, f32::max);
            (is_odd, (sum / line.len().max(1) as f32, most))
        });
        let (is_odd, rarity_of_words) = judged.unzip();
        Self {
            is_odd,
            counts: known.into_iter().map(|template| template.count).collect(),
            of,
            rarity_of_words,
        }
    }

    /// How rare the words of row `n` are in the text, on average, and how rare the rarest is: from 0, if all rows have
    /// them, to about 1. Words that vary among similar lines do not count.
    pub(crate) fn rarity_of_words(&self, n: usize) -> (f32, f32) {
        self.rarity_of_words.at(n)
    }

    /// The template of row `n`.
    pub(crate) fn at(&self, n: usize) -> u32 {
        self.of.at(n)
    }

    /// Whether row `n` has a rare word at a position where its template has few values, or an outlying number.
    pub(crate) fn is_odd(&self, n: usize) -> bool {
        // ablate: excerpt.odd-lines => false
        self.is_odd.at(n)
    }

    /// How rare row `n` is, from 0 to 1: 1 if it [is odd](Self::is_odd()), 0 if all rows have the same template.
    /// Otherwise it is lower the more rows have the same template.
    pub(crate) fn rarity(&self, n: usize) -> f32 {
        // ablate: excerpt.rarity => 0.0
        if self.is_odd(n) {
            return 1.0;
        }
        let having = self.counts.get(self.at(n) as usize).copied().unwrap_or(1).max(1) as f32;
        let all = self.of.len().max(2) as f32;
        // If no two rows are similar, it means nothing that a row is unlike all others.
        let repeats = 1.0 - self.counts.len() as f32 / all;
        (1.0 - having.ln() / all.ln()) * repeats
    }
}

impl Template {
    fn new(tokens: &[u64]) -> Self {
        Self {
            tokens: tokens.to_vec(),
            count: 0,
            values: tokens.iter().map(|_| Some(HashMap::new())).collect(),
        }
    }

    /// Whether `line`, which has the same length, shares enough tokens with it.
    fn takes(&self, line: &[u64]) -> bool {
        let shared = self.tokens.iter().zip(line).filter(|(mine, others)| mine == others).count();
        shared * SHARED.1 >= line.len() * SHARED.0
    }

    fn add(&mut self, line: &[u64]) {
        self.count += 1;
        for ((mine, &token), values) in self.tokens.iter_mut().zip(line).zip(&mut self.values) {
            if *mine != token {
                *mine = 0;
            }
            let Some(seen) = values else { continue };
            *seen.entry(token).or_default() += 1;
            if seen.len() > MAX_DISTINCT_VALUES {
                *values = None;
            }
        }
    }

    /// Whether `line` has a rare value at a position with few values.
    fn is_odd(&self, line: &[u64]) -> bool {
        line.iter().zip(&self.values).any(|(token, values)| {
            let Some(values) = values.as_ref().filter(|values| values.len() > 1) else { return false };
            let different = u32::try_from(values.len()).unwrap_or(u32::MAX);
            let having = values.get(token).copied().unwrap_or_default();
            let is_alone = different == 2 && having == 1 && self.count >= SHARED_BY_ROWS;
            let most = different.saturating_mul(4) <= self.count && self.count >= USUAL_LINES;
            let is_rare =
                having.saturating_mul(RARE_ONE_IN_LINES.max(different.saturating_mul(4))) <= self.count;
            is_alone || most && is_rare
        })
    }
}

/// Reads the tokens of `line` as hashes, with zero for tokens that vary among similar lines. `numbered` gets each
/// number with its position.
///
/// In a token with non-ASCII letters, only the digits vary. Rule numbers (`E501`) and the first digit of an HTTP status
/// do not vary. Any other token varies if it contains a digit, a slash, a backslash, a dot, an underscore or a double
/// colon, or if it has more than 40 bytes.
fn read(line: &str, tokens: &mut Vec<u64>, mut numbered: impl FnMut(usize, f64)) {
    tokens.clear();
    let mut before = "";
    for (at, token) in tokens_of(line).enumerate() {
        number(token).into_iter().for_each(|number| numbered(at, number));
        tokens.push(match fixed(token, before) {
            Fixed::All => hash(token.as_bytes()),
            Fixed::Letters => letters(token),
            Fixed::First => hash(token.get(..1).unwrap_or_default().as_bytes()),
            Fixed::Nothing => 0,
        });
        before = token;
    }
}

/// The words of `line`, at most [`MAX_LINE_TOKENS`].
fn tokens_of(line: &str) -> impl Iterator<Item = &str> {
    let divides = |c: char| {
        c.is_whitespace() || matches!(c, '=' | '(' | ')' | '[' | ']' | '"' | '\'' | '<' | '>' | ';' | '|')
    };
    // A comma within a number does not divide it.
    let words = line.split(divides).flat_map(|word| {
        let ends = if word.contains(',') && number(word).is_some() { '\0' } else { ',' };
        word.split(ends)
    });
    words.filter(|token| !token.is_empty()).take(MAX_LINE_TOKENS)
}

/// The part of a token that is the same in all similar lines.
enum Fixed {
    All,
    /// Everything but digits: a sentence without spaces.
    Letters,
    /// The first character: an HTTP status.
    First,
    Nothing,
}

fn fixed(token: &str, before: &str) -> Fixed {
    let inner = token.trim_end_matches(['.', ':']);
    let is_status =
        || inner.len() == 3 && inner.bytes().all(|b| b.is_ascii_digit()) && before.starts_with("HTTP/");
    let varies = |byte: u8| matches!(byte, b'0'..=b'9' | b'/' | b'\\' | b'.' | b'_');
    if token.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).nth(1).is_some() {
        Fixed::Letters
    } else if is_status() {
        Fixed::First
    } else if is_code(inner) {
        Fixed::All
    } else if token.len() > 40 || inner.bytes().any(varies) || inner.contains("::") {
        Fixed::Nothing
    } else {
        Fixed::All
    }
}

/// Whether `token` is the number of a rule or an error from a linter or a compiler: `E501`, `TS2345`, `C0114`.
fn is_code(token: &str) -> bool {
    let digits = token.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let (letters, digits) = (token.len() - digits.len(), digits);
    (1..=4).contains(&letters)
        && (3..=5).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
}

/// A hash of all characters that are not digits.
fn letters(token: &str) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    token.chars().filter(|c| !c.is_ascii_digit()).for_each(|c| hasher.write_u32(c as u32));
    hasher.finish().max(1)
}

fn hash(bytes: &[u8]) -> u64 {
    // Zero is reserved for tokens that vary.
    FixedState::default().hash_one(bytes).max(1)
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Block, ByteRange, MeasuredBlock, Passage, Tokens, Unit};

    use super::*;

    /// Checks the template number of each line, and which lines are odd.
    #[track_caller]
    fn check(lines: &[&str], expect: &[u32], odd: &[usize]) {
        let block = Block::passage("a", Passage::default(), lines.join("\n") + "\n");
        let mut end = 0;
        let units = lines.iter().map(|line| {
            end += line.len() + 1;
            Unit { end, tokens_through: Tokens::new(end), splits: false }
        });
        let measured = MeasuredBlock::new(&block, units.collect(), Tokens::ZERO);
        let templates = Templates::of(&Rows::lines(&measured, ByteRange::whole(&block.text)));
        let found: Vec<u32> = (0..lines.len()).map(|n| templates.at(n)).collect();
        let found_odd: Vec<usize> = (0..lines.len()).filter(|&n| templates.is_odd(n)).collect();
        assert_eq!((found.as_slice(), found_odd.as_slice()), (expect, odd), "{lines:?}");
    }

    #[test]
    fn lines_alike_have_one_template() {
        check(&["test a::b ... ok", "test c::d_e ... ok"], &[0, 0], &[]);
        check(&["   Compiling serde v1.0.2", "   Compiling libc v0.2.1"], &[0, 0], &[]);
        check(
            &[
                "2024-05-01 12:00:00 INFO request 17 took 3ms",
                "2024-05-02 12:00:01 INFO request 18 took 30ms",
            ],
            &[0, 0],
            &[],
        );
        check(&["open /a/b", "close /a/b"], &[0, 1], &[]);
        check(
            &[
                "x.py:1:1: E501 line too long",
                "x.py:2:1: E402 import not at top",
                "y.py:3:1: E501 line too long",
            ],
            &[0, 1, 0],
            &[],
        );
        check(&["订单884213已支付", "订单884214已支付", "支付网关拒绝连接"], &[0, 0, 1], &[]);
        check(&["open", "close", ""], &[0, 1, 2], &[]);
    }

    #[test]
    fn a_rare_word_among_a_few_is_odd() {
        let mut lines = vec!["GET /a HTTP/1.1 200 12"; 40];
        lines.push("GET /b HTTP/1.1 503 12");
        check(&lines, &[0; 41], &[40]);
        let names: Vec<String> =
            (b'a'..=b'z').map(|name| format!("user {}x logged in", char::from(name))).collect();
        check(&names.iter().map(String::as_str).collect::<Vec<_>>(), &[0; 26], &[]);
    }
}
