//! The first pass over a large tree: the tokens of each file and its relevance to the query. Keeps no text.

use contextfit::{
    code::Ranker,
    kernel::{TokenCounter, Tokens},
};
use rayon::prelude::*;

use super::{
    read::{Reading, Unread},
    walk::Found,
};
use crate::progress::Progress;

/// What is known about a file after the first pass.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) tokens: Tokens,
    pub(crate) file: contextfit::code::Surveyed,
}

/// Surveys all files on all cores; the results are in the order of the files.
pub(crate) fn survey(
    files: &[Found],
    ranker: &Ranker,
    counter: &dyn TokenCounter,
    reading: &Reading,
    progress: &Progress,
) -> Vec<Result<Surveyed, Unread>> {
    files
        .par_iter()
        // Large files often lie side by side, where a core would get all of them while the others have nothing to do.
        .with_max_len(1)
        .map(|file| {
            let surveyed = reading.read(&file.path).map(|found| Surveyed {
                tokens: reading.count(&file.path, &found.text, counter),
                file: ranker.survey(&file.label(), &found.text),
            });
            progress.advance(file.bytes);
            surveyed
        })
        .collect()
}
