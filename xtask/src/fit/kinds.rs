//! Fits the weights that tell what a text is.
//!
//! Each kind has a score, the weighted sum of the roots of features, and its share is the exponential of the score
//! divided by the sum over all kinds (multinomial logistic regression). The weights are those that give the labelled
//! kinds the largest shares. A source counts as the root of the number of its texts, since texts of one tool are alike.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use serde::Deserialize;
use serde_json::{Value, json};

use super::adam::{Adam, lines};
use crate::{
    binary::Binary,
    figures::float,
    say::{self, Result},
    workspace,
};

/// The labels, and the weights.
const LABELS: &str = "crates/contextfit-eval/data/kinds";
const WEIGHTS: &str = "crates/contextfit-text/src/text_kind/weights.tsv";

/// The number of gradient steps, and the strength of the penalty on large weights.
const STEPS: u32 = 300;
const RIDGE: f64 = 0.0001;

/// The names of the kinds, in the order of `TextKind`.
const KINDS: [&str; 10] =
    ["json", "diff", "history", "html", "code", "log", "table", "listing", "prose", "text"];

/// Labels of lines in chats: the words of a user, and anything else.
const SPEECH: &str = "speech";
const PRINTED: &str = "printed";
const PROSE: &str = "prose";

/// Flags of `cargo xtask fit kinds`.
#[derive(clap::Args)]
#[command(after_help = "\
Prints how many texts of each kind are told right by weights fitted to all other sources, as Markdown.

Example, with the data sets in DATA and the repositories in DIR:
  cargo xtask fit kinds --data DATA --repositories DIR --write")]
pub(crate) struct Args {
    /// Folder of the data sets that labels refer to; texts that are not there are left out
    #[arg(long, value_name = "DATA")]
    data: Option<PathBuf>,
    /// Folder of the git repositories that labels refer to, each as OWNER+NAME/repo or OWNER+NAME
    #[arg(long, value_name = "DIR")]
    repositories: Option<PathBuf>,
    /// Do not fit to the sources that are held out, but score them too
    #[arg(long)]
    held: bool,
    /// Write the weights instead of only printing the table
    #[arg(long)]
    write: bool,
}

/// A labelled text, or the label of a text that lies elsewhere.
#[derive(Deserialize)]
struct Label {
    id: String,
    source: String,
    kind: String,
    #[serde(default)]
    held: bool,
    text: Option<String>,
    set: Option<String>,
}

/// What the binary says of a text.
#[derive(Deserialize)]
struct Read {
    names: Vec<String>,
    features: Vec<f64>,
}

/// A labelled text to fit to.
struct Example {
    source: String,
    label: String,
    held: bool,
    /// Whether each kind is right.
    right: [bool; KINDS.len()],
    features: Vec<f64>,
    weight: f64,
}

pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let (names, examples) = examples(args, &root)?;
    let (held, known): (Vec<&Example>, Vec<&Example>) =
        examples.iter().partition(|example| args.held && example.held);
    say::line(&table(&left_out(&known, names.len())));
    let weights = fit(&known, names.len());
    if !held.is_empty() {
        say::line("\nSources that are held out:\n");
        let told =
            held.iter().map(|example| (*example, told(&weights, &example.features))).collect::<Vec<_>>();
        say::line(&table(&told));
    }
    if args.write {
        let mut text = format!("feature\t{}\n", KINDS.join("\t"));
        for (name, row) in names.iter().zip(weights.chunks(KINDS.len())) {
            let row: Vec<String> = row.iter().map(|weight| format!("{weight:.2}")).collect();
            text += &format!("{name}\t{}\n", row.join("\t"));
        }
        fs::write(root.join(WEIGHTS), text)?;
        say::line(&format!("wrote {WEIGHTS}"));
    }
    Ok(())
}

