//! The plugin of an agent that runs hooks as code: a file of its own.

use super::{SettingsArgs, settings::Settings};
use crate::error::CliError;

/// The plugin of OpenCode. A file that begins with its first line is one of ours.
pub(super) const PLUGIN: &str = include_str!("opencode.js");

/// Makes the file `after`, or removes it; prints what changes.
pub(super) fn change(args: &SettingsArgs, after: Option<&str>) -> Result<(), CliError> {
    let file = Settings::read(args)?;
    let before = file.before.as_deref();
    if before == after {
        return file.nothing_to_do();
    }
    if before.is_some_and(|text| text.lines().next() != PLUGIN.lines().next()) {
        return Err(file.invalid("contextfit did not write it".into()));
    }
    file.show(after)?;
    if args.dry_run { Ok(()) } else { file.write(after) }
}
