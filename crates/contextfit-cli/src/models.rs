//! `models`: the models that `--model` knows.

use contextfit::text::{UnknownModel, models};
use serde_json::json;

use crate::{error::CliError, output, summary::grouped};

/// The flags of `models`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit models
  contextfit models --json | jq -r '.[].name'

A tilde marks an encoding that stands in for a tokenizer that is not published or not built in. The factor is the \
assumed number of the model's tokens per token of the stand-in, until a better one is learned with contextfit count \
--reported.")]
pub(crate) struct ModelsArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ModelsArgs) -> Result<(), CliError> {
    if args.json {
        let all: Vec<_> = models()
            .iter()
            .map(|model| {
                json!({"name": model.name, "encoding": model.encoding, "exact": model.exact,
                       "window": model.window, "output": model.output,
                       "factor": model.factor().and_then(|factor| factor.bound()),
                       "factorSource": model.ratio.map(|ratio| (ratio.source, ratio.checked))})
            })
            .collect();
        return output::json(&all);
    }
    let longest = models().iter().map(|model| model.name.len()).max().unwrap_or(0);
    let mut text = format!(
        "{:longest$}  {:<12}  {:>6}  {:>10}  {:>9}\n",
        "model", "encoding", "factor", "window", "output"
    );
    for model in models() {
        let encoding = format!("{}{}", if model.exact { "" } else { "~" }, model.encoding);
        let (window, answer) = (grouped(model.window.get()), grouped(model.output.get()));
        let bound = model.factor().and_then(|factor| factor.bound());
        let factor = bound.map_or("-".into(), |bound| format!("x{bound:.2}"));
        text += &format!("{:longest$}  {encoding:<12}  {factor:>6}  {window:>10}  {answer:>9}\n", model.name);
    }
    output::context(&text)
}

/// The error for a name that no model has, for people.
pub(crate) fn unknown_model(error: &UnknownModel) -> String {
    let nearest = error.nearest.join(", ");
    let meant = if nearest.is_empty() { String::new() } else { format!(", did you mean {nearest}?") };
    format!("unknown model {:?}{meant}; contextfit models lists all {}", error.name, models().len())
}
