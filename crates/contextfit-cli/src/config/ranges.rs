//! The ranges of numbers, which the types of a configuration do not express.

use std::ops::RangeInclusive;

use contextfit::{search::ScoreMode, search::SentenceOptions};
use serde_json::Value;

use super::shape::Config;

/// Numbers of the section `llm` that must not be zero.
const COUNTS: [&str; 4] = ["window", "deadline", "concurrency", "perMinute"];

/// The threshold of scores.
pub(super) const THRESHOLD: &[&str] = &["compression", "metadataOnly", "scoreThreshold"];

/// A key and what is wrong with its value.
pub(super) type Fault = (Vec<&'static str>, String);

/// Every number in `config` that is out of its range, and an address of a model's server that is none.
pub(super) fn faults(config: &Config) -> Vec<Fault> {
    let document = serde_json::to_value(config).unwrap_or_default();
    let out_of_range = |(path, range): (Vec<&'static str>, RangeInclusive<f64>)| {
        let fault = outside(&document, &path, &range)?;
        Some((path, fault))
    };
    let weights = SentenceOptions::RANGES.map(|(key, range)| (vec!["bm25", key], range));
    let counts = COUNTS.map(|key| (vec!["llm", key], 1.0..=f64::INFINITY));
    let mut faults: Vec<Fault> = weights.into_iter().chain(counts).filter_map(out_of_range).collect();
    // Scores of retrievers have any scale; ranks depend on the request.
    let mode = config.compression.as_ref().map(|compression| compression.metadata_only.score_mode);
    if matches!(mode, Some(ScoreMode::Normalised | ScoreMode::Quantile)) {
        faults.extend(out_of_range((THRESHOLD.to_vec(), 0.0..=1.0)));
    }
    faults.extend(address(config).map(|message| (vec!["llm", "url"], message)));
    faults
}

/// What is wrong with the number at `path`, if there is one.
fn outside(document: &Value, path: &[&str], range: &RangeInclusive<f64>) -> Option<String> {
    let found = path.iter().try_fold(document, |value, key| value.get(key))?.as_f64()?;
    if range.contains(&found) {
        return None;
    }
    let (low, high) = (range.start(), range.end());
    let upper = if high.is_finite() { format!("from {low} to {high}") } else { format!("of at least {low}") };
    Some(format!("expected a number {upper}, found {found}"))
}

#[cfg(feature = "llm")]
fn address(config: &Config) -> Option<String> {
    let url = config.llm.as_ref()?.url.as_ref()?;
    let error = contextfit::models::Endpoint::new(url).err()?;
    Some(crate::console::chain(&error))
}

#[cfg(not(feature = "llm"))]
fn address(_: &Config) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every weight has a range, and its default is in it.
    #[test]
    fn all_weights_have_ranges() {
        let defaults = serde_json::to_value(SentenceOptions::default()).unwrap();
        let weights = defaults.as_object().unwrap().iter().filter(|(_, value)| value.is_f64());
        let mut names: Vec<&str> = weights.map(|(name, _)| name.as_str()).collect();
        let mut ranged = SentenceOptions::RANGES.map(|(name, range)| {
            assert!(range.contains(&defaults[name].as_f64().unwrap()), "{name}");
            name
        });
        names.sort_unstable();
        ranged.sort_unstable();
        assert_eq!(names, ranged);
    }
}
