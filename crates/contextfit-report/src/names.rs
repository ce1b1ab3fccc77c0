//! The identifiers and numbers in a text, with their number of occurrences.

use std::collections::HashMap;

use contextfit_text::{is_made_up, quotations};
use foldhash::fast::FixedState;

/// Longer runs are data, not names: an encoded picture, a minified file.
const LONGEST_NAME_BYTES: usize = 200;

/// A name of fewer characters says nothing alone.
const SHORTEST_NAME_CHARS: usize = 3;

/// At most this many letters after a number are a unit or an ending: `15th`, `200ms`.
const LONGEST_ENDING_LETTERS: usize = 3;

/// What a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    /// A word that only programs, files, people's addresses or catalogues have: `max_len`, `HashMap`, `src/lib.rs`,
    /// `A-7731`, `utf8`.
    Identifier,
    /// At least two digits, with what joins and ends them: `1,250.00`, `2024-03-05`, `200ms`.
    Number,
}

/// Calls `found` with each identifier and number of `text`, in order. Linear in its length.
fn names<'a>(text: &'a str, mut found: impl FnMut(Name, &'a str)) {
    let mut rest = text;
    while let Some(start) = rest.find(is_joined) {
        let from = rest.get(start..).unwrap_or_default();
        let end = end_of(from);
        let (run, after) = from.split_at(end);
        rest = after;
        let run = run.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '/' | '~'));
        let run = run.trim_end_matches('/');
        if run.len() <= LONGEST_NAME_BYTES {
            classify(run, &mut found);
        }
    }
}

/// Whether `c` may be part of a run that is read as a whole: a path, an address, a date.
fn is_joined(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | ':' | '~' | '+')
}

/// Where the run at the start of `text` ends. A comma belongs to it between two digits.
fn end_of(text: &str) -> usize {
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let groups = |at: usize| at.checked_sub(1).is_some_and(is_digit) && is_digit(at + 1);
    let belongs = |at: usize, c: char| is_joined(c) || (c == ',' && groups(at));
    text.char_indices().find(|(at, c)| !belongs(*at, *c)).map_or(text.len(), |(at, _)| at)
}

/// Finds what is in `run`: it is one name as a whole, or its words are examined.
fn classify<'a>(run: &'a str, found: &mut impl FnMut(Name, &'a str)) {
    let has_digits = run.bytes().any(|byte| byte.is_ascii_digit());
    let has_letters = run.contains(char::is_alphabetic);
    if !has_letters {
        if is_number(run) {
            found(Name::Number, run);
        }
    } else if is_measure(run) {
        found(Name::Number, run);
    } else if is_path(run) || is_address(run) || (has_digits && is_code(run)) {
        found(Name::Identifier, run);
    } else {
        for word in run.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if is_measure(word) || is_number(word) {
                found(Name::Number, word);
            } else if is_made_up(word) && word.chars().nth(SHORTEST_NAME_CHARS - 1).is_some() {
                found(Name::Identifier, word);
            }
        }
    }
}

fn is_number(run: &str) -> bool {
    run.bytes().filter(u8::is_ascii_digit).count() >= 2 && !run.contains(char::is_alphabetic)
}

/// Whether `run` is a number with its unit or ending.
fn is_measure(run: &str) -> bool {
    let bare = run.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    run.len() - bare.len() <= LONGEST_ENDING_LETTERS
        && is_number(bare)
        && bare.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether `run` is a path or a URL, not two alternatives such as `and/or`.
fn is_path(run: &str) -> bool {
    let slashes = run.matches('/').count();
    let is_plain = |c: char| c.is_alphabetic() || c == '/';
    slashes > 1 || (slashes == 1 && !run.chars().all(is_plain))
}

/// Whether `run` is the address of an account: `ann@example.org`.
fn is_address(run: &str) -> bool {
    run.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
}

/// Whether `run` is a code of letters and digits: `A-7731`, `v1.2.3`, `gpt-4o`.
fn is_code(run: &str) -> bool {
    run.contains('-') && run.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '_'))
        || run.strip_prefix('v').is_some_and(is_number)
}

/// The longest and shortest quotation that is a name for something, in bytes.
const LONGEST_QUOTE_BYTES: usize = 120;
const SHORTEST_QUOTE_BYTES: usize = 2;

