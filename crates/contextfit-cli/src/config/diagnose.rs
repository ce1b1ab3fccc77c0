//! Finds every problem in a configuration file, not only the first.

use std::path::Path;

use contextfit::{
    caches::CacheKind,
    feedback::RuleError,
    formats::unknown_name,
    kernel::Tokens,
    presets::{CacheBackend, CompressionOptions},
    search::ScoreMode,
    text::{counter, model},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use super::{
    format::Format,
    locate::{Step, remove, steps},
    origin::Scope,
    ranges::{THRESHOLD, faults},
    shape::Config,
    trust,
};
use crate::{
    console::chain,
    models::unknown_model,
    problem::{Problem, Severity},
};

/// The path of an engine's compression options in `kb.config.json`.
const IN_ENGINE: [&str; 4] = ["options", "search", "optimization", "compression"];

/// The most problems to report: more than anyone wants to read at once.
const MOST: usize = 100;

/// A configuration, as far as it could be read, and its problems.
#[derive(Debug, Default)]
pub(crate) struct Diagnosis {
    /// The keys that are set, in the terms of our own files.
    pub(crate) document: Value,
    /// The path of the configuration in the document.
    pub(crate) base: Vec<Step>,
    pub(crate) problems: Vec<Problem>,
    #[cfg(test)]
    pub(crate) config: Config,
}

/// Reads the configuration in `text`. If nobody named its file, `found_in` says whose it is, and its folder.
pub(crate) fn diagnose(format: Format, text: &str, found_in: Option<(Scope, &Path)>) -> Diagnosis {
    let mut document = match format.read(text) {
        Ok(Value::Null) => Value::Object(serde_json::Map::new()),
        Ok(document) => document,
        Err(problem) => return Diagnosis { problems: vec![problem], ..Diagnosis::default() },
    };
    // Editors find the schema of a file by this key.
    remove(&mut document, &steps(&["$schema"]));
    let mut found = Found { format, text, base: Vec::new(), problems: Vec::new() };
    if let Some((scope, folder)) = found_in {
        trust::rebase(&mut document, folder);
        if scope == Scope::Project {
            found.restrict(&mut document);
        }
    }
    let config = if document.get("knowledge").is_some() {
        let config = found.knowledge_base(&document);
        document = config.document();
        if found_in.is_some_and(|(scope, _)| scope == Scope::Project) {
            trust::restrict(&mut document);
        }
        config
    } else {
        let mut config: Config = found.read_all(document.clone());
        if let Some(compression) = &mut config.compression
            && document.pointer("/compression/enabled").is_none()
        {
            // Off is the default of KB Labs Mind, not ours.
            compression.enabled = true;
        }
        config
    };
    found.meaning(&config);
    found.problems.sort_by_key(|problem| problem.place);
    let Found { base, problems, .. } = found;
    Diagnosis {
        document,
        base,
        problems,
        #[cfg(test)]
        config,
    }
}

/// The problems found so far.
struct Found<'t> {
    format: Format,
    text: &'t str,
    /// The path of the part that is being read.
    base: Vec<Step>,
    problems: Vec<Problem>,
}

