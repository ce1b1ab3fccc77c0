//! The sentences of the user in a session.

use serde_json::Value;

use crate::{
    python::folded,
    transcript::{is_of, text_of},
    units::sentences,
};

/// A message with more characters is a paste, not speech.
const LONGEST_MESSAGE: usize = 600;

/// A sentence with fewer words says too little to be missed.
const SHORTEST_SENTENCE_WORDS: usize = 3;

/// The user's sentences in all messages but the last, folded, without pastes.
pub(crate) fn user_sentences(messages: &[Value]) -> Vec<String> {
    let earlier = messages.split_last().map_or(&[][..], |(_, earlier)| earlier);
    let texts = earlier.iter().filter(|message| is_of(message, "user")).map(text_of);
    let said = texts.filter(|text| text.chars().count() <= LONGEST_MESSAGE);
    let mut found = Vec::new();
    for line in said.flat_map(|text| text.split('\n').map(folded).collect::<Vec<_>>()) {
        let long = sentences(&line, &['.', '!', '?'])
            .filter(|sentence| sentence.split(' ').count() >= SHORTEST_SENTENCE_WORDS);
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
}
