//! `files`: files and folders in, one context out.
//!
//! A small tree goes to the pipeline whole. A large one is read in two passes, in bounded memory: the first pass counts
//! every file and rates it against the query; the second reads the best candidates again, several times what the budget
//! can show, and the pipeline chooses among them.

mod choose;
mod exact;
mod gather;
mod git;
mod hidden;
mod known;
mod notes;
mod read;
mod secrets;
mod since;
mod survey;
mod tree;
mod walk;
mod wanted;

use std::{collections::HashMap, path::PathBuf, time::Instant};

use clap::ValueHint;
use contextfit::{
    formats::SearchAnswer,
    kernel::{Block, Layout, Noun, Tokens},
    presets::CompressionStrategy,
};

#[cfg(feature = "mcp")]
pub(crate) use self::known::KnownFiles;
pub(crate) use self::read::{Reading, Unread, read_named};
use self::{choose::Limits, exact::ExactArg, walk::Walked, wanted::WantedArgs};
use crate::{
    args::FitArgs,
    console,
    decode::{Nuls, decode},
    error::CliError,
    explain,
    fit::Done,
    history::FeedbackArgs,
    output,
    settings::Settings,
    store,
    summary::{counted, estimated_part, grouped},
};

/// What is left out of a context in which files are shown in parts.
pub(crate) fn files_and_parts() -> Noun {
    Noun::new("file or part", "files and parts")
}

/// The flags of `files`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit files src --query \"how are tokens counted\" --budget 2000
  contextfit files . --model gpt-4o --reserve 4000 > context.txt
  contextfit files src docs/guide.md --budget 8000 --explain --report result.json
  contextfit files src --query \"how are tokens counted\" --budget 2000 --why src/count.rs:merge
  contextfit files src --budget 4000 --exact src/main.rs:10-42 --line-numbers
  contextfit files . --since main --budget 8000
  contextfit files . --tree
  contextfit files . --include \"*.rs\" --exclude benches/ --no-tests --query \"how are tokens counted\" --budget 2000

Reads every file that git tracks, and other files unless they are hidden or ignored by .gitignore. Skips binary files \
and files with secrets: private keys, key stores, .env and password files by name, tokens of well-known shapes and URLs \
with a password; not a password in any other place. A file named on the command line that cannot be used is an \
error. Files are shown in the order of their paths; with --order worth, the best come first.")]
pub(crate) struct FilesArgs {
    /// Files and folders; - is standard input
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Keep a file verbatim (PATH), or lines of it (PATH:FROM-TO); may be repeated
    #[arg(long, value_name = "PATH[:FROM-TO]", value_hint = ValueHint::FilePath)]
    exact: Vec<ExactArg>,
    /// The order of the files
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    order: Order,
    /// Print folders and large files with their shares of the tokens, instead of a context
    #[arg(long, conflicts_with_all = ["exact", "why", "explain", "report"])]
    tree: bool,
    /// Print why a function or type is shown or not, by its name or a line of it, to standard error
    #[arg(long, value_name = "[PATH:]SYMBOL|PATH:LINE")]
    why: Option<String>,
    /// Print the JSON answer instead of just the context
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    fit: FitArgs,
    #[command(flatten)]
    wanted: WantedArgs,
    #[command(flatten)]
    feedback: FeedbackArgs,
}

/// The order in which files are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// By path
    #[default]
    Paths,
    /// By relevance to the query, best first
    Worth,
}

