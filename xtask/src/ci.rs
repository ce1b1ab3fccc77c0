//! `cargo xtask ci`: everything that must pass before a change is merged.

mod features;
mod steps;

use crate::{Result, step, workspace};

/// The arguments of `ci`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Skip slow steps: features one by one, and the benchmark
    #[arg(long)]
    quick: bool,
}

/// Runs the steps.
///
/// # Errors
/// The first failure.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let workspace = workspace::load(&root)?;
    step::run(steps::all(&root, &workspace, args.quick), &root)
}
