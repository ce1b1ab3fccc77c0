//! Summaries by a model: who is asked, how much at a time, and how long is waited.

mod answer;
mod prompt;
mod settle;

use std::{fmt, sync::Arc, time::Duration};

use contextfit_kernel::{
    Completion, CompletionRequest, LlmProvider, Measured, NoSummary, TokenCounter, Tokens,
};
use contextfit_text::Judge;
use futures_util::{StreamExt, stream};
use tokio::{runtime::Handle, time::timeout};

use self::answer::{Answer, Piece};
pub use self::prompt::PROMPT_VERSION;
pub(crate) use self::{
    answer::Answers,
    settle::{Part, Settled, settle},
};

/// Asks a language model for the summaries that plans want ([`Action::Summarize`](contextfit_kernel::Action)).
///
/// No request is longer than [`with_most_input`](Self::with_most_input) says: what is longer is summarized part by part, a message
/// by its pieces. Every answer is judged by what it is about ([`Judge`]). A part whose request fails, comes too late or is answered
/// with something that cannot stand for it is shown as the plan has it ready; the others are not touched by that.
///
/// ```
/// use std::sync::Arc;
/// use async_trait::async_trait;
/// use contextfit_kernel::{Completion, CompletionRequest, LlmProvider, ProviderError};
/// use contextfit_pipeline::{Pipeline, Summarizer};
/// use contextfit_text::counter;
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
#[derive(Clone)]
pub struct Summarizer {
    provider: Arc<dyn LlmProvider>,
    most_input: Tokens,
    parallel: usize,
    deadline: Option<Duration>,
    judge: Judge,
}

impl Summarizer {
    /// Asks `provider`: at most 8,000 tokens of conversation in a request, at most four requests at a time, and waits a
    /// minute for each.
    #[must_use]
    pub fn new(provider: Arc<dyn LlmProvider>) -> Self {
        Self {
            provider,
            most_input: Tokens::new(8_000),
            parallel: 4,
            deadline: Some(Duration::from_secs(60)),
            judge: Judge::new(),
        }
    }

    /// The same with at most `tokens` of conversation in a request. The instructions come on top of it.
    #[must_use]
    pub const fn with_most_input(mut self, tokens: Tokens) -> Self {
        self.most_input = tokens;
        self
    }

    /// The same with at most `requests` at a time, at least one.
    #[must_use]
    pub const fn with_parallel(mut self, requests: usize) -> Self {
        self.parallel = requests;
        self
    }

    /// The same, waiting at most `deadline` for each answer; `None` waits as long as it takes. It is kept in a Tokio runtime
    /// with its timer enabled, and nowhere else.
    #[must_use]
    pub const fn with_deadline(mut self, deadline: Option<Duration>) -> Self {
        self.deadline = deadline;
        self
    }

    /// The same with another judge of answers: one that knows an embedding model.
    #[must_use]
    pub fn with_judge(mut self, judge: Judge) -> Self {
        self.judge = judge;
        self
    }

    /// The most tokens of conversation in a request.
    pub(crate) const fn most_input(&self) -> Tokens {
        self.most_input
    }

    /// Asks for summaries of `parts`; what is answered is put into `answers`.
    pub(crate) async fn ask(
        &self,
        parts: &[Part],
        input: &Measured<'_>,
        counter: &dyn TokenCounter,
        answers: &mut Answers,
    ) {
        let mut told: Vec<(Part, Vec<Piece>)> = parts.iter().map(|part| (*part, Vec::new())).collect();
        let requests = parts.iter().enumerate().flat_map(|(n, part)| {
            let requests = prompt::requests(part, input, counter, self.most_input);
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
            if let Some((_, pieces)) = told.get_mut(n) {
                pieces.push(piece);
            }
        }
        for (part, pieces) in told {
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

impl fmt::Debug for Summarizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Summarizer")
            .field("model", &self.provider.model())
            .field("most_input", &self.most_input)
            .field("parallel", &self.parallel)
            .field("deadline", &self.deadline)
            .field("judge", &self.judge)
            .finish()
    }
}
