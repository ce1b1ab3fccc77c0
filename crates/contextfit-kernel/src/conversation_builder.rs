//! Building the context of a conversation by hand.

use crate::{Block, Context, Error, Framing, Hold, Layout, Part, Role, TokenCounter, Tokens, ToolCall, Turn};

/// Builds the context of a conversation message by message. It sets the framing of each message, groups calls with
/// their results, and holds the messages that the next answer depends on.
///
/// Instructions are pinned. The last message of the user is always shown, and so are tool results after the last
/// message of the model, which it has not read yet. All other messages are free.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Context, TokenCounter, Tokens};
/// #     pub use ::contextfit_kernel as kernel;
/// # }
/// use contextfit::{Context, TokenCounter, Tokens, kernel::Hold};
///
/// struct Words;
///
/// impl TokenCounter for Words {
///     fn name(&self) -> &str { "words" }
///     fn count(&self, text: &str) -> Tokens { text.split_whitespace().count().into() }
/// }
///
/// let context = Context::conversation(&Words)
///     .system("You watch the level of a river.")
///     .user("How high is it at Cologne?")
///     .call("read_station", r#"{"station": "Cologne"}"#)
///     .result("read_station", r#"{"level": 312, "unit": "cm"}"#)
///     .assistant("312 cm.")
///     .user("And at Bonn?")
///     .build()?;
///
/// assert_eq!(context.blocks.len(), 6);
/// assert_eq!(context.blocks[2].group, context.blocks[3].group);
/// assert_eq!(context.holds()[5], Hold::Shown);
/// # Ok::<(), contextfit_kernel::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a builder does nothing until it is built"]
pub struct ConversationBuilder<'a> {
    counter: &'a dyn TokenCounter,
    framing: Framing,
    blocks: Vec<Block>,
    /// The calls that have ids: the id, the tool, and the position of the message.
    named: Vec<(String, String, usize)>,
    /// The error for the first result of an unknown call.
    unknown: Option<Error>,
}

impl Context {
    /// Starts a conversation whose calls are counted by `counter`, with the framing of a chat request without tools.
    pub fn conversation(counter: &dyn TokenCounter) -> ConversationBuilder<'_> {
        ConversationBuilder {
            counter,
            framing: Framing::chat(),
            blocks: Vec::new(),
            named: Vec::new(),
            unknown: None,
        }
    }
}