pub(crate) fn run(args: &FilesArgs) -> Result<(), CliError> {
    let (started, wanted) = (Instant::now(), &args.wanted);
    let inputs =
        args.paths.iter().map(PathBuf::as_path).chain(args.exact.iter().map(|exact| exact.path.as_path()));
    let target = args.fit.target(inputs)?;
    let mut settings = Settings::resolve(&args.fit)?.with_feedback(&args.feedback)?;
    if wanted.since.is_some() {
        settings.fitter.passages = by_changes(settings.fitter.passages, args.fit.strategy.is_some())?;
    }
    let mut walked = walk::walk(&args.paths, wanted.hidden, wanted.no_ignore)?;
    if let Some(target) = &target {
        walked.leave_out(target)?;
    }
    let changes = wanted.choose(&args.paths, &mut walked)?;
    if wanted.verbose {
        let hidden = match wanted.hidden {
            true => Vec::new(),
            false => hidden::left_out(&args.paths, wanted.no_ignore, &walked.files),
        };
        notes::name(&walked.passed, &hidden);
    }
    let named = walked.named.clone();
    let reading = Reading { allow_secrets: wanted.allow_secrets, named, known: None };
    if args.tree {
        walked.files.retain(|file| changes.as_ref().is_none_or(|changes| changes.has(&file.path)));
        return print_tree(args, walked, &settings, &reading);
    }
    let budget = settings.fitter.budget(None, None)?;
    if let Some(changes) = &changes {
        changes.narrow(&mut walked, &reading);
    }
    let known = exact::among(&args.exact, &walked.files);
    let mut gathered = gather::gather(walked, &settings, &budget, Limits::USUAL, &reading);
    notes::refuse(&gathered.skipped, &reading.named)?;
    exact::pin(&args.exact, &known, &mut gathered, &settings, wanted.allow_secrets)?;
    if let Some(changes) = &changes {
        changes.mark(&mut gathered.blocks);
    }
    notes::tell(&gathered.skipped, wanted.verbose);
    notes::tell_own(&gathered.own);
    if args.order == Order::Worth {
        gather::sort_by_worth(&mut gathered.blocks, &settings);
    }
    notes::tell_guessed(&gathered.guessed, wanted.verbose);

    let is_split = args.exact.iter().any(|exact| exact.lines.is_some());
    let noun = if is_split { files_and_parts() } else { Noun::new("file", "files") };
    let layout = Layout::default().with_omission(noun).with_line_numbers(settings.fitter.line_numbers);
    let context = gathered.context(layout, settings.fitter.query.clone());
    let originals = settings.originals(&context);
    let raw = &gathered.raw;
    let fitter = &settings.fitter;
    let (context, result) = fitter
        .passages(fitter.passages, context, &budget, |block| Some(fitter.handles?(bytes(block, raw))))?;

    if result.plan().is_some_and(|plan| plan.strategy.contains("outline")) {
        notes::tell_lacking(&context.blocks);
    }
    let mut answer = SearchAnswer::new(None, settings.fitter.passages.name(), &context, &result);
    if settings.store.is_some() {
        let blocks = &originals.as_ref().unwrap_or(&context).blocks;
        let texts =
            contextfit::presets::originals(&answer.blocks, |at| Some(bytes(blocks.get(at)?, raw).into()));
        store::keep(settings.store.as_ref(), &texts, &mut answer.blocks);
    }
    let source = notes::source(&gathered, context.blocks.len());
    let done = Done {
        flags: &args.fit,
        settings: &settings,
        budget,
        input: &context,
        result: &result,
        answer: &answer,
        blocks: &answer.blocks,
        metrics: &answer.metrics,
        started,
        source: Some(source),
    };
    print(args, &done)
}

/// The strategy that knows changed lines, with a note if it replaces one that is `set` by a profile or a configuration.
///
/// # Errors
/// [`CliError::Usage`] if another one `is_asked` for.
fn by_changes(set: CompressionStrategy, is_asked: bool) -> Result<CompressionStrategy, CliError> {
    let outline = CompressionStrategy::Outline;
    if set != CompressionStrategy::Auto && set != outline {
        let problem = format!("the strategy {} does not know what changed", set.name());
        if is_asked {
            return Err(CliError::Usage(format!(
                "--since: {problem}; leave out --strategy, or use --strategy outline"
            )));
        }
        console::note(format!("note: {problem}; --since uses outline instead"));
    }
    Ok(outline)
}

