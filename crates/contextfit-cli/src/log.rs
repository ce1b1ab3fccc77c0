//! Logging, on standard error.

use std::{
    env,
    io::{self, IsTerminal},
};

use tracing_subscriber::EnvFilter;

use crate::error::CliError;

/// The variable that sets the level when the flag does not.
const VARIABLE: &str = "CONTEXTFIT_LOG";

/// Starts logging at `level`, or at the variable's, or at `warn`.
pub(crate) fn init(level: Option<&str>) -> Result<(), CliError> {
    let (level, origin) = match (level, env::var(VARIABLE)) {
        (Some(level), _) => (level.to_owned(), "--log"),
        (None, Ok(level)) if !level.is_empty() => (level, VARIABLE),
        _ => ("warn".to_owned(), "default"),
    };
    let filter = EnvFilter::try_new(&level).map_err(|error| {
        CliError::Usage(format!(
            "{origin}: {level:?} is no log level ({error}); known: off, error, warn, info, debug, trace"
        ))
    })?;
    let colour = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    // Only the first subscriber of a process counts; a second call in one process changes nothing.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(colour)
        .try_init();
    Ok(())
}
