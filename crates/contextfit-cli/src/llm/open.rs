//! A language model behind HTTP, with its limits, prices and cache.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use contextfit::{
    caches::{CacheConfig, CacheKind, Cached, CompressionCache, Recipe},
    kernel::{
        Budget, CompressionResult, Context, ContextCompressor, Error, LlmProvider, NoSummary, SummarySource,
        Tokens, one_line,
    },
    models::{
        AnthropicMessages, ApiKey, Concurrent, Endpoint, LlmCompressor, LlmCompressorOptions, Metered,
        OpenAiChat, RateLimited, Retry, RetryPolicy, Shortening,
    },
    pipeline::{PROMPT_VERSION, Pipeline, Summarizer},
    presets::{CompressionOptions, Counting, FitWithLlm},
    search::ScoreMode,
    text::{Judge, Prices, model, prices},
};
use tokio::runtime::{Builder, Runtime};

use super::spent::Spent;
use crate::{
    config::{Api, CONCURRENCY, DEADLINE, LlmConfig, MAX_TOKENS, key_variable},
    console::{self, chain},
    error::CliError,
    factors, folders,
    summary::counted,
};

/// The name of the answers file in its default folder.
const FILE: &str = "answers.redb";

/// The most tokens of text in a request. Models accept more, but lose more of it.
const MOST_INPUT: Tokens = Tokens::new(8_000);

/// The smallest window with room for instructions, which take a quarter of it, text and answer.
const SMALLEST_WINDOW: Tokens = Tokens::new(1_000);

/// A language model.
#[derive(Clone)]
pub(crate) struct Llm(Arc<Open>);

struct Open {
    model: String,
    api: Api,
    url: String,
    prices: Option<Prices>,
    judge: Judge,
    /// The tokens that prompt and answer may take together, if known.
    window: Option<Tokens>,
    deadline: Duration,
    concurrency: usize,
    counting: Counting,
    metered: Arc<Metered<Box<dyn LlmProvider>>>,
    /// `metered` with limits and retries around it.
    provider: Arc<dyn LlmProvider>,
    cache: Arc<CompressionCache>,
    /// Runs asynchronous work for the commands, which are synchronous.
    runtime: Runtime,
}

