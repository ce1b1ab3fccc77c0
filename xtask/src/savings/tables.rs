//! The answers of `search --jsonl`, and the tables of the document.

use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::Value;

use super::requests::{Case, Corpus, Grain, Options, SHARES, STRATEGIES};
use crate::{
    figures::{float, percent},
    say::Result,
};

/// An answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Answer {
    /// The outcome for each chunk.
    pub blocks: Vec<Block>,
    /// The figures.
    pub metrics: Metrics,
}

/// The outcome for a chunk.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Block {
    /// The level at which it is shown, from 0 to 3; `None` if it is dropped.
    pub level: Option<u8>,
}

/// The figures of an answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Metrics {
    pub tokens_before: usize,
    pub tokens_after: usize,
}

impl Answer {
    /// The answer on `line`.
    ///
    /// # Errors
    /// If it is an error, or not an answer at all.
    pub(crate) fn parse(line: &str) -> Result<Self> {
        let answer: Value = serde_json::from_str(line)?;
        match answer.pointer("/error/message").and_then(Value::as_str) {
            Some(message) => Err(format!("contextfit reports: {message}").into()),
            None => Ok(serde_json::from_value(answer)?),
        }
    }
}

/// A saving of less than this share of the input counts as none.
const NOTHING: f64 = 0.01;

/// The outcome of a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub repository: String,
    pub grain: Grain,
    pub case: Case,
    pub answer: Answer,
}

impl Outcome {
    /// The share of the input's tokens that was saved.
    fn saved(&self) -> f64 {
        1.0 - float(self.answer.metrics.tokens_after) / float(self.answer.metrics.tokens_before.max(1))
    }

    /// The share of chunks at these levels.
    fn share_at(&self, levels: &[Option<u8>]) -> f64 {
        let blocks = &self.answer.blocks;
        float(blocks.iter().filter(|block| levels.contains(&block.level)).count())
            / float(blocks.len().max(1))
    }
}

/// All tables.
pub(crate) fn document(repositories: &[Corpus], outcomes: &[Outcome]) -> String {
    let mut text = corpus(repositories);
    text.push_str("\n### What the options save by themselves\n\n");
    text.push_str(&by_options(outcomes));
    text.push_str("\n### The same by repository, default options\n\n");
    text.push_str(&by_repository(repositories, outcomes));
    text.push_str("\n### What is shown at a budget, default options\n\n");
    text.push_str(&by_budget(outcomes));
    text
}

/// The repositories that were measured.
fn corpus(repositories: &[Corpus]) -> String {
    let mut text = String::from("| repository | files | lines | KB |\n|---|---:|---:|---:|\n");
    for Corpus { name, files } in repositories {
        let lines: usize = files.iter().map(|(_, text)| text.lines().count()).sum();
        let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
        row(&mut text, &[name, &files.len().to_string(), &lines.to_string(), &(bytes / 1000).to_string()]);
    }
    text
}

/// Strategies and options, over all repositories.
fn by_options(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "| strategy | options | input | n | median | quartiles | least | most | saves under 1 % |\n\
         |---|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for strategy in STRATEGIES {
        for options in Options::ALL {
            for grain in Grain::ALL {
                let case = Case { strategy, options, share: None };
                let saved: Sample = outcomes
                    .iter()
                    .filter(|o| o.case == case && o.grain == grain)
                    .map(Outcome::saved)
                    .collect();
                let quartiles =
                    format!("{} to {}", percent(saved.quantile(0.25)), percent(saved.quantile(0.75)));
                row(
                    &mut text,
                    &[
                        strategy,
                        options.title,
                        grain.name(),
                        &saved.len().to_string(),
                        &percent(saved.median()),
                        &quartiles,
                        &percent(saved.quantile(0.0)),
                        &percent(saved.quantile(1.0)),
                        &whole_percent(saved.below(NOTHING)),
                    ],
                );
            }
        }
    }
    text
}

/// The median of each repository.
fn by_repository(repositories: &[Corpus], outcomes: &[Outcome]) -> String {
    let mut text = format!("| repository | input | median tokens | {} |\n", STRATEGIES.join(" | "));
    text.push_str(&format!("|---|---|---:|{}\n", "---:|".repeat(STRATEGIES.len())));
    for Corpus { name, .. } in repositories {
        for grain in Grain::ALL {
            let own = || outcomes.iter().filter(|o| o.repository == *name && o.grain == grain);
            let tokens: Sample = own().map(|o| float(o.answer.metrics.tokens_before)).collect();
            let mut cells = vec![name.clone(), grain.name().to_owned(), format!("{:.0}", tokens.median())];
            for strategy in STRATEGIES {
                let case = Case { strategy, options: Options::DEFAULT, share: None };
                let saved: Sample = own().filter(|o| o.case == case).map(Outcome::saved).collect();
                cells.push(percent(saved.median()));
            }
            row(&mut text, &cells);
        }
    }
    text
}

