//! `cargo xtask eval`: what survives of the labelled data sets, measured and written into the documents.
//!
//! The data is not ours to pass on; where it is not at hand, nothing is measured and nothing changes.

mod figures;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
};

use figures::Figures;

use crate::{Result, binary::Binary, document::Document, say, workspace};

const DOCUMENT: Document = Document { path: "docs/quality.md", command: "eval" };

/// Data sets that are drawn in one picture.
struct Group {
    picture: &'static str,
    datasets: &'static [&'static str],
}

const GROUPS: [Group; 2] = [
    Group {
        picture: "docs/images/quality-qa.svg",
        datasets: &["squad_en", "nq_multidoc", "hotpot_distractor"],
    },
    Group { picture: "docs/images/quality-code.svg", datasets: &["code"] },
];

/// The arguments of `eval`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of the data sets [default: CONTEXTFIT_DATA, else ../shared/data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A smoke test: 20 items of each data set, nothing is written
    #[arg(long)]
    quick: bool,
}

/// Measures, and writes the tables and the pictures.
///
/// # Errors
/// When a run fails, or a file cannot be written.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let data = folder(args.data.clone(), env::var_os("CONTEXTFIT_DATA").map(PathBuf::from), &root);
    let groups: Vec<(&Group, Vec<String>)> = GROUPS
        .iter()
        .map(|group| (group, present(&data, group)))
        .filter(|(_, sets)| !sets.is_empty())
        .collect();
    if groups.is_empty() {
        say::line(&format!(
            "eval: no data sets in {}; nothing is measured (--data DIR or CONTEXTFIT_DATA says where they are)",
            data.display()
        ));
        return Ok(());
    }
    let binary = Binary::build(&root)?;
    let mut text = String::new();
    for (group, datasets) in groups {
        let sets: Vec<&str> = datasets.iter().map(String::as_str).collect();
        if args.quick {
            let printed = binary.run(&[&["eval", "--limit", "20"], sets.as_slice()].concat())?;
            say::line(&(printed.out + printed.err.trim_end()));
            continue;
        }
        // The picture has room for the usual contenders; the tables hold all of them.
        binary.run(&[&["eval", "--plot", group.picture], sets.as_slice()].concat())?;
        say::line(&format!("{}: written", group.picture));
        text.push_str(&figures(&binary, &sets)?.tables());
    }
    if args.quick { Ok(()) } else { DOCUMENT.write(&root, &text) }
}

/// The folder that is asked for, by the command line, else by the environment, else beside the workspace.
fn folder(asked: Option<PathBuf>, set: Option<PathBuf>, root: &Path) -> PathBuf {
    asked.or(set).unwrap_or_else(|| root.join("../shared/data"))
}

/// The data sets of `group` that are in `data`.
fn present(data: &Path, group: &Group) -> Vec<String> {
    let paths = group.datasets.iter().map(|name| data.join(name)).filter(|path| path.is_dir());
    paths.map(|path| path.display().to_string()).collect()
}

/// What every strategy and every baseline keeps.
fn figures(binary: &Binary, datasets: &[&str]) -> Result<Figures> {
    let file = env::temp_dir().join(format!("contextfit-eval-{}.json", process::id()));
    let path = file.display().to_string();
    binary.run(&[&["eval", "--strategy", "all", "--json", &path], datasets].concat())?;
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
        let args = Args { data: Some("no/such/folder".into()), quick: false };
        assert!(run(&args).is_ok());
    }
}
