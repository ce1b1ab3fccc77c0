//! Data sets: folders of items of one material.

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};

use crate::{
    Allowance, Baseline, EvalError, Item, Repositories, agents,
    bootstrap::mixed,
    code, excerpts,
    folder::{Folder, Line, Loaded},
    locomo, memories, outputs, qa, qmsum, repository, units,
};

/// A kind of data set: the parts its files are named after (items are in the last), and how to read them.
struct DatasetKind {
    name: &'static str,
    parts: &'static [&'static str],
    /// Distinguishes kinds whose files have the same names.
    is: fn(&Folder) -> Result<bool, EvalError>,
    load: fn(&Folder, &Repositories) -> Result<Loaded, EvalError>,
    material: Material,
    measure: Measure,
    budgets: &'static [Allowance],
}

/// The kinds, in the order in which they are tried.
const KINDS: [DatasetKind; 10] = [
    DatasetKind {
        measure: Measure::All,
        ..kind("qa", &["passages", "queries"], Material::Passages, |folder, _| all(qa::load(folder)))
    },
    DatasetKind {
        measure: Measure::All,
        ..kind("code", &["localize"], Material::Passages, |folder, _| all(code::load(folder)))
    },
    DatasetKind {
        measure: Measure::All,
        budgets: &Allowance::LONG_TALK,
        ..kind("talk", &["conversations", "queries"], Material::Talk, |folder, _| all(locomo::load(folder)))
    },
    kind("meeting", &["meetings"], Material::Talk, |folder, _| all(qmsum::load(folder))),
    DatasetKind {
        is: agents::is_session,
        budgets: &Allowance::SESSION,
        ..kind("session", &["trajectories"], Material::Agent, |folder, _| all(agents::load_sessions(folder)))
    },
    kind("agent", &["trajectories"], Material::Agent, |folder, _| all(agents::load(folder))),
    DatasetKind {
        is: excerpts::is_text,
        budgets: &Allowance::SESSION,
        ..kind("excerpt", &["cases"], Material::Passages, |folder, _| all(excerpts::load(folder)))
    },
    DatasetKind {
        budgets: &Allowance::SESSION,
        ..kind("output", &["cases"], Material::Agent, |folder, _| all(outputs::load(folder)))
    },
    kind("memory", &["memories"], Material::Memories, |folder, _| all(memories::load(folder))),
    DatasetKind {
        budgets: &Allowance::REPOSITORY,
        ..kind("repository", &[repository::COMMITS_PART], Material::Repository, repository::load)
    },
];

/// A kind that its files alone distinguish, whose main figure is the fraction of the evidence, at the usual budgets.
const fn kind(
    name: &'static str,
    parts: &'static [&'static str],
    material: Material,
    load: fn(&Folder, &Repositories) -> Result<Loaded, EvalError>,
) -> DatasetKind {
    let (measure, budgets) = (Measure::Fraction, &Allowance::USUAL);
    DatasetKind { name, parts, is: |_| Ok(true), load, material, measure, budgets }
}

/// Items of which none is skipped.
fn all(items: Result<Vec<Line<Item>>, EvalError>) -> Result<Loaded, EvalError> {
    Ok(Loaded { items: items?, ..Loaded::default() })
}

/// Labelled questions of one kind.
#[derive(Debug)]
#[non_exhaustive]
pub struct Dataset {
    /// Its name: that of its folder.
    pub name: String,
    /// Its kind: `qa`, `code`, `talk`, `meeting`, `session`, `agent`, `excerpt`, `output`,
    /// `memory` or `repository`.
    pub kind: &'static str,
    /// What its items are made of; decides which strategies can be measured on it.
    pub material: Material,
    /// The main figure.
    pub measure: Measure,
    /// The default budgets.
    pub budgets: &'static [Allowance],
    /// The split that was read.
    pub split: String,
    /// Its items, in the order of its file; at least one.
    pub items: Vec<Item>,
    /// The number of skipped items for each reason, such as a missing repository.
    pub skipped: BTreeMap<String, usize>,
}

impl Dataset {
    /// Reads the data set in the folder `path`: question answering from `SPLIT.passages.jsonl` and
    /// `SPLIT.queries.jsonl`, localisation in code from `SPLIT.localize.jsonl`, questions about long conversations from
    /// `SPLIT.conversations.jsonl` and `SPLIT.queries.jsonl`, about meetings from `SPLIT.meetings.jsonl`, runs of
    /// agents from `SPLIT.trajectories.jsonl`, outputs of tools from `SPLIT.cases.jsonl`, in a transcript or alone,
    /// memories from `SPLIT.memories.jsonl`. Runs without instructions
    /// that are cut only after user messages are sessions. `split` may be omitted if there is only one.
    ///
    /// # Errors
    /// [`EvalError`] if the folder is not a data set, the split is ambiguous, or a line is malformed.
    pub fn read(path: &Path, split: Option<&str>) -> Result<Self, EvalError> {
        Self::read_with(path, split, &Repositories::default())
    }