/// The names of the features, and all labelled texts that are at hand.
fn examples(args: &Args, root: &Path) -> Result<(Vec<String>, Vec<Example>)> {
    let folder = root.join(LABELS);
    let mut labels: Vec<Label> = Vec::new();
    for file in ["texts.jsonl", "speech.jsonl", "labels.jsonl"] {
        labels.extend(lines::<Label>(&folder.join(file))?);
    }
    if args.held {
        let unfitted = lines::<Label>(&folder.join("unfitted.jsonl"))?;
        labels.extend(unfitted.into_iter().map(|label| Label { held: true, ..label }));
    }
    let mut sets: HashMap<String, HashMap<String, String>> = HashMap::new();
    for label in &mut labels {
        let Some(set) = &label.set else { continue };
        label.text = if set == "repositories" {
            args.repositories.as_deref().and_then(|folder| of_repository(folder, &label.id))
        } else {
            if !sets.contains_key(set) {
                let ours = folder.with_file_name(set);
                let folder =
                    if ours.is_dir() { Some(ours) } else { args.data.as_ref().map(|data| data.join(set)) };
                let texts =
                    folder.filter(|folder| folder.is_dir()).map(|folder| texts(&folder)).transpose()?;
                sets.insert(set.clone(), texts.unwrap_or_default());
            }
            sets.get(set).and_then(|texts| texts.get(&label.id)).cloned()
        };
    }
    let missing = labels.iter().filter(|label| label.text.is_none()).count();
    if missing > 0 {
        say::line(&format!("{missing} of {} labelled texts are not at hand\n", labels.len()));
    }
    labels.retain(|label| label.text.is_some());
    let known = labels.len();
    labels.retain(|label| !label.text.as_deref().is_some_and(is_json));
    say::line(&format!(
        "{} of {known} texts can be read as JSON, which needs no weights\n",
        known - labels.len()
    ));
    let (names, features) = features(root, &labels)?;
    let source = |label: &Label| label.source.trim_start_matches("made:").to_owned();
    let mut sizes: HashMap<String, usize> = HashMap::new();
    labels.iter().for_each(|label| *sizes.entry(source(label)).or_default() += 1);
    let example = |(label, features): (&Label, Vec<f64>)| {
        let right = KINDS.map(|kind| match label.kind.as_str() {
            SPEECH => kind == PROSE,
            PRINTED => kind != PROSE,
            other => kind == other,
        });
        let source = source(label);
        let features = features.into_iter().map(f64::sqrt).collect();
        let weight = 1.0 / float(sizes.get(&source).copied().unwrap_or(1)).sqrt();
        Example { source, label: label.kind.clone(), held: label.held, right, features, weight }
    };
    Ok((names, labels.iter().zip(features).map(example).collect()))
}

/// Whether `text` is JSON, or one value a line.
fn is_json(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    text.trim_start().starts_with(['{', '[']) && values.all(|value| value.is_ok())
}

/// The features of the texts, as the binary finds them.
fn features(root: &Path, labels: &[Label]) -> Result<(Vec<String>, Vec<Vec<f64>>)> {
    let folder = root.join("target").join("kinds");
    fs::create_dir_all(&folder)?;
    let text = |label: &Label| json!({"id": label.id, "text": label.text}).to_string() + "\n";
    fs::write(folder.join("texts.jsonl"), labels.iter().map(text).collect::<String>())?;
    let file = folder.join("features.jsonl");
    let (data, out) = (folder.display().to_string(), file.display().to_string());
    Binary::build(root)?.run(&["eval", &data, "--features", &out])?;
    let read: Vec<Read> = lines(&file)?;
    let names = read.first().map(|read| read.names.clone()).unwrap_or_default();
    Ok((names, read.into_iter().map(|read| read.features).collect()))
}