/// How chunks are shown at each share of the input.
fn by_budget(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "| strategy | input | budget | n | tokens used | whole | in part | by name | left out | over budget |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for strategy in STRATEGIES {
        for grain in Grain::ALL {
            for share in SHARES {
                let case = Case { strategy, options: Options::DEFAULT, share: Some(share) };
                let own: Vec<&Outcome> =
                    outcomes.iter().filter(|o| o.case == case && o.grain == grain).collect();
                let used: Sample = own
                    .iter()
                    .map(|o| {
                        let budget = case.budget(o.answer.metrics.tokens_before);
                        float(o.answer.metrics.tokens_after) / float(budget.max(1))
                    })
                    .collect();
                let shown = |levels: &[Option<u8>]| {
                    let all: f64 = own.iter().map(|o| o.share_at(levels)).sum();
                    whole_percent(all / float(own.len().max(1)))
                };
                let over = own
                    .iter()
                    .filter(|o| o.answer.metrics.tokens_after > case.budget(o.answer.metrics.tokens_before))
                    .count();
                row(
                    &mut text,
                    &[
                        strategy,
                        grain.name(),
                        &format!("{share} %"),
                        &own.len().to_string(),
                        &percent(used.median()),
                        &shown(&[Some(3)]),
                        &shown(&[Some(2)]),
                        &shown(&[Some(1), Some(0)]),
                        &shown(&[None]),
                        &over.to_string(),
                    ],
                );
            }
        }
    }
    text
}

fn row(text: &mut String, cells: &[impl AsRef<str>]) {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn whole_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A sample, in ascending order.
#[derive(Debug, Clone, PartialEq)]
struct Sample(Vec<f64>);

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }
}

impl Sample {
    fn len(&self) -> usize {
        self.0.len()
    }

    /// The value below which `share` of the sample lies, from 0 to 1, interpolated between two values. Zero if the
    /// sample is empty.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the sample")]
    fn quantile(&self, share: f64) -> f64 {
        let place = share.clamp(0.0, 1.0) * float(self.0.len().saturating_sub(1));
        let value = |n: f64| self.0.get(n as usize).copied().unwrap_or_default();
        let (low, high) = (value(place.floor()), value(place.ceil()));
        low + (high - low) * place.fract()
    }

    fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The share of values below `limit`.
    fn below(&self, limit: f64) -> f64 {
        float(self.0.partition_point(|value| *value < limit)) / float(self.0.len().max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_errors() {
        let line = r#"{"id": "q", "context": "", "blocks": [{"id": "a", "level": null}, {"id": "b", "level": 2}],
            "metrics": {"tokensBefore": 9, "tokensAfter": 4, "compressionRate": "55.6%"}}"#;
        let answer = Answer::parse(line).unwrap();
        assert_eq!(answer.metrics, Metrics { tokens_before: 9, tokens_after: 4 });
        assert_eq!(answer.blocks, [Block { level: None }, Block { level: Some(2) }]);

        let error =
            Answer::parse(r#"{"id": "q", "error": {"code": "x", "message": "cannot fit"}}"#).unwrap_err();
        assert_eq!(error.to_string(), "contextfit reports: cannot fit");
    }

    fn outcome(after: usize, share: Option<usize>, levels: &[Option<u8>]) -> Outcome {
        let case = Case { strategy: "incremental", options: Options::DEFAULT, share };
        let blocks = levels.iter().map(|&level| Block { level }).collect();
        let metrics = Metrics { tokens_before: 1_000, tokens_after: after };
        Outcome { repository: "r".into(), grain: Grain::Files, case, answer: Answer { blocks, metrics } }
    }

    #[test]
    fn savings_are_told_with_what_saves_nothing() {
        let outcomes = [outcome(995, None, &[Some(3)]), outcome(500, None, &[Some(2)])];
        let expect =
            "| incremental | default | whole files | 2 | 25.2 % | 12.9 % to 37.6 % | 0.5 % | 50.0 % | 50 % |";
        let table = by_options(&outcomes);
        assert!(table.lines().any(|line| line == expect), "{table}");
    }

    #[test]
    fn budgets_are_told_with_what_is_shown() {
        let outcomes = [outcome(250, Some(25), &[Some(3), Some(2), Some(0), None])];
        let expect = "| incremental | whole files | 25 % | 1 | 100.0 % | 25 % | 25 % | 25 % | 25 % | 0 |";
        let table = by_budget(&outcomes);
        assert!(table.lines().any(|line| line == expect), "{table}");
    }

    #[test]
    fn every_table_has_as_many_cells_in_each_row() {
        let repositories = [Corpus { name: "r".into(), files: vec![("a.rs".into(), "a\nb".into())] }];
        let text = document(&repositories, &[outcome(995, None, &[Some(3)])]);
        for table in text.split("\n\n").filter(|part| part.starts_with('|')) {
            let mut cells = table.lines().map(|line| line.matches('|').count());
            let first = cells.next();
            assert!(cells.all(|n| Some(n) == first), "{table}");
        }
    }

    #[test]
    fn quantiles() {
        let sample: Sample = [4.0, 1.0, 3.0, 2.0].into_iter().collect();
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|share| sample.quantile(share)), [1.0, 1.75, 2.5, 4.0]);
        assert_eq!((sample.below(1.0), sample.below(3.0)), (0.0, 0.5));
        assert_eq!(Sample::from_iter([]).median(), 0.0);
        assert_eq!(Sample::from_iter([7.0]).quantile(0.9), 7.0);
    }
}
