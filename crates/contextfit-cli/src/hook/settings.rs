//! The entry of the hook in an agent's settings: everything else in the file stays as it is, byte for byte.

use std::{
    collections::{BTreeMap, HashMap},
    env, fs, io,
    ops::Range,
    path::PathBuf,
};

use contextfit_serve::save_private;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};

use super::{Agent, EVENT, SettingsArgs};
use crate::{console, error::CliError, folders, output, report, target::folder};

/// An agent's folder: the variable that names it, and its path in the home and in a project without it.
type Folder = (&'static str, &'static str);

const CLAUDE_CODE: Folder = ("CLAUDE_CONFIG_DIR", ".claude");
const CODEX: Folder = ("CODEX_HOME", ".codex");

impl Agent {
    /// The command of its hook.
    const fn command(self) -> &'static str {
        match self {
            Self::ClaudeCode => "contextfit hook claude-code",
            Self::Codex => "contextfit hook codex",
            Self::Opencode => "contextfit hook opencode",
        }
    }

    /// Its tools whose outputs may be shortened.
    const fn tools(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Bash|Grep",
            Self::Codex => "Bash",
            Self::Opencode => "bash|grep",
        }
    }

    /// The file with its hooks: the user's, or that of the project in the working directory.
    fn file(self, of_project: bool) -> Result<PathBuf, CliError> {
        let (variable, user, project, file) = match self {
            Self::ClaudeCode => (CLAUDE_CODE.0, own_folder(CLAUDE_CODE), CLAUDE_CODE.1, "settings.json"),
            Self::Codex => (CODEX.0, own_folder(CODEX), CODEX.1, "hooks.json"),
            Self::Opencode => {
                let config = folders::base("XDG_CONFIG_HOME", ".config");
                (
                    "XDG_CONFIG_HOME",
                    config.map(|config| config.join("opencode")),
                    ".opencode",
                    "plugin/contextfit.js",
                )
            }
        };
        let folder = if of_project { Some(PathBuf::from(project)) } else { user };
        let missing = || CliError::Usage(format!("no settings: neither {variable} nor HOME is set"));
        Ok(folder.ok_or_else(missing)?.join(file))
    }
}

/// The key of the lists of hooks.
const HOOKS: &str = "hooks";

/// Where the settings before the entry are kept, in the folder of states.
const RECORDS: &str = "hooks.json";

/// Adds the entry.
pub(super) fn install(args: &SettingsArgs) -> Result<(), CliError> {
    let settings = Settings::read(args)?;
    let text = settings.text();
    if !settings.entries(text)?.is_empty() {
        return settings.nothing_to_do();
    }
    let after = with_entry(text, args.agent).map_err(|what| settings.invalid(what))?;
    settings.show(Some(&after))?;
    if args.dry_run {
        return Ok(());
    }
    settings.write(Some(&after))?;
    let added = Added { before: settings.before.clone(), after };
    let kept = settings.record(|all, name| _ = all.insert(name, added));
    if let Err(error) = kept {
        console::warning(format!("uninstalling will not restore the file byte for byte: {error}"));
    }
    Ok(())
}

/// Removes the entry. A file that was not edited since it was added is as it was before.
pub(super) fn uninstall(args: &SettingsArgs) -> Result<(), CliError> {
    let settings = Settings::read(args)?;
    let mut text = settings.text().to_owned();
    if settings.entries(&text)?.is_empty() {
        return settings.nothing_to_do();
    }
    while let Some(entry) = settings.entries(&text)?.pop() {
        text.replace_range(entry, "");
    }
    let added = settings.records().remove(&settings.name());
    let after = match added.filter(|added| Some(&added.after) == settings.before.as_ref()) {
        Some(added) => added.before,
        None => Some(text),
    };
    settings.show(after.as_deref())?;
    if args.dry_run {
        return Ok(());
    }
    settings.write(after.as_deref())?;
    // An old record restores nothing: the file is no longer what it says.
    let _ = settings.record(|all, name| _ = all.remove(&name));
    Ok(())
}

