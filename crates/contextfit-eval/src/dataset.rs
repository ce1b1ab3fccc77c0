//! Data sets: folders of items.

use std::{collections::HashSet, path::Path};

use crate::{
    EvalError, Item, Material, Measure, Share, agents, code,
    folder::{Folder, Line},
    locomo, qa, qmsum, sessions,
};

/// A kind of data set: the parts that its files are named after, the items in the last, and how they are read.
struct Kind {
    name: &'static str,
    parts: &'static [&'static str],
    /// Tells kinds apart whose files have the same names.
    is: fn(&Folder) -> Result<bool, EvalError>,
    load: fn(&Folder) -> Result<Vec<Line<Item>>, EvalError>,
    material: Material,
    measure: Measure,
    shares: &'static [Share],
}

/// The kinds, in the order in which a folder is tried for them.
const KINDS: [Kind; 6] = [
    Kind {
        name: "qa",
        parts: &["passages", "queries"],
        is: |_| Ok(true),
        load: qa::load,
        material: Material::Passages,
        measure: Measure::All,
        shares: &Share::USUAL,
    },
    Kind {
        name: "code",
        parts: &["localize"],
        is: |_| Ok(true),
        load: code::load,
        material: Material::Passages,
        measure: Measure::All,
        shares: &Share::USUAL,
    },
    Kind {
        name: "talk",
        parts: &["conversations", "queries"],
        is: |_| Ok(true),
        load: locomo::load,
        material: Material::Talk,
        measure: Measure::All,
        shares: &Share::LONG_TALK,
    },
    Kind {
        name: "meeting",
        parts: &["meetings"],
        is: |_| Ok(true),
        load: qmsum::load,
        material: Material::Talk,
        measure: Measure::Fraction,
        shares: &Share::USUAL,
    },
    Kind {
        name: "session",
        parts: &["trajectories"],
        is: sessions::is_session,
        load: sessions::load,
        material: Material::Agent,
        measure: Measure::Fraction,
        shares: &Share::SESSION,
    },
    Kind {
        name: "agent",
        parts: &["trajectories"],
        is: |_| Ok(true),
        load: agents::load,
        material: Material::Agent,
        measure: Measure::Fraction,
        shares: &Share::USUAL,
    },
];

/// Questions with labels, of one kind.
#[derive(Debug)]
#[non_exhaustive]
pub struct Dataset {
    /// Its name: that of its folder.
    pub name: String,
    /// Its kind: `qa`, `code`, `talk`, `meeting`, `session` or `agent`.
    pub kind: &'static str,
    /// What its items are: decides who can be measured on it.
    pub material: Material,
    /// The figure that says most of it.
    pub measure: Measure,
    /// The budgets that it is measured at when nothing else is asked for.
    pub shares: &'static [Share],
    /// The split that was read.
    pub split: String,
    /// Its items, in the order of its file; at least one.
    pub items: Vec<Item>,
}

impl Dataset {
    /// Reads the data set in the folder `path`: question answering from `SPLIT.passages.jsonl` and
    /// `SPLIT.queries.jsonl`, localisation in code from `SPLIT.localize.jsonl`, questions about long talk from
    /// `SPLIT.conversations.jsonl` and `SPLIT.queries.jsonl`, about meetings from `SPLIT.meetings.jsonl`, runs of agents from
    /// `SPLIT.trajectories.jsonl`. Runs without instructions that are cut after messages of the user's alone are sessions.
    /// `split` may be left open where there is only one.
    ///
    /// # Errors
    /// [`EvalError`]: the folder is none of a data set, the split is not clear, a line is not as it should be.
    pub fn read(path: &Path, split: Option<&str>) -> Result<Self, EvalError> {
        let place = path.display().to_string();
        for kind in &KINDS {
            let folders = Folder::splits(path, kind.parts)?;
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
            let items = distinct(kind, folder)?;
            if items.is_empty() {
                return Err(EvalError::Empty { path: place });
            }
            return Ok(Self {
                name: name_of(path),
                kind: kind.name,
                material: kind.material,
                measure: kind.measure,
                shares: kind.shares,
                split: folder.split.clone(),
                items,
            });
        }
        let files = |kind: &Kind| {
            kind.parts.iter().map(|part| format!("*.{part}.jsonl")).collect::<Vec<_>>().join(" and ")
        };
        let mut expected: Vec<String> = KINDS.iter().map(files).collect();
        expected.dedup();
        Err(EvalError::NoDataset { path: place, expected: expected.join(", or ") })
    }

    /// The same with `most` items at most, chosen by a hash of their ids: a sample that is the same on every machine,
    /// whatever else the file holds. Linear-logarithmic in the number of items.
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

/// The items of `folder`, no two with the same id.
fn distinct(kind: &Kind, folder: &Folder) -> Result<Vec<Item>, EvalError> {
    let mut ids = HashSet::new();
    let mut items = Vec::new();
    for Line { number, value } in (kind.load)(folder)? {
        if !ids.insert(value.id.clone()) {
            let part = kind.parts.last().copied().unwrap_or_default();
            let message = format!("{:?} is the id of an earlier line", value.id);
            return Err(folder.malformed(part, number, "id", message));
        }
        items.push(value);
    }
    Ok(items)
}

/// The last part of `path`, as it stands on disk: `.` has a name too.
fn name_of(path: &Path) -> String {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    full.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// FNV-1a (Fowler, Noll and Vo), 64 bits, over the id; then mixed, as its high bits change little with the last byte.
fn hash(id: &str) -> u64 {
    let fnv = id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    crate::bootstrap::mixed(fnv)
}
