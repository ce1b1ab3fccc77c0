//! What messages take beside their texts. All formulas with their sources are in `docs/conversations.md`.

use super::entry::Entry;

/// A message, 3, with its role, 1: the OpenAI cookbook, "How to count tokens with tiktoken".
pub(super) const MESSAGE: usize = 4;

/// Beside the tokens of a name: the same.
pub(super) const NAME: usize = 1;

/// The start of the answer: the same.
pub(super) const ANSWER: usize = 3;

/// A call or a result, beside names, arguments and texts. Not published; this is what the harmony format of OpenAI's open
/// models writes around a call in a message, and a further call is a message of its own.
pub(super) const CALL: usize = 9;

/// The system prompt that Anthropic adds when there are tools: the most in its table for tool use, of Claude 3 Opus.
pub(super) const ANTHROPIC_TOOLS: usize = 530;

/// Adds what the calls of `entry` take.
pub(super) fn weigh_calls(entry: &mut Entry) {
    for (n, call) in entry.calls.iter().enumerate() {
        entry.weight.add(CALL + if n > 0 { MESSAGE } else { 0 });
        entry.weight.count(call.name.as_str());
        entry.weight.count(call.arguments.as_str());
    }
}

/// Tokens of something encoded, by its size: an estimate, of the order of what text of that size takes.
pub(super) const fn encoded(data: &str) -> usize {
    data.len().div_ceil(4)
}
