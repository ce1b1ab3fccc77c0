//! Language models by name: how they count tokens and how many they accept.
//!
//! The table is generated from `models.toml`, which explains the figures and names their sources.

mod cost;
mod price_table;
mod row;
mod table;
mod token_factor;

use thiserror::Error;

pub use self::{
    cost::{Bill, Money, Prices, TokenUsage},
    row::{Model, TokenRatio},
    token_factor::TokenFactor,
};

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
/// `claude-opus-4-5@20251101`, `gpt-oss-20b:free`). If no model has exactly that name, the result is the model with the
/// longest name that the given one starts with, followed by `-`, `@` or `:`.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::model;
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

/// The standard prices of a model, whose name is read as [`model`](crate::model()) reads it; `None` if they are
/// unknown. Prices change: check their origin, and supply your own if they matter.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::prices;
///
/// let small = prices("openai/gpt-4o-mini-2024-07-18").unwrap();
/// assert_eq!((small.input, small.cached_input, small.output), (150_000, Some(75_000), 600_000));
/// assert!(prices("my-own-model").is_none());
/// ```
#[must_use]
pub fn prices(name: &str) -> Option<Prices> {
    // By the name in the table, so that a model without a price does not get that of a shorter name.
    let name = model(name).ok()?.name;
    price_table::PRICES.iter().find(|(priced, _)| *priced == name).map(|(_, prices)| *prices)
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

/// Up to three names similar to `name`, the most similar first; ties are in the order of the table.
fn nearest(name: &str) -> Vec<&'static str> {
    /// Two wrong letters in seven still show which name was meant; more do not.
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
    use contextfit_kernel::Tokens;

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

    #[test]
    fn every_price_is_a_models_and_has_an_origin() {
        assert_eq!(price_table::PRICES.len(), 84);
        for (name, row) in price_table::PRICES {
            assert_eq!(prices(name), Some(*row), "{name}");
            let (source, checked) = row.origin.unwrap();
            assert!(source.starts_with("https://") && checked.len() == "2026-07-02".len());
        }
    }

    #[test]
    fn a_model_without_a_price_has_none() {
        assert!(model("gpt-4-32k").is_ok(), "a model, and more than a version of gpt-4");
        assert_eq!(prices("gpt-4-32k"), None);
        assert_eq!(prices("zephyr"), None);
        assert_eq!(prices("gpt-4-0613").map(|prices| prices.input), Some(30_000_000));
    }
}
