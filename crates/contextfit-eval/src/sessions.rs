//! Sessions of a developer with a coding agent, cut right after the developer has spoken.

use serde_json::Value;

use crate::{
    EvalError, Item,
    agents::{self, Run},
    folder::{Folder, Line},
    python::folded,
    transcript::{calls, is_of, is_system, text_of},
    units::sentences,
};

/// The points of all sessions in a folder.
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    agents::points(folder, Run::Session)
}

/// Whether the runs of a folder are sessions: none has an application's instructions, which developers' tools do not
/// record, and all points come right after a user message.
pub(crate) fn is_session(folder: &Folder) -> Result<bool, EvalError> {
    let runs = agents::runs(folder)?;
    Ok(runs.iter().all(|Line { value: run, .. }| {
        let said = |cut: usize| cut.checked_sub(1).and_then(|at| run.messages.get(at));
        let asked = |cut: usize| said(cut).is_some_and(|message| is_of(message, "user"));
        run.eval_points.iter().all(|point| asked(point.cut)) && !run.messages.iter().any(is_system)
    }))
}

/// The text of which a session's budgets are shares: that of `message`, with the arguments of its calls once more.
pub(crate) fn body(message: &Value) -> String {
    let mut body = text_of(message);
    for (_, arguments) in calls(message) {
        body.extend(["\n", arguments]);
    }
    body
}

/// A message with more characters is a paste, not speech.
const SAID: usize = 600;

/// A sentence with fewer words says too little to be missed.
const WORDS: usize = 3;

/// The user's sentences in all messages but the last, folded, without pastes.
pub(crate) fn user_sentences(messages: &[Value]) -> Vec<String> {
    let earlier = messages.split_last().map_or(&[][..], |(_, earlier)| earlier);
    let texts = earlier.iter().filter(|message| is_of(message, "user")).map(text_of);
    let said = texts.filter(|text| text.chars().count() <= SAID);
    let mut found = Vec::new();
    for line in said.flat_map(|text| text.split('\n').map(folded).collect::<Vec<_>>()) {
        let long = sentences(&line, &['.', '!', '?']).filter(|sentence| sentence.split(' ').count() >= WORDS);
        found.extend(long.map(str::to_owned));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_user_says() {
        let paste = "A line of output. ".repeat(40);
        let messages = [
            json!({"role": "user", "content": "Fix  the build. Thanks a lot! Now\nand run e.g. all tests"}),
            json!({"role": "assistant", "content": "I will do that."}),
            json!({"role": "user", "content": paste}),
            json!({"role": "user", "content": "What is the outcome?"}),
        ];
        assert_eq!(user_sentences(&messages), ["fix the build.", "thanks a lot!", "and run e.g."]);
        assert!(user_sentences(&[]).is_empty());
    }

    #[test]
    fn arguments_count_twice() {
        let call = json!({"id": "c", "function": {"name": "read", "arguments": "{}"}});
        assert_eq!(body(&json!({"content": "Look.", "tool_calls": [call]})), "Look. read{}\n{}");
    }
}
