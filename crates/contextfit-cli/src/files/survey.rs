//! The first pass over a large tree: what each file costs and which words of the question it holds. Keeps no text.

use contextfit_kernel::{TokenCounter, Tokens};
use rayon::prelude::*;

use super::{
    read::{Unread, read_text},
    terms::Terms,
    walk::Found,
};
use crate::progress::Progress;

/// What is known of a file after the first pass.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) tokens: Tokens,
    pub(crate) hits: Vec<u32>,
}

/// Goes through all files on all cores; the result is in their order.
pub(crate) fn survey(
    files: &[Found],
    terms: &Terms,
    counter: &dyn TokenCounter,
    progress: &Progress,
) -> Vec<Result<Surveyed, Unread>> {
    files
        .par_iter()
        .map(|file| {
            let surveyed = read_text(&file.path).map(|text| Surveyed {
                tokens: counter.count(&text),
                hits: terms.hits(&file.path.to_string_lossy(), &text),
            });
            progress.advance(file.bytes);
            surveyed
        })
        .collect()
}
