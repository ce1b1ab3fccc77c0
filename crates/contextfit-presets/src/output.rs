//! Outputs of tools, as an agent is shown them: an excerpt, and a last line that says what is missing.

use contextfit_kernel::{Error, Rewrite, TextKind, Tokens};
use contextfit_text::{rewritten, text_kind};
use serde_json::Value;

use crate::{FitError, Fitter};

/// An output with at most this many characters is shown as it is. On 13 real sessions of coding agents, longer ones are
/// 1.4 % of the results and 31 % of their characters can be saved.
pub const SHORT_OUTPUT_CHARS: usize = 8_000;

/// What is shown of an output that is mostly repetition: logs, test runs, JSON.
const FEW_TOKENS: Tokens = Tokens::new(1_000);

/// What is shown of an output whose every line is a finding.
pub const FINDINGS_TOKENS: Tokens = Tokens::new(3_000);

/// Whether `text` has more characters than [`SHORT_OUTPUT_CHARS`]. Linear in the length of the text.
#[must_use]
pub fn is_long_output(text: &[u8]) -> bool {
    // Every character has one byte that does not continue another.
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).nth(SHORT_OUTPUT_CHARS).is_some()
}

/// The usual budget for an output of this kind: 1,000 tokens for logs, test runs, JSON and what is unknown, and
/// [`FINDINGS_TOKENS`] for lines found, diffs, listings, tables and what people wrote. A log of a compiler or a linter is
/// a list of findings too, but only its command tells.
#[must_use]
pub const fn usual_output_budget(kind: TextKind) -> Tokens {
    match kind {
        TextKind::Log | TextKind::Json | TextKind::Other => FEW_TOKENS,
        _ => FINDINGS_TOKENS,
    }
}

/// The kind of what a tool printed, whatever the tool put around it: colours, a number before each line, or JSON that is
/// mostly one string. Linear in the length of the text.
///
/// ```
/// # mod contextfit { pub use ::contextfit_presets as presets; pub use ::contextfit_kernel as kernel; }
/// use contextfit::{kernel::TextKind, presets::output_kind};
///
/// let numbered = (1..9).map(|n| format!("{n:05}| 10:00:00 INFO lock {n} is closed\n")).collect::<String>();
/// assert_eq!(output_kind(&numbered), TextKind::Code);
/// ```
#[must_use]
pub fn output_kind(text: &str) -> TextKind {
    let shown = rewritten(Rewrite::Terminal, text);
    let text = shown.as_deref().unwrap_or(text);
    if are_numbered(text) {
        return TextKind::Code;
    }
    let kind = text_kind(text);
    if kind != TextKind::Json {
        return kind;
    }
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    // It is shorter, so this ends.
    longest(&value).filter(|inner| inner.len() > text.len() / 2).map_or(kind, output_kind)
}

/// Whether lines are numbered one after the other, as files are printed.
fn are_numbered(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let (mut all, mut following, mut before) = (0, 0, None);
    for line in lines {
        let line = line.trim_start();
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = line.get(..line.len() - rest.len()).unwrap_or_default();
        let number =
            digits.parse::<usize>().ok().filter(|_| rest.starts_with([':', '|', '\t', '\u{2192}', ' ']));
        all += 1;
        following += usize::from(number.is_some() && number == before);
        before = number.map(|number| number + 1);
    }
    // A few lines around the file are the tool's.
    all > 2 && following * 10 >= all * 9 - 10
}

/// The longest string in `value`.
fn longest(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(values) => values.iter().filter_map(longest).max_by_key(|text| text.len()),
        Value::Object(members) => members.values().filter_map(longest).max_by_key(|text| text.len()),
        _ => None,
    }
}

/// An output as an agent is shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShownOutput {
    /// The excerpt, and the last line.
    pub text: String,
    /// The number of lines that are shown in whole or in part.
    pub shown: usize,
}

impl Fitter {
    /// The important parts of `text`, the output of a tool, and a last line, both within `budget` tokens or the usual
    /// ones for its kind. `last` makes the line, without a line feed, from the numbers of lines that are shown and that
    /// there are. `None` if the text fits as it is.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_presets::{Counting, Fitter}; pub use ::contextfit_kernel::Tokens; }
    /// use contextfit::{Counting, Fitter, Tokens};
    ///
    /// let log = (0..400).map(|n| format!("10:00:00 INFO lock {} is closed\n", n % 9)).collect::<String>();
    /// let fitter = Fitter::new(Counting::new(None, None)?);
    /// let shown = fitter.output(log, Some(Tokens::new(100)), |shown, of| format!("[{shown} of {of} lines]"))?;
    /// assert!(shown.is_some_and(|output| output.text.ends_with(" of 400 lines]\n")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FitError::Fit`] if not even the shortest excerpt and the last line fit.
    pub fn output(
        &self,
        text: String,
        budget: Option<Tokens>,
        last: impl Fn(usize, usize) -> String,
    ) -> Result<Option<ShownOutput>, FitError> {
        let counter = self.counter();
        let budget = budget.unwrap_or_else(|| usual_output_budget(text_kind(&text)));
        if counter.count(&text) <= budget {
            return Ok(None);
        }
        let of = text.lines().count();
        let last = |shown| last(shown, of) + "\n";
        // A line feed before the last line may be one token more.
        let around = counter.count(&last(of)) + Tokens::new(1);
        let room = self.budget(Some(budget.saturating_sub(around)), Some(Tokens::ZERO))?;
        let excerpt = self.excerpt_within(text, room).map_err(|error| match error {
            FitError::Fit(Error::Infeasible { needed, blockers, .. }) => {
                Error::Infeasible { needed: needed + around, available: budget, blockers }.into()
            }
            other => other,
        })?;
        let feed = if excerpt.result.text.ends_with('\n') { "" } else { "\n" };
        let shown = excerpt.shown_lines();
        Ok(Some(ShownOutput { text: [excerpt.result.text.as_str(), feed, &last(shown)].concat(), shown }))
    }
}
