//! What messages take beside their texts.
//!
//! | what | tokens | source |
//! |---|---|---|
//! | a message | 3, and 1 for its role | OpenAI cookbook, "How to count tokens with tiktoken" |
//! | its name | 1, and the name | the same |
//! | the start of the answer | 3 | the same |
//! | a tool call | 8, its name and arguments; 4 more for each beside the first | not published for chat completions: what the harmony format of OpenAI's open models writes around a call |
//! | a result in Anthropic messages and OpenAI responses | 8 | not published; as a call |
//! | a definition of a function | see `tools.rs` | OpenAI cookbook; an upper bound for Anthropic |
//! | images | see `images.rs` | the vision guides of both |
//! | audio, files, encrypted reasoning | a token for every 4 characters of their encoding | not published; of the order of what text of that size takes |
//! | anything else | its JSON | an upper bound: it is not shown to the model in more words than it is sent |
//!
//! Ids of calls are not counted: no provider says that the model sees them. OpenAI responses and Anthropic messages are
//! counted with the figures of chat completions where nothing else is said: an upper bound on the examples that
//! Anthropic publishes (14 tokens for a system prompt of 4 and a message of 4 tokens; 403 for a question with one tool).

use super::entry::Entry;

/// A message with its role.
pub(super) const MESSAGE: usize = 4;

/// Beside the tokens of a name.
pub(super) const NAME: usize = 1;

/// The start of the answer.
pub(super) const ANSWER: usize = 3;

/// A call or a result, beside names, arguments and texts.
pub(super) const CALL: usize = 8;

/// The system prompt that Anthropic adds when there are tools: the most that its page on pricing lists.
pub(super) const ANTHROPIC_TOOLS: usize = 530;

/// Adds what the calls of `entry` take.
pub(super) fn weigh_calls(entry: &mut Entry) {
    for (n, call) in entry.calls.iter().enumerate() {
        entry.weight.add(CALL + if n > 0 { MESSAGE } else { 0 });
        entry.weight.count(call.name.as_str());
        entry.weight.count(call.arguments.as_str());
    }
}

/// Tokens of something encoded, by its size.
pub(super) const fn encoded(data: &str) -> usize {
    data.len().div_ceil(4)
}
