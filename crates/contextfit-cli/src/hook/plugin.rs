//! The plugin of an agent that runs hooks as code: a file of its own.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use super::{SettingsArgs, opencode::PLUGIN, settings::difference};
use crate::{console, error::CliError, output::Output, target::folder};

/// The name of the file.
const FILE: &str = "contextfit.js";

/// Adds the file.
pub(super) fn install(args: &SettingsArgs) -> Result<(), CliError> {
    change(args, Some(PLUGIN))
}

/// Removes the file.
pub(super) fn uninstall(args: &SettingsArgs) -> Result<(), CliError> {
    change(args, None)
}

/// Makes the file `after`, or removes it; prints what changes.
fn change(args: &SettingsArgs, after: Option<&str>) -> Result<(), CliError> {
    let path = path(args.project)?;
    let name = path.display().to_string();
    let before = match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(_) if path.is_symlink() => {
            return Err(CliError::Input(format!(
                "{name}: a link to a file that is not there; nothing was changed"
            )));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(source) => return Err(CliError::Read { path: name, source }),
    };
    if before.as_deref() == after {
        console::note(format!("{name}: nothing to do"));
        return Ok(());
    }
    if before.as_ref().is_some_and(|text| text.lines().next() != PLUGIN.lines().next()) {
        return Err(CliError::Input(format!("{name}: contextfit did not write it; nothing was changed")));
    }
    let mut output = Output::open();
    output.line(&difference(&name, before.as_deref().unwrap_or_default(), after.unwrap_or_default()))?;
    output.finish()?;
    if args.dry_run {
        return Ok(());
    }
    let written = match after {
        Some(text) => fs::create_dir_all(folder(&path)).and_then(|()| fs::write(&path, text)),
        None => fs::remove_file(&path),
    };
    written.map_err(|source| CliError::Write { path: name, source })
}

/// Where the agent looks for plugins: of the user, or of the project in the working directory.
fn path(of_project: bool) -> Result<PathBuf, CliError> {
    if of_project {
        return Ok(Path::new(".opencode/plugin").join(FILE));
    }
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    let config = config
        .ok_or_else(|| CliError::Usage("no plugins: neither XDG_CONFIG_HOME nor HOME is set".into()))?;
    Ok(config.join("opencode/plugin").join(FILE))
}
