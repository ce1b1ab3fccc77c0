//! Everything that is wrong with a configuration file, not only the first thing.

use contextfit_cache::CacheKind;
use contextfit_formats::unknown_name;
use contextfit_kernel::Tokens;
use contextfit_text::{counter, model};
use contextfit_truncation::{CacheBackend, CompressionOptions};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use super::{
    format::Format,
    locate::Step,
    problem::{Problem, Severity},
    shape::Config,
};
use crate::console::chain;

/// Where `kb.config.json` keeps an engine's compression options.
const IN_ENGINE: [&str; 4] = ["options", "search", "optimization", "compression"];

/// More problems than anyone wants to read at once.
const MOST: usize = 100;

/// A configuration, as far as it could be read, and what is wrong with it.
#[derive(Debug)]
pub(crate) struct Diagnosis {
    pub(crate) config: Config,
    pub(crate) problems: Vec<Problem>,
}

/// Reads the configuration in `text`.
pub(crate) fn diagnose(format: Format, text: &str) -> Diagnosis {
    let document = match format.read(text) {
        Ok(Value::Null) => Value::Object(serde_json::Map::new()),
        Ok(document) => document,
        Err(problem) => return Diagnosis { config: Config::default(), problems: vec![problem] },
    };
    let mut found = Found { format, text, base: Vec::new(), problems: Vec::new() };
    let config = if document.get("knowledge").is_some() {
        found.knowledge_base(&document)
    } else {
        found.read_all(document)
    };
    found.meaning(&config);
    found.problems.sort_by_key(|problem| problem.place);
    Diagnosis { config, problems: found.problems }
}

/// What was found so far.
struct Found<'t> {
    format: Format,
    text: &'t str,
    /// The path of the part that is read.
    base: Vec<Step>,
    problems: Vec<Problem>,
}

impl Found<'_> {
    /// The configuration in a `kb.config.json`: the options of the first engine that has some. All else in the file
    /// belongs to others.
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
            self.error(
                &[Step::Key("knowledge".into())],
                format!("no engine has compression options at {path}"),
            );
            return Config::default();
        };
        self.base = vec![Step::Key("knowledge".into()), Step::Key("engines".into()), Step::Index(index)];
        self.base.extend(IN_ENGINE.map(|key| Step::Key(key.into())));
        let compression: CompressionOptions = self.read_all(options.clone());
        // What is said of the options from here on is said of them under their own name.
        self.base.pop();
        Config { compression: Some(compression), imported: true, ..Config::default() }
    }

    /// Reads `value`; each part that is no good is reported and taken out, until the rest is.
    fn read_all<T: DeserializeOwned + Default>(&mut self, mut value: Value) -> T {
        // Serde takes a list for a table, its values in order. Nobody means that.
        for path in lists(&value) {
            self.error(&path, "a list is not what belongs here".to_owned());
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
            self.error(&path, explained(&error.inner().to_string()));
            if !remove(&mut value, &path) {
                break;
            }
        }
        T::default()
    }

    /// What the types cannot see.
    fn meaning(&mut self, config: &Config) {
        if let Some(Err(error)) = config.model.as_deref().map(model) {
            self.error(&[Step::Key("model".into())], error.to_string());
        }
        if let Some(Err(error)) = config.tokenizer.as_deref().map(counter) {
            self.error(&[Step::Key("tokenizer".into())], chain(&error));
        }
        if let (Some(budget), Some(reserve)) = (config.budget, config.reserve)
            && reserve > budget
        {
            let (reserve, budget) = (Tokens::new(reserve), Tokens::new(budget));
            self.error(
                &[Step::Key("reserve".into())],
                format!("{reserve} tokens exceed the budget of {budget}"),
            );
        }
        self.features(config);
        let Some(compression) = &config.compression else { return };
        // Nothing more about a value that could not be read.
        let enabled_is_wrong =
            self.problems.iter().any(|problem| problem.field.ends_with("compression.enabled"));
        if !compression.enabled && !enabled_is_wrong {
            self.warning(
                &["compression", "enabled"],
                "off: blocks are kept whole or left out, never shortened",
            );
        }
        if compression.cache != CacheBackend::Memory
            && config.cache.is_none()
            && cfg!(not(feature = "cache-qdrant"))
        {
            let message =
                "this build lacks the feature `cache-qdrant`: answers of models are kept in memory only";
            self.warning(&["compression", "cache"], message);
        }
        let no_model = if config.imported {
            "not obeyed: no model is asked unless --llm names it, or `llm.model` in a configuration of contextfit's own"
        } else if cfg!(not(feature = "llm")) {
            "this build lacks the feature `llm`: no model is asked, blocks are shortened without one"
        } else if compression.llm.model.is_none() && config.llm.as_ref().is_none_or(|llm| llm.model.is_none())
        {
            "no model is named, so none is asked"
        } else {
            return;
        };
        if compression.enabled && compression.llm.enabled {
            self.warning(&["compression", "llm", "enabled"], no_model);
        }
    }

    /// What this build leaves out. It is an error where a run would end in one.
    fn features(&mut self, config: &Config) {
        let key = |key: &str| Step::Key(key.into());
        let is_asked = config.llm.as_ref().is_some_and(|llm| llm.model.is_some());
        if is_asked && cfg!(not(feature = "llm")) {
            let message = "this build lacks the feature `llm`: it asks no models".to_owned();
            self.error(&[key("llm"), key("model")], message);
        }
        let Some(cache) = &config.cache else { return };
        let kinds =
            [("kind", Some(cache.kind)), ("behind", (cache.kind == CacheKind::Both).then_some(cache.behind))];
        for (field, kind) in kinds {
            let Some(feature) = kind.and_then(lacks) else { continue };
            let message = format!("this build lacks the feature `{feature}`");
            let severity = if is_asked { Severity::Error } else { Severity::Warning };
            self.push(severity, &[key("cache"), key(field)], message);
        }
    }

    fn error(&mut self, path: &[Step], message: String) {
        self.push(Severity::Error, path, message);
    }

    fn warning(&mut self, path: &[&str], message: &str) {
        let path: Vec<Step> = path.iter().map(|&key| Step::Key(key.into())).collect();
        self.push(Severity::Warning, &path, message.to_owned());
    }

    fn push(&mut self, severity: Severity, path: &[Step], message: String) {
        let full: Vec<Step> = self.base.iter().chain(path).cloned().collect();
        // A field that is not in the file has no place; then what should hold it says where.
        let place = (0..full.len())
            .rev()
            .filter_map(|last| full.get(..=last))
            .find_map(|path| self.format.locate(self.text, path));
        self.problems.push(Problem { severity, place, field: dotted(&full), message });
    }
}

