//! `cargo xtask eval`: measures how much of the labelled data sets survives, and writes the figures into the
//! documentation.
//!
//! The data may not be redistributed. If it is not available, nothing is measured and nothing changes.

mod figures;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
};

use figures::Figures;

use crate::{Result, binary::Binary, document::Document, say, workspace};

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

/// `group` with its data sets in `data`; `None` if there are none.
fn found(data: &Path, group: &'static Group) -> Option<Found> {
    let paths = paths(data, group.datasets);
    (!paths.is_empty()).then_some((group, paths))
}

/// The paths of those of `datasets` that are in `data`.
fn paths(data: &Path, datasets: &[&str]) -> Vec<String> {
    let paths = datasets.iter().map(|name| data.join(name)).filter(|path| path.is_dir());
    paths.map(|path| path.display().to_string()).collect()
}

/// Measures what `auto` and every baseline keep, and draws the `picture`.
fn figures(binary: &Binary, picture: &str, datasets: &[&str]) -> Result<Figures> {
    let file = env::temp_dir().join(format!("contextfit-eval-{}.json", process::id()));
    let path = file.display().to_string();
    binary.run(&[&["eval", "--plot", picture, "--json", &path], datasets].concat())?;
    let text = fs::read_to_string(&file)?;
    fs::remove_file(&file)?;
    Figures::parse(&text)
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
}
