//! The entry of the hook in an agent's settings: everything else in the file stays as it is, byte for byte.

use std::{
    collections::{HashMap, hash_map::DefaultHasher},
    env, fs,
    hash::{Hash, Hasher},
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};

use super::{SettingsArgs, save};
use crate::{console, error::CliError, folders, output::Output};

/// The command of the hook.
const COMMAND: &str = "contextfit hook claude-code";

/// The tools whose outputs may be shortened.
const TOOLS: &str = "Bash|Grep";

/// Where the list of hooks is.
const HOOKS: &str = "hooks";
const EVENT: &str = "PostToolUse";

/// Adds the entry.
pub(super) fn install(args: &SettingsArgs) -> Result<(), CliError> {
    change(args, |text| match entries(text)?.is_empty() {
        true => with_entry(text).map(Some),
        false => Ok(None),
    })
}

/// Removes the entry. A file that was not edited since it was added is as it was before.
pub(super) fn uninstall(args: &SettingsArgs) -> Result<(), CliError> {
    change(args, |text| {
        let mut text = text.to_owned();
        let mut found = false;
        while let Some(entry) = entries(&text)?.pop() {
            text.replace_range(entry, "");
            found = true;
        }
        Ok(found.then_some(text))
    })
}

/// The settings before and after the entry was added.
#[derive(Debug, Serialize, Deserialize)]
struct Added {
    /// `None` if there was no file.
    before: Option<String>,
    after: String,
}

/// Changes the settings as `edit` says, and prints what changes. `edit` returns `None` if there is nothing to do.
fn change(
    args: &SettingsArgs,
    edit: impl Fn(&str) -> Result<Option<String>, String>,
) -> Result<(), CliError> {
    let path = path(args)?;
    let name = path.display().to_string();
    let before = match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(_) if path.is_symlink() && !path.exists() => {
            return Err(CliError::Input(format!(
                "{name} is a link to a file that is not there; nothing was changed"
            )));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(source) => return Err(CliError::Read { path: name, source }),
    };
    let is_blank = before.as_deref().is_none_or(|text| text.trim().is_empty());
    let text = if is_blank { "{}\n" } else { before.as_deref().unwrap_or_default() };
    let edited =
        edit(text).map_err(|what| CliError::Input(format!("{name}: {what}; nothing was changed")))?;
    let Some(mut after) = edited.map(Some) else {
        console::note(format!("{name}: nothing to do"));
        return Ok(());
    };
    let record = record(&path);
    let added: Option<Added> =
        record.as_deref().and_then(|record| serde_json::from_str(&fs::read_to_string(record).ok()?).ok());
    let is_added = entries(text).is_ok_and(|entries| !entries.is_empty());
    if is_added && let Some(added) = added.filter(|added| Some(&added.after) == before.as_ref()) {
        after = added.before;
    }
    let mut output = Output::open();
    output.line(&difference(
        &name,
        before.as_deref().unwrap_or_default(),
        after.as_deref().unwrap_or_default(),
    ))?;
    output.finish()?;
    if args.dry_run {
        return Ok(());
    }
    let written = |source| CliError::Write { path: name.clone(), source };
    match &after {
        Some(after) => write(&path, after).map_err(written)?,
        None => fs::remove_file(&path).map_err(written)?,
    }
    if let Some(record) = record {
        let kept = match (is_added, after) {
            (false, Some(after)) => keep(&record, &Added { before, after }),
            _ => fs::remove_file(&record),
        };
        if let Err(error) = kept
            && !is_added
        {
            console::warning(format!("uninstalling will not restore the file byte for byte: {error}"));
        }
    }
    Ok(())
}

fn keep(record: &Path, added: &Added) -> io::Result<()> {
    let (Some(folder), Some(name)) = (record.parent(), record.file_name()) else { return Ok(()) };
    save(folder, &name.to_string_lossy(), &serde_json::to_string(added)?).map(|_| ())
}

/// Writes the settings at once, so that the agent never reads half of them.
fn write(path: &Path, text: &str) -> io::Result<()> {
    // A link to the settings stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let file = tempfile::NamedTempFile::new_in(folder)?;
    fs::write(file.path(), text)?;
    if let Ok(about) = fs::metadata(&path) {
        fs::set_permissions(file.path(), about.permissions())?;
    }
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// The file of the settings.
fn path(args: &SettingsArgs) -> Result<PathBuf, CliError> {
    if args.project {
        return Ok(Path::new(".claude").join("settings.json"));
    }
    let folder = env::var_os("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let folder = folder.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".claude")));
    let folder = folder
        .ok_or_else(|| CliError::Usage("no settings: neither CLAUDE_CONFIG_DIR nor HOME is set".into()))?;
    Ok(folder.join("settings.json"))
}

/// Where the settings before the entry are kept, for `uninstall`.
fn record(settings: &Path) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    std::path::absolute(settings).ok()?.hash(&mut hasher);
    Some(folders::state()?.join("hooks").join(format!("{:016x}.json", hasher.finish())))
}

fn entry() -> Value {
    json!({"matcher": TOOLS, "hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]})
}

/// `text` with the entry as the last one of the list of hooks, which is made if it is not there.
fn with_entry(text: &str) -> Result<String, String> {
    let entry = entry();
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
fn entries(text: &str) -> Result<Vec<Range<usize>>, String> {
    let hooks = members(text, &value(text)?)?.remove(HOOKS);
    let list =
        hooks.map(|hooks| members(text, &hooks)).transpose()?.and_then(|mut hooks| hooks.remove(EVENT));
    let Some(list) = list else { return Ok(Vec::new()) };
    let elements = elements(text, &list)?;
    let mut found = Vec::new();
    for (n, element) in elements.iter().enumerate() {
        let is_ours = text.get(element.clone()).is_some_and(is_ours);
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
fn is_ours(entry: &str) -> bool {
    let entry: Value = serde_json::from_str(entry).unwrap_or_default();
    let hooks = entry.get("hooks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let runs =
        |hook: &Value| hook.get("command").and_then(Value::as_str).is_some_and(|command| command == COMMAND);
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
    Ok(members.into_iter().map(|(name, value)| (name, shifted(range(object, value), at.start))).collect())
}

/// The ranges of the elements of the array at `at`.
fn elements(text: &str, at: &Range<usize>) -> Result<Vec<Range<usize>>, String> {
    let array = text.get(at.clone()).unwrap_or_default();
    let elements: Vec<&RawValue> =
        serde_json::from_str(array).map_err(|_| "`PostToolUse` is not an array".to_owned())?;
    Ok(elements.into_iter().map(|element| shifted(range(array, element), at.start)).collect())
}

/// Where `value` is in `text`, from which it was read.
fn range(text: &str, value: &RawValue) -> Range<usize> {
    let start = value.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
    start..start + value.get().len()
}

fn shifted(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
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