    /// Reads the data set in `path`, including tasks in `repositories` from `SPLIT.jsonl`. Items with a missing
    /// repository or commit are skipped.
    ///
    /// # Errors
    /// [`EvalError`], also if no repository is found or git fails to run.
    pub fn read_with(
        path: &Path,
        split: Option<&str>,
        repositories: &Repositories,
    ) -> Result<Self, EvalError> {
        let place = path.display().to_string();
        for kind in &KINDS {
            let folders = splits(kind, path)?;
            if folders.is_empty() {
                continue;
            }
            let chosen =
                folders.iter().find(|folder| split.map_or(folders.len() == 1, |name| folder.split == name));
            let Some(folder) = chosen else {
                let splits = folders.iter().map(|folder| folder.split.clone()).collect();
                return Err(EvalError::Split { path: place, splits, asked: split.map(Into::into) });
            };
            if !(kind.is)(folder)? {
                continue;
            }
            let Loaded { items, skipped } = (kind.load)(folder, repositories)?;
            let items = distinct(kind, folder, items)?;
            if items.is_empty() {
                return Err(match skipped.is_empty() {
                    true => EvalError::Empty { path: place },
                    false => EvalError::AllSkipped { path: place, skipped },
                });
            }
            return Ok(Self {
                name: name_of(path),
                kind: kind.name,
                material: kind.material,
                measure: kind.measure,
                budgets: kind.budgets,
                split: folder.split.clone(),
                items,
                skipped,
            });
        }
        let files = |kind: &DatasetKind| match kind.parts {
            [repository::COMMITS_PART] => "*.jsonl of commits".to_owned(),
            parts => parts.iter().map(|part| format!("*.{part}.jsonl")).collect::<Vec<_>>().join(" and "),
        };
        let mut expected: Vec<String> = KINDS.iter().map(files).collect();
        expected.dedup();
        Err(EvalError::NoDataset { path: place, expected: expected.join(", or ") })
    }

    /// Limits the data set to `most` items, chosen by a hash of their ids: a sample that is the same on every machine,
    /// whatever else the file contains. O(n log n) in the number of items.
    #[must_use]
    pub fn with_limit(mut self, most: usize) -> Self {
        let mut hashes: Vec<u64> = self.items.iter().map(|item| hash(&item.id)).collect();
        hashes.sort_unstable();
        let chosen: HashSet<u64> = hashes.into_iter().take(most).collect();
        self.items.retain(|item| chosen.contains(&hash(&item.id)));
        self.items.truncate(most);
        self
    }
}

/// The splits of `path` that may be of `kind`. A file called `SPLIT.jsonl` can contain anything, so its first line
/// decides.
fn splits(kind: &DatasetKind, path: &Path) -> Result<Vec<Folder>, EvalError> {
    let mut folders = Folder::splits(path, kind.parts)?;
    if kind.parts == [repository::COMMITS_PART] {
        folders.retain(repository::has_commits);
    }
    Ok(folders)
}

/// The items of `lines`, all with different ids.
fn distinct(kind: &DatasetKind, folder: &Folder, lines: Vec<Line<Item>>) -> Result<Vec<Item>, EvalError> {
    let mut ids = HashSet::new();
    let mut items = Vec::new();
    for Line { number, value } in lines {
        if !ids.insert(value.id.clone()) {
            let part = kind.parts.last().copied().unwrap_or_default();
            let message = format!("{:?} is the id of an earlier line", value.id);
            return Err(folder.malformed(part, number, "id", message));
        }
        items.push(value);
    }
    Ok(items)
}

/// The last component of `path` on disk: `.` has a name too.
fn name_of(path: &Path) -> String {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    full.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The hash of `id`, mixed, as its high bits hardly depend on the last byte.
fn hash(id: &str) -> u64 {
    mixed(units::hash(id))
}

/// What the items of a data set are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Material {
    /// Passages and files: the results of a search.
    Passages,
    /// Whole repositories, with a task.
    Repository,
    /// Memories, with a question.
    Memories,
    /// Conversations between people, with a question about them.
    Talk,
    /// Runs of an agent that calls tools.
    Agent,
}

impl Material {
    /// The display name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passages => "passages",
            Self::Repository => "repositories",
            Self::Memories => "memories",
            Self::Talk => "talk",
            Self::Agent => "agent runs",
        }
    }

    /// The baselines for it.
    #[must_use]
    pub const fn baselines(self) -> &'static [Baseline] {
        match self {
            Self::Passages | Self::Memories => &Baseline::PASSAGES,
            Self::Repository => &Baseline::REPOSITORY,
            Self::Talk => &Baseline::TALK,
            Self::Agent => &Baseline::AGENT,
        }
    }
}

/// The main figure of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// The share of items with all evidence kept.
    All,
    /// The mean fraction of evidence kept.
    Fraction,
}
