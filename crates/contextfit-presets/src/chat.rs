//! Conversations: a request to a model in, the same request out, shorter.

use std::{borrow::Cow, collections::HashSet};

use contextfit_formats::{ChatAnswer, ChatRequest, Compaction, Conversation, Session};
use contextfit_kernel::{Blocker, Context, Error, Outcome, Stage};

use crate::{
    CompressionStrategy, FitError, Fitted, Fitter, HeldMessage,
    original::{originals, with_handles},
};

impl Fitter {
    /// Answers `request`. Pins that match no message have no effect; [`pins_match`] finds them.
    ///
    /// # Errors
    /// [`FitError`] if there is no budget, what must be kept does not fit, or the strategy is unknown.
    pub fn chat(&self, request: &ChatRequest) -> Result<Fitted<ChatAnswer>, FitError> {
        self.chat_repaired(request, None)
    }

    /// As [`chat`](Self::chat), for a request that was repaired when it was read. Handles name the messages of `original`,
    /// the conversation as it was sent, if there is one.
    ///
    /// # Errors
    /// As [`chat`](Self::chat).
    pub fn chat_repaired(
        &self,
        request: &ChatRequest,
        original: Option<&Conversation>,
    ) -> Result<Fitted<ChatAnswer>, FitError> {
        let strategy = match request.strategy.as_deref() {
            Some(name) => CompressionStrategy::of_conversations(name)?,
            None => self.conversations,
        };
        let budget = self.budget(request.budget, request.reserve)?;
        let mut input = request.conversation.context(self.counter(), &request.pins);
        input.query = request.query.clone().or_else(|| self.query.clone());
        let turns = self.turn_vectors(strategy, [&input])?;
        let mut pipeline = self.conversations_pipeline(strategy, turns)?;
        if let Some(why) = self.why_no_turn_vectors(strategy) {
            pipeline =
                pipeline.with_earlier_stage(Stage::new("embeddings", None, 0, Outcome::Failed(why.into())));
        }
        let sent = original.unwrap_or(&request.conversation);
        if let Some(handle) = self.handles {
            pipeline = with_handles(
                pipeline,
                input.blocks.iter().map(|block| message(sent, &block.id).map(|message| handle(&message))),
            );
        }
        let fitted = match &self.llm {
            Some(llm) => llm.conversation(pipeline, &input, &budget),
            None => self.on_threads(|| pipeline.fit(&input, &budget)),
        };
        let result = fitted.map_err(|error| held(error, request, &input))?;
        let answer = ChatAnswer::new(request, strategy.name(), &input, &result)?;
        let original = |at: usize| message(sent, &answer.blocks.get(at)?.id);
        let originals = if self.handles.is_some() { originals(&answer.blocks, original) } else { Vec::new() };
        Ok(Fitted { answer, input, budget, result, originals, places: Vec::new(), rewritten: HashSet::new() })
    }

    /// Shortens `session`, which must count as the fitter does, if it is [due](Session::prepare), with the strategy for
    /// conversations and without a language model.
    ///
    /// # Errors
    /// [`FitError`] if what must be kept exceeds the high mark, or the strategy is not one for conversations. The session
    /// is then unchanged.
    pub fn prepare<'s>(&self, session: &'s mut Session) -> Result<Option<&'s Compaction>, FitError> {
        let pipeline = self.conversations_pipeline(self.conversations, None)?;
        Ok(self.on_threads(|| session.prepare_with(|context, budget| pipeline.fit(context, budget)))?)
    }
}

/// Checks that each pin of `request` matches a message of it: a pin that matches none is usually mistyped.
///
/// # Errors
/// [`FitError::Pins`] with those that match none.
pub fn pins_match(request: &ChatRequest) -> Result<(), FitError> {
    let unmatched = request.conversation.unmatched(&request.pins);
    if unmatched.is_empty() { Ok(()) } else { Err(FitError::Pins(Box::new(unmatched))) }
}

/// The bytes of the message `id`.
fn message(conversation: &Conversation, id: &str) -> Option<Cow<'static, [u8]>> {
    conversation.original(id).map(|message| Cow::Owned(message.into_bytes()))
}

/// `error` with why each message that keeps `request`, read as `input`, from fitting is held.
fn held(error: Error, request: &ChatRequest, input: &Context) -> FitError {
    let Error::Infeasible { needed, available, blockers } = error else { return error.into() };
    let message = |Blocker { id, tokens, hold }: &Blocker| {
        let turn = input.blocks.iter().find(|block| block.id == *id).and_then(|block| block.as_turn());
        let why = request.conversation.why_held(id, &request.pins);
        HeldMessage { id: id.clone(), role: turn.map(|turn| turn.role), tokens: *tokens, hold: *hold, why }
    };
    FitError::Held { needed, available, messages: blockers.iter().map(message).collect() }
}
