//! The first pass over a large tree: the tokens of each file and its relevance to the query. Keeps no text.

use contextfit::{
    code::Ranker,
    kernel::{TokenCounter, Tokens},
};
use rayon::prelude::*;

use super::{
    gather::sum,
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

/// Files, each with what was found out about it.
type Files<T> = Vec<(Found, T)>;

/// Surveys all files on all cores: what is known of those that can be read, and why the others cannot, each in the order of
/// the files.
pub(crate) fn survey(
    files: Vec<Found>,
    ranker: &Ranker,
    counter: &dyn TokenCounter,
    reading: &Reading,
) -> (Files<Surveyed>, Files<Unread>) {
    let progress = Progress::bytes(sum(&files));
    // Large files often lie side by side, where a core would get all of them while the others have nothing to do.
    let surveyed = files.into_par_iter().with_max_len(1).map(|file| {
        let surveyed = reading.read(&file.path).map(|found| Surveyed {
            tokens: reading.count(&file.path, &found.text, counter),
            file: ranker.survey(&file.label(), &found.text),
        });
        progress.advance(file.bytes);
        (file, surveyed)
    });
    let (mut known, mut unread) = (Vec::new(), Vec::new());
    for (file, surveyed) in surveyed.collect::<Vec<_>>() {
        match surveyed {
            Ok(surveyed) => known.push((file, surveyed)),
            Err(why) => unread.push((file, why)),
        }
    }
    (known, unread)
}
