//! The settings that result from flags and configuration.
//!
//! A request's own fields take precedence over flags, and flags over the other layers of the configuration.

use contextfit::{
    kernel::{Context, Tokens},
    presets::{CompressionStrategy, Counting, Fitter, Profile},
    text::{Model, model},
};

use crate::{
    args::{CountingArgs, FitArgs},
    config::{Config, FeedbackConfig, Layers},
    console,
    error::CliError,
    factors,
    llm::{Llm, Spent},
    store::Store,
};

/// The requested counter. A tokenizer takes precedence over a model, and flags over the file.
pub(crate) fn counting(flags: &CountingArgs, config: &Config) -> Result<Counting, CliError> {
    let configured = config.model.as_deref().map(model).transpose()?;
    let encoding = |model: Option<&'static Model>| model.map(|model| model.encoding);
    let tokenizer = (flags.tokenizer.as_deref()).or(encoding(flags.model)).or(config.tokenizer.as_deref());
    let counting = Counting::new(tokenizer, flags.model.or(configured))?;
    let factor = counting.model.filter(|_| counting.estimator.is_some()).and_then(factors::of);
    Ok(match factor {
        Some(factor) => counting.with_factor(factor),
        None => counting,
    })
}

/// Prints a note that budgets and other figures are in different tokens, if a stand-in counts them.
fn tell(counting: &Counting) {
    if let Some(estimator) = &counting.estimator {
        let tokenizer = counting.tokenizer();
        console::note(format!(
            "note: {}; budgets are in the model's tokens, other figures in {tokenizer} tokens unless marked \"estimated\"",
            estimator.describe(tokenizer),
        ));
    }
}

/// How to make contexts fit.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) fitter: Fitter,
    pub(crate) store: Option<Store>,
    /// The model to ask for summaries.
    pub(crate) llm: Option<Llm>,
    pub(crate) feedback: FeedbackConfig,
    /// The profile, if one is set.
    pub(crate) profile: Option<Profile>,
}

impl Settings {
    /// The settings from flags, the environment and configuration files.
    pub(crate) fn resolve(flags: &FitArgs) -> Result<Self, CliError> {
        Self::new(flags, Layers::read(flags.config.as_deref(), flags.layers())?.config()?)
    }

    /// The settings from flags alone.
    pub(crate) fn of_flags(flags: &FitArgs) -> Result<Self, CliError> {
        Self::new(flags, Layers::new(flags.layers()).config()?)
    }

    /// The settings from `config`, in which `flags` are included, and from flags that no configuration has.
    fn new(flags: &FitArgs, config: Config) -> Result<Self, CliError> {
        let counting = counting(&flags.counting, &config)?;
        tell(&counting);
        let embeddings = flags.embeddings.open()?;
        let llm = flags.llm.open(&config, &counting, embeddings.as_ref())?;
        let store = flags.store.open()?;
        let mut fitter = Fitter::new(counting);
        fitter.options = config.options();
        fitter.llm_for_passages =
            flags.llm.llm.is_some() || fitter.options.enabled && fitter.options.llm.enabled;
        fitter.llm = llm.as_ref().map(Llm::for_fitting);
        fitter.embeddings = embeddings;
        fitter.handles = store.as_ref().map(|_| Store::short_handle as _);
        fitter.passages = config.strategy.unwrap_or_default();
        fitter.conversations = config.chat.unwrap_or_default();
        fitter.memories.strategy = config.profile.map(Into::into).unwrap_or_default();
        fitter.sentences = config.bm25.unwrap_or_default();
        fitter.query.clone_from(&flags.query);
        fitter.line_numbers = flags.line_numbers;
        fitter.budget = config.budget.map(Tokens::new);
        fitter.reserve = config.reserve.map(Tokens::new);
        Ok(Self {
            fitter,
            store,
            llm,
            feedback: config.feedback.unwrap_or_default(),
            profile: config.profile,
        })
    }

    /// Whether the strategy compares the scores of blocks with a threshold, and has none of its own.
    pub(crate) fn needs_scores(&self) -> bool {
        self.fitter.passages == CompressionStrategy::MetadataOnly
    }

    /// A copy of `input` if a model may shorten its texts and the originals must be stored.
    pub(crate) fn originals(&self, input: &Context) -> Option<Context> {
        (self.store.is_some() && self.llm.is_some() && self.fitter.llm_for_passages).then(|| input.clone())
    }

    /// Prints the calls to the model and their cost, if there is a model.
    pub(crate) fn tell_spent(&self) -> Option<Spent> {
        let llm = self.llm.as_ref()?;
        let spent = llm.spent();
        console::note(spent.line());
        llm.learn(&self.fitter.counting);
        Some(spent)
    }
}

#[cfg(test)]
mod tests {
    use contextfit::kernel::Error;
    use contextfit::presets::{DEFAULT_TOKENIZER, FitError};

    use super::*;

    #[test]
    fn flags_go_before_the_file() {
        let config = Config { tokenizer: Some("chars/4".into()), ..Config::default() };
        let none = CountingArgs::default();
        let check = |flags: &CountingArgs, config: &Config, expect: &str| {
            assert_eq!(counting(flags, config).unwrap().tokenizer(), expect);
        };
        check(&none, &config, "chars/4");
        let model = CountingArgs { model: Some(model("gpt-4").unwrap()), ..none.clone() };
        check(&model, &config, "cl100k_base");
        let both = CountingArgs { tokenizer: Some("chars/1".into()), ..model };
        check(&both, &config, "chars/1");
        check(&none, &Config::default(), DEFAULT_TOKENIZER);
    }

    #[test]
    fn without_any_budget_nothing_is_guessed() {
        let fitter = Settings::of_flags(&FitArgs::default()).unwrap().fitter;
        assert!(matches!(fitter.budget(None, None), Err(FitError::MissingBudget)));
        let few = Some(Tokens::new(5));
        assert!(matches!(
            fitter.budget(few, Some(Tokens::new(6))),
            Err(FitError::Fit(Error::Reserve { .. }))
        ));
        assert_eq!(fitter.budget(few, few).unwrap().available(), Tokens::ZERO);
    }
}
