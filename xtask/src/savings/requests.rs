//! The requests to measure: a repository's files, whole or in pieces, as a typical retriever finds them for a sentence
//! from its comments; and the ways to fit each request.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::Path,
};

use ignore::WalkBuilder;
use serde_json::{Value, json};

use crate::{figures::float, say::Result, workspace::slashes};

/// The extensions of source files.
const KINDS: [&str; 20] = [
    "rs", "py", "ts", "tsx", "js", "mjs", "go", "java", "kt", "c", "h", "cc", "cpp", "hpp", "cs", "rb",
    "php", "swift", "sh", "md",
];
/// The longest source file in bytes: longer ones are generated tables.
const LONGEST: usize = 512 << 10;
/// Lines of a piece.
const LINES: usize = 60;

/// The size of the chunks that a retriever returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grain {
    /// Whole files.
    Files,
    /// Pieces of 60 lines.
    Pieces,
}

impl Grain {
    pub(crate) const ALL: [Self; 2] = [Self::Files, Self::Pieces];

    /// The name for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Files => "whole files",
            Self::Pieces => "60-line chunks",
        }
    }
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Corpus {
    /// The name of its folder.
    pub name: String,
    /// Its files: path and text.
    pub files: Vec<(String, String)>,
}

/// A chunk that a retriever can return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunk<'c> {
    pub path: &'c str,
    pub text: String,
    /// The first line and the last, from 1; `None` for a whole file.
    pub lines: Option<(usize, usize)>,
}

impl Corpus {
    /// The sources below `folder`, by path.
    ///
    /// # Errors
    /// If the folder cannot be read or has no source files.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for entry in WalkBuilder::new(folder).require_git(false).sort_by_file_path(Ord::cmp).build() {
            let entry = entry?;
            let path = entry.path();
            let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
            if !path.is_file() || !KINDS.contains(&kind) {
                continue;
            }
            // Sources that are not UTF-8 are left out, as in contextfit.
            if let Ok(text) = fs::read_to_string(path)
                && (1..=LONGEST).contains(&text.len())
            {
                files.push((slashes(path.strip_prefix(folder)?), text));
            }
        }
        let name = folder.canonicalize()?.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if files.is_empty() {
            return Err(format!("{}: no source files", folder.display()).into());
        }
        Ok(Self { name, files })
    }

    /// All chunks that can be retrieved.
    pub(crate) fn chunks(&self, grain: Grain) -> Vec<Chunk<'_>> {
        let parts = |text: &str| match grain {
            Grain::Files => vec![(text.to_owned(), None)],
            Grain::Pieces => pieces(text),
        };
        self.files
            .iter()
            .flat_map(|(path, text)| {
                parts(text).into_iter().map(move |(text, lines)| Chunk { path, text, lines })
            })
            .collect()
    }
}

/// The pieces of `text`, with their first and last lines.
fn pieces(text: &str) -> Vec<(String, Option<(usize, usize)>)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let piece = |(n, part): (usize, &[&str])| (part.concat(), Some((n * LINES + 1, n * LINES + part.len())));
    lines.chunks(LINES).enumerate().map(piece).collect()
}

/// The number of chunks to return.
const TOP: usize = 20;
/// The usual constants of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Finds the chunks that match a question.
#[derive(Debug)]
struct Retriever {
    /// For each text, the count of each word, and the number of words.
    texts: Vec<(HashMap<String, usize>, usize)>,
    /// The number of texts that contain each word.
    holding: HashMap<String, usize>,
}

impl Retriever {
    fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut retriever = Self { texts: Vec::new(), holding: HashMap::new() };
        for text in texts {
            let mut counts: HashMap<String, usize> = HashMap::new();
            let mut length = 0;
            for word in words(text) {
                *counts.entry(word).or_default() += 1;
                length += 1;
            }
            for word in counts.keys() {
                *retriever.holding.entry(word.clone()).or_default() += 1;
            }
            retriever.texts.push((counts, length));
        }
        retriever
    }

    /// The indices of the best texts with their scores, best first; ties keep their order. Texts that share no word
    /// with the question are not included.
    fn find(&self, question: &str) -> Vec<(usize, f64)> {
        let terms: BTreeSet<String> = words(question).collect();
        let all = float(self.texts.len());
        let total: usize = self.texts.iter().map(|(_, length)| length).sum();
        let average = (float(total) / all.max(1.0)).max(1.0);
        let mut found: Vec<(usize, f64)> = self
            .texts
            .iter()
            .map(|(counts, length)| {
                let worth = |term: &String| {
                    let count = counts.get(term).copied().map_or(0.0, float);
                    let holding = self.holding.get(term).copied().map_or(0.0, float);
                    let rarity = (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln();
                    rarity * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * float(*length) / average))
                };
                terms.iter().map(worth).sum()
            })
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .collect();
        found.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
        found.truncate(TOP);
        let best = found.first().map_or(1.0, |(_, score)| *score);
        found.into_iter().map(|(place, score)| (place, score / best)).collect()
    }
}