impl Found<'_> {
    /// Removes what a project's file that nobody named may not set.
    fn restrict(&mut self, document: &mut Value) {
        for path in trust::restrict(document) {
            let message = "ignored, because a project's file that was found by itself may not say where texts are sent \
                           or kept: name it with --config, or set this in your own file";
            self.push(Severity::Warning, &path, message.into());
        }
    }

    /// The configuration in a `kb.config.json`: the options of the first engine that has any. The rest of the file
    /// belongs to other programs.
    fn knowledge_base(&mut self, document: &Value) -> Config {
        let engines = document.pointer("/knowledge/engines").and_then(Value::as_array);
        let pointer: String = IN_ENGINE.iter().flat_map(|key| ["/", key]).collect();
        let first = engines
            .into_iter()
            .flatten()
            .enumerate()
            .find_map(|(index, engine)| engine.pointer(&pointer).map(|options| (index, options)));
        let Some((index, options)) = first else {
            let path = format!("knowledge.engines[].{}", IN_ENGINE.join("."));
            let message = format!("expected compression options at {path}, but no engine has any");
            self.error(&["knowledge"], message);
            return Config::default();
        };
        self.base = [steps(&["knowledge", "engines"]), vec![Step::Index(index)], steps(&IN_ENGINE)].concat();
        let compression: CompressionOptions = self.read_all(options.clone());
        // From here on, problems refer to the options by their own name, `compression`.
        self.base.pop();
        Config { compression: Some(compression), imported: true, ..Config::default() }
    }

    /// Reads `value`: reports and removes each invalid part until the rest can be read.
    fn read_all<T: DeserializeOwned + Default>(&mut self, mut value: Value) -> T {
        // Serde accepts a list for a table, with the values in order. Nobody means that.
        for path in lists(&value) {
            self.push(Severity::Error, &path, "unexpected list; no key takes a list".into());
            if !remove(&mut value, &path) {
                return T::default();
            }
        }
        for _ in 0..MOST {
            let error = match serde_path_to_error::deserialize(&value) {
                Ok(read) => return read,
                Err(error) => error,
            };
            let path: Vec<Step> = error.path().iter().map_while(step).collect();
            self.push(Severity::Error, &path, explained(&error.inner().to_string()));
            if !remove(&mut value, &path) {
                break;
            }
        }
        T::default()
    }

    /// Checks what the types cannot express.
    fn meaning(&mut self, config: &Config) {
        if let Some(Err(error)) = config.model.as_deref().map(model) {
            self.error(&["model"], unknown_model(&error));
        }
        if let Some(Err(error)) = config.tokenizer.as_deref().map(counter) {
            self.error(&["tokenizer"], chain(&error));
        }
        if let (Some(budget), Some(reserve)) = (config.budget, config.reserve)
            && reserve >= budget.max(1)
        {
            let (reserve, budget) = (Tokens::new(reserve), Tokens::new(budget));
            let message = format!(
                "{reserve} tokens leave nothing of the budget of {budget}; lower the reserve or raise the budget"
            );
            self.error(&["reserve"], message);
        }
        for (path, message) in faults(config) {
            self.error(&path, message);
        }
        self.threshold(config);
        self.features(config);
        self.feedback(config);
        let Some(compression) = &config.compression else { return };
        // Say nothing more about a value that could not be read.
        let enabled_is_wrong =
            self.problems.iter().any(|problem| problem.field.ends_with("compression.enabled"));
        if !compression.enabled && !enabled_is_wrong {
            self.warning(
                &["compression", "enabled"],
                "compression is off: blocks are kept whole or dropped, never shortened",
            );
        }
        if compression.cache != CacheBackend::Memory
            && config.cache.is_none()
            && cfg!(not(feature = "cache-qdrant"))
        {
            let message =
                "this build lacks the feature `cache-qdrant`: model answers are kept in memory only";
            self.warning(&["compression", "cache"], message);
        }
        let no_model = if config.imported {
            "ignored: contextfit calls a model only if --llm or `llm.model` in its own configuration names one"
        } else if cfg!(not(feature = "llm")) {
            "this build lacks the feature `llm`: blocks are shortened without a model"
        } else if compression.llm.model.is_none() && config.llm.as_ref().is_none_or(|llm| llm.model.is_none())
        {
            "no effect without a model: name one in `compression.llm.model`, in `llm.model` or with --llm"
        } else {
            return;
        };
        if compression.enabled && compression.llm.enabled {
            self.warning(&["compression", "llm", "enabled"], no_model);
        }
    }

    /// Warns of a threshold that no usual score reaches.
    fn threshold(&mut self, config: &Config) {
        let Some(metadata) = config.compression.as_ref().map(|compression| &compression.metadata_only) else {
            return;
        };
        let threshold = metadata.score_threshold;
        if metadata.score_mode == ScoreMode::Absolute && !(0.0..=1.0).contains(&threshold) {
            let message = format!("{threshold} is for retrievers whose scores go beyond 0 to 1");
            self.warning(THRESHOLD, message);
        }
    }

    /// Checks that thresholds can be learned, if they are.
    fn feedback(&mut self, config: &Config) {
        let Some(feedback) = &config.feedback else { return };
        match feedback.rule(&config.options()) {
            Err(error @ RuleError::MissRate { .. }) => self.error(&["feedback", "missRate"], error),
            Err(error) if feedback.enabled => self.error(THRESHOLD, error),
            Ok(None) if feedback.enabled => self.warning(
                &["compression", "metadataOnly", "scoreMode"],
                "thresholds of ranks are not learned: the rank that is good enough depends on the request",
            ),
            _ => {}
        }
    }

    /// Checks for features that this build lacks: an error if a run would fail, otherwise a warning.
    fn features(&mut self, config: &Config) {
        let is_asked = config.llm.as_ref().is_some_and(|llm| llm.model.is_some());
        if is_asked && cfg!(not(feature = "llm")) {
            let message =
                "this build cannot call language models: build contextfit-cli with `--features llm`";
            self.error(&["llm", "model"], message);
        }
        let Some(cache) = &config.cache else { return };
        let kinds =
            [("kind", Some(cache.kind)), ("behind", (cache.kind == CacheKind::Both).then_some(cache.behind))];
        for (field, kind) in kinds {
            let Some(feature) = kind.and_then(lacks) else { continue };
            let message = format!(
                "this build lacks the feature `{feature}`: build contextfit-cli with `--features {feature}`"
            );
            let severity = if is_asked { Severity::Error } else { Severity::Warning };
            self.push(severity, &steps(&["cache", field]), message);
        }
    }

    fn error(&mut self, path: &[&str], message: impl ToString) {
        self.push(Severity::Error, &steps(path), message.to_string());
    }

    fn warning(&mut self, path: &[&str], message: impl ToString) {
        self.push(Severity::Warning, &steps(path), message.to_string());
    }

    fn push(&mut self, severity: Severity, path: &[Step], message: String) {
        let full: Vec<Step> = self.base.iter().chain(path).cloned().collect();
        // A field that is not in the file has no position; use that of its closest enclosing field.
        let place = (0..full.len())
            .rev()
            .filter_map(|last| full.get(..=last))
            .find_map(|path| self.format.locate(self.text, path));
        self.problems.push(Problem { severity, place, field: dotted(&full), message });
    }
}

