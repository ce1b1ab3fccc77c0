//! Checks for numbers and codes in an answer that its source does not have.

use contextfit_kernel::Unfit;

use super::{
    figures::{codes, numbers},
    source::SourceText,
    statements::Statements,
};

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