/// The words of `text`, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).map(str::to_lowercase)
}

/// The fewest words in a question.
const FEWEST_WORDS: usize = 6;
/// The largest budget that contextfit accepts.
const LARGEST_BUDGET: usize = 1_000_000_000_000;

/// Options of KB Labs Mind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Options {
    /// The name for people.
    pub title: &'static str,
    length: usize,
    threshold: f64,
}

impl Options {
    pub(crate) const DEFAULT: Self = Self { title: "default", length: 2000, threshold: 0.4 };
    const AGGRESSIVE: Self = Self { title: "aggressive", length: 1500, threshold: 0.3 };
    const CONSERVATIVE: Self = Self { title: "conservative", length: 3000, threshold: 0.5 };
    pub(crate) const ALL: [Self; 3] = [Self::DEFAULT, Self::AGGRESSIVE, Self::CONSERVATIVE];

    /// A configuration file with the options.
    pub(crate) fn file(self) -> String {
        let Self { length, threshold, .. } = self;
        format!(
            "compression.smartTruncation.maxLength = {length}\n\
             compression.metadataOnly.scoreThreshold = {threshold}\n"
        )
    }
}

/// The strategies to measure.
pub(crate) const STRATEGIES: [&str; 3] = ["smart-truncation", "metadata-only", "incremental"];

/// The budgets as shares of the input, in percent.
pub(crate) const SHARES: [usize; 3] = [50, 25, 10];

/// A way to fit a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Case {
    pub strategy: &'static str,
    pub options: Options,
    /// The budget in percent of the input; `None` for all but one token.
    pub share: Option<usize>,
}

impl Case {
    /// The budget for a request of `tokens`.
    pub(crate) const fn budget(self, tokens: usize) -> usize {
        match self.share {
            Some(share) => tokens.saturating_mul(share) / 100,
            None => tokens.saturating_sub(1),
        }
    }
}

/// The ways with these options. Shares of the input are measured with the default options only.
pub(crate) fn cases(options: Options) -> impl Iterator<Item = Case> {
    let shares = if options == Options::DEFAULT { SHARES.as_slice() } else { &[] };
    let budgets = || [None].into_iter().chain(shares.iter().copied().map(Some));
    STRATEGIES
        .into_iter()
        .flat_map(move |strategy| budgets().map(move |share| Case { strategy, options, share }))
}

/// A question and the chunks that a retriever finds for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    question: String,
    chunks: Value,
}

impl Request {
    /// The request as a line of JSON.
    pub(crate) fn line(&self, strategy: Option<&str>, budget: usize) -> String {
        let budget = budget.min(LARGEST_BUDGET);
        json!({"query": self.question, "budget": budget, "strategy": strategy, "chunks": self.chunks})
            .to_string()
    }
}

/// At most `most` requests, each for one comment, spread evenly over the repository.
pub(crate) fn of(corpus: &Corpus, grain: Grain, most: usize) -> Vec<Request> {
    let chunks = corpus.chunks(grain);
    let retriever = Retriever::new(chunks.iter().map(|chunk| chunk.text.as_str()));
    let questions = spread(questions(corpus), most);
    let request = |question: String| {
        let found = retriever.find(&question);
        let chunks =
            found.into_iter().filter_map(|(place, score)| Some(chunk(place, chunks.get(place)?, score)));
        Request { chunks: chunks.collect(), question }
    };
    questions.into_iter().map(request).collect()
}

/// A chunk as JSON for a request.
fn chunk(place: usize, chunk: &Chunk<'_>, score: f64) -> Value {
    let Chunk { path, text, lines } = chunk;
    match lines {
        Some((start, end)) => json!({"id": place.to_string(), "path": path, "text": text, "score": score,
            "startLine": start, "endLine": end}),
        None => json!({"id": place.to_string(), "path": path, "text": text, "score": score}),
    }
}

/// Sentences of the comments, each once, in order.
fn questions(corpus: &Corpus) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let chunks = corpus.chunks(Grain::Pieces);
    let first = chunks.iter().filter_map(|chunk| chunk.text.lines().find_map(sentence));
    first.filter(|sentence| seen.insert((*sentence).to_owned())).map(str::to_owned).collect()
}

