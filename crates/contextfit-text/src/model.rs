//! Language models by name: how they count tokens and how many they take.
//!
//! The table is kept in `models.toml` and generated; see there for what its figures mean and where they are from.

mod cost;
mod price_table;
mod prices;
mod table;
mod token_factor;
mod token_ratio;

use contextfit_kernel::Tokens;
use thiserror::Error;

pub use self::{
    cost::{Bill, Money, TokenUsage},
    prices::{Prices, prices},
    token_factor::TokenFactor,
    token_ratio::TokenRatio,
};

/// What is known of a language model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Model {
    /// The name, without provider and version: `gpt-4o`.
    pub name: &'static str,
    /// The encoding to count with: `o200k_base`.
    pub encoding: &'static str,
    /// Whether the encoding is the model's own. If not it is the nearest stand-in, which can count a half too few: what
    /// is said of the model's own tokens then is an estimate by its [`factor`](Self::factor).
    pub exact: bool,
    /// How many tokens of its own to reckon with for those of the stand-in; `None` where the encoding is exact.
    pub ratio: Option<TokenRatio>,
    /// How many tokens the prompt and the answer may take together.
    pub window: Tokens,
    /// How many tokens one answer may take: the whole window where the vendor sets no limit, zero for an embedding
    /// model.
    pub output: Tokens,
}

impl Model {
    /// What its provider is taken to count for one token of [`encoding`](Self::encoding), from published comparisons;
    /// `None` where the encoding is its own. It gives way to what is learned from the provider's reports.
    ///
    /// ```
    /// use contextfit_kernel::Tokens;
    /// use contextfit_text::model;
    ///
    /// let factor = model("claude-sonnet-4-5")?.factor().unwrap();
    /// // Of 10,000 of Claude's tokens these many by our count are safe, and 1,000 of ours are so many of Claude's.
    /// assert_eq!(factor.safe(Tokens::new(10_000)), Some(Tokens::new(7_407)));
    /// assert_eq!(factor.estimate(Tokens::new(1_000)), Some(Tokens::new(1_350)));
    /// assert!(model("gpt-4o")?.factor().is_none());
    /// # Ok::<(), contextfit_text::UnknownModel>(())
    /// ```
    #[must_use]
    pub fn factor(&self) -> Option<TokenFactor> {
        self.ratio.map(TokenFactor::from)
    }
}

/// A name that is no model's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown model {name:?}{}; `contextfit models` lists all {}", suggestion(nearest), table::MODELS.len())]
#[non_exhaustive]
pub struct UnknownModel {
    /// The name asked for.
    pub name: String,
    /// Names that look like it, the likest first; often none.
    pub nearest: Vec<&'static str>,
}

/// All models in the table, by vendor and family.
#[must_use]
pub fn models() -> &'static [Model] {
    table::MODELS
}

/// The model by its name, in any case.
///
/// A provider in front is ignored (`openai/gpt-4o`), and so is a version at the end (`gpt-4o-2024-08-06`,
/// `claude-opus-4-5@20251101`, `gpt-oss-20b:free`): without a model of exactly that name, the longest name wins that
/// the given one starts with, if `-`, `@` or `:` follows.
///
/// ```
/// use contextfit_text::model;
///
/// let gpt = model("openai/gpt-4o-2024-08-06")?;
/// assert_eq!((gpt.name, gpt.encoding, gpt.exact), ("gpt-4o", "o200k_base", true));
/// # Ok::<(), contextfit_text::UnknownModel>(())
/// ```
///
/// # Errors
/// [`UnknownModel`] with the names that look like it.
pub fn model(name: &str) -> Result<&'static Model, UnknownModel> {
    let bare = bare(name);
    table::MODELS
        .iter()
        .filter(|model| is_version_of(&bare, model.name))
        .max_by_key(|model| model.name.len())
        .ok_or_else(|| UnknownModel { name: name.into(), nearest: nearest(&bare) })
}

/// The name in lower case, without the path of providers in front and the mark of a fine-tuned model.
fn bare(name: &str) -> String {
    let last = name.trim().rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    match last.strip_prefix("ft:") {
        Some(base) => base.into(),
        None => last,
    }
}