/// What each example is told as by weights fitted to those of all other sources.
fn left_out<'e>(examples: &[&'e Example], n: usize) -> Vec<(&'e Example, usize)> {
    let sources: BTreeSet<&str> = examples.iter().map(|example| example.source.as_str()).collect();
    let sources: Vec<&str> = sources.into_iter().collect();
    let of_source = |source: &&str| {
        let (left, others): (Vec<&Example>, Vec<&Example>) =
            examples.iter().partition(|example| example.source == **source);
        let weights = fit(&others, n);
        left.into_iter().map(|example| (example, told(&weights, &example.features))).collect::<Vec<_>>()
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let chunks = sources.chunks(sources.len().div_ceil(threads).max(1));
        let of_chunk = |chunk: &'_ [&str]| chunk.iter().flat_map(of_source).collect::<Vec<_>>();
        let running: Vec<_> = chunks.map(|chunk| scope.spawn(move || of_chunk(chunk))).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}

/// The scores of the kinds.
fn scores(weights: &[f64], features: &[f64]) -> [f64; KINDS.len()] {
    let mut scores = [0.0; KINDS.len()];
    for (feature, row) in
        features.iter().zip(weights.chunks(KINDS.len())).filter(|(feature, _)| **feature != 0.0)
    {
        scores.iter_mut().zip(row).for_each(|(score, weight)| *score += feature * weight);
    }
    scores
}

/// The kind with the highest score.
fn told(weights: &[f64], features: &[f64]) -> usize {
    let scores = scores(weights, features);
    scores.iter().enumerate().rev().max_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(kind, _)| kind)
}

/// The share of each kind that `counts`: the exponential of its score, divided by their sum.
fn shares(scores: &[f64], counts: &[bool]) -> Vec<f64> {
    let counted = || scores.iter().zip(counts).filter(|(_, counts)| **counts).map(|(score, _)| *score);
    let best = counted().fold(f64::NEG_INFINITY, f64::max);
    let all: f64 = counted().map(|score| (score - best).exp()).sum();
    let share = |(score, counts): (&f64, &bool)| if *counts { (score - best).exp() / all } else { 0.0 };
    scores.iter().zip(counts).map(share).collect()
}

/// Fits the weights of `n` features, those of one feature for all kinds together.
fn fit(examples: &[&Example], n: usize) -> Vec<f64> {
    let mut adam = Adam::new(n * KINDS.len());
    let all: f64 = examples.iter().map(|example| example.weight).sum();
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; adam.weights.len()];
        for example in examples {
            let scores = scores(&adam.weights, &example.features);
            let (shares, wanted) = (shares(&scores, &[true; KINDS.len()]), shares(&scores, &example.right));
            let slope = |(share, wanted): (&f64, f64)| example.weight / all * (share - wanted);
            let slopes: Vec<f64> = shares.iter().zip(wanted).map(slope).collect();
            let rows = example.features.iter().zip(gradient.chunks_mut(KINDS.len()));
            for (feature, row) in rows.filter(|(feature, _)| **feature != 0.0) {
                row.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += feature * slope);
            }
        }
        adam.step(&gradient, RIDGE);
    }
    adam.weights
}

/// How many examples of each label are `told` right, and what the others are taken for, as Markdown.
fn table(told: &[(&Example, usize)]) -> String {
    let mut rows: BTreeMap<usize, (&str, usize, usize, [usize; KINDS.len()])> = BTreeMap::new();
    for (example, kind) in told {
        let place = KINDS.iter().position(|kind| *kind == example.label);
        let place = place.unwrap_or(KINDS.len() + usize::from(example.label == PRINTED));
        let row = rows.entry(place).or_insert((&example.label, 0, 0, [0; KINDS.len()]));
        row.1 += 1;
        if example.right.get(*kind) == Some(&true) {
            row.2 += 1;
        } else if let Some(count) = row.3.get_mut(*kind) {
            *count += 1;
        }
    }
    let mut text = String::from("| kind | texts | told right | taken for |\n|---|---:|---:|---|\n");
    let share = |right: usize, all: usize| format!("{:.2}", float(right) / float(all.max(1)));
    for (label, all, right, others) in rows.values() {
        let mut others: Vec<(usize, &str)> = others
            .iter()
            .zip(KINDS)
            .filter(|(count, _)| **count > 0)
            .map(|(count, kind)| (*count, kind))
            .collect();
        others.sort_unstable_by(|a, b| b.cmp(a));
        let others: Vec<String> = others.iter().map(|(count, kind)| format!("{kind} {count}")).collect();
        text += &format!("| {label} | {all} | {} | {} |\n", share(*right, *all), others.join(", "));
    }
    let (all, right) = rows.values().fold((0, 0), |(all, right), row| (all + row.1, right + row.2));
    text + &format!("| all | {all} | {} | |", share(right, all))
}