/// Names with their occurrences.
pub(crate) type Names<'a> = HashMap<&'a str, Occurrences, FixedState>;

/// Where and how often a name occurs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occurrences {
    /// How often.
    pub(crate) times: usize,
    /// The first block it occurs in.
    pub(crate) block: usize,
    /// How many names of its kind were met before it.
    pub(crate) order: usize,
}

/// The identifiers, numbers and quotations of some texts.
#[derive(Debug, Default)]
pub(crate) struct Inventory<'a> {
    pub(crate) identifiers: Names<'a>,
    pub(crate) numbers: Names<'a>,
    pub(crate) quotations: Names<'a>,
}

impl<'a> Inventory<'a> {
    /// Adds those of `text`, a text of `block`. Linear in its length.
    pub(crate) fn read(&mut self, block: usize, text: &'a str) {
        names(text, |name, text| {
            let names = match name {
                Name::Identifier => &mut self.identifiers,
                Name::Number => &mut self.numbers,
            };
            add(names, block, text);
        });
        // What is longer than any name in quotes ends it all the same.
        for (_, quote) in quotations(text, 4 * LONGEST_QUOTE_BYTES) {
            if (SHORTEST_QUOTE_BYTES..=LONGEST_QUOTE_BYTES).contains(&quote.len())
                && quote.contains(char::is_alphanumeric)
            {
                add(&mut self.quotations, block, quote);
            }
        }
    }
}

fn add<'a>(names: &mut Names<'a>, block: usize, text: &'a str) {
    let order = names.len();
    names.entry(text).or_insert(Occurrences { times: 0, block, order }).times += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, identifiers: &[&str], numbers: &[&str]) {
        let (mut found, mut counted) = (Vec::new(), Vec::new());
        names(text, |name, text| match name {
            Name::Identifier => found.push(text),
            Name::Number => counted.push(text),
        });
        assert_eq!((found.as_slice(), counted.as_slice()), (identifiers, numbers), "{text}");
    }

    #[test]
    fn what_is_a_name() {
        check("fn max_len(&self) -> HashMap<String, utf8>", &["max_len", "HashMap", "utf8"], &[]);
        check("std::fs::read_to_string(path)?;", &["read_to_string"], &[]);
        check("See src/lib.rs:40 and/or </b>, ./x.sh.", &["src/lib.rs:40", "/x.sh"], &[]);
        check(
            "Order A-7731 by ann@example.org, v1.2.3 (gpt-4o).",
            &["A-7731", "ann@example.org", "v1.2.3", "gpt-4o"],
            &[],
        );
        check("https://example.org/a?b=c It's a well-known fact.", &["https://example.org/a"], &[]);
        check("__init__ _ __ McDonald's LGTM", &["__init__", "McDonald"], &[]);
    }

    #[test]
    fn what_is_a_number() {
        check("It cost 1,250.00 euros on 2024-03-05 at 12:30.", &[], &["1,250.00", "2024-03-05", "12:30"]);
        check("7 of 10, 99%, 200ms, the 15th, -42", &[], &["10", "99", "200ms", "15th", "42"]);
        check("f(10,20) x[3]", &[], &["10,20"]);
        check("127.0.0.1 0x1F", &["0x1F"], &["127.0.0.1"]);
    }

    #[test]
    fn data_is_no_name() {
        check(&"a1".repeat(200), &[], &[]);
    }

    #[track_caller]
    fn check_inventory(text: &str, expect: &[&str]) {
        let mut inventory = Inventory::default();
        inventory.read(0, text);
        let mut found: Vec<&str> = inventory.quotations.keys().copied().collect();
        found.sort_by_key(|name| inventory.quotations[name].order);
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn what_is_quoted() {
        check_inventory(
            r#"say("hello \"you\"", 'it', `x y`) “no” «non»"#,
            &[r#"hello \"you\""#, "it", "x y", "no", "non"],
        );
        check_inventory("It's 5\" wide and doesn't fit 'a, 'b", &[]);
        check_inventory("fn f<'a>(x: &'a str) -> &'a str { \"yes\" }", &["yes"]);
        check_inventory("\"open\nclosed\" \"--\" \"\"", &[]);
        check_inventory("```rust\n`a` `bc`\n```", &["bc"]);
    }
}
