//! What numbers are of: what is measured alike may be the same thing with another value.

use super::{
    token::Token,
    words::{is_day, is_ordinal},
};

/// What a number is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// A day, a date, a month.
    Day,
    /// A time of day.
    Time,
    Money,
    /// So many of what this term names.
    Of(usize),
}

const CURRENCIES: &[&str] = &[
    "$", "€", "£", "¥", "euro", "euros", "eur", "dollar", "dollars", "usd", "bucks", "pounds", "gbp", "quid",
    "chf", "francs", "yen", "jpy", "cents",
];

const TIMES: &[&str] = &["am", "pm", "noon", "midnight", "clock"];

/// What the numbers among `tokens` are of; `terms` are those of the tokens. Each once. A number by itself may be part of a
/// name, and one of another name is no other value. Linear.
pub(super) fn measures(tokens: &[Token<'_>], terms: &[Option<usize>]) -> Vec<Measure> {
    let mut found = Vec::new();
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|token| words.contains(&&*token.text));
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let before = at.checked_sub(1);
        let measure = match () {
            () if TIMES.contains(&&*token.text) => Measure::Time,
            () if CURRENCIES.contains(&&*token.text) => Measure::Money,
            () if is_day(&token.text) => Measure::Day,
            () if !token.is_numeral() => continue,
            () if token.colon && next.is_some_and(Token::is_number) => Measure::Time,
            () if is(at + 1, TIMES) || is(at + 1, CURRENCIES) => continue,
            () if before.is_some_and(|before| {
                is(before, CURRENCIES)
                    || tokens.get(before).is_some_and(|token| token.colon && token.is_number())
            }) =>
            {
                continue;
            }
            () if is_ordinal(&token.text) => Measure::Day,
            () => match next.filter(|next| !next.opens).and_then(|_| terms.get(at + 1).copied().flatten()) {
                Some(term) => Measure::Of(term),
                None => continue,
            },
        };
        if !found.contains(&measure) {
            found.push(measure);
        }
    }
    found
}
