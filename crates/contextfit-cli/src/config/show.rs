//! `config show`: the configuration in force.

use std::{env, fmt::Write, path::PathBuf};

use clap::ValueHint;
use contextfit::{kernel::Tokens, presets::Profile};
use serde::Serialize;
use serde_json::Value;

use super::{Config, Layers, key_variable, layer::keys, origin::Place};
use crate::{
    args::{CountingArgs, FitArgs, profiles},
    error::CliError,
    output,
    tokens::tokens,
};

/// The value shown instead of a secret.
const SET: &str = "set";

/// The flags of `config show`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit config show --origin
  contextfit config show --profile quality
  contextfit config show --json | jq '.settings[] | select(.origin.kind != \"default\")'

A flag takes precedence over the environment, the environment over the project's file, that over the user's, that over \
the profile, and the profile over the defaults. The project's file is contextfit.toml, .yaml, .yml or .json in the \
working directory or above it, the user's is config.toml (or .yaml, .yml, .json) in contextfit in $XDG_CONFIG_HOME or \
~/.config; --config or CONTEXTFIT_CONFIG names one to read instead of both, or `none`. A variable is named after its \
key: CONTEXTFIT_BM25_MIN_RELEVANCE sets bm25.minRelevance.

The output is a configuration file. API keys, and addresses that may contain a password, are not printed.")]
pub(crate) struct ShowArgs {
    /// Also print where each value comes from
    #[arg(long)]
    origin: bool,
    /// Print JSON, with the origins
    #[arg(long)]
    json: bool,
    /// Settings for what is not set elsewhere
    #[arg(long, value_name = "NAME", value_parser = profiles())]
    profile: Option<Profile>,
    /// Configuration file instead of the user's and the project's; `none` for no file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
    /// Maximum number of tokens to spend
    #[arg(long, short, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    budget: Option<Tokens>,
    /// Tokens to set aside from the budget
    #[arg(long, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    reserve: Option<Tokens>,
    #[command(flatten)]
    counting: CountingArgs,
}

pub(super) fn run(args: &ShowArgs) -> Result<(), CliError> {
    let flags = FitArgs {
        profile: args.profile,
        budget: args.budget,
        reserve: args.reserve,
        counting: args.counting.clone(),
        ..FitArgs::default()
    };
    let layers = Layers::read(args.config.as_deref(), flags.layers())?;
    let settings: Vec<Shown> = keys().iter().map(|path| Shown::new(&layers, path)).collect();
    let key = ApiKey::of(&layers.config()?);
    if args.json {
        output::json(&Answer { settings: &settings, api_key: key })
    } else {
        output::line(text(&settings, key.as_ref(), args.origin).trim_end())
    }
}

/// The output of `--json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    settings: &'a [Shown],
    #[serde(skip_serializing_if = "Option::is_none")]
    api_key: Option<ApiKey>,
}

/// A setting to print.
#[derive(Serialize)]
struct Shown {
    key: String,
    /// Null if the key is not set.
    value: Value,
    /// Whether the value is a secret, so that `value` only says that it is set.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    origin: Option<Place>,
}

impl Shown {
    fn new(layers: &Layers, path: &[String]) -> Self {
        let key = path.join(".");
        let Some((value, origin)) = layers.setting(path) else {
            return Self { key, value: Value::Null, hidden: false, origin: None };
        };
        let hidden = value.as_str().is_some_and(|text| is_secret(&key, text));
        let value = if hidden { SET.into() } else { value };
        Self { key, value, hidden, origin: Some(origin.place(path)) }
    }

    /// The line in a configuration file: a comment if there is no value to set.
    fn line(&self) -> String {
        let Self { key, value, hidden, .. } = self;
        match value {
            Value::Null => format!("# {key}: not set"),
            _ if *hidden => format!("# {key}: {SET}, but not shown"),
            Value::String(text) => format!("{key} = {}", toml::Value::from(text.as_str())),
            value => format!("{key} = {value}"),
        }
    }
}

/// Whether `text` may contain a secret: an address with a user, a password or a query, or a key where the name of a
/// variable belongs.
fn is_secret(key: &str, text: &str) -> bool {
    match key {
        "llm.url" | "cache.url" => text.contains(['@', '?', '#']),
        "llm.keyEnv" => !text.chars().all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit()),
        _ => false,
    }
}

/// Where the key of the language model comes from, and whether it is there.
#[derive(Serialize)]
struct ApiKey {
    #[serde(rename = "from")]
    source: String,
    value: &'static str,
}

impl ApiKey {
    /// The key of the model that `config` names; `None` if it names no model, or one that needs no key.
    fn of(config: &Config) -> Option<Self> {
        let llm = config.llm.as_ref().filter(|llm| llm.model.is_some())?;
        let (source, is_set) = match (&llm.key_env, &llm.key_file) {
            (None, Some(file)) => (file.display().to_string(), file.is_file()),
            (Some(name), _) if is_secret("llm.keyEnv", name) => ("llm.keyEnv".to_owned(), false),
            (name, _) => {
                let usual = llm.url.is_none().then(|| key_variable(llm.api));
                let name = name.as_deref().or(usual)?;
                (name.to_owned(), env::var_os(name).is_some_and(|key| !key.is_empty()))
            }
        };
        Some(Self { source, value: if is_set { SET } else { "not set" } })
    }
}

/// The settings as a configuration file, with their origins in comments if they are `wanted`.
fn text(settings: &[Shown], key: Option<&ApiKey>, wanted: bool) -> String {
    let lines: Vec<String> = settings.iter().map(Shown::line).collect();
    let width = lines.iter().map(|line| line.chars().count()).filter(|width| *width <= 60).max().unwrap_or(0);
    let mut text = String::new();
    for (line, setting) in lines.iter().zip(settings) {
        // Writing to a string does not fail.
        let _ = match setting.origin.as_ref().filter(|_| wanted) {
            Some(origin) => writeln!(text, "{line:width$}  # {}", one_line(&origin.to_string())),
            None => writeln!(text, "{line}"),
        };
    }
    if let Some(ApiKey { source, value }) = key {
        let _ = writeln!(text, "# API key from {}: {value}", one_line(source));
    }
    text
}

/// `text` without control characters, which a comment must not contain.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
