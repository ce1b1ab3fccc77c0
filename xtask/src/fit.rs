//! Fits weights to labelled data: those of the ranking, and those that tell what a text is.

mod kinds;
mod ranking;
mod texts;

use crate::Result;

/// Arguments of `cargo xtask fit`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The weights of the ranking, to labelled commits
    Ranking(ranking::Args),
    /// The weights that tell what a text is, to labelled texts
    Kinds(kinds::Args),
}

pub(crate) fn run(args: &Args) -> Result {
    match &args.what {
        What::Ranking(args) => ranking::run(args),
        What::Kinds(args) => kinds::run(args),
    }
}

/// Adam (arXiv:1412.6980): weights that are moved against gradients.
struct Adam {
    weights: Vec<f64>,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

/// The size of a step.
const STEP: f64 = 0.1;

impl Adam {
    /// `n` weights of zero.
    fn new(n: usize) -> Self {
        Self { weights: vec![0.0; n], mean: vec![0.0; n], square: vec![0.0; n], steps: 0 }
    }

    /// Takes a step against `gradient`, with a penalty of strength `ridge` on large weights.
    fn step(&mut self, gradient: &[f64], ridge: f64) {
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