/// A file of settings before and after the entry was added.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Added {
    /// `None` if there was no file.
    before: Option<String>,
    after: String,
}

/// The file with the hooks of an agent.
pub(super) struct Settings {
    agent: Agent,
    path: PathBuf,
    /// The text of the file; `None` if there is none.
    pub(super) before: Option<String>,
}

impl Settings {
    pub(super) fn read(args: &SettingsArgs) -> Result<Self, CliError> {
        let (agent, path) = (args.agent, args.agent.file(args.project)?);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Self { agent, path, before: Some(text) }),
            Err(_) if path.is_symlink() && !path.exists() => {
                Err(Self { agent, path, before: None }.invalid("a link to a file that is not there".into()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self { agent, path, before: None }),
            Err(source) => Err(CliError::Read { path: path.display().to_string(), source }),
        }
    }

    /// The path as text, without what it is relative to.
    fn name(&self) -> String {
        std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone()).display().to_string()
    }

    /// The text, or that of settings without any.
    fn text(&self) -> &str {
        self.before.as_deref().filter(|text| !text.trim().is_empty()).unwrap_or("{}\n")
    }

    /// The entries of the hook in `text`.
    fn entries(&self, text: &str) -> Result<Vec<Range<usize>>, CliError> {
        entries(text, self.agent).map_err(|what| self.invalid(what))
    }

    pub(super) fn invalid(&self, what: String) -> CliError {
        CliError::Input(format!("{}: {what}; nothing was changed", self.path.display()))
    }

    pub(super) fn nothing_to_do(&self) -> Result<(), CliError> {
        console::note(format!("{}: nothing to do", self.path.display()));
        Ok(())
    }

    /// Prints what changes if the text becomes `after`; `None` for no file.
    pub(super) fn show(&self, after: Option<&str>) -> Result<(), CliError> {
        let (name, before) = (self.path.display().to_string(), self.before.as_deref().unwrap_or_default());
        output::line(&difference(&name, before, after.unwrap_or_default()))
    }

    /// Writes `after`, or removes the file.
    pub(super) fn write(&self, after: Option<&str>) -> Result<(), CliError> {
        let failed = |source| CliError::Write { path: self.path.display().to_string(), source };
        let Some(after) = after else { return fs::remove_file(&self.path).map_err(failed) };
        fs::create_dir_all(folder(&self.path)).map_err(failed)?;
        report::write(&self.path, after.as_bytes())
    }

    /// What was added to files of settings, by their paths.
    fn records(&self) -> BTreeMap<String, Added> {
        let text = folders::state().and_then(|state| fs::read_to_string(state.join(RECORDS)).ok());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Changes the record of this file.
    fn record(&self, change: impl FnOnce(&mut BTreeMap<String, Added>, String)) -> io::Result<()> {
        let state = folders::state().ok_or(io::ErrorKind::NotFound)?;
        let mut all = self.records();
        change(&mut all, self.name());
        save_private(&state, RECORDS, &serde_json::to_vec(&all)?).map(|_| ())
    }
}

/// The folder of an agent.
fn own_folder((variable, usual): Folder) -> Option<PathBuf> {
    let folder = env::var_os(variable).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    folder.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(usual)))
}

/// The folder of Claude Code.
#[cfg(feature = "mcp")]
pub(super) fn folder_of_claude_code() -> Option<PathBuf> {
    own_folder(CLAUDE_CODE)
}

fn entry(agent: Agent) -> Value {
    json!({
        "matcher": agent.tools(),
        "hooks": [{"type": "command", "command": agent.command(), "timeout": 10}],
    })
}

/// `text` with the entry as the last one of the list of hooks, which is made if it is not there.
fn with_entry(text: &str, agent: Agent) -> Result<String, String> {
    let entry = entry(agent);
    let last = |members: &HashMap<String, Range<usize>>| members.values().map(|value| value.end).max();
    let all = value(text)?;
    let members_of_all = members(text, &all)?;
    let Some(hooks) = members_of_all.get(HOOKS) else {
        let addition = format!("\"{HOOKS}\": {{\"{EVENT}\": [{entry}]}}");
        return Ok(inserted(text, &all, last(&members_of_all), &addition));
    };
    let members_of_hooks = members(text, hooks)?;
    let Some(list) = members_of_hooks.get(EVENT) else {
        return Ok(inserted(text, hooks, last(&members_of_hooks), &format!("\"{EVENT}\": [{entry}]")));
    };
    let last = elements(text, list)?.last().map(|element| element.end);
    Ok(inserted(text, list, last, &entry.to_string()))
}

