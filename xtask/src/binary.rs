//! The command line of contextfit, built and run for what it prints.

use std::{
    env,
    io::{BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    thread,
};

use cargo_metadata::Message;

use crate::Result;

/// What a run printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Printed {
    /// On standard output.
    pub out: String,
    /// On standard error.
    pub err: String,
}

/// The binary.
#[derive(Debug, Clone)]
pub(crate) struct Binary {
    path: PathBuf,
    /// Where it is run.
    root: PathBuf,
}

impl Binary {
    /// Builds it, with optimisations. What is run is this build, whatever changes in the sources meanwhile.
    ///
    /// # Errors
    /// When the build fails.
    pub(crate) fn build(root: &Path) -> Result<Self> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args([
                "build",
                "--release",
                "--package",
                "contextfit-cli",
                "--message-format=json-render-diagnostics",
            ])
            .current_dir(root)
            .stderr(Stdio::inherit())
            .output()?;
        if !built.status.success() {
            return Err(format!("the build of contextfit: {}", built.status).into());
        }
        let mut path = None;
        for message in Message::parse_stream(built.stdout.as_slice()) {
            if let Message::CompilerArtifact(artifact) = message? {
                path = artifact.executable.or(path);
            }
        }
        let path = path.ok_or("cargo built no binary")?.into_std_path_buf();
        Ok(Self { path, root: root.into() })
    }

    /// Runs it with `args` to its end.
    ///
    /// # Errors
    /// When it cannot be started or fails.
    pub(crate) fn run(&self, args: &[&str]) -> Result<Printed> {
        let output = self.command(args).stdin(Stdio::null()).output()?;
        let err = String::from_utf8(output.stderr)?;
        succeeded(output.status, args, &err)?;
        Ok(Printed { out: String::from_utf8(output.stdout)?, err })
    }

    /// Runs it with `args`, writes `lines` to it and hands each line that it prints to `each`, both at the same time:
    /// neither side is ever held as a whole.
    ///
    /// # Errors
    /// When it cannot be started or fails, and what `each` returns.
    pub(crate) fn stream(
        &self,
        args: &[&str],
        lines: impl Iterator<Item = String> + Send,
        mut each: impl FnMut(&str) -> Result,
    ) -> Result {
        let mut command = self.command(args);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (Some(input), Some(output), Some(mut complaints)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("a pipe to contextfit is missing".into());
        };
        thread::scope(|scope| -> Result {
            scope.spawn(move || {
                let mut input = BufWriter::new(input);
                // A program that stops reading says why by its exit code.
                for line in lines {
                    if writeln!(input, "{line}").is_err() {
                        return;
                    }
                }
            });
            let told = scope.spawn(move || {
                let mut told = String::new();
                // What cannot be read is not worth more than the exit code.
                let _ = complaints.read_to_string(&mut told);
                told
            });
            for line in BufReader::new(output).lines() {
                each(&line?)?;
            }
            let told = told.join().unwrap_or_default();
            succeeded(child.wait()?, args, &told)
        })
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        // Colours and the caller's own settings would change what is printed.
        command.current_dir(&self.root).args(args).env("NO_COLOR", "1").env_remove("CONTEXTFIT_LOG");
        command
    }
}

fn succeeded(status: ExitStatus, args: &[&str], told: &str) -> Result {
    if status.success() {
        Ok(())
    } else {
        Err(format!("contextfit {}: {status}\n{told}", args.join(" ")).into())
    }
}
