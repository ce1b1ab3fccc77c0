//! The numbers and codes of a text, the forms in which another text may repeat them, and those that an answer invents.

use std::collections::HashSet;

use contextfit_kernel::Unfit;
use foldhash::fast::FixedState;

use super::{source::SourceText, statements::Statements};

/// Numbers up to this may count things that the source only lists; little can be invented with them.
const LARGEST_COUNT: u64 = 12;

/// The maximum letters after a number that are a unit or an ending: `15th`, `200ms`.
const LONGEST_ENDING_LETTERS: usize = 3;

/// Checks that every number and every code of the answer is in the source.
pub(super) fn check(statements: &Statements<'_>, source: &SourceText) -> Result<(), Unfit> {
    for body in statements.bodies() {
        if let Some(number) = numbers(body).find(|number| !source.figures.back(number)) {
            return Err(Unfit::Number { number: number.to_owned() });
        }
        let is_known = |code: &str| {
            let figure = code.trim_end_matches(char::is_alphabetic);
            let is_figure = figure.bytes().all(|byte| byte.is_ascii_digit())
                && !figure.is_empty()
                && code.len() - figure.len() <= LONGEST_ENDING_LETTERS;
            is_figure || source.codes.contains(&code.to_lowercase()) || source.says(code)
        };
        if let Some(code) = codes(body).find(|code| !is_known(code)) {
            return Err(Unfit::Name { name: code.to_owned() });
        }
    }
    Ok(())
}

/// The numbers of a source, in the forms that an answer may use.
pub(super) struct Figures {
    /// Digits without grouping and leading zeros, also rounded, and each run of digits.
    forms: HashSet<String, FixedState>,
    /// Whether the source has numbers at all: transcribed speech may spell all of them out.
    any: bool,
}

impl Figures {
    pub(super) fn read(text: &str) -> Self {
        let mut forms = HashSet::default();
        for number in numbers(text) {
            let digits = digits_of(number);
            // An answer may round: 45,210 is 45,000 or 45k.
            if digits.len() >= 3 {
                for n in 1..digits.len() {
                    let zeros = "0".repeat(digits.len() - n);
                    for head in digits.get(..n).into_iter().flat_map(rounded) {
                        forms.insert(head.clone() + &zeros);
                        if n >= 2 {
                            forms.insert(head);
                        }
                    }
                }
            }
            if number.contains(['.', ',']) {
                forms.insert(digits.trim_end_matches('0').to_owned());
            }
            forms.insert(digits);
            forms.extend(runs(number).map(|run| bare(run).to_owned()));
        }
        let any = !forms.is_empty();
        Self { forms, any }
    }

    /// Whether the source has `number`, or `number` is small enough to be a count.
    pub(super) fn back(&self, number: &str) -> bool {
        let known = |digits: &str| {
            self.forms.contains(digits)
                || digits.is_empty()
                || digits.parse().is_ok_and(|n: u64| n <= LARGEST_COUNT)
                || !self.any && digits.trim_end_matches('0').len() <= 2
        };
        let digits = digits_of(number);
        let short = if number.contains(['.', ',']) { digits.trim_end_matches('0') } else { &digits };
        known(&digits) || known(short) || runs(number).all(|run| known(bare(run)))
    }
}

/// The numbers of `text`, with the points, commas and apostrophes between their digits.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_ascii_digit())?;
        rest = rest.get(start..)?;
        let bytes = rest.as_bytes();
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            let joins = matches!(byte, b'.' | b',' | b'\'' | b'_');
            if !(byte.is_ascii_digit() || joins && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)) {
                break;
            }
            end += 1;
        }
        let (number, behind) = rest.split_at(end);
        rest = behind;
        Some(number)
    })
}

/// The runs of letters and digits in `text` that contain both.
pub(super) fn codes(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| !c.is_alphanumeric());
    runs.filter(|run| {
        run.bytes().any(|byte| byte.is_ascii_digit()) && run.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// The digits of a number without leading zeros.
fn digits_of(number: &str) -> String {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    bare(&digits).to_owned()
}

fn bare(digits: &str) -> &str {
    digits.trim_start_matches('0')
}

fn runs(number: &str) -> impl Iterator<Item = &str> {
    number.split(|c: char| !c.is_ascii_digit())
}

/// `head`, truncated and rounded up.
fn rounded(head: &str) -> impl Iterator<Item = String> + use<> {
    let up = head.parse::<u128>().ok().map(|n| (n + 1).to_string());
    [Some(head.to_owned()), up].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, number: &str, expect: bool) {
        assert_eq!(Figures::read(source).back(number), expect, "{number} of {source:?}");
    }

    #[test]
    fn the_same_number_in_another_form() {
        check("It costs 1,250.00 euros.", "1250", true);
        check("It costs 1,250.00 euros.", "1,250", true);
        check("It costs 1,250 euros.", "1,350", false);
        check("on 2024-03-05", "2024", true);
        check("on 2024-03-25", "25", true);
        check("on 2024-03-25", "26", false);
        check("12.50", "12.5", true);
        check("45,210 people", "45,000", true);
        check("45,210 people", "45", true);
        check("45,210 people", "47,000", false);
        check("1,996 people", "2,000", true);
        check("some 17 people", "7", true);
        check("some 17 people", "18", false);
        check("twenty five euros", "25", true);
        check("twenty five euros", "4,999", false);
    }

    #[test]
    fn what_is_a_number_and_what_a_code() {
        assert_eq!(numbers("1,000.5, 3.").collect::<Vec<_>>(), ["1,000.5", "3"]);
        assert_eq!(codes("A-77 NO6JO3 15th x").collect::<Vec<_>>(), ["NO6JO3", "15th"]);
    }
}
