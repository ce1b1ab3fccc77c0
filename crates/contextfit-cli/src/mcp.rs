//! `mcp`: a server of the Model Context Protocol on standard input and output.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use clap::ValueHint;
use contextfit::{formats::Lines, kernel::Tokens};
use contextfit_serve::mcp::{self, Restore, SearchCode};
use regex::{Regex, RegexBuilder};
use tokio::runtime::Builder;

use crate::{
    args::FitArgs,
    console::chain,
    error::CliError,
    files::{self, KnownFiles},
    hook::is_output_of_an_agent,
    restore::{part, text_of},
    run::saved as saved_outputs,
    settings::Settings,
    store::PlaceArgs,
    summary::grouped,
};

/// What a search shows if the caller does not say.
const USUAL_TOKENS: Tokens = Tokens::new(3_000);

/// The most characters of an original in one answer: agents cut what is longer.
const RESTORED_CHARS: usize = 30_000;

/// The most characters of a regular expression, and the most bytes that it may take when it is compiled.
const LONGEST_PATTERN: usize = 1_000;
const LARGEST_PATTERN: usize = 1 << 20;

/// The flags of `mcp`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  claude mcp add contextfit -- contextfit mcp
  codex mcp add contextfit -- contextfit mcp
  contextfit mcp ~/src/app ~/src/lib

Two tools: `search_code` finds the code that answers a question, as `contextfit files` does; `restore` returns the original of \
what contextfit shortened, or lines of it. Nothing outside of the folders is searched, and no file with secrets.")]
pub(crate) struct McpArgs {
    /// Folders to search [default: those that the client names, or the working directory]
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    roots: Vec<PathBuf>,
}

pub(crate) fn run(args: &McpArgs) -> Result<(), CliError> {
    let roots = if args.roots.is_empty() { vec![PathBuf::from(".")] } else { args.roots.clone() };
    let roots: Result<Vec<PathBuf>, CliError> = roots
        .into_iter()
        .map(|root| {
            let found = fs::canonicalize(&root).and_then(|found| fs::read_dir(&found).map(|_| found));
            found.map_err(|source| CliError::Read { path: root.display().to_string(), source })
        })
        .collect();
    let mut settings = Settings::resolve(&FitArgs::default())?;
    settings.fitter.outlines = Some(Arc::default());
    let tools = Tools {
        settings,
        are_fixed: !args.roots.is_empty(),
        roots: roots?,
        named: Mutex::default(),
        known: Arc::default(),
        is_reading: Arc::default(),
    };
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| CliError::Failed(format!("cannot start: {error}")))?;
    let served = runtime.block_on(mcp::serve(Arc::new(tools)));
    // A search that nobody waits for any more is not waited for.
    runtime.shutdown_background();
    served.map_err(|error| CliError::Failed(error.to_string()))
}

/// The tools, on the files of this machine.
struct Tools {
    settings: Settings,
    roots: Vec<PathBuf>,
    /// Whether the command line names the folders.
    are_fixed: bool,
    /// The folders that the client named and that are there; `None` if it named none.
    named: Mutex<Option<Vec<PathBuf>>>,
    known: Arc<KnownFiles>,
    /// Whether a thread reads ahead.
    is_reading: Arc<AtomicBool>,
}

impl mcp::Tools for Tools {
    fn search_code(&self, call: &SearchCode) -> Result<String, String> {
        let roots = self.roots()?;
        let paths = match &call.path {
            Some(path) => vec![within(&roots, path)?],
            None => roots,
        };
        let paths: Vec<PathBuf> = paths.iter().map(|path| shown(path)).collect();
        let mut settings = self.settings.clone();
        settings.fitter.query = Some(call.query.clone());
        settings.fitter.budget = Some(call.budget.map_or(USUAL_TOKENS, Tokens::new));
        settings.fitter.reserve = None;
        let found = files::found(&paths, &settings, Arc::clone(&self.known)).map_err(|error| chain(&error));
        self.read_ahead();
        found
    }

    fn restore(&self, call: &Restore) -> Result<String, String> {
        let bytes = match call.handle.contains(['/', '\\']) {
            true => fs::read(saved(&call.handle)?).map_err(|_| gone(&call.handle))?,
            false => PlaceArgs::default().load(&call.handle).map_err(|_| gone(&call.handle))?,
        };
        let grep = call.grep.as_deref().map(pattern).transpose()?;
        let lines = match (call.from, call.to) {
            (None, None) => None,
            (from, to) => {
                Some(Lines::new(from.unwrap_or(1), to.unwrap_or(usize::MAX)).ok_or("`to` is before `from`")?)
            }
        };
        let text = part(&text_of(bytes), lines, grep.as_ref()).map_err(|error| chain(&error))?;
        Ok(start(text))
    }

    fn set_roots(&self, roots: Vec<Option<PathBuf>>) {
        if self.are_fixed {
            return;
        }
        let named = (!roots.is_empty())
            .then(|| roots.into_iter().flatten().filter_map(|root| fs::canonicalize(root).ok()).collect());
        *self.named.lock().unwrap_or_else(PoisonError::into_inner) = named;
    }
}

impl Tools {
    /// Parses on a thread of its own what a question has left unparsed, so that the next one need not wait for it.
    fn read_ahead(&self) {
        let Some(outlines) = self.settings.fitter.outlines.clone() else { return };
        if self.is_reading.swap(true, Ordering::Relaxed) {
            return;
        }
        let known = Arc::clone(&self.known);
        let is_reading = Arc::clone(&self.is_reading);
        thread::spawn(move || {
            known.each(|path, text| outlines.read_ahead(&path.to_string_lossy(), text));
            is_reading.store(false, Ordering::Relaxed);
        });
    }