/// The text of a line, if it is a comment with exactly one whole sentence.
fn sentence(line: &str) -> Option<&str> {
    let line = line.trim();
    let leader = ["///", "//!", "//", "\"\"\"", "/**", "* ", "# "]
        .into_iter()
        .find(|leader| line.starts_with(leader))?;
    let text = line.strip_prefix(leader)?.trim_end_matches("\"\"\"").trim_end_matches("*/").trim();
    let legal = text.to_lowercase();
    let is_legal = ["copyright", "licen", "warrant"].iter().any(|word| legal.contains(word));
    let is_prose = text.starts_with(char::is_uppercase) && text.ends_with('.') && !text.contains("://");
    (is_prose && !is_legal && text.split_whitespace().count() >= FEWEST_WORDS).then_some(text)
}

/// At most `most` of `all`, evenly spread.
fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let (n, most) = (all.len(), most.min(all.len()));
    // Count up to `most` along all items; take each item at which the count goes up.
    let count = |items: usize| (items * most).div_ceil(n.max(1));
    all.into_iter().enumerate().filter(|(i, _)| count(i + 1) > count(*i)).map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_whole_text() {
        let text: String = (1..=130).map(|n| format!("line {n}\n")).collect();
        let corpus = Corpus { name: "x".into(), files: vec![("a.rs".into(), text.clone())] };
        let pieces = corpus.chunks(Grain::Pieces);
        let lines: Vec<_> = pieces.iter().filter_map(|piece| piece.lines).collect();
        assert_eq!(lines, [(1, 60), (61, 120), (121, 130)]);
        assert_eq!(pieces.iter().map(|piece| piece.text.as_str()).collect::<String>(), text);
        assert_eq!(corpus.chunks(Grain::Files), [Chunk { path: "a.rs", text, lines: None }]);
    }

    #[test]
    fn this_repository_can_be_read() {
        let corpus = Corpus::read(&crate::workspace::root().join("xtask")).unwrap();
        assert_eq!(corpus.name, "xtask");
        assert!(corpus.files.len() > 10);
    }

    #[test]
    fn the_best_comes_first_and_scores_one() {
        let texts = ["nothing here", "the token budget", "budget; budget is enforced", "token"];
        let found = Retriever::new(texts.into_iter()).find("Where is the budget enforced?");
        assert_eq!(found.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(found.first().map(|(_, score)| *score), Some(1.0));
    }

    #[test]
    fn no_more_than_asked_for() {
        let texts = vec!["word"; 50];
        let found = Retriever::new(texts.into_iter()).find("word");
        assert_eq!(found.iter().map(|(place, _)| *place).collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
    }

    #[track_caller]
    fn check_sentence(line: &str, expect: Option<&str>) {
        assert_eq!(sentence(line), expect, "{line}");
    }

    #[test]
    fn comments_make_questions() {
        let text = "Returns the number of tokens in a text.";
        check_sentence(&format!("    /// {text}"), Some(text));
        check_sentence(&format!("    \"\"\"{text}\"\"\""), Some(text));
        check_sentence(&format!("  * {text}"), Some(text));
        check_sentence("/// Too short a sentence.", None);
        check_sentence("// Licensed under the Apache License, Version 2.", None);
        check_sentence("let the_number = of(tokens, in, a, text);", None);
        check_sentence("", None);
    }

    #[track_caller]
    fn check_spread(n: usize, most: usize, expect: &[usize]) {
        assert_eq!(spread((0..n).collect(), most), expect, "{most} of {n}");
    }

    #[test]
    fn what_is_taken_is_spread_evenly() {
        check_spread(0, 3, &[]);
        check_spread(2, 3, &[0, 1]);
        check_spread(9, 3, &[0, 3, 6]);
        check_spread(10, 4, &[0, 2, 5, 7]);
        check_spread(5, 0, &[]);
    }

    #[test]
    fn budgets_are_shares_of_the_input() {
        let budgets = |options| cases(options).map(|case| case.budget(1_000)).collect::<BTreeSet<_>>();
        assert_eq!(budgets(Options::DEFAULT), [100, 250, 500, 999].into());
        assert_eq!(budgets(Options::AGGRESSIVE), [999].into());
        assert_eq!(cases(Options::DEFAULT).count(), 12);
    }

    #[test]
    fn a_request_is_one_line() {
        let request = Request { question: "a\nb".into(), chunks: json!([{"id": "0", "text": "x\ny"}]) };
        let line = request.line(Some("incremental"), 7);
        let expect =
            r#"{"query":"a\nb","budget":7,"strategy":"incremental","chunks":[{"id":"0","text":"x\ny"}]}"#;
        assert_eq!(line, expect);
        assert!(request.line(None, usize::MAX).contains("\"budget\":1000000000000"));
    }
}