impl Llm {
    pub(crate) fn open(
        config: LlmConfig,
        cache: &CacheConfig,
        counting: &Counting,
        judge: Judge,
        refresh: bool,
    ) -> Result<Self, CliError> {
        let model = config.model.clone().unwrap_or_default();
        let (url, endpoint) = endpoint(&config)?;
        let provider: Box<dyn LlmProvider> = match config.api {
            Api::Openai => Box::new(OpenAiChat::new(&model, endpoint).map_err(|error| wrong(&error))?),
            Api::Anthropic => {
                Box::new(AnthropicMessages::new(&model, endpoint).map_err(|error| wrong(&error))?)
            }
        };
        let prices = prices(&model);
        let metered = Metered::new(provider).with_counter(counting.counter.clone());
        let metered = Arc::new(match prices {
            Some(prices) => metered.with_prices(prices),
            None => metered,
        });
        let deadline = Duration::from_secs(config.deadline.unwrap_or(DEADLINE));
        let concurrency = config.concurrency.unwrap_or(CONCURRENCY).max(1);
        let provider = limited(&metered, config.per_minute, concurrency, deadline);
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| wrong(&error))?;
        let cache = opened(cache, &runtime)?;
        let cache = if refresh { cache.refreshing() } else { cache };
        let (cache, counting) = (Arc::new(cache), counting.clone());
        let known = contextfit::text::model(&model).ok().map(|model| model.window);
        let window = config.window.map(Tokens::new).or(known);
        if let Some(window) = window.filter(|window| *window < SMALLEST_WINDOW) {
            let least = SMALLEST_WINDOW.get();
            return Err(CliError::Usage(format!(
                "a window of {window} tokens has no room for instructions, text and answer: set --llm-window to {least} \
                 or more"
            )));
        }
        Ok(Self(Arc::new(Open {
            model,
            api: config.api,
            url,
            prices,
            judge,
            window,
            deadline,
            concurrency,
            counting,
            metered,
            provider,
            cache,
            runtime,
        })))
    }

    /// The model as a fitter asks it.
    pub(crate) fn for_fitting(&self) -> Arc<dyn FitWithLlm> {
        Arc::new(self.clone())
    }

    /// The most text in a request: half of the window, but at most [`MOST_INPUT`]. Of the other half, the answer takes
    /// at most half; the rest is for the instructions and the extra tokens that the model's own tokenizer may count.
    fn max_input_tokens(&self) -> Tokens {
        self.0.window.map_or(MOST_INPUT, |window| Tokens::new(window.get() / 2).min(MOST_INPUT))
    }

    /// Warns, in one line each, of texts for which the model failed and of those for which its answers were not used.
    fn tell_unused(&self, result: &CompressionResult) {
        let mut texts: BTreeMap<(usize, usize), Option<&NoSummary>> = BTreeMap::new();
        for summary in result.stages.iter().flat_map(|stage| &stage.summaries) {
            let why = match &summary.source {
                SummarySource::Fallback(why) if *why != NoSummary::NotAsked => Some(why),
                _ => None,
            };
            let known = texts.entry((summary.from, summary.to)).or_default();
            *known = known.or(why);
        }
        let tell = |did: &str, is: &dyn Fn(&NoSummary) -> bool| {
            let missing: Vec<_> = texts.values().flatten().filter(|why| is(why)).collect();
            let Some(first) = missing.first() else { return };
            let (n, of) = (missing.len(), counted(texts.len(), "text", "texts"));
            let first = one_line(&first.to_string()).into_owned();
            console::warning(format!("{did} for {n} of {of}, shortened without it: {first}"));
        };
        // A query may hold a key.
        let (model, address) = (&self.0.model, self.0.url.split('?').next().unwrap_or_default());
        let failed = |why: &NoSummary| matches!(why, NoSummary::Failed(_) | NoSummary::Late);
        tell(&format!("{model} at {address} failed"), &failed);
        tell(&format!("{model}: no answer was usable"), &|why| !failed(why));
    }

    /// The calls and costs so far.
    pub(crate) fn spent(&self) -> Spent {
        let cache = self.0.runtime.block_on(self.0.cache.statistics());
        Spent::new(&self.0.model, self.0.metered.metering(), cache)
    }

    /// Learns from the provider's reports how the model's tokenizer counts, if it is not published. If that cannot be
    /// stored, warns and goes on.
    pub(crate) fn learn(&self, counting: &Counting) {
        let factor = self.0.metered.metering().factor;
        let known =
            model(&self.0.model).ok().filter(|model| !model.exact && model.encoding == counting.tokenizer());
        if let Some(model) = known.filter(|_| factor.answers() > 0)
            && let Err(error) = factors::learn(model, factor)
        {
            let what = format!("cannot store the token factor learned for {}", model.name);
            console::warning_of(what, &error);
        }
    }

    fn recipe(&self, prompt: &str) -> Recipe {
        Recipe::new(&self.0.url, &self.0.model)
            .with_prompt_version(prompt)
            .with_parameter("api", format!("{:?}", self.0.api))
    }

    fn cached<P: ?Sized>(&self, inner: Arc<P>, recipe: Recipe) -> Cached<P> {
        let cached = Cached::new(inner, Arc::clone(&self.0.cache), recipe).with_judge(self.0.judge.clone());
        match self.0.prices {
            Some(prices) => cached.with_prices(prices),
            None => cached,
        }
    }
}

