//! Git, for tests that create repositories.

use std::{path::Path, process::Command};

/// Runs git in `folder` and returns its output; `None`, after printing a line, if git is not installed.
///
/// # Panics
/// If git fails.
#[track_caller]
#[must_use]
pub fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    for (name, value) in [("user.name", "a"), ("user.email", "a@example.com"), ("commit.gpgsign", "false")] {
        git.args(["-c", &format!("{name}={value}")]);
    }
    git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").current_dir(folder).args(arguments);
    let Ok(output) = git.output() else {
        println!("skipped: git is not installed");
        return None;
    };
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}
