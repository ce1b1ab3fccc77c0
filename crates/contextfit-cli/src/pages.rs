//! Completions and manual pages, generated from the definition of the command line.

use crate::{command, error::CliError, output};

/// Prints the completions for `shell`.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "contextfit", &mut script);
    output::bytes(&script)
}

/// Prints the manual page of the command that `path` leads to.
pub(crate) fn man(path: &[String]) -> Result<(), CliError> {
    let mut found = command();
    found.build();
    for name in path {
        let known: Vec<_> = found.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        found = found.find_subcommand(name).cloned().ok_or_else(|| {
            CliError::Usage(format!("unknown command {name:?}; known: {}", known.join(", ")))
        })?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(found).render(&mut page).map_err(CliError::Output)?;
    output::bytes(&page)
}
