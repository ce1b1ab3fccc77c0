//! Git, for tests that make repositories.

use std::{path::Path, process::Command};

/// What git prints in `folder`; `None`, with a line that says so, when there is no git.
///
/// # Panics
/// When git fails.
#[track_caller]
#[must_use]
pub fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    for (name, value) in [("user.name", "a"), ("user.email", "a@example.com"), ("commit.gpgsign", "false")] {
        git.args(["-c", &format!("{name}={value}")]);
    }
    git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").current_dir(folder).args(arguments);
    let Ok(output) = git.output() else {
        println!("skipped: there is no git");
        return None;
    };
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}
