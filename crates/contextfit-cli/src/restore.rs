//! `restore`: the original behind a handle.

use crate::{error::CliError, store};

/// The flags of `restore`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The text is printed byte for byte. A text that is not the one that was stored is an error, never printed.

Example:
  contextfit search request.json --budget 1200 --store > answer.json
  contextfit restore $(jq -r '.blocks[2].original' answer.json)")]
pub(crate) struct RestoreArgs {
    /// The handle: `blocks[].original` of an answer
    handle: String,
    #[command(flatten)]
    place: store::PlaceArgs,
}

/// Prints the original.
pub(crate) fn run(args: &RestoreArgs) -> Result<(), CliError> {
    let text = args.place.load(&args.handle)?;
    let mut output = crate::output::Output::open();
    output.write(text.as_bytes())?;
    output.finish()
}
