//! The tables of the document.

use std::fmt::Write as _;

use super::{
    answer::Answer,
    corpus::{Grain, Summary},
    figures::Sample,
    requests::{Case, Options, SHARES, STRATEGIES},
};
use crate::float::float;

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
    /// An outcome whose repository and chunk size are set later.
    pub(crate) fn new(case: Case, answer: Answer) -> Self {
        Self { repository: String::new(), grain: Grain::Files, case, answer }
    }

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
pub(crate) fn document(repositories: &[Summary], outcomes: &[Outcome]) -> String {
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
fn corpus(repositories: &[Summary]) -> String {
    let mut text = String::from("| repository | files | lines | KB |\n|---|---:|---:|---:|\n");
    for Summary { name, files, lines, bytes } in repositories {
        row(&mut text, &[name, &files.to_string(), &lines.to_string(), &(bytes / 1000).to_string()]);
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
                        options.title(),
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
fn by_repository(repositories: &[Summary], outcomes: &[Outcome]) -> String {
    let mut text = format!("| repository | input | median tokens | {} |\n", STRATEGIES.join(" | "));
    text.push_str(&format!("|---|---|---:|{}\n", "---:|".repeat(STRATEGIES.len())));
    for Summary { name, .. } in repositories {
        for grain in Grain::ALL {
            let own = || outcomes.iter().filter(|o| o.repository == *name && o.grain == grain);
            let tokens: Sample = own().map(|o| float(o.answer.metrics.tokens_before)).collect();
            let mut cells = vec![name.clone(), grain.name().to_owned(), format!("{:.0}", tokens.median())];
            for strategy in STRATEGIES {
                let case = Case { strategy, options: Options::Default, share: None };
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
                let case = Case { strategy, options: Options::Default, share: Some(share) };
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

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn whole_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::savings::answer::{Block, Metrics};

    fn outcome(after: usize, share: Option<usize>, levels: &[Option<u8>]) -> Outcome {
        let case = Case { strategy: "incremental", options: Options::Default, share };
        let blocks = levels.iter().map(|&level| Block { level }).collect();
        let metrics = Metrics { tokens_before: 1_000, tokens_after: after };
        Outcome { repository: "r".into(), ..Outcome::new(case, Answer { blocks, metrics }) }
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
        let repositories = [Summary { name: "r".into(), files: 1, lines: 2, bytes: 3_000 }];
        let text = document(&repositories, &[outcome(995, None, &[Some(3)])]);
        for table in text.split("\n\n").filter(|part| part.starts_with('|')) {
            let mut cells = table.lines().map(|line| line.matches('|').count());
            let first = cells.next();
            assert!(cells.all(|n| Some(n) == first), "{table}");
        }
    }
}
