//! Language models by name: how they count tokens and how many they accept.
//!
//! The table is generated from `models.toml`, which explains its figures and names their sources.

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

/// A language model: its encoding and its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Model {
    /// The name, without provider and version: `gpt-4o`.
    pub name: &'static str,
    /// The encoding to count with: `o200k_base`.
    pub encoding: &'static str,
    /// Whether the encoding is the model's own. If not, it is the nearest stand-in, which can count up to half too few
    /// tokens; the model's own count is then estimated with its [`factor`](Self::factor).
    pub exact: bool,
    /// How many of the model's tokens to assume for those of the stand-in; `None` if the encoding is exact.
    pub ratio: Option<TokenRatio>,
    /// Maximum tokens of prompt and answer together.
    pub window: Tokens,
    /// Maximum tokens of one answer: the whole window if the vendor sets no limit, zero for an embedding model.
    pub output: Tokens,
}

impl Model {
    /// The number of tokens the provider is assumed to count for one token of [`encoding`](Self::encoding), from
    /// published comparisons; `None` if the encoding is the model's own. It gives way to figures learned from the
    /// provider's reports.
    ///
    /// ```
    /// use contextfit_kernel::Tokens;
    /// use contextfit_text::model;
    ///
    /// let factor = model("claude-sonnet-4-5")?.factor().unwrap();
    /// // 7,407 tokens by our count are safe within 10,000 of Claude's, and 1,000 of ours are about 1,350 of Claude's.
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

/// A name that matches no model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown model {name:?}{}; `models()` lists all {}", suggestion(nearest), table::MODELS.len())]
#[non_exhaustive]
pub struct UnknownModel {
    /// The requested name.
    pub name: String,
    /// Similar names, the most similar first; often empty.
    pub nearest: Vec<&'static str>,
}

/// All models in the table, by vendor and family.
#[must_use]
pub fn models() -> &'static [Model] {
    table::MODELS
}

/// Finds a model by name, ignoring case.
///
/// A provider prefix is ignored (`openai/gpt-4o`), and so is a version suffix (`gpt-4o-2024-08-06`,
/// `claude-opus-4-5@20251101`, `gpt-oss-20b:free`): if no model has exactly that name, the longest model name wins that
/// the given one starts with, provided that `-`, `@` or `:` follows it.
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
/// [`UnknownModel`], with similar names.
pub fn model(name: &str) -> Result<&'static Model, UnknownModel> {
    let bare = bare(name);
    table::MODELS
        .iter()
        .filter(|model| is_version_of(&bare, model.name))
        .max_by_key(|model| model.name.len())
        .ok_or_else(|| UnknownModel { name: name.into(), nearest: nearest(&bare) })
}

/// The name in lowercase, without provider path and fine-tuning prefix.
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

/// Up to three names similar to `name`, the most similar first. Ties keep the order of the table.
fn nearest(name: &str) -> Vec<&'static str> {
    /// Two wrong letters in seven still show what was meant; more do not.
    const ALIKE: f64 = 0.7;

    let mut found: Vec<(f64, &'static str)> = table::MODELS
        .iter()
        .map(|model| (strsim::normalized_damerau_levenshtein(name, model.name), model.name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// The names as part of the message.
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
        let all = format!("; `models()` lists all {}", models().len());
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
