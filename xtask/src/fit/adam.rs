//! The labelled data, the descent by which weights are fitted to it, and how weights do on sources left out.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};

use crate::say::Result;

/// The lines of a file of JSON lines.
pub(super) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parsed = text.lines().zip(1..).map(|(line, n)| {
        serde_json::from_str(line).map_err(|error| format!("{}:{n}: {error}", path.display()).into())
    });
    parsed.collect()
}

/// The first line of a feature file, or one of the others.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line<T> {
    Names { names: Vec<String> },
    Item(T),
}

/// The names of the features, and the items in each of the feature files.
pub(super) fn read<T: DeserializeOwned>(paths: &[PathBuf]) -> Result<(Vec<String>, Vec<Vec<T>>)> {
    let (mut names, mut files) = (Vec::new(), Vec::new());
    for path in paths {
        let mut items = Vec::new();
        for line in lines(path)? {
            match line {
                Line::Names { names: of_file } => names = of_file,
                Line::Item(item) => items.push(item),
            }
        }
        files.push(items);
    }
    Ok((names, files))
}

/// The number of groups of sources that are left out together.
const GROUPS: usize = 10;

/// What `judge` finds of each of `items`, in order, by weights that are `fit` to items of other sources.
pub(super) fn left_out<T, R>(
    items: &[T],
    source: impl Fn(&T) -> &str,
    fit: impl Fn(&[&T]) -> Vec<f64>,
    judge: impl Fn(&T, &[f64]) -> R,
) -> Vec<R> {
    let sources: BTreeSet<&str> = items.iter().map(&source).collect();
    let group = |item: &T| sources.range(..source(item)).count() % GROUPS;
    let weights: Vec<Vec<f64>> = (0..GROUPS)
        .map(|left| fit(&items.iter().filter(|item| group(item) != left).collect::<Vec<_>>()))
        .collect();
    items.iter().filter_map(|item| Some(judge(item, weights.get(group(item))?))).collect()
}

/// The weights in a table of Rust, each with the name in its comment.
pub(super) fn weights_in(table: &str) -> impl Iterator<Item = (&str, f64)> {
    let rows = table.lines().filter_map(|line| line.trim().split_once(','));
    rows.filter_map(|(weight, name)| Some((name.trim_start_matches([' ', '/']), weight.parse().ok()?)))
}

/// Adam (arXiv:1412.6980): weights that are moved against gradients.
pub(super) struct Adam {
    pub weights: Vec<f64>,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

/// The size of a step.
const STEP: f64 = 0.1;

impl Adam {
    /// `n` weights of zero.
    pub(super) fn new(n: usize) -> Self {
        Self { weights: vec![0.0; n], mean: vec![0.0; n], square: vec![0.0; n], steps: 0 }
    }

    /// Takes a step against `gradient`, with a penalty of strength `ridge` on large weights.
    pub(super) fn step(&mut self, gradient: &[f64], ridge: f64) {
        self.steps += 1;
        let (first, second) = (1.0 - 0.9_f64.powi(self.steps), 1.0 - 0.99_f64.powi(self.steps));
        let state = self.weights.iter_mut().zip(&mut self.mean).zip(&mut self.square).zip(gradient);
        for (((weight, mean), square), slope) in state {
            let slope = slope + ridge * *weight;
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.99 * *square + 0.01 * slope * slope;
            *weight -= STEP * (*mean / first) / ((*square / second).sqrt() + 1e-8);
        }
    }
}
