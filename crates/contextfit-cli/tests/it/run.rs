//! Runs the binary in a temporary folder.

use std::{env, fs, path::Path};

use assert_cmd::Command;
use tempfile::TempDir;

/// The binary, isolated from the settings of whoever runs the tests.
pub(crate) fn contextfit() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contextfit"));
    for variable in ["NO_COLOR", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"] {
        command.env_remove(variable);
    }
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CONTEXTFIT_")) {
        command.env_remove(name);
    }
    command
        .env("COLUMNS", "100")
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// A temporary folder with these files.
pub(crate) fn tree(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// The exit code and output of a command.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Everything as one text, without the time it took.
    pub(crate) fn told(&self) -> String {
        let err: String = self.err.lines().map(|line| format!("{}\n", without_time(line))).collect();
        format!("--- exit code {}\n--- stdout\n{}\n--- stderr\n{err}", self.code, self.out)
    }
}

fn without_time(line: &str) -> &str {
    match line.rsplit_once(" · ") {
        Some((rest, time)) if time.ends_with(" s") => rest,
        _ => line,
    }
}

/// Runs `contextfit` with `args` in `folder`, with `input` on standard input.
pub(crate) fn run(folder: &Path, args: &[&str], input: impl Into<Vec<u8>>) -> Ran {
    let output = contextfit().args(args).current_dir(folder).write_stdin(input).output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
