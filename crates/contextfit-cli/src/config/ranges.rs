//! The ranges of numbers, which the types of a configuration do not express.

use contextfit_truncation::ScoreMode;
use serde_json::Value;

use super::shape::Config;

const SHARE: (f64, f64) = (0.0, 1.0);
const WEIGHT: (f64, f64) = (0.0, f64::INFINITY);
const COUNT: (f64, f64) = (1.0, f64::INFINITY);

/// The keys with a range, and what it is.
const RANGES: &[(&[&str], (f64, f64))] = &[
    (&["bm25", "k1"], WEIGHT),
    (&["bm25", "b"], SHARE),
    (&["bm25", "heading"], WEIGHT),
    (&["bm25", "passage"], WEIGHT),
    (&["bm25", "neighbour"], WEIGHT),
    (&["bm25", "phrase"], WEIGHT),
    (&["bm25", "lead"], WEIGHT),
    (&["bm25", "mention"], WEIGHT),
    (&["bm25", "sharedName"], WEIGHT),
    (&["bm25", "repetition"], SHARE),
    (&["bm25", "retrieval"], WEIGHT),
    (&["bm25", "minRelevance"], SHARE),
    (&["llm", "window"], COUNT),
    (&["llm", "deadline"], COUNT),
    (&["llm", "concurrency"], COUNT),
    (&["llm", "perMinute"], COUNT),
];

/// The threshold of scores.
pub(super) const THRESHOLD: &[&str] = &["compression", "metadataOnly", "scoreThreshold"];

/// A key and what is wrong with its value.
pub(super) type Fault = (&'static [&'static str], String);

/// Every number in `config` that is out of its range, and an address of a model's server that is none.
pub(super) fn faults(config: &Config) -> Vec<Fault> {
    let document = serde_json::to_value(config).unwrap_or_default();
    let out_of_range =
        |(path, range): &(&'static [&str], (f64, f64))| Some((*path, outside(&document, path, *range)?));
    let mut faults: Vec<Fault> = RANGES.iter().filter_map(out_of_range).collect();
    // Scores of retrievers have any scale; ranks depend on the request.
    let mode = config.compression.as_ref().map(|compression| compression.metadata_only.score_mode);
    if matches!(mode, Some(ScoreMode::Normalised | ScoreMode::Quantile)) {
        faults.extend(out_of_range(&(THRESHOLD, SHARE)));
    }
    faults.extend(address(config).map(|message| (&["llm", "url"][..], message)));
    faults
}

/// What is wrong with the number at `path`, if there is one.
fn outside(document: &Value, path: &[&str], (low, high): (f64, f64)) -> Option<String> {
    let found = path.iter().try_fold(document, |value, key| value.get(key))?.as_f64()?;
    if (low..=high).contains(&found) {
        return None;
    }
    let upper = if high.is_finite() { format!("from {low} to {high}") } else { format!("of at least {low}") };
    Some(format!("expected a number {upper}, found {found}"))
}

#[cfg(feature = "llm")]
fn address(config: &Config) -> Option<String> {
    let url = config.llm.as_ref()?.url.as_ref()?;
    let error = contextfit_providers::Endpoint::new(url).err()?;
    Some(crate::console::chain(&error))
}

#[cfg(not(feature = "llm"))]
fn address(_: &Config) -> Option<String> {
    None
}
