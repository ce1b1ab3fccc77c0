//! The settings that result from flags and configuration.
//!
//! A request's own fields take precedence over flags, and flags over the other layers of the configuration.

use std::sync::Arc;

use contextfit_bm25::SentenceOptions;
use contextfit_kernel::{Budget, Context, TokenCounter, Tokens};
use contextfit_presets::CompressionOptions;
use contextfit_presets::{CompressionStrategy, Preset, Profile};
use contextfit_text::{Model, counter, model};
use contextfit_truncation::feedback::State;

use crate::{
    args::{CountingArgs, FitArgs},
    config::{Config, Layers},
    console,
    error::CliError,
    estimate::{Estimate, Estimated, Estimator},
    factors,
    learned::FeedbackConfig,
    llm::{Llm, Spent},
    meaning::Meaning,
    store::Store,
};

/// The default tokenizer.
pub(crate) const DEFAULT_TOKENIZER: &str = "o200k_base";

/// How tokens are counted.
#[derive(Clone)]
pub(crate) struct Counting {
    /// The counter.
    pub(crate) counter: Arc<dyn TokenCounter>,
    /// The model, if one was named.
    pub(crate) model: Option<&'static Model>,
    /// The estimate of what the model's provider counts, if another tokenizer stands in for its own.
    pub(crate) estimator: Option<Estimator>,
}

impl Counting {
    /// The requested counter. A tokenizer takes precedence over a model, and flags over the file.
    pub(crate) fn resolve(flags: &CountingArgs, config: &Config) -> Result<Self, CliError> {
        let configured = config.model.as_deref().map(model).transpose()?;
        let encoding = |model: Option<&'static Model>| model.map(|model| model.encoding);
        let tokenizer = (flags.tokenizer.as_deref())
            .or(encoding(flags.model))
            .or(config.tokenizer.as_deref())
            .or(encoding(configured))
            .unwrap_or(DEFAULT_TOKENIZER);
        let model = flags.model.or(configured);
        let stood_in = model.filter(|model| !model.exact && model.encoding == tokenizer);
        let estimator = stood_in.and_then(|model| Estimator::new(model, factors::of(model)?));
        Ok(Self { counter: counter(tokenizer)?, model, estimator })
    }

    /// `answer` with an estimate of its tokens if a stand-in counts them.
    pub(crate) fn estimated<'a, A>(&self, answer: &'a A, before: Tokens, after: Tokens) -> Estimated<'a, A> {
        Estimated { answer, estimate: self.estimate(before, after) }
    }

    /// The estimated tokens of an answer, if a stand-in counts them.
    pub(crate) fn estimate(&self, before: Tokens, after: Tokens) -> Option<Estimate> {
        self.estimator.map(|estimator| estimator.of(before, after))
    }

    /// Prints a note that budgets and other figures are in different tokens, if a stand-in counts them.
    fn tell(&self) {
        if let Some(estimator) = &self.estimator {
            console::note(format!(
                "note: {}; budgets are in the model's tokens, other figures in {} tokens unless marked \"estimated\"",
                estimator.told(self.tokenizer()),
                self.tokenizer()
            ));
        }
    }

    /// The name of the tokenizer.
    pub(crate) fn tokenizer(&self) -> &str {
        self.counter.name()
    }
}

