//! `chat`: a conversation in, the same conversation out, shorter.

use std::{path::PathBuf, time::Instant};

use clap::{ValueEnum, ValueHint};
use contextfit::{
    formats::{ChatAnswer, ChatRequest, Conversation, WireFormat},
    kernel::Role,
    presets::{CompressionStrategy, FitError, Fitted, Fitter, pins_match},
};

use crate::{
    args::FitArgs,
    console,
    error::CliError,
    fit::Done,
    input::{self, STDIN},
    jsonl::{self, Job},
    output,
    pins::{PinArgs, Waiting},
    repaired::Sent,
    settings::Settings,
    store,
};

/// The flags of `chat`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit chat request.json --budget 8000 > shorter.json
  contextfit chat request.json --model gpt-4o --strategy sliding-window
  contextfit chat request.json --budget 8000 --pin-tool read_file --explain > shorter.json
  contextfit chat --jsonl requests.jsonl --budget 8000 > answers.jsonl

The input is what an application would send to a provider: an OpenAI chat completions body or just its array of \
messages, an OpenAI responses body, or an Anthropic messages body. The output has the same shape; unknown fields and \
messages that did not need shortening pass through unchanged. With --jsonl, each line is {\"id\": 1, \"budget\": 8000, \
\"messages\": […]}, or has a whole body in \"request\" instead of \"messages\"; unknown keys in a line are errors.")]
pub(crate) struct ChatArgs {
    /// File with the conversation; standard input if absent or -
    #[arg(value_hint = ValueHint::FilePath, default_value = STDIN, hide_default_value = true)]
    file: PathBuf,
    /// Read one request per line and write one answer per line, in order
    #[arg(long, conflicts_with_all = ["answer", "explain", "report"])]
    jsonl: bool,
    /// Print a JSON answer that also says what happened to each message
    #[arg(long)]
    answer: bool,
    /// Wire format of the conversation [default: detected from its fields]
    #[arg(long, value_name = "NAME", value_parser = formats())]
    format: Option<WireFormat>,
    /// Role of the message that holds the record of earlier turns; in Anthropic messages always user
    #[arg(long, value_name = "ROLE", value_enum, default_value_t = RecordRole::User)]
    record_role: RecordRole,
    #[command(flatten)]
    pins: PinArgs,
    #[command(flatten)]
    fit: FitArgs,
}

/// The role of the record. Never the assistant: the model would go on in the style of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum RecordRole {
    /// The user
    #[default]
    User,
    /// The developer
    Developer,
    /// The system
    System,
}

impl RecordRole {
    pub(crate) const fn role(self) -> Role {
        match self {
            Self::User => Role::User,
            Self::Developer => Role::Developer,
            Self::System => Role::System,
        }
    }
}

/// Parses the name of a format.
fn formats() -> impl clap::builder::TypedValueParser<Value = WireFormat> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};

    let known = || WireFormat::ALL.into_iter();
    PossibleValuesParser::new(known().map(WireFormat::name))
        .try_map(move |name| known().find(|format| format.name() == name).ok_or("no such format"))
}

pub(crate) fn run(args: &ChatArgs) -> Result<(), CliError> {
    let started = Instant::now();
    if args.fit.line_numbers {
        return Err(CliError::Usage(
            "--line-numbers works with files and search only: messages have no line numbers".into(),
        ));
    }
    if args.fit.fill {
        return Err(CliError::Usage(
            "--fill works with files and search only: chat always fills its budget".into(),
        ));
    }
    args.fit.target([args.file.as_path()])?;
    let settings = Settings::resolve(&args.fit)?;
    tell_no_turns(&settings.fitter, settings.fitter.conversations);
    if args.jsonl {
        let waiting = Waiting::default();
        let answer = |sent| answer_line(sent, args, &settings, &waiting);
        let job = Job { parse: ChatRequest::parse, id: |request| request.id.clone(), answer: &answer };
        jsonl::run(&args.file, &job, started)?;
        settings.tell_spent();
        return waiting.done();
    }
    let sent = input::request(&args.file, |text| {
        let conversation = Conversation::read(text, args.format)?;
        Ok(ChatRequest::new(conversation.with_record_role(args.record_role.role())))
    })?;
    let Sent { mut request, original } = sent;
    args.pins.unmatched(&request.conversation).refuse("no message matches")?;
    args.pins.add_to(&mut request);
    let original = original.map(|original| original.conversation);
    let fitted = fit(&request, original.as_ref(), &settings)?;
    let answer = &fitted.answer;
    let done = Done {
        flags: &args.fit,
        settings: &settings,
        budget: fitted.budget,
        input: &fitted.input,
        result: &fitted.result,
        answer,
        blocks: &answer.blocks,
        metrics: &answer.metrics,
        started,
        source: None,
    };
    done.report()?;
    if args.answer {
        output::json(&done.answer())?;
    } else {
        output::line(&request.conversation.shortened_text(&fitted.result))?;
        if settings.store.is_some() && args.fit.report.is_none() {
            console::note(
                "note: markers hold handles for contextfit restore; --answer and --report list all handles",
            );
        }
    }
    done.tell();
    Ok(())
}

/// The answer to one line of many, whose messages are no longer `waiting` for pins.
fn answer_line(
    Sent { mut request, original }: Sent<ChatRequest>,
    args: &ChatArgs,
    settings: &Settings,
    waiting: &Waiting,
) -> Result<String, FitError> {
    // Considers the flags even if the line's own pins are wrong: they may match this line alone.
    waiting.meet(&args.pins, &request.conversation);
    pins_match(&request)?;
    args.pins.add_to(&mut request);
    request.conversation = request.conversation.with_record_role(args.record_role.role());
    let original = original.map(|original| original.conversation);
    let answer = fit(&request, original.as_ref(), settings)?.answer;
    let (metrics, counting) = (&answer.metrics, &settings.fitter.counting);
    jsonl::json(&counting.estimated(&answer, metrics.tokens_before, metrics.tokens_after))
}

/// Makes the conversation of `request` fit; `settings` supplies whatever the request leaves open. Handles name the
/// messages of `original`, if that is another conversation.
fn fit(
    request: &ChatRequest,
    original: Option<&Conversation>,
    settings: &Settings,
) -> Result<Fitted<ChatAnswer>, FitError> {
    let mut fitted = settings.fitter.chat_repaired(request, original)?;
    store::keep(settings.store.as_ref(), &fitted.originals, &mut fitted.answer.blocks);
    Ok(fitted)
}

/// Prints a note if `strategy` compares turns but does not use the embedding model for it.
pub(crate) fn tell_no_turns(fitter: &Fitter, strategy: CompressionStrategy) {
    if let Some(why) = fitter.why_no_turn_vectors(strategy) {
        console::note(format!("note: the --embeddings model is not used: {why}"));
    }
}