/// The feature that a cache of this kind needs, if this build lacks it.
const fn lacks(kind: CacheKind) -> Option<&'static str> {
    match kind {
        CacheKind::Redis if cfg!(not(feature = "cache-redis")) => Some("cache-redis"),
        CacheKind::Qdrant if cfg!(not(feature = "cache-qdrant")) => Some("cache-qdrant"),
        CacheKind::Memory | CacheKind::Disk if cfg!(not(feature = "llm")) => Some("llm"),
        _ => None,
    }
}

/// One step of the path to the value that could not be read.
fn step(segment: &Segment) -> Option<Step> {
    match segment {
        Segment::Map { key } => Some(Step::Key(key.clone())),
        Segment::Seq { index } => Some(Step::Index(*index)),
        _ => None,
    }
}

/// The paths of all lists that are not inside another list.
fn lists(value: &Value) -> Vec<Vec<Step>> {
    match value {
        Value::Array(_) => vec![Vec::new()],
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, value)| {
                lists(value).into_iter().map(|rest| [vec![Step::Key(key.clone())], rest].concat())
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The path as people write it.
fn dotted(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Key(key) if text.is_empty() => text.push_str(key),
            Step::Key(key) => text.push_str(&format!(".{key}")),
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

/// A message of serde in plain words; for an unknown name, with the nearest valid one.
fn explained(message: &str) -> String {
    unknown_name(message).unwrap_or_else(|| {
        message
            .replace("expected usize", "expected a whole number from 0")
            .replace("expected f64", "expected a number")
            .replace("expected struct ", "expected a table for ")
    })
}
