//! Builds the command line of contextfit and runs it for its output.

use std::{
    env,
    ffi::OsStr,
    io::{BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    thread,
};

use cargo_metadata::Message;

use crate::Result;

/// The output of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Printed {
    /// On standard output.
    pub out: String,
    /// On standard error.
    pub err: String,
}

/// The binary of contextfit.
#[derive(Debug, Clone)]
pub(crate) struct Binary {
    path: PathBuf,
    /// The folder to run it in.
    root: PathBuf,
}

impl Binary {
    /// Builds it with optimisations. All runs use this build, even if the sources change in the meantime.
    ///
    /// # Errors
    /// If the build fails.
    pub(crate) fn build(root: &Path) -> Result<Self> {
        Self::build_of(root, root, &[], &[])
    }

    /// Builds that of the workspace in `sources` with these arguments and environment variables for cargo, to run it in
    /// `root`.
    ///
    /// # Errors
    /// If the build fails.
    pub(crate) fn build_of(
        sources: &Path,
        root: &Path,
        args: &[&str],
        environment: &[(&str, &OsStr)],
    ) -> Result<Self> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args([
                "build",
                "--release",
                "--package",
                "contextfit-cli",
                "--message-format=json-render-diagnostics",
            ])
            .args(args)
            .current_dir(sources)
            .envs(environment.iter().copied())
            .stderr(Stdio::inherit())
            .output()?;
        if !built.status.success() {
            return Err(format!("cannot build contextfit: {}", built.status).into());
        }
        let mut path = None;
        for message in Message::parse_stream(built.stdout.as_slice()) {
            if let Message::CompilerArtifact(artifact) = message? {
                path = artifact.executable.or(path);
            }
        }
        let path = path.ok_or("cargo reported no binary")?.into_std_path_buf();
        Ok(Self { path, root: root.into() })
    }

    /// Runs it with `args` until it exits.
    ///
    /// # Errors
    /// If it cannot be started or fails.
    pub(crate) fn run(&self, args: &[&str]) -> Result<Printed> {
        self.run_with(args, &[])
    }

    /// Runs it with `args` and environment variables until it exits.
    ///
    /// # Errors
    /// If it cannot be started or fails.
    pub(crate) fn run_with(&self, args: &[&str], environment: &[(&str, &OsStr)]) -> Result<Printed> {
        let mut command = self.command(args);
        let output = command.envs(environment.iter().copied()).stdin(Stdio::null()).output()?;
        let err = String::from_utf8(output.stderr)?;
        succeeded(output.status, args, &err)?;
        Ok(Printed { out: String::from_utf8(output.stdout)?, err })
    }

    /// Runs it with `args`, writing `lines` to it and passing each line that it prints to `each` at the same time, so
    /// that neither side is ever held in memory as a whole.
    ///
    /// # Errors
    /// If it cannot be started or fails, and the errors of `each`.
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
            return Err("no pipe to contextfit".into());
        };
        thread::scope(|scope| -> Result {
            scope.spawn(move || {
                let mut input = BufWriter::new(input);
                // If the program stops reading, its exit code says why.
                for line in lines {
                    if writeln!(input, "{line}").is_err() {
                        return;
                    }
                }
            });
            let told = scope.spawn(move || {
                let mut told = String::new();
                // If this cannot be read, the exit code has to do.
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
        // Colours and the caller's settings would change the output.
        command.current_dir(&self.root).args(args).env("NO_COLOR", "1").env("CONTEXTFIT_CONFIG", "none");
        let settings = env::vars_os().map(|(name, _)| name).filter(|name| {
            let name = name.to_string_lossy();
            name.starts_with("CONTEXTFIT_") && name != "CONTEXTFIT_CONFIG"
        });
        settings.for_each(|name| {
            command.env_remove(name);
        });
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
