//! Turns the figures of `contextfit eval --learn` into a table and a picture.

use std::{env, fs, path::Path, process};

use serde::Deserialize;

use super::figures::percent;
use crate::{Result, binary::Binary, document::Document, say};

/// The data sets of question answering.
pub(super) const DATASETS: &[&str] = &["squad_en", "nq_multidoc", "hotpot_distractor"];

const DOCUMENT: Document = Document { path: "docs/quality.md", command: "eval --only feedback" };
const PICTURE: &str = "docs/images/feedback.svg";

/// The thresholds of one data set.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Convergence {
    dataset: String,
    questions: usize,
    needed: usize,
    misses_while_learning: f64,
    start: Threshold,
    learned: Threshold,
    half_reported: Threshold,
    best: Threshold,
    curve: Vec<Reached>,
}

#[derive(Debug, Deserialize)]
struct Threshold {
    value: f64,
    misses: f64,
    hidden: f64,
}

#[derive(Debug, Deserialize)]
struct Reached {
    reports: usize,
    mean: f64,
}

/// Learns from `datasets`, folders, and writes the table and the picture; with `quick`, only prints.
pub(super) fn run(binary: &Binary, root: &Path, datasets: &[String], quick: bool) -> Result {
    let sets: Vec<&str> = datasets.iter().map(String::as_str).collect();
    if quick {
        let printed = binary.run(&[&["eval", "--learn", "--limit", "20"], sets.as_slice()].concat())?;
        say::line(printed.out.trim_end());
        return Ok(());
    }
    let file = env::temp_dir().join(format!("contextfit-learn-{}.json", process::id()));
    let path = file.display().to_string();
    binary.run(&[&["eval", "--learn", "--plot", PICTURE, "--json", &path], sets.as_slice()].concat())?;
    say::line(&format!("{PICTURE}: written"));
    let text = fs::read_to_string(&file)?;
    fs::remove_file(&file)?;
    DOCUMENT.write(root, &table(&text)?)
}

fn table(figures: &str) -> Result<String> {
    let all: Vec<Convergence> = serde_json::from_str(figures)
        .map_err(|error| format!("cannot read the figures of contextfit eval --learn: {error}"))?;
    let mut table =
        "| data set | questions | reports | threshold | | needed passages hidden | all passages hidden |\n\
         |---|---:|---:|---|---:|---:|---:|\n"
            .to_owned();
    for one in &all {
        let after = |reports: usize| {
            let mut near = one.curve.iter().filter(|reached| reached.reports <= reports);
            near.next_back()
                .map_or_else(String::new, |reached| format!("{:.2} after {}", reached.mean, reached.reports))
        };
        let learned = format!("learned ({}, {})", after(20), after(100));
        let rows = [
            ("at the start", &one.start, String::new()),
            (&learned, &one.learned, format!("; {} while learning", percent(one.misses_while_learning))),
            ("learned, half of the misses reported", &one.half_reported, String::new()),
            ("best fixed", &one.best, String::new()),
        ];
        for (name, Threshold { value, misses, hidden }, more) in rows {
            table.push_str(&format!(
                "| {} | {} | {} | {name} | {value:.3} | {}{more} | {} |\n",
                one.dataset,
                one.questions,
                one.needed,
                percent(*misses),
                percent(*hidden)
            ));
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_thresholds_for_each_data_set() {
        let threshold = |value: f64| format!("{{\"value\": {value}, \"misses\": 0.1, \"hidden\": 0.75}}");
        let figures = format!(
            "[{{\"dataset\": \"a\", \"questions\": 3, \"needed\": 200, \"missRate\": 0.1, \"missesWhileLearning\": 0.125, \
             \"start\": {}, \"learned\": {}, \"halfReported\": {}, \"best\": {}, \
             \"curve\": [{{\"reports\": 0, \"mean\": 0.4, \"low\": 0.4, \"high\": 0.4}}, \
             {{\"reports\": 19, \"mean\": 0.5, \"low\": 0.4, \"high\": 0.6}}]}}]",
            threshold(0.4),
            threshold(0.5),
            threshold(0.55),
            threshold(0.6)
        );
        let expect = "| data set | questions | reports | threshold | | needed passages hidden | all passages hidden |\n\
            |---|---:|---:|---|---:|---:|---:|\n\
            | a | 3 | 200 | at the start | 0.400 | 10.0 % | 75.0 % |\n\
            | a | 3 | 200 | learned (0.50 after 19, 0.50 after 19) | 0.500 | 10.0 %; 12.5 % while learning | 75.0 % |\n\
            | a | 3 | 200 | learned, half of the misses reported | 0.550 | 10.0 % | 75.0 % |\n\
            | a | 3 | 200 | best fixed | 0.600 | 10.0 % | 75.0 % |\n";
        assert_eq!(table(&figures).unwrap(), expect);
        assert!(table("{}").is_err());
    }
}
