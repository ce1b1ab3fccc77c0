//! Training data for fitted weights. For the ranking: the units of each item, their features, and which of them are
//! needed. For what is shown of outputs: the rows of each, their features, and which of them state a fact. For what tells
//! kinds of texts apart: the features of each text.

use std::{fs, iter, ops::Range, path::Path, sync::Arc};

use contextfit::{
    code::{FEATURES, Outlines, Outlining, RankedUnit},
    kernel::{Block, ByteRange, Context, Passage, Role, TokenCounter},
    pipeline::measure,
    search::{ROW_FEATURES, focus, row_features},
    text::kind_features,
};
use contextfit_eval::{Dataset, Item};
use rayon::prelude::*;
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

/// How many units of an item to write besides those that are needed: the best, and about as many others, each of which
/// stands for its neighbours.
const WRITTEN: usize = 30;

/// The features of the rows of the outputs in `datasets` as JSON: their names, then one output per line.
pub(super) fn of_outputs(
    datasets: &[Dataset],
    counter: &dyn TokenCounter,
    progress: impl Fn() + Sync,
) -> Result<Vec<u8>, CliError> {
    let mut lines = json!({"names": ROW_FEATURES}).to_string() + "\n";
    for dataset in datasets {
        let read = dataset.items.par_iter().map(|item| {
            let lines: Result<Vec<String>, CliError> = rows(&dataset.name, item, counter)
                .iter()
                .map(|line| Ok(serde_json::to_string(line).map_err(CliError::Json)? + "\n"))
                .collect();
            progress();
            Ok(lines?.concat())
        });
        lines.extend(read.collect::<Result<Vec<String>, CliError>>()?);
    }
    Ok(lines.into_bytes())
}

/// The texts of `item` that may state facts: passages, and what tools returned.
fn texts(item: &Item, counter: &dyn TokenCounter) -> Vec<String> {
    let context = item.input.context(counter);
    let is_output = |block: &&Block| block.as_turn().is_none_or(|turn| turn.role == Role::Tool);
    context.blocks.iter().filter(is_output).map(|block| block.text.clone()).collect()
}

/// The outputs of `item` that state facts. Each row is its focus and its features in hundredths. A fact is a list of
/// places, each of which is a list of rows.
fn rows(dataset: &str, item: &Item, counter: &dyn TokenCounter) -> Vec<Value> {
    let context = item.input.context(counter);
    let asked = |block: &&Block| block.as_turn().is_some_and(|turn| turn.role == Role::User);
    let query = context.query.as_deref().or_else(|| Some(&*context.blocks.iter().rfind(asked)?.text));
    let output = |text: String| {
        let facts = item.gold.places(&text);
        let output = Context::new(vec![Block::passage("", Passage::default(), text)]);
        let measured = measure(&output, counter);
        let block = measured.blocks.first().filter(|_| !facts.is_empty())?;
        let whole = ByteRange::whole(&block.block().text);
        let focus = focus(&[(block, whole)], query.unwrap_or_default()).pop()?;
        let rows = row_features(block, whole, &focus);
        let rows: Vec<_> = rows.iter().filter_map(|row| Some((row.range, row.focus, row.values?))).collect();
        let facts: Vec<Vec<Vec<usize>>> = facts
            .iter()
            .map(|places| {
                let of = |place: &Vec<Range<usize>>| {
                    let holds = |range: &ByteRange| {
                        place.iter().any(|part| part.start < range.end() && range.start() < part.end)
                    };
                    (0..)
                        .zip(&rows)
                        .filter(|(_, (range, ..))| holds(range))
                        .map(|(n, _)| n)
                        .collect::<Vec<_>>()
                };
                places.iter().map(of).filter(|rows| !rows.is_empty()).collect::<Vec<_>>()
            })
            .filter(|places: &Vec<Vec<usize>>| !places.is_empty())
            .collect();
        let hundredths = |value: f32| (value * 100.0).round() as i64;
        let row = |(_, focus, values): &(ByteRange, f32, [f32; ROW_FEATURES.len()])| {
            iter::once(*focus).chain(*values).map(hundredths).collect::<Vec<i64>>()
        };
        (!facts.is_empty()).then(|| {
            let source = item.id.split(['/', ' ']).next();
            let rows = rows.iter().map(row).collect::<Vec<_>>();
            json!({"id": item.id, "source": format!("{dataset}/{}", source.unwrap_or_default()), "rows": rows, "facts": facts})
        })
    };
    texts(item, counter).into_iter().filter_map(output).collect()
}

/// The features of the items of `datasets` as JSON: their names, then one item per line.
pub(super) fn lines(
    datasets: &[Dataset],
    counter: &dyn TokenCounter,
    progress: impl Fn() + Sync,
) -> Result<Vec<u8>, CliError> {
    let items: Vec<&Item> = datasets.iter().flat_map(|dataset| &dataset.items).collect();
    // Items from one repository share most of their files.
    let outlining = Outlining::new().with_outlines(Arc::new(Outlines::default()));
    let read = items.par_iter().with_max_len(1).map(|item| {
        let line = serde_json::to_string(&line(item, &outlining, counter)).map_err(CliError::Json);
        progress();
        Ok(line? + "\n")
    });
    let read: Vec<String> = read.collect::<Result<_, CliError>>()?;
    Ok((json!({"names": FEATURES}).to_string() + "\n" + &read.concat()).into_bytes())
}

/// The units of `item`: first those that are needed, then others. Each is a row of numbers: how many units it stands
/// for, then its features in hundredths.
fn line(item: &Item, outlining: &Outlining, counter: &dyn TokenCounter) -> Value {
    let context = item.input.context(counter);
    let measured = measure(&context, counter);
    let mut units = outlining.units(&measured);
    units.sort_by(|a, b| b.ranked.score.total_cmp(&a.ranked.score));
    let is_needed = |unit: &RankedUnit| {
        let has_any = |block: &&Block| item.gold.needs(&block.id, 0..usize::MAX);
        context.blocks.get(unit.block).filter(has_any).is_some_and(|block| {
            let line = |at: usize| block.text.get(..at).map_or(0, |before| before.matches('\n').count()) + 1;
            let text = unit.range.of(&block.text).unwrap_or_default().trim_end();
            let first = line(unit.range.start());
            item.gold.needs(&block.id, first..first + text.lines().count().max(1))
        })
    };
    let row = |times: usize, unit: &RankedUnit| {
        let features = unit.ranked.features().map(|(_, value)| (value * 100.0).round() as i64);
        let times = i64::try_from(times).unwrap_or(i64::MAX);
        iter::once(times).chain(features).collect::<Vec<i64>>()
    };
    let (needed, others): (Vec<_>, Vec<_>) = units.iter().partition(|unit| is_needed(unit));
    let (best, rest) = others.split_at(WRITTEN.min(others.len()));
    let times = rest.len().div_ceil(WRITTEN).max(1);
    // Of each run of neighbours, the one in the middle.
    let sampled = rest.chunks(times).filter_map(|run| Some(row(run.len(), run.get(run.len() / 2)?)));
    let rows = needed.iter().chain(best).map(|unit| row(1, unit)).chain(sampled);
    // Ids of items from one repository share a prefix.
    let repo = item.id.split('@').next();
    json!({"id": item.id, "repo": repo, "needed": needed.len(), "units": rows.collect::<Vec<_>>()})
}
