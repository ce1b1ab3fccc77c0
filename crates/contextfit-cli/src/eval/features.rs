//! Training data for fitted weights. For the ranking: the units of each item, their features, and which of them are
//! needed. For what is shown of outputs: the rows of each, their features, and which of them state a fact. For what tells
//! kinds of texts apart: the features of each text.

use std::{fs, iter, ops::Range, path::Path, sync::Arc};

use contextfit::{
    code::{FEATURES, Outlines, Outlining, RankedUnit},
    kernel::{Block, ByteRange, Context, Passage, Role, TokenCounter},
    pipeline::measure,
    search::{ROW_FEATURES, RowFeatures, focus, row_features},
    text::kind_features,
};
use contextfit_eval::{Dataset, Item, Places};
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

/// The features of the rows of the outputs in `datasets` as JSON: their names, then one output per line.
pub(super) fn of_outputs(
    datasets: &[Dataset],
    counter: &dyn TokenCounter,
    progress: impl Fn() + Sync,
) -> Vec<u8> {
    let items = datasets.iter().flat_map(|dataset| dataset.items.iter().map(|item| (&*dataset.name, item)));
    let read = items.collect::<Vec<_>>().into_par_iter().map(|(dataset, item)| {
        let lines = outputs(dataset, item, counter);
        progress();
        lines
    });
    let outputs: Vec<Value> = read.flatten_iter().collect();
    let lines = iter::once(json!({"names": ROW_FEATURES.as_slice()})).chain(outputs);
    lines.map(|line| line.to_string() + "\n").collect::<String>().into_bytes()
}

/// The outputs of `item` that state facts: passages, and what tools returned.
fn outputs(dataset: &str, item: &Item, counter: &dyn TokenCounter) -> Vec<Value> {
    let context = item.input.context(counter);
    let is_of = |block: &Block, role| block.as_turn().map(|turn| turn.role == role);
    let asked = || context.blocks.iter().rfind(|block| is_of(block, Role::User) == Some(true));
    let query = context.query.as_deref().or_else(|| Some(&*asked()?.text)).unwrap_or_default();
    let source = format!("{dataset}/{}", item.id.split(['/', ' ']).next().unwrap_or_default());
    let texts = context.blocks.iter().filter(|block| is_of(block, Role::Tool) != Some(false));
    texts
        .filter_map(|block| {
            let OutputRows { rows, facts } =
                OutputRows::of(&block.text, &item.gold.places(&block.text), query, counter)?;
            Some(json!({"id": item.id, "source": source, "rows": rows, "facts": facts}))
        })
        .collect()
}

/// The rows of an output, and which of them state its facts.
struct OutputRows {
    /// The focus of each row and its features, in hundredths.
    rows: Vec<Vec<i64>>,
    /// The places of each fact, each of which is a list of rows.
    facts: Vec<Vec<Vec<usize>>>,
}

impl OutputRows {
    /// Reads `text`; `None` if no row states a fact.
    fn of(text: &str, facts: &[Places], query: &str, counter: &dyn TokenCounter) -> Option<Self> {
        let context = Context::new(vec![Block::passage("", Passage::default(), text)]);
        let measured = measure(&context, counter);
        let block = measured.blocks.first().filter(|_| !facts.is_empty())?;
        let whole = ByteRange::whole(text);
        let mut rows = row_features(block, whole, &focus(&[(block, whole)], query).pop()?);
        rows.retain(|row| row.values.is_some());
        let stating = |place: &Vec<Range<usize>>| -> Vec<usize> {
            let is_part = |part: &Range<usize>, row: &RowFeatures| {
                part.start < row.range.end() && row.range.start() < part.end
            };
            let stating =
                rows.iter().enumerate().filter(|(_, row)| place.iter().any(|part| is_part(part, row)));
            stating.map(|(n, _)| n).collect()
        };
        let non_empty = |places: &Places| {
            let places: Vec<_> = places.iter().map(stating).filter(|rows| !rows.is_empty()).collect();
            Some(places).filter(|places| !places.is_empty())
        };
        let facts: Vec<_> = facts.iter().filter_map(non_empty).collect();
        let hundredths = |value: f32| (value * 100.0).round() as i64;
        let row = |row: &RowFeatures| -> Vec<i64> {
            iter::once(row.focus).chain(row.values.into_iter().flatten()).map(hundredths).collect()
        };
        let rows: Vec<_> = rows.iter().map(row).collect();
        (!facts.is_empty()).then_some(Self { rows, facts })
    }
}

/// How many units of an item to write besides those that are needed: the best, and about as many others, each of which
/// stands for its neighbours.
const WRITTEN: usize = 30;

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
