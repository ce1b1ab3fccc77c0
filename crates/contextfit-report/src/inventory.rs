//! The names in a text, each with its number of occurrences.

use std::collections::HashMap;

use contextfit_text::quotations;
use foldhash::fast::FixedState;

use crate::names::{Name, names};

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
    fn check(text: &str, expect: &[&str]) {
        let mut inventory = Inventory::default();
        inventory.read(0, text);
        let mut found: Vec<&str> = inventory.quotations.keys().copied().collect();
        found.sort_by_key(|name| inventory.quotations[name].order);
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn what_is_quoted() {
        check(
            r#"say("hello \"you\"", 'it', `x y`) “no” «non»"#,
            &[r#"hello \"you\""#, "it", "x y", "no", "non"],
        );
        check("It's 5\" wide and doesn't fit 'a, 'b", &[]);
        check("fn f<'a>(x: &'a str) -> &'a str { \"yes\" }", &["yes"]);
        check("\"open\nclosed\" \"--\" \"\"", &[]);
        check("```rust\n`a` `bc`\n```", &["bc"]);
    }
}
