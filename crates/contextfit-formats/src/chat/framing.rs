//! The tokens of messages in addition to their texts. All formulas and their sources are in `docs/conversations.md`.

use contextfit_kernel::Framing;
use serde_json::Value;

use super::entry::Entry;

/// A message and its role.
pub(super) const MESSAGE: usize = Framing::MESSAGE.get();

/// A name, in addition to its own tokens. Source: OpenAI cookbook, "How to count tokens with tiktoken".
pub(super) const NAME: usize = 1;

/// The start of the answer.
pub(super) const ANSWER: usize = Framing::ANSWER.get();

/// A call or a result, in addition to its names, arguments and texts. Each further call counts as a separate message.
pub(super) const CALL: usize = Framing::CALL.get();

/// The system prompt that Anthropic adds if there are tools: the maximum in its table for tool use, that of Claude 3
/// Opus.
pub(super) const ANTHROPIC_TOOLS: usize = 530;

/// Adds the tokens of the calls of `entry`.
pub(super) fn weigh_calls(entry: &mut Entry) {
    for (n, call) in entry.calls.iter().enumerate() {
        entry.weight.add(CALL + if n > 0 { MESSAGE } else { 0 });
        entry.weight.count(call.name.as_str());
        entry.weight.count(call.arguments.as_str());
    }
}

/// The estimated tokens of encoded data, by its size: about as many as a text of that size has. None if it is absent.
pub(super) fn encoded(data: Option<&Value>) -> usize {
    data.and_then(Value::as_str).map_or(0, str::len).div_ceil(4)
}