impl ConversationBuilder<'_> {
    /// Sets the tokens of the request outside its messages, such as those of the tools it offers.
    pub fn with_framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// Adds instructions of the application.
    pub fn system(self, text: impl Into<String>) -> Self {
        self.turn(Turn::new(Role::System), text)
    }

    /// Adds instructions of the developer.
    pub fn developer(self, text: impl Into<String>) -> Self {
        self.turn(Turn::new(Role::Developer), text)
    }

    /// Adds a message of the user.
    pub fn user(self, text: impl Into<String>) -> Self {
        self.turn(Turn::new(Role::User), text)
    }

    /// Adds a message of the model.
    pub fn assistant(self, text: impl Into<String>) -> Self {
        self.turn(Turn::new(Role::Assistant), text)
    }

    /// Adds a tool call of the model, with its arguments as JSON. A call directly after another call is parallel to it,
    /// and both are in one group.
    pub fn call(self, tool: impl Into<String>, arguments: impl Into<String>) -> Self {
        self.turn(Turn::new(Role::Assistant).with_calls(vec![ToolCall::new(tool, arguments)]), "")
    }

    /// Adds the result of the last call of `tool`, in the group of the call.
    pub fn result(self, tool: impl Into<String>, text: impl Into<String>) -> Self {
        let (text, parts) = Part::join([(text.into(), Some(tool.into()))]);
        self.turn(Turn::new(Role::Tool).with_parts(parts), text)
    }

    /// Adds a [`call`](Self::call) with an `id`, which [`result_of`](Self::result_of) refers to. Parallel calls can
    /// then be answered in any order, even if they are of the same tool.
    ///
    /// ```
    /// # use contextfit_kernel::{Context, Error, TokenCounter, Tokens};
    /// # struct Words;
    /// # impl TokenCounter for Words {
    /// #     fn name(&self) -> &str { "words" }
    /// #     fn count(&self, text: &str) -> Tokens { text.split_whitespace().count().into() }
    /// # }
    /// let context = Context::conversation(&Words)
    ///     .user("How high is it at Cologne, and at Bonn?")
    ///     .call_with_id("c1", "read_station", r#"{"station": "Cologne"}"#)
    ///     .call_with_id("c2", "read_station", r#"{"station": "Bonn"}"#)
    ///     .result_of("c2", "289 cm")
    ///     .result_of("c1", "312 cm")
    ///     .build()?;
    /// assert_eq!(context.blocks[4].group, context.blocks[1].group);
    ///
    /// let error = Context::conversation(&Words).result_of("c3", "312 cm").build().unwrap_err();
    /// assert!(matches!(error, Error::UnknownCallId { at: 0, id, .. } if id == "c3"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn call_with_id(
        mut self,
        id: impl Into<String>,
        tool: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        let tool = tool.into();
        self.named.push((id.into(), tool.clone(), self.blocks.len()));
        self.call(tool, arguments)
    }

    /// Adds the result of the last call with this `id`, in the group of the call.
    pub fn result_of(mut self, id: &str, text: impl Into<String>) -> Self {
        let at = self.blocks.len();
        let call = self.named.iter().rfind(|(named, ..)| named == id);
        let Some((_, tool, call)) = call.cloned() else {
            let called = self.named.iter().map(|(id, ..)| id.clone()).collect();
            self.unknown.get_or_insert_with(|| Error::UnknownCallId { at, id: id.to_owned(), called });
            return self.result("", text);
        };
        let group = self.blocks.get(call).and_then(|block| block.group.clone());
        let mut built = self.result(tool, text);
        built.blocks.last_mut().into_iter().for_each(|block| block.group.clone_from(&group));
        built
    }

    /// Adds any message. Its [`Turn::framing`] is in addition to the tokens that such a message takes in this
    /// conversation.
    pub fn turn(mut self, mut turn: Turn, text: impl Into<String>) -> Self {
        turn.framing += self.framing_of(&turn);
        let (group, instructs) = (self.group_of(&turn), turn.role.instructs());
        let mut block = Block::turn(self.blocks.len().to_string(), turn, text);
        block.group = group;
        block.hold = if instructs { Hold::Pinned } else { Hold::Free };
        self.blocks.push(block);
        self
    }

    /// The tokens of `turn` in addition to its text. Each call after the first is counted as a separate message.
    fn framing_of(&self, turn: &Turn) -> Tokens {
        let count = |text: &str| self.counter.count(text);
        let name = turn.name.as_deref().map_or(Tokens::ZERO, |name| count(name) + Tokens::new(1));
        let call = |(n, call): (usize, &ToolCall)| {
            let message = if n > 0 { Framing::MESSAGE } else { Tokens::ZERO };
            message + Framing::CALL + count(&call.name) + count(&call.arguments)
        };
        Framing::MESSAGE + name + turn.calls.iter().enumerate().map(call).sum()
    }

    /// The group of `turn` if it is the next message: that of the call that it answers, or of the call that it is
    /// parallel to.
    fn group_of(&self, turn: &Turn) -> Option<String> {
        let calls = |block: &Block| block.as_turn().is_some_and(|turn| !turn.calls.is_empty());
        let tool = turn.parts.iter().find_map(|part| part.tool.as_deref());
        let answered = |block: &&Block| {
            let mut calls = block.as_turn().into_iter().flat_map(|turn| &turn.calls);
            calls.any(|call| Some(call.name.as_str()) == tool)
        };
        match turn.role {
            Role::Tool => self.blocks.iter().rfind(answered)?.group.clone(),
            _ if turn.calls.is_empty() => None,
            _ => {
                let parallel = self.blocks.last().filter(|block| calls(block));
                parallel
                    .and_then(|block| block.group.clone())
                    .or_else(|| Some(format!("turns from {}", self.blocks.len())))
            }
        }
    }

    /// Pins the last message: it is kept unchanged.
    pub fn pinned(mut self) -> Self {
        if let Some(block) = self.blocks.last_mut() {
            block.hold = Hold::Pinned;
        }
        self
    }

    /// Returns the context. After it is fitted, [`Context::messages`] has the messages to send, in order. The id of a
    /// block is the position at which its message was added, from 0.
    ///
    /// # Errors
    /// [`Error::UnknownCall`] if a result names a tool that no earlier message calls; [`Error::UnknownCallId`] if it
    /// names the id of a call that no earlier message makes.
    pub fn build(mut self) -> Result<Context, Error> {
        if let Some(unknown) = self.unknown {
            return Err(unknown);
        }
        if let Some(unpaired) = self.blocks.iter().position(|block| is_result(block) && block.group.is_none())
        {
            return Err(self.unknown_call(unpaired));
        }
        let role = |block: &Block| block.as_turn().map(|turn| turn.role);
        let asked = self.blocks.iter().rposition(|block| role(block) == Some(Role::User));
        let answered = self.blocks.iter().rposition(|block| role(block) == Some(Role::Assistant));
        for (at, block) in self.blocks.iter_mut().enumerate() {
            let is_read = role(block) == Some(Role::Tool) && answered.is_none_or(|answered| answered < at);
            if block.hold == Hold::Free && (is_read || asked == Some(at)) {
                block.hold = Hold::Shown;
            }
        }
        Ok(Context::new(self.blocks).with_layout(Layout::conversation(self.framing)))
    }

    /// The error for the result at `at`, which answers no earlier call.
    fn unknown_call(&self, at: usize) -> Error {
        let turns = || self.blocks.iter().take(at + 1).filter_map(Block::as_turn);
        let tool = turns().next_back().and_then(|turn| turn.parts.iter().find_map(|part| part.tool.clone()));
        let mut called: Vec<&str> =
            turns().flat_map(|turn| &turn.calls).map(|call| call.name.as_str()).collect();
        called.sort_unstable();
        called.dedup();
        Error::UnknownCall { at, tool: tool.unwrap_or_default(), called: called.join(", ") }
    }
}

