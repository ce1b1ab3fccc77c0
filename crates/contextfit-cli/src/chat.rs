//! `chat`: a conversation in, the same conversation out, shorter.

use std::{
    borrow::{Borrow, Cow},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

use clap::{ValueEnum, ValueHint};
use contextfit_bm25::Bm25;
use contextfit_conversational::{
    HierarchicalCompressor, HybridCompressor, SemanticCompressor, SlidingWindowCompressor,
    SummarizingCompressor, TurnVectors,
};
use contextfit_formats::{ChatAnswer, ChatRequest, Conversation, FormatError, Pins, WireFormat};
use contextfit_kernel::{
    Budget, CompressionResult, CompressionStrategy, Context, Error, Outcome, Role, Stage,
};
use contextfit_pipeline::Pipeline;
use serde_json::Value;

use crate::{
    args::FitArgs,
    console,
    error::CliError,
    fit::{self, Done},
    held, input,
    jsonl::{self, Job},
    meaning::Meaning,
    output::Output,
    settings::Settings,
    store::Store,
};

/// The flags of `chat`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The conversation is what an application would send to a provider: a body of OpenAI chat completions or its array of
messages, a body of OpenAI responses, or a body of Anthropic messages. It comes back in the same shape; fields that are
not known and messages that were not shortened pass through unchanged. With --jsonl a line is {\"id\": 1, \"budget\": 8000,
\"messages\": […]}, or has a whole body as its \"request\"; keys beside these that are not known are errors.

Examples:
  contextfit chat request.json --budget 8000 > shorter.json
  contextfit chat request.json --model gpt-4o --strategy sliding-window
  contextfit chat request.json --budget 8000 --pin-tool read_file --explain > shorter.json
  contextfit chat --jsonl requests.jsonl --budget 8000 > answers.jsonl")]
pub(crate) struct ChatArgs {
    /// The conversation; standard input when absent or -
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// Read one request a line, write one answer a line, in order
    #[arg(long, conflicts_with_all = ["answer", "explain", "report"])]
    jsonl: bool,
    /// Print the answer with what became of each message, not the conversation alone
    #[arg(long)]
    answer: bool,
    /// What the conversation is written in [default: what it looks like]
    #[arg(long, value_name = "NAME", value_parser = formats())]
    format: Option<WireFormat>,
    /// Whose message the record of earlier turns is; in Anthropic messages always the user's
    #[arg(long, value_name = "ROLE", value_enum, default_value_t = RecordRole::User)]
    record_role: RecordRole,
    #[command(flatten)]
    pins: PinArgs,
    #[command(flatten)]
    fit: FitArgs,
}

/// Whose message the record is: the assistant's would be gone on with in its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum RecordRole {
    /// The user's.
    #[default]
    User,
    /// The developer's.
    Developer,
    /// The system's.
    System,
}

impl RecordRole {
    const fn role(self) -> Role {
        match self {
            Self::User => Role::User,
            Self::Developer => Role::Developer,
            Self::System => Role::System,
        }
    }
}

/// What must not be touched, beside instructions.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Pins")]
struct PinArgs {
    /// Keep the message at this place as it is, counted from 0; can be said again
    #[arg(long, value_name = "INDEX")]
    pin: Vec<usize>,
    /// Keep the message, the item or the call with this id
    #[arg(long, value_name = "ID")]
    pin_id: Vec<String>,
    /// Keep calls of this tool and their results
    #[arg(long, value_name = "NAME")]
    pin_tool: Vec<String>,
    /// Keep messages that contain this text
    #[arg(long, value_name = "TEXT")]
    pin_text: Vec<String>,
    /// Keep what the user said last as it is; without this it is cut when nothing else makes room, never left out
    #[arg(long)]
    pin_last_user: bool,
    /// Let instructions (system and developer messages) be cut or left out like other messages
    #[arg(long)]
    unpin_instructions: bool,
}

impl PinArgs {
    /// The pins of a request, and these.
    fn added_to(&self, mut pins: Pins) -> Pins {
        pins.indices.extend(&self.pin);
        pins.ids.extend_from_slice(&self.pin_id);
        pins.tools.extend_from_slice(&self.pin_tool);
        pins.markers.extend_from_slice(&self.pin_text);
        pins.last_user |= self.pin_last_user;
        pins.instructions &= !self.unpin_instructions;
        pins
    }
}

/// A format by its name.
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
            "--line-numbers is for files and search: messages have no lines of a file".into(),
        ));
    }
    if args.fit.fill {
        return Err(CliError::Usage(
            "--fill is for files and search: a conversation fills its budget".into(),
        ));
    }
    let settings = Settings::resolve(&args.fit)?;
    tell_no_turns(&settings, settings.chat);
    if args.jsonl {
        let job = Chat { settings: &settings, pins: &args.pins, record_role: args.record_role.role() };
        jsonl::run(args.file.as_deref(), &job, started)?;
        settings.tell_spent();
        return Ok(());
    }
    let conversation = input::request(args.file.as_deref(), |text| Conversation::read(text, args.format))?;
    let mut request = ChatRequest::new(conversation.with_record_role(args.record_role.role()));
    request.pins = args.pins.added_to(request.pins);
    let fitted = fit(&mut request, &settings)?;
    let answer = fitted.answer(&request, &settings)?;
    let done = Done {
        flags: &args.fit,
        settings: &settings,
        budget: fitted.budget,
        input: &fitted.input,
        result: &fitted.result,
        answer: &answer,
        blocks: &answer.blocks,
        metrics: &answer.metrics,
        started,
        source: None,
    };
    done.report()?;
    let mut output = Output::open();
    if args.answer {
        output.json(&done.answer())?;
    } else {
        output.line(&request.conversation.shortened_text(&fitted.result))?;
        if settings.store.is_some() && args.fit.report.is_none() {
            console::note(
                "note: the markers name the originals (contextfit restore); all handles are in --answer and --report",
            );
        }
    }
    output.finish()?;
    done.tell();
    Ok(())
}

