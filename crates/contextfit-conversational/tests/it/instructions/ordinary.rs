//! Ordinary talk that has the words of cues in it.

use super::{STRONG, strength};

#[track_caller]
fn check(sentences: &[&str]) {
    for sentence in sentences {
        assert!(strength(sentence) < STRONG, "{sentence:?}: {}", strength(sentence));
    }
}

#[test]
fn told() {
    check(&[
        "I've never been to Paris.",
        "Never been there.",
        "She always loved the sea.",
        "I always forget his name.",
    ]);
    check(&["I must go.", "You must be tired.", "He must have missed the bus.", "I had to run."]);
    check(&["We used to avoid that road.", "My budget was gone by Friday.", "I'll never forget you."]);
}

#[test]
fn asked() {
    check(&[
        "Do you always get up early?",
        "Why must it be red?",
        "Is it due on Friday?",
        "Have you never seen snow?",
    ]);
    check(&["What is the maximum?", "Did we decide on a date?", "Should I avoid sugar?"]);
}

#[test]
fn imagined() {
    check(&["If I had a boat, I would always be at sea.", "I wish I could avoid it.", "Maybe we should go."]);
}

#[test]
fn reported() {
    check(&["He told me never to give up.", "My mother said you should always carry a coat."]);
    check(&["The sign says \"never feed the ducks\"."]);
}

#[test]
fn idioms() {
    check(&["Never mind.", "Don't worry.", "Keep it up!", "Take care!", "Let me know.", "No problem."]);
    check(&[
        "I can't wait.",
        "Better late than never.",
        "As always, well done.",
        "You always know what to say.",
    ]);
}

#[test]
fn requested_once() {
    check(&[
        "Could you book a table?",
        "Summarise this page.",
        "Show me the next one, please.",
        "Fix the test.",
    ]);
}

#[test]
fn cheered_and_hesitated() {
    check(&["Stay safe!", "Keep up the good work!", "Hope all is well.", "No, that's fine with me."]);
    check(&[
        "We should, uh, never do the thing with the buttons.",
        "So, um, we have to come up with a name.",
    ]);
}

#[test]
fn other_languages() {
    check(&[
        "Ich habe ihn nie gesehen.",
        "Je ne l'ai jamais vu.",
        "Nunca he estado allí.",
        "Non l'ho mai visto.",
    ]);
    check(&["Eu nunca fui lá.", "Ik heb hem nooit gezien.", "Я никогда не был там.", "我从来没去过那里。"]);
    check(&["So glad to see you.", "So, the die is cast.", "We are so happy.", "A lo lejos."]);
}
