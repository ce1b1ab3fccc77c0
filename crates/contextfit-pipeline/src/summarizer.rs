//! The summarizer: the model for summaries, and the limits of its requests.

use std::{sync::Arc, time::Duration};

use contextfit_kernel::{
    Completion, CompletionRequest, LlmProvider, Measured, NoSummary, TokenCounter, Tokens,
};
use contextfit_text::Judge;
use futures_util::{StreamExt, stream};
use tokio::{runtime::Handle, time::timeout};

use crate::summaries::{Answer, Answers, Piece, SummaryPart, requests};

/// Requests the summaries that plans need ([`Action::Summarize`](contextfit_kernel::Action)) from a language model.
///
/// No request is longer than [`with_max_input_tokens`](Self::with_max_input_tokens): longer conversations are
/// summarized part by part, and long messages piece by piece. Every answer is judged against its source ([`Judge`]). If
/// a request fails, times out, or gets an unusable answer, the strategy plans again without the summary of that part.
/// Other parts are not affected.
///
/// ```
/// use std::sync::Arc;
/// use async_trait::async_trait;
/// # mod contextfit {
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_text::counter;
/// #     pub use ::contextfit_kernel as kernel;
/// #     pub use ::contextfit_pipeline as pipeline;
/// # }
/// use contextfit::{
///     Pipeline, counter,
///     kernel::{Completion, CompletionRequest, LlmProvider, ProviderError},
///     pipeline::Summarizer,
/// };
///
/// struct Model;
///
/// #[async_trait]
/// impl LlmProvider for Model {
///     fn model(&self) -> &str { "model" }
///     async fn complete(&self, _: &CompletionRequest) -> Result<Completion, ProviderError> {
///         Ok(Completion::new("goal: what the user wants, in the words of the conversation"))
///     }
/// }
///
/// let pipeline = Pipeline::new(counter("chars/4")?).with_summarizer(Summarizer::new(Arc::new(Model)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Summarizer {
    provider: Arc<dyn LlmProvider>,
    max_input_tokens: Tokens,
    parallel: usize,
    deadline: Option<Duration>,
    judge: Judge,
}

impl Summarizer {
    /// Creates a summarizer that calls `provider`, with at most 8,000 tokens of conversation per request, at most four
    /// concurrent requests, and a deadline of one minute for each.
    #[must_use]
    pub fn new(provider: Arc<dyn LlmProvider>) -> Self {
        Self {
            provider,
            max_input_tokens: Tokens::new(8_000),
            parallel: 4,
            deadline: Some(Duration::from_secs(60)),
            judge: Judge::new(),
        }
    }

    /// Sets the maximum tokens of conversation per request. The instructions are not included.
    #[must_use]
    pub const fn with_max_input_tokens(mut self, tokens: Tokens) -> Self {
        self.max_input_tokens = tokens;
        self
    }

    /// Sets the maximum number of concurrent requests, at least one.
    #[must_use]
    pub const fn with_parallel(mut self, requests: usize) -> Self {
        self.parallel = requests;
        self
    }

    /// Sets the deadline for each answer; `None` waits indefinitely. Deadlines only work in a Tokio runtime with its
    /// timer enabled.
    #[must_use]
    pub const fn with_deadline(mut self, deadline: Option<Duration>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets the judge of answers, such as one with an embedding model.
    #[must_use]
    pub fn with_judge(mut self, judge: Judge) -> Self {
        self.judge = judge;
        self
    }

    /// The maximum tokens of conversation per request.
    pub(crate) const fn max_input_tokens(&self) -> Tokens {
        self.max_input_tokens
    }

    /// Requests summaries of `parts` and adds them to `answers`.
    pub(crate) async fn ask(
        &self,
        parts: &[SummaryPart],
        input: &Measured<'_>,
        counter: &dyn TokenCounter,
        answers: &mut Answers,
    ) {
        let mut pieces_of: Vec<(SummaryPart, Vec<Piece>)> =
            parts.iter().map(|part| (*part, Vec::new())).collect();
        let requests = parts.iter().enumerate().flat_map(|(n, part)| {
            let requests = requests(part, input, counter, self.max_input_tokens);
            requests.into_iter().map(move |(source, request)| (n, source, request))
        });
        let requests: Vec<_> = requests.collect();
        let mut asked = stream::iter(requests)
            .map(|(n, source, request)| async move {
                let completion = self.complete(&request).await;
                (n, Piece { request, source, completion })
            })
            .buffered(self.parallel.max(1));
        while let Some((n, piece)) = asked.next().await {
            if let Some((_, pieces)) = pieces_of.get_mut(n) {
                pieces.push(piece);
            }
        }
        for (part, pieces) in pieces_of {
            answers.put(part.from, Answer::new(part.to, pieces, &self.judge, counter));
        }
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, NoSummary> {
        let answer = self.provider.complete(request);
        let answer = match self.deadline.filter(|_| Handle::try_current().is_ok()) {
            Some(deadline) => timeout(deadline, answer).await.map_err(|_| NoSummary::Late)?,
            None => answer.await,
        };
        answer.map_err(|error| NoSummary::Failed(error.to_string()))
    }
}
