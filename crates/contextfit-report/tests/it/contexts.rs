//! Contexts and their compressions.

use contextfit_kernel::{
    Action, Block, Budget, ByteRange, Context, Level, Outcome, Passage, Piece, Plan, Reason, Stage, Step,
    Tokens,
};
use contextfit_pipeline::Pipeline;
use contextfit_presets::preset;
use contextfit_report::Compression;
use contextfit_text::CharsPer;

pub(crate) fn counter() -> CharsPer {
    CharsPer::new(1).unwrap()
}

/// A compression whose owned parts outlive it.
pub(crate) struct Case {
    pub(crate) input: Context,
    text: String,
    budget: Budget,
    stages: Vec<Stage>,
    counter: CharsPer,
}

impl Case {
    /// `blocks`, of which each is treated as `actions` says; the text is put together from what they show.
    pub(crate) fn by_hand(blocks: &[(&str, &str)], actions: Vec<Action>, query: &str) -> Self {
        let made = blocks.iter().map(|(id, text)| Block::passage(*id, Passage::default(), *text));
        let input = Context::new(made.collect()).with_query(query);
        let mut text = String::new();
        for ((_, source), action) in blocks.iter().zip(&actions) {
            match action {
                Action::Keep => text.push_str(source),
                Action::Cut { pieces } => pieces.iter().for_each(|piece| text.push_str(piece.text(source))),
                Action::Render { text: shown, .. } => text.push_str(shown),
                _ => {}
            }
        }
        let steps = blocks.iter().zip(actions).map(|((id, _), action)| Step::new(*id, action, Reason::Fits));
        let plan = Plan { strategy: "by-hand".into(), steps: steps.collect() };
        let stages = vec![Stage::new("by-hand", Some(plan), 1, Outcome::Applied)];
        Self { input, text, budget: Budget::new(100), stages, counter: counter() }
    }

    /// `input` as `strategy` fits it into `budget`.
    pub(crate) fn fitted(input: Context, strategy: &str, budget: usize) -> Self {
        let pipeline: Pipeline = preset(strategy, std::sync::Arc::new(counter())).unwrap();
        let budget = Budget::new(budget);
        let result = pipeline.fit(&input, &budget).unwrap();
        Self { text: result.text, stages: result.stages, input, budget, counter: counter() }
    }

    pub(crate) fn compression(&self) -> Compression<'_> {
        let tokens = Tokens::new(self.text.len());
        Compression::new(&self.input, &self.text, tokens, &self.budget, &self.stages, &self.counter)
    }
}

pub(crate) fn source(start: usize, end: usize) -> Piece {
    Piece::Source(ByteRange::new(start, end).unwrap())
}

pub(crate) fn marker() -> Piece {
    Piece::Marker("[... 1 sentence]".into())
}

/// Three documents: one kept, one cut, one described.
pub(crate) fn documents() -> Case {
    let cut = "The limit is 4096 bytes. Never raise it. Ask retry_count first.";
    let actions = vec![
        Action::Keep,
        Action::Cut { pieces: vec![source(0, 24), marker()] },
        Action::Render { level: Level::Reference, text: "c.md".into() },
    ];
    let blocks = [
        ("a.md", "Never raise it. Colours vary."),
        ("b.md", cut),
        ("c.md", "The port of the server is \"8080-tcp\". Colours vary. Use port 8443."),
    ];
    Case::by_hand(&blocks, actions, "which port has the server")
}

/// A conversation with a call, fitted into `budget` characters.
pub(crate) fn conversation(budget: usize) -> Case {
    let answer = "Order A-7731 was shipped on 2024-03-05. ".repeat(12);
    let counter = counter();
    let context = Context::conversation(&counter)
        .system("Be brief.")
        .user("Never share my address. Where is order A-7731?")
        .call("look_up", r#"{"order": "A-7731"}"#)
        .result("look_up", answer)
        .assistant("It was shipped on 2024-03-05. ".repeat(8))
        .user("And when will it arrive?")
        .build()
        .unwrap();
    Case::fitted(context, "hierarchical", budget)
}