/// `text` with `addition` after the last member of the object or array `at`, which ends at `last`.
fn inserted(text: &str, at: &Range<usize>, last: Option<usize>, addition: &str) -> String {
    let (place, comma) = match last {
        Some(last) => (last, ", "),
        None => (at.start + 1, ""),
    };
    let (before, behind) = text.split_at(place);
    format!("{before}{comma}{addition}{behind}")
}

/// The ranges of the entries of the hook, each with the comma that divides it from others.
fn entries(text: &str, agent: Agent) -> Result<Vec<Range<usize>>, String> {
    let hooks = members(text, &value(text)?)?.remove(HOOKS);
    let list =
        hooks.map(|hooks| members(text, &hooks)).transpose()?.and_then(|mut hooks| hooks.remove(EVENT));
    let Some(list) = list else { return Ok(Vec::new()) };
    let elements = elements(text, &list)?;
    let mut found = Vec::new();
    for (n, element) in elements.iter().enumerate() {
        let is_ours = text.get(element.clone()).is_some_and(|entry| is_ours(entry, agent));
        let before = n.checked_sub(1).and_then(|n| elements.get(n)).map(|element| element.end);
        let behind = elements.get(n + 1).map(|element| element.start);
        if is_ours {
            found.push(match (before, behind) {
                (Some(before), _) => before..element.end,
                (None, Some(behind)) => element.start..behind,
                (None, None) => element.clone(),
            });
        }
    }
    Ok(found)
}

/// Whether `entry` runs the hook and nothing else.
fn is_ours(entry: &str, agent: Agent) -> bool {
    let entry: Value = serde_json::from_str(entry).unwrap_or_default();
    let hooks = entry.get("hooks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let runs = |hook: &Value| {
        hook.get("command").and_then(Value::as_str).is_some_and(|found| found == agent.command())
    };
    !hooks.is_empty() && hooks.iter().all(runs)
}

/// The range of the value that `text` is.
fn value(text: &str) -> Result<Range<usize>, String> {
    let value: &RawValue = serde_json::from_str(text).map_err(|error| format!("not valid JSON: {error}"))?;
    Ok(range(text, value))
}

/// The members of the object at `at`, each with the range of its value. Of those that occur twice, the last one.
fn members(text: &str, at: &Range<usize>) -> Result<HashMap<String, Range<usize>>, String> {
    let object = text.get(at.clone()).unwrap_or_default();
    let members: HashMap<String, &RawValue> =
        serde_json::from_str(object).map_err(|_| "`hooks` is not an object".to_owned())?;
    Ok(members.into_iter().map(|(name, value)| (name, range(text, value))).collect())
}

/// The ranges of the elements of the array at `at`.
fn elements(text: &str, at: &Range<usize>) -> Result<Vec<Range<usize>>, String> {
    let array = text.get(at.clone()).unwrap_or_default();
    let elements: Vec<&RawValue> =
        serde_json::from_str(array).map_err(|_| "`PostToolUse` is not an array".to_owned())?;
    Ok(elements.into_iter().map(|element| range(text, element)).collect())
}

/// Where `value` is in `text`, from which, or from a part of which, it was read.
fn range(text: &str, value: &RawValue) -> Range<usize> {
    let start = value.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
    start..start + value.get().len()
}

/// The lines that differ, as in a diff.
fn difference(name: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - same;
    let behind =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let changed = |lines: &[&str], sign: char| -> String {
        let lines = lines.iter().take(lines.len() - behind).skip(same);
        lines.map(|line| format!("\n{sign}{line}")).collect()
    };
    format!("{name}{}{}", changed(&old, '-'), changed(&new, '+'))
}