/// How to make contexts fit.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) counting: Counting,
    pub(crate) strategy: CompressionStrategy,
    /// The strategy for conversations.
    pub(crate) chat: CompressionStrategy,
    /// The profile, if one was named.
    pub(crate) profile: Option<Profile>,
    pub(crate) options: CompressionOptions,
    pub(crate) sentences: SentenceOptions,
    pub(crate) meaning: Option<Meaning>,
    pub(crate) store: Option<Store>,
    /// The model to ask for summaries.
    pub(crate) llm: Option<Llm>,
    /// Whether it may be asked for shorter chunks too.
    pub(crate) llm_for_chunks: bool,
    /// What was learned from feedback, if it is used.
    pub(crate) learned: Option<Arc<State>>,
    pub(crate) feedback: FeedbackConfig,
    pub(crate) query: Option<String>,
    pub(crate) line_numbers: bool,
    budget: Option<Tokens>,
    reserve: Option<Tokens>,
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
        let counting = Counting::resolve(&flags.counting, &config)?;
        counting.tell();
        let meaning = flags.meaning.open()?;
        let llm = flags.llm.open(&config, &counting, meaning.as_ref())?;
        let options = config.options();
        let llm_for_chunks = flags.llm.llm.is_some() || options.enabled && options.llm.enabled;
        Ok(Self {
            counting,
            strategy: config.strategy.unwrap_or_default(),
            chat: config.chat.unwrap_or_default(),
            profile: config.profile,
            options,
            meaning,
            store: flags.store.open()?,
            llm,
            llm_for_chunks,
            sentences: config.bm25.unwrap_or_default(),
            learned: None,
            feedback: config.feedback.unwrap_or_default(),
            query: flags.query.clone(),
            line_numbers: flags.line_numbers,
            budget: config.budget.map(Tokens::new),
            reserve: config.reserve.map(Tokens::new),
        })
    }

    /// These settings with the options of `profile`.
    pub(crate) fn with_profile(self, profile: Profile) -> Self {
        Self { options: profile.options(), sentences: profile.sentences(), ..self }
    }

    /// `strategy` with these settings.
    pub(crate) fn preset(&self, strategy: CompressionStrategy) -> Preset {
        let preset = Preset::new(strategy)
            .with_options(self.options.clone())
            .with_sentence_options(self.sentences.clone());
        let preset = match &self.meaning {
            Some(model) => preset.with_meaning(model.scorer()),
            None => preset,
        };
        match &self.learned {
            Some(learned) => preset.with_learned(Arc::clone(learned)),
            None => preset,
        }
    }

    /// Whether the strategy compares the scores of blocks with a threshold, and has none of its own.
    pub(crate) fn needs_scores(&self) -> bool {
        self.strategy == CompressionStrategy::MetadataOnly
    }

    /// A copy of `input` if a model may shorten its texts and the originals must be stored.
    pub(crate) fn originals(&self, input: &Context) -> Option<Context> {
        (self.store.is_some() && self.llm.is_some() && self.llm_for_chunks).then(|| input.clone())
    }

    /// Prints the calls to the model and their cost, if there is a model.
    pub(crate) fn tell_spent(&self) -> Option<Spent> {
        let llm = self.llm.as_ref()?;
        let spent = llm.spent();
        console::note(spent.line());
        llm.learn(&self.counting);
        Some(spent)
    }

    /// The budget of a request with these values, completed from the settings. If another tokenizer stands in for the
    /// model's own, the budget is in tokens of the stand-in, and smaller by the factor.
    ///
    /// # Errors
    /// [`CliError::MissingBudget`] if there is no budget, [`CliError::Fit`] if the reserve exceeds it.
    pub(crate) fn budget(&self, budget: Option<Tokens>, reserve: Option<Tokens>) -> Result<Budget, CliError> {
        let limit = budget
            .or(self.budget)
            .or_else(|| self.counting.model.map(prompt_room))
            .ok_or(CliError::MissingBudget)?;
        let budget = Budget::new(limit).with_reserve(reserve.or(self.reserve).unwrap_or_default())?;
        let Some(estimator) = self.counting.estimator else { return Ok(budget) };
        let (limit, available) = (estimator.safe(limit), estimator.safe(budget.available()));
        // Round the reserve up, so that the rest stays within the provider's count.
        Ok(Budget::new(limit).with_reserve(limit.saturating_sub(available))?)
    }
}

/// The tokens of a model's window that are left for a prompt if its longest answer must fit too. If an answer may fill
/// the whole window, a quarter is reserved for it.
fn prompt_room(model: &'static Model) -> Tokens {
    let quarter = Tokens::new(model.window.get() / 4);
    let answer = if model.output < model.window { model.output } else { quarter };
    model.window.saturating_sub(answer)
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::Error;

    use super::*;

    #[track_caller]
    fn check_room(name: &str) {
        let model = model(name).unwrap();
        let room = prompt_room(model);
        assert!(room > Tokens::ZERO && room <= model.window, "{name}: {room}");
    }

    #[test]
    fn every_model_has_room_for_a_prompt() {
        for model in contextfit_text::models() {
            check_room(model.name);
        }
    }

    #[test]
    fn flags_go_before_the_file() {
        let config = Config { tokenizer: Some("chars/4".into()), ..Config::default() };
        let none = CountingArgs::default();
        assert_eq!(Counting::resolve(&none, &config).unwrap().tokenizer(), "chars/4");
        let model = CountingArgs { model: Some(model("gpt-4").unwrap()), ..none.clone() };
        assert_eq!(Counting::resolve(&model, &config).unwrap().tokenizer(), "cl100k_base");
        let both = CountingArgs { tokenizer: Some("chars/1".into()), ..model };
        assert_eq!(Counting::resolve(&both, &config).unwrap().tokenizer(), "chars/1");
        assert_eq!(Counting::resolve(&none, &Config::default()).unwrap().tokenizer(), DEFAULT_TOKENIZER);
    }

    #[test]
    fn without_any_budget_nothing_is_guessed() {
        let settings = Settings::of_flags(&FitArgs::default()).unwrap();
        assert!(matches!(settings.budget(None, None), Err(CliError::MissingBudget)));
        let few = Some(Tokens::new(5));
        assert!(matches!(
            settings.budget(few, Some(Tokens::new(6))),
            Err(CliError::Fit(Error::Reserve { .. }))
        ));
        assert_eq!(settings.budget(few, few).unwrap().available(), Tokens::ZERO);
    }
}
