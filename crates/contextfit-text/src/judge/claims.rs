//! Quotations and names in an answer that its source does not have.

use contextfit_kernel::Unfit;

use super::{
    source::SourceText,
    statements::{Statements, quoted, sentences},
};
use crate::{NaturalLanguage, quotations, words};

/// A quotation of fewer words than this is a title or a word in an unusual sense.
const QUOTED_WORDS: usize = 3;

/// The minimum letters of a name; shorter words with a capital are too often something else.
const SHORTEST_NAME_LETTERS: usize = 3;

/// Checks that the source has every quotation of the answer, apart from marks for omissions.
pub(super) fn quotes(statements: &Statements<'_>, source: &SourceText) -> Result<(), Unfit> {
    // Single marks are also apostrophes.
    let mut quotes = quotations(statements.text, statements.text.len()).filter(|(open, _)| *open != '\'');
    let invented = quotes.find(|(_, quote)| {
        let mut parts = quote.split("...").flat_map(|part| part.split(['…', '[', ']']));
        words(quote).count() >= QUOTED_WORDS && !parts.all(|part| source.says(part))
    });
    invented.map_or(Ok(()), |(_, quote)| Err(Unfit::Quote { quote: quoted(quote) }))
}

/// A word of a sentence that may be a name.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// Whether it would have a capital anyway, as at the start of a sentence.
    first: bool,
    /// Whether a number is next to it: `15 May`.
    dated: bool,
}

/// Checks that the source has the names in the answer. A word with a capital is a name unless it begins a sentence; in
/// German, where every noun has a capital, only two in a row are.
pub(super) fn names(statements: &Statements<'_>, source: &SourceText) -> Result<(), Unfit> {
    let nouns = NaturalLanguage::of_texts(statements.bodies()) == NaturalLanguage::German;
    // If values after labels begin in lowercase, a capital there is significant.
    let small =
        statements.lines.iter().any(|line| line.labelled && line.body.starts_with(char::is_lowercase));
    for line in &statements.lines {
        for (n, sentence) in sentences(line.body).enumerate() {
            let mut before: Option<Word<'_>> = None;
            for mut word in capitals(sentence) {
                word.first &= !(n == 0 && line.labelled && small);
                let strange = !source.has_name(word.text) && !word.dated;
                let follows = before.is_some_and(|last| follows(sentence, last.text, word.text));
                if strange && (follows || !word.first && !nouns) {
                    let from = before.filter(|_| follows).map_or(word.text, |last| last.text);
                    return Err(Unfit::Name { name: span(sentence, from, word.text) });
                }
                before = strange.then_some(word);
            }
        }
    }
    Ok(())
}

/// The words of a sentence that begin with a capital and continue in lowercase.
fn capitals(sentence: &str) -> impl Iterator<Item = Word<'_>> {
    let tokens: Vec<&str> =
        sentence.split(|c: char| c.is_whitespace() || matches!(c, '/' | '—' | '–')).collect();
    let has_digit =
        |token: Option<&&str>| token.is_some_and(|token| token.contains(|c: char| c.is_numeric()));
    let mut first = true;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
        let begins = first || token.starts_with(|c: char| !c.is_alphanumeric() && c != '@');
        first = first && bare.is_empty() || token.ends_with([':', '.', '!', '?']);
        // `Ada's` becomes `Ada`; `Wi-Fi` and `GitHub` are unchanged.
        let name = bare.split(['\'', '’']).next().unwrap_or(bare);
        let mut letters = name.chars();
        let is_name = letters.next().is_some_and(char::is_uppercase)
            && letters.clone().any(char::is_lowercase)
            && name.chars().count() >= SHORTEST_NAME_LETTERS
            && name.chars().all(|c| c.is_alphabetic() || c == '-')
            && words(name).count() >= 1;
        // `The` is a function word.
        if is_name && !NaturalLanguage::is_any_stop_word(name) {
            let dated =
                has_digit(at.checked_sub(1).and_then(|at| tokens.get(at))) || has_digit(tokens.get(at + 1));
            found.push(Word { text: name, first: begins, dated });
        }
    }
    found.into_iter()
}

/// Whether only spaces and full stops separate two words of `sentence`.
fn follows(sentence: &str, first: &str, second: &str) -> bool {
    let place = |word: &str| (word.as_ptr() as usize).wrapping_sub(sentence.as_ptr() as usize);
    let between = sentence.get(place(first) + first.len()..place(second)).unwrap_or("-");
    between.chars().all(|c| matches!(c, ' ' | '.')) && between.contains(' ')
}

/// The part of `sentence` from one of its words to the end of another.
fn span(sentence: &str, from: &str, to: &str) -> String {
    let place = |word: &str| (word.as_ptr() as usize).wrapping_sub(sentence.as_ptr() as usize);
    sentence.get(place(from)..place(to) + to.len()).unwrap_or(to).to_owned()
}
