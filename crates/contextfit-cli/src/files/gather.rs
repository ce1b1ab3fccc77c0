//! Reads files into blocks, in bounded memory.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
};

use contextfit::{
    code::Ranker,
    kernel::{Block, Budget, Context, Layout, Passage, Scorer, Tokens},
    text::Bm25,
};
use rayon::prelude::*;

use super::{
    choose::{Candidate, Limits, choose},
    read::{Reading, Unread, label},
    survey::survey,
    tree::Tree,
    walk::{Found, Walked},
};
use crate::{own, progress::Progress, settings::Settings};

/// The files that a strategy chooses from.
#[derive(Debug)]
pub(crate) struct Gathered {
    /// The files, in the order of their paths.
    pub(crate) blocks: Vec<Block>,
    /// The number of files that were counted but are not among them.
    pub(crate) omitted: usize,
    /// The tokens of the omitted files.
    pub(crate) omitted_tokens: Tokens,
    /// Files that could not be used, and why.
    pub(crate) skipped: Vec<(String, Unread)>,
    /// Files whose encoding was guessed.
    pub(crate) guessed: Vec<String>,
    /// Files that contextfit wrote and the command line names, and what they are.
    pub(crate) own: Vec<(String, &'static str)>,
    /// The bytes of files whose text has other bytes, by id; only if originals are stored.
    pub(crate) raw: HashMap<String, Vec<u8>>,
}

impl Gathered {
    /// The blocks as a context; they are not here any more.
    pub(crate) fn context(&mut self, layout: Layout, query: Option<String>) -> Context {
        let mut context = Context::new(std::mem::take(&mut self.blocks))
            .with_layout(layout)
            .with_omitted(self.omitted)
            // The input is everything that was read, not only what the second pass read.
            .with_omitted_tokens(self.omitted_tokens);
        context.query = query;
        context
    }
}

/// Reads the files, or the best of them, as far as `reading` may.
pub(crate) fn gather(
    walked: Walked,
    settings: &Settings,
    budget: &Budget,
    limits: Limits,
    reading: &Reading,
) -> Gathered {
    let Walked { files, streams, mut skipped, first, .. } = walked;
    let bytes = sum(&files);
    let (chosen, omitted_tokens, omitted) = if bytes <= limits.whole {
        (files, Tokens::ZERO, 0)
    } else {
        narrow((files, &first), settings, (budget.available(), limits), reading, &mut skipped)
    };
    let progress = Progress::reading(sum(&chosen));
    let found = chosen.par_iter().with_max_len(1).map(|file| {
        let found = reading.read(&file.path);
        progress.advance(file.bytes);
        (&file.path, found)
    });
    let mut found: Vec<_> = found.collect();
    found.extend(streams.iter().map(|path| (path, reading.read(path))));
    drop(progress);
    found.sort_by_key(|(path, _)| *path);
    let (mut texts, mut guessed, mut own) = (Vec::with_capacity(found.len()), Vec::new(), Vec::new());
    let mut raw = HashMap::new();
    for (path, found) in found {
        match found {
            Ok(found) => {
                guessed.extend(found.guessed.map(|_| label(path)));
                own.extend(own::written(found.text.as_bytes()).map(|what| (label(path), what)));
                let id = path.display().to_string();
                raw.extend(found.raw.filter(|_| settings.store.is_some()).map(|bytes| (id.clone(), bytes)));
                texts.push((id, found.text));
            }
            Err(error) => skipped.push((label(path), error)),
        }
    }
    skipped.sort_by(|(a, _), (b, _)| a.cmp(b));
    Gathered { blocks: blocks(texts, settings), omitted, omitted_tokens, skipped, guessed, own, raw }
}

/// Where the tokens of the files are, and the files that could not be used.
pub(crate) fn tree(walked: Walked, settings: &Settings, reading: &Reading) -> (Tree, Vec<(String, Unread)>) {
    let Walked { mut files, streams, mut skipped, .. } = walked;
    files.extend(streams.into_iter().map(|path| Found { path, bytes: 0 }));
    let counter = &*settings.fitter.counting.counter;
    let (counted, unread) = survey(files, &Ranker::new(""), counter, reading);
    skipped.extend(unread.into_iter().map(|(file, why)| (file.label(), why)));
    (Tree::new(counted.iter().map(|(file, counted)| (file.path.as_path(), counted.tokens))), skipped)
}

/// The total length of `files` in bytes.
pub(super) fn sum(files: &[Found]) -> u64 {
    files.iter().map(|file| file.bytes).fold(0, u64::saturating_add)
}

/// The files to read again, with the tokens and the number of those left out.
fn narrow(
    (files, first): (Vec<Found>, &HashSet<PathBuf>),
    settings: &Settings,
    (budget, limits): (Tokens, Limits),
    reading: &Reading,
    skipped: &mut Vec<(String, Unread)>,
) -> (Vec<Found>, Tokens, usize) {
    let ranker = Ranker::new(settings.fitter.query.as_deref().unwrap_or_default());
    let all = sum(&files);
    let (known, unread) = survey(files, &ranker, &*settings.fitter.counting.counter, reading);
    let own = unread.iter().filter(|(_, why)| matches!(why, Unread::Own(_))).map(|(file, _)| file.bytes);
    let own = own.fold(0, u64::saturating_add);
    skipped.extend(unread.into_iter().map(|(file, why)| (file.label(), why)));
    // What contextfit wrote must not change what it writes next.
    if all.saturating_sub(own) <= limits.whole {
        return (known.into_iter().map(|(file, _)| file).collect(), Tokens::ZERO, 0);
    }
    let scores = ranker.rank_files(known.iter().map(|(_, file)| &file.file));
    let candidates: Vec<Candidate> = known
        .iter()
        .zip(scores)
        .map(|((found, file), score)| Candidate {
            score: if first.contains(&found.path) { f64::INFINITY } else { score },
            tokens: file.tokens,
            bytes: found.bytes,
        })
        .collect();
    let places = choose(&candidates, budget, limits);
    let total: Tokens = candidates.iter().map(|candidate| candidate.tokens).sum();
    let held: Tokens =
        places.iter().filter_map(|&place| candidates.get(place)).map(|candidate| candidate.tokens).sum();
    let omitted = known.len() - places.len();
    let mut wanted = places.into_iter().peekable();
    let chosen = known
        .into_iter()
        .enumerate()
        .filter_map(|(place, (found, _))| wanted.next_if_eq(&place).map(|_| found))
        .collect();
    (chosen, total.saturating_sub(held), omitted)
}

/// Files as blocks. Only a strategy that relies on scores gets them, from 0 to 1. The others compute their own, and a
/// threshold meant for a retriever's scores must not apply to these.
fn blocks(texts: Vec<(String, String)>, settings: &Settings) -> Vec<Block> {
    let query = settings.fitter.query.as_deref().filter(|_| settings.needs_scores());
    let scores = query.and_then(|query| scores(&texts, query));
    texts
        .into_iter()
        .enumerate()
        .map(|(n, (path, text))| {
            let score = scores.as_ref().and_then(|scores| scores.get(n).copied());
            Block::passage(path.clone(), Passage::at(path).with_score(score), text)
        })
        .collect()
}

/// Sorts files by relevance to the query, best first.
pub(crate) fn sort_by_worth(blocks: &mut Vec<Block>, settings: &Settings) {
    let ranker = Ranker::new(settings.fitter.query.as_deref().unwrap_or_default());
    let path =
        |block: &Block| block.as_passage().and_then(|passage| passage.path.clone()).unwrap_or_default();
    let surveyed: Vec<_> =
        blocks.par_iter().with_max_len(1).map(|block| ranker.survey(&path(block), &block.text)).collect();
    let mut ranked: Vec<(f64, Block)> =
        ranker.rank_files(&surveyed).into_iter().zip(blocks.drain(..)).collect();
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    blocks.extend(ranked.into_iter().map(|(_, block)| block));
}

/// The relevance of each text, scaled so that the best has 1; `None` if the query matches none.
fn scores(texts: &[(String, String)], query: &str) -> Option<Vec<f64>> {
    let texts: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let scores = Bm25::default().score(query, &texts);
    let best = scores.iter().copied().fold(0.0, f64::max);
    (best > 0.0).then(|| scores.iter().map(|score| score / best).collect())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::*;
    use crate::{args::FitArgs, files::walk::walk};

    /// Ten files of 100 tokens, with the query in numbers 3 and 7: which files a budget of 20 tokens chooses from.
    #[track_caller]
    fn check(limits: Limits, expect: &[usize]) {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..10).map(|n| folder.path().join(format!("{n}.txt"))).collect();
        for (n, path) in paths.iter().enumerate() {
            let text = if [3, 7].contains(&n) { "needle " } else { "haysta " };
            fs::write(path, text.repeat(100).get(..400).unwrap()).unwrap();
        }
        fs::write(folder.path().join("binary"), [0; 400]).unwrap();
        let mut flags = FitArgs { query: Some("needles".into()), ..FitArgs::default() };
        flags.counting.tokenizer = Some("chars/4".into());
        let settings = Settings::resolve(&flags).unwrap();

        let walked = walk(&[folder.path().into()], false, false).unwrap();
        let gathered = gather(walked, &settings, &Budget::new(Tokens::new(20)), limits, &Reading::default());

        let expected: Vec<String> = expect.iter().map(|&n| paths[n].display().to_string()).collect();
        let ids: Vec<&str> = gathered.blocks.iter().map(|block| block.id.as_str()).collect();
        assert_eq!(ids, expected, "{limits:?}");
        assert_eq!(gathered.omitted, 10 - expect.len());
        assert_eq!(gathered.omitted_tokens.get(), 100 * (10 - expect.len()));
        assert_eq!(gathered.skipped.len(), 1, "the binary file is reported once");
    }

    #[test]
    fn a_small_tree_goes_in_whole_and_of_a_large_one_the_best() {
        check(Limits::USUAL, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        check(Limits { whole: 0, ..Limits::USUAL }, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        check(Limits { whole: 0, files: 0, ..Limits::USUAL }, &[0, 1, 2, 3, 7]);
        check(Limits { whole: 0, held: 500, ..Limits::USUAL }, &[3, 7]);
        check(Limits { whole: 0, files: 0, budgets: 3, ..Limits::USUAL }, &[3]);
    }
}