/// The feature without which there is no cache of this kind, if this build is without it.
const fn lacks(kind: CacheKind) -> Option<&'static str> {
    match kind {
        CacheKind::Redis if cfg!(not(feature = "cache-redis")) => Some("cache-redis"),
        CacheKind::Qdrant if cfg!(not(feature = "cache-qdrant")) => Some("cache-qdrant"),
        CacheKind::Memory | CacheKind::Disk if cfg!(not(feature = "llm")) => Some("llm"),
        _ => None,
    }
}

/// A step of the path at which reading failed.
fn step(segment: &Segment) -> Option<Step> {
    match segment {
        Segment::Map { key } => Some(Step::Key(key.clone())),
        Segment::Seq { index } => Some(Step::Index(*index)),
        _ => None,
    }
}

/// The paths of all lists that lie in no other list.
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

/// Takes the value at `path` out; `false` when there is none.
fn remove(value: &mut Value, path: &[Step]) -> bool {
    match path {
        [] => false,
        [Step::Key(key)] => value.as_object_mut().is_some_and(|map| map.shift_remove(key).is_some()),
        [Step::Index(index)] => {
            value.as_array_mut().filter(|list| *index < list.len()).map(|list| list.remove(*index)).is_some()
        }
        [Step::Key(key), rest @ ..] => value.get_mut(key).is_some_and(|value| remove(value, rest)),
        [Step::Index(index), rest @ ..] => value.get_mut(index).is_some_and(|value| remove(value, rest)),
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

/// What serde says, in plain words; for a wrong name, with the nearest valid one.
fn explained(message: &str) -> String {
    unknown_name(message).unwrap_or_else(|| {
        message
            .replace("expected usize", "expected a whole number from 0")
            .replace("expected f64", "expected a number")
            .replace("expected struct ", "expected a table for ")
    })
}
