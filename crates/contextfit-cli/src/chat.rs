//! `chat`: a conversation in, the same conversation out, shorter.

use std::{
    borrow::{Borrow, Cow},
    path::PathBuf,
    str::FromStr,
    sync::Arc,
    time::Instant,
};

use clap::{ValueEnum, ValueHint};
use contextfit_conversational::TurnVectors;
use contextfit_formats::{ChatAnswer, ChatRequest, Conversation, FormatError, WireFormat};
use contextfit_kernel::{Budget, CompressionResult, Context, Error, Outcome, Role, Stage};
use contextfit_pipeline::Pipeline;
use contextfit_presets::CompressionStrategy;
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
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
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
enum RecordRole {
    /// The user
    #[default]
    User,
    /// The developer
    Developer,
    /// The system
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

/// What must not be touched, in addition to instructions.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Pins")]
struct PinArgs {
    /// Keep the message at this index as it is, counting from 0, or that of a turn as records number it (#60); may be
    /// repeated
    #[arg(long, value_name = "INDEX|#TURN")]
    pin: Vec<Pin>,
    /// Keep the message, item or call with this id; may be repeated
    #[arg(long, value_name = "ID")]
    pin_id: Vec<String>,
    /// Keep calls to this tool and their results; may be repeated
    #[arg(long, value_name = "NAME")]
    pin_tool: Vec<String>,
    /// Keep messages that contain this text; may be repeated
    #[arg(long, value_name = "TEXT")]
    pin_text: Vec<String>,
    /// Keep the last user message as it is; otherwise it is cut if nothing else makes room, but never dropped
    #[arg(long)]
    pin_last_user: bool,
    /// Let instructions (system and developer messages) be cut or dropped like other messages
    #[arg(long)]
    unpin_instructions: bool,
}

/// A message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pin {
    /// By its index, from 0.
    Index(usize),
    /// By the number of its turn, from 1, as records and --explain have it.
    Turn(usize),
}

impl FromStr for Pin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let pin = match text.strip_prefix('#') {
            Some(number) => number.parse().map(Self::Turn),
            None => text.parse().map(Self::Index),
        };
        pin.map_err(|_| "expected an index from 0, such as 59, or the number of a turn, such as #60")
    }
}

impl PinArgs {
    /// Adds these pins to those of `request`.
    ///
    /// # Errors
    /// [`CliError::Usage`] if a turn is not a message of it.
    fn add_to(&self, request: &mut ChatRequest) -> Result<(), CliError> {
        let pins = &mut request.pins;
        for pin in &self.pin {
            pins.indices.push(match *pin {
                Pin::Index(index) => index,
                Pin::Turn(number) => request.conversation.index_of(number).ok_or_else(|| {
                    CliError::Usage(format!(
                        "--pin #{number}: no message is turn {number}: a record holds it, or the conversation is shorter"
                    ))
                })?,
            });
        }
        pins.ids.extend_from_slice(&self.pin_id);
        pins.tools.extend_from_slice(&self.pin_tool);
        pins.markers.extend_from_slice(&self.pin_text);
        pins.last_user |= self.pin_last_user;
        pins.instructions &= !self.unpin_instructions;
        Ok(())
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
    args.pins.add_to(&mut request)?;
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
                "note: markers hold handles for contextfit restore; --answer and --report list all handles",
            );
        }
    }
    output.finish()?;
    done.tell();
    Ok(())
}

/// Conversations to shorten, one per line.
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
        self.pins.add_to(&mut request)?;
        request.conversation = request.conversation.with_record_role(self.record_role);
        let fitted = fit(&mut request, self.settings)?;
        let answer = fitted.answer(&request, self.settings)?;
        let metrics = &answer.metrics;
        let estimated =
            self.settings.counting.estimated(&answer, metrics.tokens_before, metrics.tokens_after);
        jsonl::json(&estimated)
    }
}

/// A conversation that fits.
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

/// Makes the conversation of `request` fit; `settings` supplies whatever the request leaves open.
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
    if let Some(why) = no_turns(settings, strategy) {
        pipeline =
            pipeline.with_earlier_stage(Stage::new("embeddings", None, 0, Outcome::Failed(why.into())));
    }
    if settings.store.is_some() {
        let conversation = &request.conversation;
        pipeline = Store::named_in(pipeline, &input, |block| conversation.original(&block.id).map(Cow::from));
    }
    let fitted = match &settings.llm {
        Some(llm) => llm.conversation(pipeline, &input, &budget),
        None => pipeline.fit(&input, &budget),
    };
    let result = fitted.map_err(|error| held::explained(error, request, &input))?;
    Ok(Fitted { input, budget, strategy, result })
}

/// The vectors of the turns in `contexts`, if `strategy` compares turns and there is an embedding model for it.
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

/// Why `strategy`, which compares turns, does not use the embedding model; `None` if it does or there is no model.
fn no_turns(settings: &Settings, strategy: CompressionStrategy) -> Option<&'static str> {
    let model = settings.meaning.as_ref().filter(|_| strategy == CompressionStrategy::Semantic);
    model.and_then(Meaning::no_turns)
}

/// Prints a note if `strategy` compares turns but does not use the embedding model for it.
pub(crate) fn tell_no_turns(settings: &Settings, strategy: CompressionStrategy) {
    if let Some(why) = no_turns(settings, strategy) {
        console::note(format!("note: the --embeddings model is not used: {why}"));
    }
}

/// The pipeline for `strategy`; `turns` are the vectors of the embedding model, if there is one.
///
/// # Errors
/// [`Error::UnknownStrategy`] if `strategy` does not work on conversations.
pub(crate) fn pipeline(
    settings: &Settings,
    strategy: CompressionStrategy,
    turns: Option<Arc<TurnVectors>>,
) -> Result<Pipeline, Error> {
    let strategy = fit::strategy(strategy.name(), &CompressionStrategy::CHAT)?;
    let preset = settings.preset(strategy);
    let preset = match turns {
        Some(turns) => preset.with_turn_vectors(turns),
        None => preset,
    };
    preset.pipeline(settings.counting.counter.clone())
}
