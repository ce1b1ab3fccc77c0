//! `cargo xtask eval`: measures how much of the labelled data sets survives, and writes the figures into the
//! documentation.
//!
//! The data may not be redistributed. If it is not available, nothing is measured and nothing changes.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
};

use serde::Deserialize;

use crate::{
    binary::Binary,
    figures::{Document, percent},
    say::{self, Result},
    workspace,
};

/// Data sets whose tables appear together: search results, or conversations.
struct Section {
    document: Document,
    groups: &'static [Group],
}

/// Data sets drawn in one picture.
struct Group {
    picture: &'static str,
    datasets: &'static [&'static str],
}

const SEARCH: Section = Section {
    document: Document { path: "docs/quality.md", command: "eval" },
    groups: &[
        Group {
            picture: "docs/images/quality-qa.svg",
            datasets: &["squad_en", "nq_multidoc", "hotpot_distractor"],
        },
        Group { picture: "docs/images/quality-code.svg", datasets: &["code"] },
    ],
};

const CHAT: Section = Section {
    document: Document { path: "docs/quality.md", command: "eval --only chat" },
    groups: &[Group {
        picture: "docs/images/quality-chat.svg",
        datasets: &["locomo", "qmsum", "tau_airline", "swe_agent_mit", "coding_sessions"],
    }],
};

/// The arguments of `eval`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the data sets [default: CONTEXTFIT_DATA, or else ../shared/data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Smoke test: 20 items of each data set, without writing anything
    #[arg(long)]
    quick: bool,
    /// Measure only search results and files, or only conversations
    #[arg(long, value_name = "WHAT")]
    only: Option<Only>,
}

/// The parts that can be measured separately.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    Search,
    Chat,
}

/// Measures, and writes the tables and the pictures.
///
/// # Errors
/// If a run fails or a file cannot be written.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let data = data(args.data.clone(), &root);
    let sections = [(Only::Search, SEARCH), (Only::Chat, CHAT)];
    let asked = sections.iter().filter(|(what, _)| args.only.is_none_or(|only| only == *what));
    let sections: Vec<(Document, Vec<Found>)> = asked
        .map(|(_, section)| {
            (section.document, section.groups.iter().filter_map(|group| found(&data, group)).collect())
        })
        .filter(|(_, groups): &(Document, Vec<Found>)| !groups.is_empty())
        .collect();
    if sections.is_empty() {
        say::line(&format!(
            "eval: no data sets in {}, so nothing is measured; set their folder with --data DIR or CONTEXTFIT_DATA",
            data.display()
        ));
        return Ok(());
    }
    let binary = Binary::build(&root)?;
    for (document, groups) in sections {
        let mut text = String::new();
        for (group, datasets) in groups {
            let sets: Vec<&str> = datasets.iter().map(String::as_str).collect();
            if args.quick {
                let printed = binary.run(&[&["eval", "--limit", "20"], sets.as_slice()].concat())?;
                say::line(&(printed.out + printed.err.trim_end()));
                continue;
            }
            text.push_str(&figures(&binary, group.picture, &sets)?.tables());
            say::line(&format!("{}: written", group.picture));
        }
        if !args.quick {
            document.write(&root, &text)?;
        }
    }
    Ok(())
}

