//! The requests to measure, and the ways to fit each of them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    corpus::{Chunk, Corpus, Grain},
    retriever::Retriever,
};

/// The fewest words in a question.
const FEWEST_WORDS: usize = 6;
/// The largest budget that contextfit accepts.
const LARGEST_BUDGET: usize = 1_000_000_000_000;

/// The default, aggressive and conservative options of KB Labs Mind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Options {
    Default,
    Aggressive,
    Conservative,
}

impl Options {
    pub(crate) const ALL: [Self; 3] = [Self::Default, Self::Aggressive, Self::Conservative];

    /// A configuration file with the options.
    pub(crate) fn file(self) -> String {
        let (length, threshold) = match self {
            Self::Default => (2000, 0.4),
            Self::Aggressive => (1500, 0.3),
            Self::Conservative => (3000, 0.5),
        };
        format!(
            "compression.smartTruncation.maxLength = {length}\n\
             compression.metadataOnly.scoreThreshold = {threshold}\n"
        )
    }

    /// The name for people.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Aggressive => "aggressive",
            Self::Conservative => "conservative",
        }
    }
}

/// The strategies to measure.
pub(crate) const STRATEGIES: [&str; 3] = ["smart-truncation", "metadata-only", "incremental"];

/// The budgets as shares of the input, in percent.
pub(crate) const SHARES: [usize; 3] = [50, 25, 10];

/// A way to fit a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    let shares = if options == Options::Default { SHARES.as_slice() } else { &[] };
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
        assert_eq!(budgets(Options::Default), [100, 250, 500, 999].into());
        assert_eq!(budgets(Options::Aggressive), [999].into());
        assert_eq!(cases(Options::Default).count(), 12);
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