impl FitWithLlm for Llm {
    fn conversation(
        &self,
        pipeline: Pipeline,
        input: &Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error> {
        let recipe = self.recipe(&format!("summary/{PROMPT_VERSION}"));
        let provider = Arc::new(self.cached(Arc::clone(&self.0.provider), recipe));
        let summarizer = Summarizer::new(provider)
            .with_deadline(Some(self.0.deadline))
            .with_parallel(self.0.concurrency)
            .with_max_input_tokens(self.max_input_tokens())
            .with_judge(self.0.judge.clone());
        let pipeline = pipeline.with_summarizer(summarizer);
        let result = self.0.runtime.block_on(pipeline.compress_with_metrics(input, budget))?;
        self.tell_unused(&result);
        Ok(result)
    }

    fn passages(
        &self,
        pipeline: Pipeline,
        input: Context,
        budget: &Budget,
        options: &CompressionOptions,
    ) -> Result<(Context, CompressionResult), Error> {
        let usual = LlmCompressorOptions::default();
        let max_tokens = Tokens::new(options.llm.max_tokens.unwrap_or(MAX_TOKENS));
        let max_tokens =
            self.0.window.map_or(max_tokens, |window| max_tokens.min(Tokens::new(window.get() / 4)));
        let batch_tokens = self.max_input_tokens();
        let compress =
            LlmCompressorOptions { max_tokens, batch_tokens, concurrency: self.0.concurrency, ..usual };
        // Everything that an answer depends on besides the chunk.
        let recipe = self
            .recipe(&format!("chunk/{}", LlmCompressor::<Arc<dyn LlmProvider>>::PROMPT_VERSION))
            .with_parameter("maxTokens", max_tokens.to_string())
            .with_parameter("ratio", compress.ratio.to_string())
            .with_parameter("tokenizer", self.0.counting.tokenizer());
        let llm = LlmCompressor::new(Arc::clone(&self.0.provider), self.0.counting.counter.clone(), compress)
            .with_judge(self.0.judge.clone());
        let chunks = Arc::new(self.cached(Arc::new(llm), recipe));
        let shortening = Shortening::new(pipeline, chunks, &self.0.model)
            .with_longest(options.smart_truncation.max_length.get());
        let likely = &options.metadata_only;
        let shortening = match likely.enabled && likely.score_mode == ScoreMode::Absolute {
            true => shortening.with_min_score(likely.score_threshold),
            false => shortening,
        };
        let (context, result) = self.0.runtime.block_on(shortening.fit(input, budget))?;
        self.tell_unused(&result);
        Ok((context, result))
    }
}

/// The cache. One on disk that cannot be opened, for instance because its file is damaged, is replaced by one in memory
/// with a warning.
fn opened(cache: &CacheConfig, runtime: &Runtime) -> Result<CompressionCache, CliError> {
    let on_disk =
        cache.kind == CacheKind::Disk || cache.kind == CacheKind::Both && cache.behind == CacheKind::Disk;
    let open = |cache: &CacheConfig| runtime.block_on(cache.open()).map_err(|error| wrong(&error));
    if !on_disk {
        return open(cache);
    }
    let placed = placed(cache);
    let path = placed.as_ref().ok().and_then(|cache| cache.path.clone());
    placed.and_then(|cache| open(&cache)).or_else(|error| {
        let at = path.map_or_else(String::new, |path| format!(" in {}", path.display()));
        let what = format!("answers are kept for this run only, as the cache{at} cannot be opened");
        console::warning_of(what, &error);
        let mut in_memory = cache.clone();
        in_memory.kind = CacheKind::Memory;
        open(&in_memory)
    })
}

/// The configuration, with the default file if it names none.
fn placed(cache: &CacheConfig) -> Result<CacheConfig, CliError> {
    let mut cache = cache.clone();
    if cache.path.is_none() {
        let folder = folders::cache()
            .ok_or_else(|| folders::missing("folder for the cache", "XDG_CACHE_HOME", "set `cache.path`"))?;
        std::fs::create_dir_all(&folder)
            .map_err(|source| CliError::Write { path: folder.display().to_string(), source })?;
        cache.path = Some(folder.join(FILE));
    }
    Ok(cache)
}

/// The error for a model that cannot be set up.
fn wrong(error: &dyn std::error::Error) -> CliError {
    CliError::Usage(format!("cannot set up the language model: {}", chain(error)))
}

/// The URL of the model's server, and the endpoint there with its key.
fn endpoint(config: &LlmConfig) -> Result<(String, Endpoint), CliError> {
    let usual = match config.api {
        Api::Openai => "https://api.openai.com/v1",
        Api::Anthropic => "https://api.anthropic.com/v1",
    };
    let url = config.url.clone().unwrap_or_else(|| usual.to_owned());
    let endpoint = Endpoint::new(&url).map_err(|error| wrong(&error))?;
    let key = match (&config.key_env, &config.key_file) {
        (Some(name), _) => Some(ApiKey::from_env(name)),
        (None, Some(path)) => Some(ApiKey::from_file(path)),
        // A self-hosted server rarely wants a key, and must not be sent someone else's.
        (None, None) => config.url.is_none().then(|| ApiKey::from_env(key_variable(config.api))),
    };
    let endpoint = match key {
        Some(key) => endpoint.with_key(key.map_err(|error| wrong(&error))?),
        None => endpoint,
    };
    Ok((url, endpoint))
}

/// `metered` with limits on its requests, `per_minute` and at a time, and with retries until the deadline.
fn limited(
    metered: &Arc<Metered<Box<dyn LlmProvider>>>,
    per_minute: Option<usize>,
    concurrency: usize,
    deadline: Duration,
) -> Arc<dyn LlmProvider> {
    let metered = Arc::clone(metered);
    let policy = RetryPolicy::default().with_deadline(deadline);
    match per_minute {
        Some(requests) => {
            let limited = RateLimited::new(metered, requests);
            Arc::new(Retry::new(Concurrent::new(limited, concurrency), policy))
        }
        None => Arc::new(Retry::new(Concurrent::new(metered, concurrency), policy)),
    }
}