/// A group, and the paths of its available data sets.
type Found = (&'static Group, Vec<String>);

/// The folder of the data sets: the one `asked` for, or else that of the environment, or else that next to the
/// workspace.
pub(crate) fn data(asked: Option<PathBuf>, root: &Path) -> PathBuf {
    folder(asked, env::var_os("CONTEXTFIT_DATA").map(PathBuf::from), root)
}

/// The folder given by the command line, or else by the environment, or else next to the workspace.
fn folder(asked: Option<PathBuf>, set: Option<PathBuf>, root: &Path) -> PathBuf {
    asked.or(set).unwrap_or_else(|| root.join("../shared/data"))
}

/// `group` with the paths of those of its data sets that are in `data`; `None` if there are none.
fn found(data: &Path, group: &'static Group) -> Option<Found> {
    let paths = group.datasets.iter().map(|name| data.join(name)).filter(|path| path.is_dir());
    let paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    (!paths.is_empty()).then_some((group, paths))
}

/// Measures what every strategy and baseline keeps, and draws `auto` and the baselines in the `picture`.
fn figures(binary: &Binary, picture: &str, datasets: &[&str]) -> Result<Figures> {
    let file = env::temp_dir().join(format!("contextfit-eval-{}.json", process::id()));
    let path = file.display().to_string();
    binary.run(&[&["eval", "--plot", picture], datasets].concat())?;
    binary.run(&[&["eval", "--strategy", "all", "--json", &path], datasets].concat())?;
    let text = fs::read_to_string(&file)?;
    fs::remove_file(&file)?;
    Figures::parse(&text)
}

/// The figures of a run.
#[derive(Debug, Deserialize)]
struct Figures {
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
    fn parse(text: &str) -> Result<Self> {
        Ok(serde_json::from_str(text)
            .map_err(|error| format!("cannot read the figures of contextfit eval: {error}"))?)
    }

    /// One table for each data set, under a line with its name and the number of items.
    fn tables(&self) -> String {
        self.datasets.iter().map(|dataset| self.table(dataset)).collect()
    }

    /// One row for each strategy; strategies with the same figures share one.
    fn table(&self, Dataset { name, kind, split, n }: &Dataset) -> String {
        let ((main, shown), others) = measures(kind);
        let rows: Vec<&Row> = self.figures.iter().filter(|row| row.dataset == *name).collect();
        let strategies: Vec<&[&Row]> = rows.chunk_by(|one, next| one.strategy == next.strategy).collect();
        let mut lines: Vec<(String, String)> = Vec::new();
        for rows in &strategies {
            let name = rows.first().map_or("", |row| row.strategy.as_str());
            let figures = rows.iter().map(|row| shown(row));
            let figures: Vec<String> =
                figures.chain(others.iter().map(|(_, shown)| at_all_budgets(rows, *shown))).collect();
            let figures = figures.join(" | ");
            match lines.iter_mut().find(|(_, same)| *same == figures) {
                Some((names, _)) => *names = format!("{names}, {name}"),
                None => lines.push((name.to_owned(), figures)),
            }
        }
        // Budgets are whole percentages.
        let budgets = strategies.first().copied().unwrap_or_default().iter().map(|row| row.budget * 100.0);
        let heads: Vec<String> = budgets
            .map(|budget| format!("{budget:.0} %"))
            .chain(others.iter().map(|(measure, _)| (*measure).to_owned()))
            .collect();
        let lines: String =
            lines.iter().map(|(names, figures)| format!("| {names} | {figures} |\n")).collect();
        format!(
            "**{name}** (split {split}, n = {n}, {}): {main} at each budget\n\n| strategy | {} |\n|---|{}\n{lines}\n",
            self.tokenizer,
            heads.join(" | "),
            "---:|".repeat(heads.len())
        )
    }
}

/// The name of a figure, and how a row shows it.
type Measure = (&'static str, fn(&Row) -> String);

/// The measure that data sets of a kind are judged by, and the others.
fn measures(kind: &str) -> (Measure, Vec<Measure>) {
    let fraction: Measure = ("fraction", |row| percent(row.evidence_fraction.mean));
    let (main, mut others): (Measure, Vec<Measure>) = match kind {
        "code" => (
            ("all functions kept", |row| interval(&row.evidence_all)),
            vec![fraction, ("signatures", |row| mean(row.signatures.as_ref()))],
        ),
        "talk" => (("all turns kept", |row| interval(&row.evidence_all)), vec![fraction]),
        "meeting" => (
            ("recall", |row| interval(&row.evidence_fraction)),
            vec![("all turns kept", |row| percent(row.evidence_all.mean))],
        ),
        "agent" | "session" => {
            let mut others: Vec<Measure> = vec![
                ("values", |row| percent(row.evidence_fraction.mean)),
                ("all values kept", |row| percent(row.evidence_all.mean)),
                ("fragments", |row| row.fragments.map_or_else(String::new, percent)),
                ("invalid", |row| row.invalid.as_ref().map_or_else(String::new, usize::to_string)),
            ];
            if kind == "session" {
                others.insert(0, ("user's words", |row| mean(row.user_words.as_ref())));
            }
            (
                ("values in whole units", |row| row.whole_units.as_ref().map_or_else(String::new, interval)),
                others,
            )
        }
        _ => (
            ("all evidence kept", |row| interval(&row.evidence_all)),
            vec![fraction, ("answers", |row| mean(row.answers.as_ref()))],
        ),
    };
    let of_all: [Measure; 3] = [
        ("output", |row| percent(row.output_ratio)),
        ("over", |row| row.over_budget.to_string()),
        ("errors", |row| row.errors.to_string()),
    ];
    others.extend(of_all);
    (main, others)
}

/// A figure at all budgets, as `8.9 / 17.9 / 23.3 %`, or once if it is the same at all.
fn at_all_budgets(rows: &[&Row], shown: fn(&Row) -> String) -> String {
    let mut figures: Vec<String> = rows.iter().map(|row| shown(row)).collect();
    if figures.windows(2).all(|pair| matches!(pair, [one, next] if one == next)) {
        figures.truncate(1);
    }
    let last = figures.pop().unwrap_or_default();
    let others: String =
        figures.iter().map(|figure| figure.trim_end_matches(" %").to_owned() + " / ").collect();
    others + &last
}

fn mean(estimate: Option<&Estimate>) -> String {
    estimate.map_or_else(String::new, |estimate| percent(estimate.mean))
}

/// Mean and interval in percent.
fn interval(Estimate { mean, low, high }: &Estimate) -> String {
    format!("{} ({:.1} to {:.1})", percent(*mean), low * 100.0, high * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_data_is() {
        let (asked, set) = (PathBuf::from("asked"), PathBuf::from("set"));
        let root = Path::new("/work/here");
        assert_eq!(folder(Some(asked.clone()), Some(set.clone()), root), asked);
        assert_eq!(folder(None, Some(set.clone()), root), set);
        assert_eq!(folder(None, None, root), Path::new("/work/here/../shared/data"));
    }

    #[test]
    fn without_data_nothing_is_done() {
        let args = Args { data: Some("no/such/folder".into()), quick: false, only: None };
        assert!(run(&args).is_ok());
    }

    #[test]
    fn a_table_for_each_data_set() {
        let estimate = |mean: f64| format!("{{\"mean\": {mean}, \"low\": 0.25, \"high\": 1.0, \"n\": 4}}");
        let at = |dataset: &str, strategy: &str, budget: f64, more: &str| {
            format!(
                "{{\"dataset\": \"{dataset}\", \"strategy\": \"{strategy}\", \"budget\": {budget}, \"n\": 4, \
                 \"evidenceAll\": {}, \"evidenceFraction\": {}, {more} \"outputRatio\": 0.0961, \"budgetUsed\": 0.9, \
                 \"overBudget\": 0, \"errors\": 1, \"tokensPerSecond\": 3.0}}",
                estimate(0.5),
                estimate(0.625)
            )
        };
        let row = |dataset: &str, more: &str| at(dataset, "head", 0.1, more);
        let answers = |budget: f64, share: f64, strategy: &str| {
            at("a", strategy, budget, &format!("\"answers\": {},", estimate(share)))
        };
        let a = ["head", "tail"]
            .map(|name| answers(0.1, 0.75, name) + ", " + &answers(0.25, 0.8, name))
            .join(", ");
        let text = format!(
            "{{\"version\": \"0\", \"tokenizer\": \"o200k_base\", \"datasets\": [\
             {{\"name\": \"b\", \"kind\": \"code\", \"split\": \"dev\", \"n\": 4}}, \
             {{\"name\": \"a\", \"kind\": \"qa\", \"split\": \"dev\", \"n\": 4}}, \
             {{\"name\": \"t\", \"kind\": \"talk\", \"split\": \"dev\", \"n\": 4}}, \
             {{\"name\": \"r\", \"kind\": \"agent\", \"split\": \"dev\", \"n\": 4}}, \
             {{\"name\": \"s\", \"kind\": \"session\", \"split\": \"dev\", \"n\": 4}}], \"figures\": [{}, {}, {}, {}, {}]}}",
            a,
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
        let expect = "**b** (split dev, n = 4, o200k_base): all functions kept at each budget\n\n\
            | strategy | 10 % | fraction | signatures | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|---:|\n\
            | head | 50.0 % (25.0 to 100.0) | 62.5 % | 30.0 % | 9.6 % | 0 | 1 |\n\n\
            **a** (split dev, n = 4, o200k_base): all evidence kept at each budget\n\n\
            | strategy | 10 % | 25 % | fraction | answers | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|---:|---:|\n\
            | head, tail | 50.0 % (25.0 to 100.0) | 50.0 % (25.0 to 100.0) | 62.5 % | 75.0 / 80.0 % | 9.6 % | 0 | 1 |\n\n\
            **t** (split dev, n = 4, o200k_base): all turns kept at each budget\n\n\
            | strategy | 10 % | fraction | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|\n\
            | head | 50.0 % (25.0 to 100.0) | 62.5 % | 9.6 % | 0 | 1 |\n\n\
            **r** (split dev, n = 4, o200k_base): values in whole units at each budget\n\n\
            | strategy | 10 % | values | all values kept | fragments | invalid | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|---:|---:|---:|\n\
            | head | 50.0 % (25.0 to 100.0) | 62.5 % | 50.0 % | 2.0 % | 2 | 9.6 % | 0 | 1 |\n\n\
            **s** (split dev, n = 4, o200k_base): values in whole units at each budget\n\n\
            | strategy | 10 % | user's words | values | all values kept | fragments | invalid | output | over | errors |\n\
            |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n\
            | head | 50.0 % (25.0 to 100.0) | 87.5 % | 62.5 % | 50.0 % | 0.0 % | 0 | 9.6 % | 0 | 1 |\n\n";
        assert_eq!(Figures::parse(&text).unwrap().tables(), expect);
        assert!(Figures::parse("{}").is_err());
    }
}