/// Whether `block` is the result of a call.
fn is_result(block: &Block) -> bool {
    block.as_turn().is_some_and(|turn| turn.role == Role::Tool)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bytes;

    impl TokenCounter for Bytes {
        fn name(&self) -> &'static str {
            "bytes"
        }

        fn count(&self, text: &str) -> Tokens {
            Tokens::new(text.len())
        }
    }

    #[track_caller]
    fn check(calls: &[&str], result: &str, expect: Result<Option<&str>, &str>) {
        let builder = Context::conversation(&Bytes).user("Look it up.");
        let called = calls.iter().fold(builder, |builder, tool| builder.call(*tool, "{}"));
        let context = called.result(result, "3").build();
        let group =
            context.as_ref().map(|context| context.blocks.last().and_then(|block| block.group.as_deref()));
        assert_eq!(group.map_err(ToString::to_string), expect.map_err(str::to_owned));
    }

    /// Two calls of one tool with a message of the model between them.
    #[test]
    fn results_name_their_calls() {
        let called = || {
            let first = Context::conversation(&Bytes).call_with_id("a", "read", "1").assistant("Wait.");
            first.call_with_id("b", "read", "2").call_with_id("c", "read", "3")
        };
        let built = called().result_of("c", "3").result_of("a", "1").result("read", "2").build().unwrap();
        let groups: Vec<_> = built.blocks.iter().map(|block| block.group.as_deref()).collect();
        let (first, second) = (Some("turns from 0"), Some("turns from 2"));
        assert_eq!(groups, [first, None, second, second, second, first, second]);
        let error = called().result_of("d", "4").result("none", "").build().unwrap_err();
        let expect = "message 4 is the result of the call \"d\", which no message before it makes; calls so far: a, b, c";
        assert_eq!(error.to_string(), expect);
    }

    #[test]
    fn a_result_needs_its_call() {
        check(&["query"], "query", Ok(Some("turns from 1")));
        check(&["query", "read"], "query", Ok(Some("turns from 1")));
        let of = "is a result of the tool \"lookup\", which no message before it calls";
        check(&[], "lookup", Err(&format!("message 1 {of}")));
        check(&["query"], "lookup", Err(&format!("message 2 {of}; called so far: query")));
    }
}