/// Whether `name` is `base` or a version of it.
fn is_version_of(name: &str, base: &str) -> bool {
    name.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '@', ':']))
}

/// Up to three names that look like `name`, the likest first. Ties keep the order of the table.
fn nearest(name: &str) -> Vec<&'static str> {
    /// Two letters wrong in seven still show what was meant; more do not.
    const ALIKE: f64 = 0.7;

    let mut found: Vec<(f64, &'static str)> = table::MODELS
        .iter()
        .map(|model| (strsim::normalized_damerau_levenshtein(name, model.name), model.name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// The names as a part of the message.
fn suggestion(nearest: &[&str]) -> String {
    if nearest.is_empty() { String::new() } else { format!(", did you mean {}?", nearest.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expect: &str) {
        assert_eq!(model(name).map(|model| model.name), Ok(expect), "{name}");
    }

    #[track_caller]
    fn check_unknown(name: &str, message: &str) {
        let error = model(name).unwrap_err().to_string();
        let all = format!("; `contextfit models` lists all {}", models().len());
        assert_eq!(error, format!("unknown model {name:?}{message}{all}"));
    }

    #[test]
    fn every_model_is_found_by_its_name() {
        for model in models() {
            check(model.name, model.name);
        }
    }

    #[test]
    fn versions_belong_to_the_longest_name() {
        check("gpt-4", "gpt-4");
        check("gpt-4-0613", "gpt-4");
        check("gpt-4-32k-0613", "gpt-4-32k");
        check("gpt-4-turbo-2024-04-09", "gpt-4-turbo");
        check("gpt-4-1106-preview", "gpt-4-1106-preview");
        check("gpt-4o-2024-08-06", "gpt-4o");
        check("gpt-4o-2024-05-13", "gpt-4o-2024-05-13");
        check("gpt-4o-mini-2024-07-18", "gpt-4o-mini");
        check("gpt-4.1-mini-2025-04-14", "gpt-4.1-mini");
        check("gpt-5-mini", "gpt-5-mini");
        check("gpt-5-chat-latest", "gpt-5-chat");
        check("gpt-5.5-instant", "gpt-5.5-instant");
        check("gpt-5.6-sol", "gpt-5.6");
        check("gpt-oss-20b:free", "gpt-oss-20b");
        check("claude-opus-4-5@20251101", "claude-opus-4-5");
        check("claude-3-5-sonnet-20241022", "claude-3-5-sonnet");
        check("gemini-2.5-flash-lite-preview-06-17", "gemini-2.5-flash-lite");
        check("llama-3.1-8b-instruct", "llama-3.1");
    }

    #[test]
    fn providers_case_and_fine_tuning_do_not_matter() {
        check("openai/gpt-4o", "gpt-4o");
        check("models/gemini-2.5-pro", "gemini-2.5-pro");
        check("meta-llama/Llama-3.3-70B-Instruct", "llama-3.3");
        check("openrouter/qwen/Qwen2.5-72B-Instruct", "qwen2.5-72b");
        check("ft:gpt-4o-mini-2024-07-18:org::id", "gpt-4o-mini");
        check(" GPT-4o ", "gpt-4o");
    }

    #[test]
    fn a_name_that_only_starts_alike_is_unknown() {
        check_unknown("gpt-4oo", ", did you mean gpt-4o, gpt-4, gpt-4.1?");
        check_unknown("gpt4o", ", did you mean gpt-4o?");
        check_unknown(
            "claude-sonnet-4.5",
            ", did you mean claude-sonnet-4-5, claude-sonnet-4-0, claude-sonnet-4-6?",
        );
        check_unknown("openai/", "");
        check_unknown("", "");
        check_unknown("zephyr", "");
    }

    #[test]
    fn figures_make_sense() {
        for model in models() {
            assert!(model.output <= model.window, "{}", model.name);
            assert!(model.window >= Tokens::new(4_096), "{}", model.name);
            assert_eq!(model.exact, model.factor().is_none(), "{}", model.name);
            assert!(model.factor().is_none_or(|factor| factor.bound() >= Some(1.0)), "{}", model.name);
        }
    }
}