/// Prints where the tokens of the files are.
fn print_tree(
    args: &FilesArgs,
    walked: Walked,
    settings: &Settings,
    reading: &Reading,
) -> Result<(), CliError> {
    let started = Instant::now();
    let (tree, skipped) = gather::tree(walked, settings, reading);
    notes::refuse(&skipped, &reading.named)?;
    let counting = &settings.fitter.counting;
    if args.json {
        output::json(&tree.shares(counting.tokenizer().to_string()))?;
    } else {
        output::context(&tree.lines())?;
    }
    notes::tell(&skipped, args.wanted.verbose);
    console::note(format!(
        "{} · {} tokens ({}){} · {:.2} s",
        counted(tree.files, "file", "files"),
        grouped(tree.tokens),
        counting.tokenizer(),
        estimated_part(counting, Tokens::new(tree.tokens)),
        started.elapsed().as_secs_f64(),
    ));
    Ok(())
}

/// The part of `paths` that answers the query of `settings`, in its budget, with what may be read and was read before.
///
/// # Errors
/// [`CliError`] if one of `paths` cannot be used, or nothing fits.
#[cfg(feature = "mcp")]
pub(crate) fn found(
    paths: &[PathBuf],
    settings: &Settings,
    known: std::sync::Arc<KnownFiles>,
) -> Result<String, CliError> {
    let budget = settings.fitter.budget(None, None)?;
    let walked = walk::walk(paths, false, false)?;
    let reading = Reading { named: walked.named.clone(), known: Some(known), ..Reading::default() };
    let mut gathered = gather::gather(walked, settings, &budget, Limits::USUAL, &reading);
    if gathered.blocks.is_empty() {
        let why = gathered.skipped.iter().find(|(path, _)| reading.named.contains(path));
        let nothing =
            "nothing is there to search: no text, or only what is ignored or has secrets".to_owned();
        let problem = why.map_or(nothing, |(path, why)| format!("cannot use {path}: {}", why.without_hint()));
        return Err(CliError::Failed(problem));
    }
    let layout = Layout::default().with_omission(Noun::new("file", "files")).with_line_numbers(true);
    let context = gathered.context(layout, settings.fitter.query.clone());
    let fitter = &settings.fitter;
    let (_, result) = fitter.passages(fitter.passages, context, &budget, |_| None)?;
    Ok(result.text)
}

/// The bytes of `block`: those of the file, or of its lines, if it was not UTF-8, as `raw` has them.
fn bytes<'t>(block: &'t Block, raw: &'t HashMap<String, Vec<u8>>) -> &'t [u8] {
    let whole = raw.get(&block.id).map(Vec::as_slice);
    whole.or_else(|| lines(block, raw)).unwrap_or(block.text.as_bytes())
}

/// The bytes of the lines that `block` is; `None` for UTF-16, in which a byte of a line feed may be one of another
/// character.
fn lines<'t>(block: &Block, raw: &'t HashMap<String, Vec<u8>>) -> Option<&'t [u8]> {
    let passage = block.as_passage()?;
    let bytes = raw.get(passage.path.as_ref()?)?;
    let before = |line: usize| bytes.split_inclusive(|byte| *byte == b'\n').take(line).map(<[u8]>::len).sum();
    let lines = bytes.get(before(passage.start_line?.checked_sub(1)?)..before(passage.end_line?))?;
    (decode(lines.to_vec(), Nuls::Kept)?.text == block.text).then_some(lines)
}

/// Writes the report, the answer and the summary.
fn print(args: &FilesArgs, done: &Done<'_, SearchAnswer>) -> Result<(), CliError> {
    let why = |target: &String| explain::why(&done.settings.fitter, done.input, done.result, target);
    let why = args.why.as_ref().map(why).transpose()?;
    done.report()?;
    if args.json {
        output::json(&done.answer())?;
    } else {
        output::context(&done.answer.context)?;
    }
    done.tell();
    why.into_iter().flatten().for_each(console::note);
    Ok(())
}
