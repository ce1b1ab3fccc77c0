//! Runs other programs.

use std::{
    env,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use crate::say::{self, Result};

/// A program with its arguments and extra environment variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    name: String,
    args: Vec<String>,
    env: Vec<(String, String)>,
}

impl Program {
    /// The program `name` with `args`.
    pub(crate) fn new(name: &str, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { name: name.into(), args: args.into_iter().map(Into::into).collect(), env: Vec::new() }
    }

    /// The cargo that runs this program, with arguments separated by spaces and without quotes.
    pub(crate) fn cargo(args: &str) -> Self {
        Self::new("cargo", args.split_whitespace())
    }

    /// Adds an argument.
    pub(crate) fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds an environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// The equivalent shell command.
    pub(crate) fn line(&self) -> String {
        let env = self.env.iter().map(|(name, value)| format!("{name}={value}"));
        env.chain([self.name.clone()]).chain(self.args.iter().cloned()).collect::<Vec<_>>().join(" ")
    }

    /// Says what runs, and runs it in `root`.
    ///
    /// # Errors
    /// If it cannot be started, or fails.
    pub(crate) fn run(&self, root: &Path) -> Result {
        say::line(&format!("\n==> {}", self.line()));
        let status = self.command(root).status();
        let status = status.map_err(|error| format!("cannot start `{}`: {error}", self.line()))?;
        if status.success() { Ok(()) } else { Err(format!("`{}`: {status}", self.line()).into()) }
    }

    /// Runs it in `root`, and returns what it writes to standard output.
    ///
    /// # Errors
    /// If it cannot be started, or fails.
    pub(crate) fn output(&self, root: &Path) -> Result<String> {
        let output = self.command(root).stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| format!("cannot start `{}`: {error}", self.line()))?;
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout)?),
            false => Err(format!("`{}`: {}", self.line(), output.status).into()),
        }
    }

    /// Whether it can be started and succeeds. Its output is not shown.
    pub(crate) fn works(&self, root: &Path) -> bool {
        let mut command = self.command(root);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    fn command(&self, root: &Path) -> Command {
        let name = match self.name.as_str() {
            "cargo" => env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
            other => other.into(),
        };
        let mut command = Command::new(name);
        // Set by `cargo xtask`, they would have `ring`, and all that depends on it, built anew.
        let own = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let own = own.filter(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"));
        own.for_each(|name| _ = command.env_remove(name));
        command.args(&self.args).envs(self.env.iter().cloned()).current_dir(root);
        command
    }
}

/// `code` formatted by rustfmt with the configuration in `root`.
///
/// # Errors
/// If rustfmt cannot be run or rejects the code.
pub(crate) fn format(code: &str, root: &Path) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start rustfmt: {error}"))?;
    if let Some(mut stdin) = rustfmt.stdin.take() {
        stdin.write_all(code.as_bytes())?;
    }
    let output = rustfmt.wait_with_output()?;
    if !output.status.success() {
        return Err("rustfmt rejects the generated code".into());
    }
    Ok(String::from_utf8(output.stdout)?.replace("\r\n", "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_reads_as_it_is_typed() {
        let program = Program::cargo("doc --no-deps").arg("--workspace").env("RUSTDOCFLAGS", "-Dwarnings");
        assert_eq!(program.line(), "RUSTDOCFLAGS=-Dwarnings cargo doc --no-deps --workspace");
    }

    #[test]
    fn a_program_that_is_missing_does_not_work() {
        assert!(!Program::new("no-such-program-anywhere", ["--version"]).works(Path::new(".")));
    }
}
