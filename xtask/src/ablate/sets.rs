//! The data sets, and a run of each.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use super::rule::{CONSULTED, OFF};
use crate::{Result, binary::Binary};

/// The sets of the project, relative to the root.
const OURS: &str = "crates/contextfit-eval/data";
const OUR_SETS: [&str; 4] = ["outputs", "documents", "rules", "memories"];

/// The budgets, as shares of each item.
const BUDGETS: [&str; 2] = ["10%", "25%"];

/// The budgets of tasks in whole repositories, in tokens; nobody shows a tenth of a repository.
const OF_REPOSITORIES: [&str; 2] = ["2000", "8000"];

/// A data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Set {
    /// Its name: that of its folder.
    pub name: String,
    folder: PathBuf,
}

/// One run over a data set.
#[derive(Debug)]
pub(crate) struct Run {
    /// The outcome for each item, as `contextfit eval --items` writes it.
    pub items: String,
    /// The names of the rules that were consulted.
    pub consulted: BTreeSet<String>,
    /// How long it took.
    pub seconds: f64,
}

/// The data sets of the project and those in `data`.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn sets(root: &Path, data: &Path) -> Result<Vec<Set>> {
    let set = |name: &str, within: &Path| Set { name: name.into(), folder: within.join(name) };
    let mut sets: Vec<Set> = OUR_SETS.iter().map(|name| set(name, &root.join(OURS))).collect();
    if data.is_dir() {
        let entries = fs::read_dir(data)?.collect::<std::io::Result<Vec<_>>>()?;
        let folders = entries.iter().filter(|entry| entry.path().is_dir());
        let mut names: Vec<_> =
            folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        sets.extend(names.iter().map(|name| set(name, data)));
    }
    Ok(sets)
}

impl Set {
    /// Measures it with the rules called `off` switched off; the files of the run are in `folder`.
    ///
    /// # Errors
    /// If the program fails, for example since it cannot read the data.
    pub(crate) fn run(
        &self,
        binary: &Binary,
        off: &[&str],
        repositories: Option<&Path>,
        folder: &Path,
    ) -> Result<Run> {
        let (items, consulted) = (folder.join("items.jsonl"), folder.join("consulted.txt"));
        for file in [&items, &consulted] {
            fs::write(file, "")?;
        }
        let of_repositories = self.name.starts_with("repo_");
        let [low, high] = if of_repositories { OF_REPOSITORIES } else { BUDGETS };
        let (data, file) = (self.folder.display().to_string(), items.display().to_string());
        let mut args = vec!["eval", &data, "--split", "dev", "--strategy", "auto"];
        args.extend(["--budget", low, "--budget", high, "--items", &file]);
        let repositories =
            repositories.filter(|_| of_repositories).map(|folder| folder.display().to_string());
        args.extend(repositories.iter().flat_map(|folder| ["--repositories", folder]));
        let off = off.join(",");
        let started = Instant::now();
        binary.run_with(&args, &[(OFF, OsStr::new(&off)), (CONSULTED, consulted.as_os_str())])?;
        let seconds = started.elapsed().as_secs_f64();
        let consulted = fs::read_to_string(consulted)?.lines().map(Into::into).collect();
        Ok(Run { items: fs::read_to_string(items)?, consulted, seconds })
    }
}
