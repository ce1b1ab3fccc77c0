//! Turns the figures of `contextfit eval` into tables.

use serde::Deserialize;

use crate::Result;

/// The figures of a run.
#[derive(Debug, Deserialize)]
pub(crate) struct Figures {
    tokenizer: String,
    datasets: Vec<Dataset>,
    figures: Vec<Row>,
}

#[derive(Debug, Deserialize)]
struct Dataset {
    name: String,
    kind: String,
    split: String,
    n: usize,
}

/// One strategy on one data set at one budget.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    dataset: String,
    strategy: String,
    budget: f64,
    evidence_all: Estimate,
    evidence_fraction: Estimate,
    answers: Option<Estimate>,
    signatures: Option<Estimate>,
    invalid: Option<usize>,
    whole_units: Option<Estimate>,
    user_words: Option<Estimate>,
    fragments: Option<f64>,
    output_ratio: f64,
    over_budget: usize,
    errors: usize,
}

#[derive(Debug, Deserialize)]
struct Estimate {
    mean: f64,
    low: f64,
    high: f64,
}

impl Figures {
    /// Parses the figures.
    ///
    /// # Errors
    /// If `text` is something else.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        Ok(serde_json::from_str(text)
            .map_err(|error| format!("cannot read the figures of contextfit eval: {error}"))?)
    }

    /// One table for each data set, under a heading with the number of items.
    pub(crate) fn tables(&self) -> String {
        self.datasets.iter().map(|dataset| self.table(dataset)).collect()
    }

    fn table(&self, Dataset { name, kind, split, n }: &Dataset) -> String {
        let (evidence, fraction, other) = match kind.as_str() {
            "code" => ("functions", "fraction", "signatures | "),
            "talk" => ("turns", "fraction", ""),
            "meeting" => ("turns", "recall", ""),
            "agent" => ("values", "values", "invalid | in whole units | fragments | "),
            "session" => ("values", "values", "invalid | in whole units | user's words | fragments | "),
            _ => ("evidence", "fraction", "answers | "),
        };
        let mut table = format!(
            "### {name}\n\nSplit {split}, n = {n}, {}.\n\n\
             | strategy | budget | all {evidence} kept | {fraction} | {other}output | over | errors |\n\
             |---|---:|---:|---:|{}---:|---:|---:|\n",
            self.tokenizer,
            "---:|".repeat(other.matches('|').count())
        );
        for row in self.figures.iter().filter(|row| row.dataset == *name) {
            table.push_str(&line(row));
        }
        table + "\n"
    }
}

fn line(row: &Row) -> String {
    let of_kind = [
        row.answers.as_ref().or(row.signatures.as_ref()).map(interval),
        row.invalid.map(|invalid| invalid.to_string()),
        row.whole_units.as_ref().map(interval),
        row.user_words.as_ref().map(interval),
        row.fragments.map(percent),
    ];
    let of_kind: String = of_kind.into_iter().flatten().map(|figure| figure + " | ").collect();
    // For search results the share kept whole is what counts, and its interval is enough.
    let fraction = match (&row.answers, &row.signatures) {
        (None, None) => interval(&row.evidence_fraction),
        _ => percent(row.evidence_fraction.mean),
    };
    format!(
        "| {} | {} | {} | {fraction} | {}{} | {} | {} |\n",
        row.strategy,
        // Budgets are whole percentages.
        format_args!("{:.0} %", row.budget * 100.0),
        interval(&row.evidence_all),
        of_kind,
        percent(row.output_ratio),
        row.over_budget,
        row.errors
    )
}