/// Conversations to shorten, one a line.
struct Chat<'a> {
    settings: &'a Settings,
    pins: &'a PinArgs,
    record_role: Role,
}

impl Job for Chat<'_> {
    type Request = ChatRequest;

    fn parse(&self, text: &str) -> Result<ChatRequest, FormatError> {
        ChatRequest::parse(text)
    }

    fn id(&self, request: &ChatRequest) -> Option<Value> {
        request.id.clone()
    }

    fn answer(&self, mut request: ChatRequest) -> Result<String, CliError> {
        request.pins = self.pins.added_to(request.pins);
        request.conversation = request.conversation.with_record_role(self.record_role);
        let fitted = fit(&mut request, self.settings)?;
        let answer = fitted.answer(&request, self.settings)?;
        let metrics = &answer.metrics;
        let estimated =
            self.settings.counting.estimated(&answer, metrics.tokens_before, metrics.tokens_after);
        jsonl::json(&estimated)
    }
}

/// A conversation that was made to fit.
struct Fitted {
    input: Context,
    budget: Budget,
    strategy: CompressionStrategy,
    result: CompressionResult,
}

impl Fitted {
    fn answer(&self, request: &ChatRequest, settings: &Settings) -> Result<ChatAnswer, CliError> {
        let answer = ChatAnswer::new(request, self.strategy.name(), &self.input, &self.result);
        let mut answer = answer.map_err(CliError::Json)?;
        if let Some(store) = &settings.store {
            let ids: Vec<String> = answer.blocks.iter().map(|block| block.id.clone()).collect();
            let original = |at: usize| request.conversation.original(ids.get(at)?).map(Cow::from);
            store.keep(&mut answer.blocks, original);
        }
        Ok(answer)
    }
}

