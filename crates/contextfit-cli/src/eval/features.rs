//! Training data for fitted weights. For the ranking: the units of each item, their features, and which of them are
//! needed. For what tells kinds of texts apart: the features of each text.

use std::{fs, io::Write as _, path::Path};

use contextfit::{
    code::{Outlining, RankedUnit},
    kernel::TokenCounter,
    pipeline::measure,
    text::kind_features,
};
use contextfit_eval::{Dataset, Item};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::CliError;

/// The file with the texts of a folder.
pub(super) const TEXTS: &str = "texts.jsonl";

/// A text to read.
#[derive(Deserialize)]
struct Text {
    id: String,
    text: String,
}

/// The features of the texts in `folder` as JSON, one text per line.
pub(super) fn of_texts(folder: &Path) -> Result<Vec<u8>, CliError> {
    let path = folder.join(TEXTS);
    let unread = |source| CliError::Read { path: path.display().to_string(), source };
    let mut lines = Vec::new();
    for (line, n) in fs::read_to_string(&path).map_err(unread)?.lines().zip(1..) {
        let malformed = |error| CliError::Input(format!("{}:{n}: {error}", path.display()));
        let Text { id, text } = serde_json::from_str(line).map_err(malformed)?;
        let (names, features): (Vec<_>, Vec<_>) = kind_features(&text).into_iter().unzip();
        let line = json!({"id": id, "names": names, "features": features});
        serde_json::to_writer(&mut lines, &line).map_err(CliError::Json)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// How many of the best units of an item to write, in addition to all units that are needed.
const BEST: usize = 500;

/// The features of the items of `datasets` as JSON, one item per line.
pub(super) fn lines(
    datasets: &[Dataset],
    counter: &dyn TokenCounter,
    progress: impl Fn(),
) -> Result<Vec<u8>, CliError> {
    let mut lines = Vec::new();
    for item in datasets.iter().flat_map(|dataset| &dataset.items) {
        serde_json::to_writer(&mut lines, &line(item, counter)).map_err(CliError::Json)?;
        let _ = writeln!(lines);
        progress();
    }
    Ok(lines)
}

fn line(item: &Item, counter: &dyn TokenCounter) -> Value {
    let context = item.input.context(counter);
    let measured = measure(&context, counter);
    let mut units = Outlining::new().units(&measured);
    units.sort_by(|a, b| b.ranked.score.total_cmp(&a.ranked.score));
    let names: Vec<&str> =
        units.first().into_iter().flat_map(|unit| unit.ranked.features()).map(|(name, _)| name).collect();
    let needed = |unit: &RankedUnit| {
        context.blocks.get(unit.block).is_some_and(|block| {
            let line = |at: usize| block.text.get(..at).map_or(0, |before| before.matches('\n').count()) + 1;
            let text = unit.range.of(&block.text).unwrap_or_default().trim_end();
            let first = line(unit.range.start());
            item.gold.needs(&block.id, first..first + text.lines().count().max(1))
        })
    };
    let units = units.iter().enumerate().filter_map(|(n, unit)| {
        let gold = needed(unit);
        let features: Vec<f64> = unit.ranked.features().map(|(_, value)| value).collect();
        (gold || n < BEST).then(|| json!({"gold": gold, "features": features}))
    });
    // Ids of items from one repository share a prefix.
    let repo = item.id.split('@').next();
    json!({"id": item.id, "repo": repo, "names": names, "units": units.collect::<Vec<_>>()})
}