/// Mean and interval in percent.
fn interval(Estimate { mean, low, high }: &Estimate) -> String {
    format!("{} ({:.1} to {:.1})", percent(*mean), low * 100.0, high * 100.0)
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_for_each_data_set() {
        let estimate = |mean: f64| format!("{{\"mean\": {mean}, \"low\": 0.25, \"high\": 1.0, \"n\": 4}}");
        let row = |dataset: &str, more: &str| {
            format!(
                "{{\"dataset\": \"{dataset}\", \"strategy\": \"head\", \"budget\": 0.1, \"n\": 4, \"evidenceAll\": {}, \
                 \"evidenceFraction\": {}, {more} \"outputRatio\": 0.0961, \"budgetUsed\": 0.9, \"overBudget\": 0, \
                 \"errors\": 1, \"tokensPerSecond\": 3.0}}",
                estimate(0.5),
                estimate(0.625)
            )
        };
        let text = format!(
            "{{\"version\": \"0\", \"tokenizer\": \"o200k_base\", \"datasets\": [\
             {{\"name\": \"b\", \"kind\": \"code\", \"split\": \"dev\", \"n\": 4}}, \
             {{\"name\": \"a\", \"kind\": \"qa\", \"split\": \"dev\", \"n\": 4}}, \
             {{\"name\": \"t\", \"kind\": \"talk\", \"split\": \"dev\", \"n\": 4}}, \
             {{\"name\": \"r\", \"kind\": \"agent\", \"split\": \"dev\", \"n\": 4}}, \
             {{\"name\": \"s\", \"kind\": \"session\", \"split\": \"dev\", \"n\": 4}}], \"figures\": [{}, {}, {}, {}, {}]}}",
            row("a", &format!("\"answers\": {},", estimate(0.75))),
            row("b", &format!("\"signatures\": {},", estimate(0.3))),
            row("t", ""),
            row("r", &format!("\"invalid\": 2, \"wholeUnits\": {}, \"fragments\": 0.02,", estimate(0.5))),
            row(
                "s",
                &format!(
                    "\"invalid\": 0, \"wholeUnits\": {}, \"userWords\": {}, \"fragments\": 0.0,",
                    estimate(0.5),
                    estimate(0.875)
                )
            )
        );
        let expect = "### b\n\nSplit dev, n = 4, o200k_base.\n\n\
            | strategy | budget | all functions kept | fraction | signatures | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|---:|---:|\n\
            | head | 10 % | 50.0 % (25.0 to 100.0) | 62.5 % | 30.0 % (25.0 to 100.0) | 9.6 % | 0 | 1 |\n\n\
            ### a\n\nSplit dev, n = 4, o200k_base.\n\n\
            | strategy | budget | all evidence kept | fraction | answers | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|---:|---:|\n\
            | head | 10 % | 50.0 % (25.0 to 100.0) | 62.5 % | 75.0 % (25.0 to 100.0) | 9.6 % | 0 | 1 |\n\n\
            ### t\n\nSplit dev, n = 4, o200k_base.\n\n\
            | strategy | budget | all turns kept | fraction | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|---:|\n\
            | head | 10 % | 50.0 % (25.0 to 100.0) | 62.5 % (25.0 to 100.0) | 9.6 % | 0 | 1 |\n\n\
            ### r\n\nSplit dev, n = 4, o200k_base.\n\n\
            | strategy | budget | all values kept | values | invalid | in whole units | fragments | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n\
            | head | 10 % | 50.0 % (25.0 to 100.0) | 62.5 % (25.0 to 100.0) | 2 | 50.0 % (25.0 to 100.0) | 2.0 % | 9.6 % | 0 | 1 |\n\n\
            ### s\n\nSplit dev, n = 4, o200k_base.\n\n\
            | strategy | budget | all values kept | values | invalid | in whole units | user's words | fragments | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n\
            | head | 10 % | 50.0 % (25.0 to 100.0) | 62.5 % (25.0 to 100.0) | 0 | 50.0 % (25.0 to 100.0) | 87.5 % (25.0 to 100.0) | 0.0 % | \
            9.6 % | 0 | 1 |\n\n";
        assert_eq!(Figures::parse(&text).unwrap().tables(), expect);
        assert!(Figures::parse("{}").is_err());
    }
}