/// The texts of the data set in `folder`, by their ids: of cases, passages, messages and turns (`ID#N`; a meeting has
/// the number of its line as its id).
fn texts(folder: &Path) -> Result<HashMap<String, String>> {
    let mut texts = HashMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for (line, number) in lines::<Value>(&path)?.into_iter().zip(0..) {
            let id =
                |key: &str| line.get(key).map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
            let text = line.get("text").and_then(Value::as_str).map(str::to_owned);
            if let (Some(id), Some(text)) = (id("pid").or_else(|| id("id")), text) {
                texts.insert(id, text);
            } else if let (Some(item), Some(request)) = (id("item"), line.get("request")) {
                texts.entry(item).or_insert_with(|| longest_result(request));
            } else if let Some(turns) =
                ["messages", "turns"].into_iter().find_map(|key| line.get(key).and_then(Value::as_array))
            {
                let id = id("id").unwrap_or_else(|| number.to_string());
                let said = |turn: &Value| {
                    let text = turn.get("content").or_else(|| turn.get("text")).and_then(Value::as_str);
                    text.map(str::to_owned)
                };
                let said = turns.iter().map(said).enumerate();
                texts.extend(said.filter_map(|(n, text)| Some((format!("{id}#{n}"), text?))));
            }
        }
    }
    Ok(texts)
}

/// The longest result of a tool in `request`.
fn longest_result(request: &Value) -> String {
    let mut longest = String::new();
    let mut open = vec![request];
    while let Some(value) = open.pop() {
        let is = |key: &str, name: &str| value.get(key).and_then(Value::as_str) == Some(name);
        if is("type", "tool_result") || is("role", "tool") {
            let text = match value.get("content") {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Array(parts)) => {
                    let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
                    texts.collect::<Vec<_>>().join("\n")
                }
                _ => String::new(),
            };
            longest = if text.len() > longest.len() { text } else { longest };
            continue;
        }
        match value {
            Value::Array(values) => open.extend(values),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    longest
}

/// The file that `id` names, as `OWNER+NAME@COMMIT:PATH`, in one of the repositories in `folder`.
fn of_repository(folder: &Path, id: &str) -> Option<String> {
    let (name, object) = id.split_once('@')?;
    let within = folder.join(name);
    let known = fs::read_dir(&within).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let repository = known.chain([within.clone()]).find(|path| path.join("HEAD").is_file())?;
    let output = Command::new("git").arg("--git-dir").arg(repository).args(["show", object]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(source: &str, kind: usize, features: [f64; 3]) -> Example {
        let right = std::array::from_fn(|n| n == kind);
        let (source, label) = (source.into(), KINDS[kind].into());
        Example { source, label, held: false, right, features: features.into(), weight: 1.0 }
    }

    #[test]
    fn what_tells_kinds_apart_is_weighted() {
        let examples: Vec<Example> = (0..6)
            .flat_map(|n| {
                let source = format!("s{n}");
                [example(&source, 4, [1.0, 0.2, 1.0]), example(&source, 8, [0.1, 0.9, 1.0])]
            })
            .collect();
        let examples: Vec<&Example> = examples.iter().collect();
        let told = left_out(&examples, 3);
        assert!(told.iter().all(|(example, kind)| example.right[*kind]));
        assert!(table(&told).ends_with("| all | 12 | 1.00 | |"), "{}", table(&told));
    }

    #[test]
    fn results_of_tools() {
        let request = json!({"messages": [
            {"role": "tool", "content": "short"},
            {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "longer than that"}]}]},
        ]});
        assert_eq!(longest_result(&request), "longer than that");
    }
}
