//! The labelled data, and the descent by which weights are fitted to it.

use std::{fs, path::Path};

use serde::de::DeserializeOwned;

use crate::say::Result;

/// The lines of a file of JSON lines.
pub(super) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parsed = text.lines().zip(1..).map(|(line, n)| {
        serde_json::from_str(line).map_err(|error| format!("{}:{n}: {error}", path.display()).into())
    });
    parsed.collect()
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
