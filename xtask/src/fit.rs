//! Fits weights to labelled data: those of the ranking, of the rows of outputs, and those that tell what a text is.

mod adam;
mod kinds;
mod outputs;
mod ranking;

use crate::say::Result;

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
    /// The weights of the rows of outputs, to labelled facts
    Outputs(outputs::Args),
    /// The weights that tell what a text is, to labelled texts
    Kinds(kinds::Args),
}

pub(crate) fn run(args: &Args) -> Result {
    match &args.what {
        What::Ranking(args) => ranking::run(args),
        What::Outputs(args) => outputs::run(args),
        What::Kinds(args) => kinds::run(args),
    }
}
