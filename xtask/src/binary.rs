//! Builds the command line of contextfit and runs it for its output.

use std::{
    borrow::Cow,
    env,
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};

use cargo_metadata::Message;
use regex::Regex;

use crate::{program::Program, say::Result};

/// The output of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Printed {
    /// On standard output.
    pub out: String,
    /// On standard error.
    pub err: String,
}

/// Times in an output, which differ from run to run.
static TIMES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b[0-9]+\.[0-9]+ s\b").ok());

/// An output with all times replaced by the same.
pub(crate) fn without_times(output: &str) -> Cow<'_, str> {
    TIMES.as_ref().map_or(output.into(), |times| times.replace_all(output, "0 s"))
}

/// What `cargo` reports of a build in `sources`.
///
/// # Errors
/// If the build fails.
pub(crate) fn reports(cargo: Program, sources: &Path) -> Result<Vec<Message>> {
    let built = cargo.arg("--message-format=json-render-diagnostics").output(sources);
    let built = built.map_err(|error| format!("cannot build contextfit: {error}"))?;
    Ok(Message::parse_stream(built.as_bytes()).collect::<io::Result<_>>()?)
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
        Self::build_by(Program::cargo("build --release --package contextfit-cli"), root, root)
    }

    /// Builds it as the tests do, so that nothing is built twice where they have run.
    ///
    /// # Errors
    /// If the build fails.
    pub(crate) fn build_with_tests(root: &Path) -> Result<Self> {
        Self::build_by(Program::cargo("build --workspace --all-features --bins --tests"), root, root)
    }

    /// Builds that of the workspace in `sources` by `cargo`, to run it in `root`.
    ///
    /// # Errors
    /// If the build fails.
    pub(crate) fn build_by(cargo: Program, sources: &Path, root: &Path) -> Result<Self> {
        let mut path = None;
        for message in reports(cargo, sources)? {
            if let Message::CompilerArtifact(artifact) = message
                && artifact.target.name == "contextfit"
                && artifact.target.is_bin()
            {
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
        let mut command = Command::new(&self.path);
        isolate(&mut command);
        command.args(args).current_dir(&self.root).envs(environment.iter().copied()).stdin(Stdio::null());
        let output = command.output()?;
        let err = String::from_utf8(output.stderr)?;
        if !output.status.success() {
            return Err(format!("contextfit {}: {}\n{err}", args.join(" "), output.status).into());
        }
        Ok(Printed { out: String::from_utf8(output.stdout)?, err })
    }

    /// Makes `command` find this binary first, and nothing of its caller's that would change its output.
    ///
    /// # Errors
    /// If the binary has no folder.
    pub(crate) fn isolate(&self, command: &mut Command) -> Result {
        let folder = self.path.parent().ok_or("the binary has no folder")?;
        let folders = env::var_os("PATH").unwrap_or_default();
        let folders = [folder.to_path_buf()].into_iter().chain(env::split_paths(&folders));
        command.env("PATH", env::join_paths(folders)?).env("COLUMNS", "100").stdin(Stdio::null());
        isolate(command);
        Ok(())
    }
}

/// Removes from `command` what would change its output: colours, and the caller's settings and keys.
fn isolate(command: &mut Command) {
    command.env("NO_COLOR", "1").env("CONTEXTFIT_CONFIG", "none");
    let settings = env::vars_os().map(|(name, _)| name).filter(|name| {
        let name = name.to_string_lossy();
        name.starts_with("CONTEXTFIT_") && name != "CONTEXTFIT_CONFIG" || name.ends_with("_API_KEY")
    });
    settings.for_each(|name| {
        command.env_remove(name);
    });
}
