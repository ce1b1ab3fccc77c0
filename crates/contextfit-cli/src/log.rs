//! Logging, on standard error.

use std::{
    env,
    io::{self, IsTerminal},
};

use tracing_subscriber::EnvFilter;

use crate::error::CliError;

/// The environment variable that sets the level if the flag does not.
pub(crate) const VARIABLE: &str = "CONTEXTFIT_LOG";

/// Starts logging at `level`, or else at that of the environment variable, or else at `warn`.
pub(crate) fn init(level: Option<&str>) -> Result<(), CliError> {
    let (level, origin) = match (level, env::var(VARIABLE)) {
        (Some(level), _) => (level.to_owned(), "--log"),
        (None, Ok(level)) if !level.is_empty() => (level, VARIABLE),
        _ => ("warn".to_owned(), "default"),
    };
    // The SDK of `mcp` logs whole messages, so it must be asked for by name.
    let filter = EnvFilter::try_new(format!("rmcp=off,{level}")).map_err(|error| {
        CliError::Usage(format!(
            "{origin}: expected a log level (off, error, warn, info, debug or trace), found {level:?} ({error})"
        ))
    })?;
    let colour = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    // Only the first subscriber of a process counts; another call changes nothing.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(colour)
        .try_init();
    Ok(())
}