/// Makes the conversation of `request` fit; what the request leaves open is taken from `settings`.
fn fit(request: &mut ChatRequest, settings: &Settings) -> Result<Fitted, CliError> {
    let strategy = match request.strategy.as_deref() {
        Some(name) => fit::strategy(name, &CompressionStrategy::CHAT)?,
        None => settings.chat,
    };
    let budget = settings.budget(request.budget, request.reserve)?;
    let counter = &settings.counting.counter;
    let mut input = request.conversation.context(counter, &request.pins);
    input.query = request.query.take().or_else(|| settings.query.clone());
    let turns = turns(settings, strategy, [&input])?;
    let mut pipeline = pipeline(settings, strategy, turns)?;
    if settings.store.is_some() {
        let conversation = &request.conversation;
        pipeline = Store::named_in(pipeline, &input, |block| conversation.original(&block.id).map(Cow::from));
    }
    let fitted = match &settings.llm {
        Some(llm) => llm.conversation(pipeline, &input, &budget),
        None => pipeline.fit(&input, &budget),
    };
    let mut result = fitted.map_err(|error| held::explained(error, request, &input))?;
    if let Some(why) = no_turns(settings, strategy)
        && !result.stages.is_empty()
    {
        result.stages.insert(0, Stage::new("embeddings", None, 0, Outcome::Failed(why.into())));
    }
    Ok(Fitted { input, budget, strategy, result })
}

/// Where the turns of `contexts` lie, for the strategy that compares them, when there is a model that knows.
///
/// # Errors
/// [`CliError::Embeddings`] when the model fails.
pub(crate) fn turns(
    settings: &Settings,
    strategy: CompressionStrategy,
    contexts: impl IntoIterator<Item = impl Borrow<Context>>,
) -> Result<Option<Arc<TurnVectors>>, CliError> {
    let model = settings.meaning.as_ref().filter(|_| strategy == CompressionStrategy::Semantic);
    model.filter(|model| model.no_turns().is_none()).map(|model| model.turns(contexts)).transpose()
}

/// Why `strategy`, which compares turns, does not compare them by the model that there is.
fn no_turns(settings: &Settings, strategy: CompressionStrategy) -> Option<&'static str> {
    let model = settings.meaning.as_ref().filter(|_| strategy == CompressionStrategy::Semantic);
    model.and_then(Meaning::no_turns)
}

/// Tells people why the model that there is does not compare turns, where they would be.
pub(crate) fn tell_no_turns(settings: &Settings, strategy: CompressionStrategy) {
    if let Some(why) = no_turns(settings, strategy) {
        console::note(format!("note: the model of --embeddings is not used: {why}"));
    }
}

/// The pipeline that `strategy` stands for; `turns` are those of the model of meaning, when there is one.
///
/// # Errors
/// [`Error::UnknownStrategy`] for one that is not for conversations.
pub(crate) fn pipeline(
    settings: &Settings,
    strategy: CompressionStrategy,
    turns: Option<Arc<TurnVectors>>,
) -> Result<Pipeline, Error> {
    let empty = Pipeline::new(settings.counting.counter.clone());
    let hierarchical = || HierarchicalCompressor::new(Arc::new(Bm25::default()));
    Ok(match strategy {
        CompressionStrategy::SlidingWindow => empty.with_strategy(SlidingWindowCompressor::new()),
        CompressionStrategy::Auto | CompressionStrategy::Hierarchical => {
            empty.with_strategy(hierarchical()).with_strategy(SlidingWindowCompressor::new())
        }
        CompressionStrategy::Hybrid => {
            HybridCompressor::new(Arc::new(Bm25::default())).into_iter().fold(empty, Pipeline::with_strategy)
        }
        // Without a model the summary is an extraction.
        CompressionStrategy::Summarize => empty.with_strategy(SummarizingCompressor::new()),
        CompressionStrategy::Semantic => {
            let by_words = SemanticCompressor::new(Arc::new(Bm25::default()));
            empty.with_strategy(match turns {
                Some(turns) => by_words.with_vectors(turns),
                None => by_words,
            })
        }
        other => return Err(fit::unknown(other.name(), &CompressionStrategy::CHAT)),
    })
}