    /// The folders to search: those that the client named, or else those that the server was started with.
    fn roots(&self) -> Result<Vec<PathBuf>, String> {
        let named = self.named.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match named {
            Some(named) if named.is_empty() => {
                Err("none of the folders that the client names is there".into())
            }
            named => Ok(named.unwrap_or_else(|| self.roots.clone())),
        }
    }
}

/// Where `path` leads to, if that is in one of `roots`.
fn within(roots: &[PathBuf], path: &str) -> Result<PathBuf, String> {
    let found = roots.iter().filter_map(|root| fs::canonicalize(root.join(path)).ok());
    let found: Vec<PathBuf> = found.collect();
    let is_in = |found: &Path, root: &PathBuf| {
        let inner = found.strip_prefix(root);
        inner.is_ok_and(|inner| inner.components().all(|part| part.as_os_str() != ".git"))
    };
    let allowed = found.iter().find(|found| roots.iter().any(|root| is_in(found, root)));
    allowed.cloned().ok_or_else(|| {
        let roots: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
        let problem =
            if found.is_empty() { "is not there" } else { "is outside of the folders of this server" };
        format!("{path} {problem}; it searches {}", roots.join(", "))
    })
}

/// `path` as it is shown: from the working directory, if it is in it.
fn shown(path: &Path) -> PathBuf {
    let here = env::current_dir().and_then(fs::canonicalize).ok();
    match here.as_deref().and_then(|here| path.strip_prefix(here).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => PathBuf::from("."),
        Some(rest) => rest.to_path_buf(),
        None => path.to_path_buf(),
    }
}

/// The output that was saved at `path`, by `run`, by the hook of an agent, or by the agent.
fn saved(path: &str) -> Result<PathBuf, String> {
    let home = path.strip_prefix("~/").and_then(|rest| Some(PathBuf::from(env::var_os("HOME")?).join(rest)));
    let found = fs::canonicalize(home.unwrap_or_else(|| PathBuf::from(path))).map_err(|_| gone(path))?;
    let runs = saved_outputs().ok().and_then(|runs| fs::canonicalize(runs.folder()).ok());
    let is_saved = found.parent() == runs.as_deref() || is_output_of_an_agent(&found);
    (is_saved && found.is_file())
        .then_some(found)
        .ok_or_else(|| format!("{path} is not an output that contextfit or an agent saved"))
}

/// The regular expression of `grep`, unless it is so long that all calls would wait for it.
fn pattern(grep: &str) -> Result<Regex, String> {
    match grep.chars().count() {
        0..=LONGEST_PATTERN => {
            let regex = RegexBuilder::new(grep).size_limit(LARGEST_PATTERN).build();
            regex.map_err(|error| format!("`grep`: {error}"))
        }
        chars => {
            Err(format!("`grep`: expected at most {LONGEST_PATTERN} characters, found {}", grouped(chars)))
        }
    }
}

/// What to do about an original that is not there.
fn gone(handle: &str) -> String {
    format!("{handle} is not stored, or not any more: run the command again")
}

/// As much of `text` as an answer may have, in whole lines.
fn start(text: String) -> String {
    let Some((limit, _)) = text.char_indices().nth(RESTORED_CHARS) else { return text };
    let cut = text.get(..limit).unwrap_or_default();
    let end = cut.rfind('\n').map_or(limit, |feed| feed + 1);
    let shown = text.get(..end).unwrap_or_default();
    let (lines, of) = (shown.lines().count(), text.lines().count());
    format!(
        "{shown}[the first {} of {} lines; `from`, `to` or `grep` show others]\n",
        grouped(lines),
        grouped(of)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folders() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("in/a")).unwrap();
        fs::write(root.join("secret"), "x").unwrap();
        let roots = [root.join("in")];
        assert_eq!(within(&roots, "a"), Ok(root.join("in/a")));
        assert_eq!(within(&roots, root.join("in/a").to_str().unwrap()), Ok(root.join("in/a")));
        assert!(within(&roots, "../secret").unwrap_err().contains("outside"));
        assert!(within(&roots, "/etc").unwrap_err().contains("outside"));
        fs::create_dir(root.join("in/.git")).unwrap();
        assert!(within(&roots, ".git").unwrap_err().contains("outside"));
        assert!(within(&roots, "b").unwrap_err().contains("not there"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.join("secret"), root.join("in/link")).unwrap();
            assert!(within(&roots, "link").unwrap_err().contains("outside"));
        }
        assert!(pattern(&"(a|b)".repeat(999)).unwrap_err().contains("at most 1000 characters, found 4,995"));
        assert!(pattern("a{1000}{1000}").is_err() && pattern("^error.*\\d+$").is_ok());
        assert!(saved(root.join("secret").to_str().unwrap()).unwrap_err().contains("not an output"));
    }

    #[test]
    fn long_originals_end_with_a_line_that_says_so() {
        let text = "0123456789\n".repeat(4_000);
        let shown = start(text.clone());
        assert!(text.starts_with(shown.rsplit_once("[the first 2,727 of 4,000 lines").unwrap().0));
        assert_eq!(start("a\n".into()), "a\n");
    }
}
