//! `run`: a command as it is, and what matters of its output.

use std::{
    ffi::OsString,
    io::{self, PipeReader, Read},
    process::{self, Command, ExitCode, ExitStatus},
    sync::mpsc,
    thread,
    time::{Duration, Instant, SystemTime},
};

use contextfit::{kernel::Tokens, presets::is_long_output};
use contextfit_serve::SavedOutputs;

use crate::{
    args::{CountingArgs, FitArgs},
    config::Config,
    console,
    decode::{Nuls, decode},
    error::CliError,
    folders, output,
    settings::counting,
    shortened::{Shown, WHY, discard, shortened},
    summary::counted,
    tokens::tokens,
};

/// What the names of saved outputs begin with.
const PREFIX: &str = "run-";

/// How long to wait for output after the command ended, if something that it started still holds its output open.
const LINGER: Duration = Duration::from_secs(1);

/// The exit codes of shells for a command that is not there, and for one that cannot be run.
const NOT_FOUND: u8 = 127;
const NOT_RUN: u8 = 126;

/// The flags of `run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit run -- cargo test
  contextfit run --query \"which test fails, and why\" -- npm test
  contextfit run --budget 500 -- sh -c 'make 2>&1 | tail -n 5000'

The command runs as it is, without a shell; its exit code is that of contextfit. Standard output and standard error are \
one text. At most 8,000 characters are printed as they are. Of longer ones an excerpt is printed, and the whole is saved; \
the last line names the file. Allowing an agent to run this allows it every command: docs/agents.md.")]
pub(crate) struct RunArgs {
    /// What you want to know from the output [default: why it fails, if it does]
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    query: Option<String>,
    /// Maximum number of tokens to print [default: 1000; 3000 for compilers, lines found, diffs and listings]
    #[arg(long, short, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    budget: Option<Tokens>,
    #[command(flatten)]
    counting: CountingArgs,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, CliError> {
    // What the flags say wrongly is said before anything runs.
    counting(&args.counting, &Config::default())?;
    let name = args.command.first().map(|name| name.to_string_lossy()).unwrap_or_default();
    let (status, output) = match printed(&args.command) {
        Ok(ran) => ran,
        Err(error) => {
            console::problem(format!("cannot run {name}: {error}"));
            let is_missing = error.kind() == io::ErrorKind::NotFound;
            return Ok(ExitCode::from(if is_missing { NOT_FOUND } else { NOT_RUN }));
        }
    };
    // The exit code of a command that failed matters more than what could not be printed.
    show(args, status, output).or_else(|error| if status.success() { Err(error) } else { Ok(()) })?;
    Ok(code(status))
}

/// Prints `output`, or an excerpt of it. Whatever goes wrong with that, the output is printed.
fn show(args: &RunArgs, status: ExitStatus, output: Vec<u8>) -> Result<(), CliError> {
    let shown = match args.budget.is_some() || is_long_output(&output) {
        true => excerpt(args, status, &output).unwrap_or_else(|error| {
            console::warning_of("the output is printed as it is", &error);
            None
        }),
        false => None,
    };
    match shown {
        Some(text) => output::bytes(text.as_bytes()),
        None => output::bytes(&output),
    }
}

/// The excerpt of `output`, which is saved; `None` if it fits. Of binary data nothing is shown.
fn excerpt(args: &RunArgs, status: ExitStatus, output: &[u8]) -> Result<Option<String>, CliError> {
    let flags = FitArgs {
        query: args.query.clone().or_else(|| (!status.success()).then(|| WHY.to_owned())),
        budget: args.budget,
        counting: args.counting.clone(),
        ..FitArgs::default()
    };
    let outputs = saved()?;
    let saved = outputs.save(&new_name(), output);
    let folder = || outputs.folder().display().to_string();
    let saved = saved.map_err(|source| CliError::Write { path: folder(), source })?;
    let nothing = |why: String| {
        outputs.prune(|name| name.starts_with(PREFIX), &saved);
        console::warning(format!(
            "nothing is shown, because {why}; full output saved to: {}",
            saved.display()
        ));
        Ok(Some(String::new()))
    };
    let Some(text) = decode(output.to_vec(), Nuls::Replaced) else {
        return nothing(format!("{} are no text", counted(output.len(), "byte", "bytes")));
    };
    let command: Vec<_> = args.command.iter().map(|word| word.to_string_lossy()).collect();
    let command: Vec<&str> = command.iter().map(|word| &**word).collect();
    let shown = shortened(text.text, &saved, &command, &flags, "");
    if matches!(shown, Err(_) | Ok(Shown::Whole)) {
        discard(&saved);
    }
    match shown? {
        Shown::Whole => Ok(None),
        Shown::Excerpt(output) => {
            outputs.prune(|name| name.starts_with(PREFIX), &saved);
            Ok(Some(output.text))
        }
        Shown::Nothing { needed } => nothing(format!("that needs {needed} tokens")),
    }
}

/// Runs `command` and waits for it. Returns how it ended, and what it printed to either output, in order.
fn printed(command: &[OsString]) -> io::Result<(ExitStatus, Vec<u8>)> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let (reader, writer) = io::pipe()?;
    let mut child = {
        let mut command = Command::new(program);
        command.args(arguments).stdout(writer.try_clone()?).stderr(writer);
        // The command holds the writing ends until it is dropped, and then only the child does.
        command.spawn()?
    };
    let parts = read(reader);
    let mut output = Vec::new();
    let mut ended = None;
    loop {
        match parts.recv_timeout(LINGER) {
            Ok(part) => output.extend(part),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok((child.wait()?, output)),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if ended.is_none() {
            ended = child.try_wait()?.map(|status| (status, Instant::now()));
        }
        if let Some((status, at)) = ended
            && at.elapsed() >= LINGER
        {
            return Ok((status, output));
        }
    }
}

/// Reads on another thread, until the other end is closed by all who hold it.
fn read(mut reader: PipeReader) -> mpsc::Receiver<Vec<u8>> {
    let (send, parts) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return,
                Ok(read) => {
                    if send.send(buffer.get(..read).unwrap_or_default().to_vec()).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    });
    parts
}

/// The exit code of a command that ended so: that of a shell if a signal ended it.
fn code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let signal = None;
    let code = status.code().or(signal).and_then(|code| u8::try_from(code & 0xff).ok());
    ExitCode::from(code.unwrap_or(u8::MAX))
}

/// Where whole outputs are saved; the newest 200 MB are kept.
///
/// # Errors
/// [`CliError::Failed`] if the environment names no folder.
pub(crate) fn saved() -> Result<SavedOutputs, CliError> {
    let folder = folders::state().map(|state| state.join("runs"));
    folder.map(SavedOutputs::new).ok_or_else(|| {
        CliError::Failed("no folder to save it in, as neither XDG_STATE_HOME nor HOME is set".into())
    })
}

/// The name of a new file for an output.
fn new_name() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{PREFIX}{}-{}.log", now.as_micros(), process::id())
}
