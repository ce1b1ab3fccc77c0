//! Many kinds of rules are recognized; ordinary conversation is not.
#![allow(clippy::panic, clippy::print_stderr, clippy::unwrap_used, reason = "tests fail by panicking")]

use super::*;

fn said(block: usize, text: &str, role: Role) -> Sentence<'_> {
    Sentence { block, range: ByteRange::whole(text), text, role, name: None }
}

fn strength(text: &str) -> f64 {
    standing_rules(&[said(0, text, Role::User)]).first().map_or(0.0, |rule| rule.strength)
}

/// Checks the percentage of `sentences` that are rules.
#[track_caller]
fn check(sentences: &str, expect: std::ops::RangeInclusive<usize>) {
    let lines = || sentences.lines().filter(|line| !line.starts_with('#'));
    let stand = lines().filter(|line| strength(line) >= STANDS).count() * 100 / lines().count();
    assert!(expect.contains(&stand), "{stand} %");
}

#[test]
fn most_rules_stand() {
    check(include_str!("tests/planted.txt"), 90..=100);
    check(include_str!("tests/rules.txt"), 92..=100);
}

#[test]
fn little_talk_stands() {
    check(include_str!("tests/ordinary.txt"), 0..=4);
    check(include_str!("tests/filler.txt"), 0..=2);
}

#[test]
fn tasks_of_the_moment_are_weaker() {
    for task in
        ["Book me a flight to Oslo.", "Fix this bug.", "Could you look up the fare?", "Rename the function."]
    {
        assert!(strength(task) < STANDS && strength(task) > 0.0, "{task}");
    }
    for question in ["Should I always use tabs?", "Why must it be red?", "Is the deadline on Friday?"] {
        assert!(strength(question) <= f64::EPSILON, "{question}");
    }
}

#[test]
fn an_order_may_follow_an_adverbial() {
    let forbids =
        |sentence| told(sentence).is_some_and(|told| told.class == Class::Never && told.strength >= STANDS);
    for order in [
        "In production never flush between 05:30 and 07:00.",
        "In production do not flush it.",
        "During deploys don't restart the gateway.",
        "On Mondays never rotate it.",
        "If the disk is full do not delete the journal.",
        "After the first failure never retry by hand.",
        "Without a backup do not migrate.",
    ] {
        assert!(forbids(order), "{order}");
    }
    for statement in [
        "In winter they never fly.",
        "In production the workers do not restart.",
        "When backups do not run, a mail is sent.",
        "On Fridays people do not deploy.",
        "For years we have never lost a record.",
        "In the north it is never cold.",
    ] {
        assert!(!forbids(statement), "{statement}");
    }
}

#[test]
fn the_assistant_has_half_a_word() {
    let text = "Never mention prices.";
    let rules = standing_rules(&[
        said(0, text, Role::Assistant),
        said(1, text, Role::Tool),
        said(2, text, Role::User),
    ]);
    let blocks: Vec<_> = rules.iter().map(|rule| (rule.block, rule.strength >= STANDS)).collect();
    assert_eq!(blocks, [(0, false), (2, true)]);
}

/// `>`: the second replaces the first; `|`: both hold.
#[test]
fn what_replaces_a_rule() {
    let (mut found, mut all) = (0, 0);
    for line in include_str!("tests/replaced.txt").lines().filter(|line| !line.starts_with('#')) {
        let (first, second) = line.split_once(" > ").or(line.split_once(" | ")).unwrap();
        let rules = standing_rules(&[said(0, first, Role::User), said(1, second, Role::User)]);
        let replaced = rules.iter().any(|rule| rule.replaced);
        if line.contains(" > ") {
            all += 1;
            found += usize::from(replaced);
        } else {
            assert!(!replaced, "{line}");
        }
    }
    assert!(found * 10 >= all * 8, "{found} of {all}");
}

#[test]
fn only_the_same_speaker_replaces() {
    let ask =
        |role| standing_rules(&[said(0, "Reply in French.", Role::User), said(1, "Reply in German.", role)]);
    assert!(ask(Role::User).first().unwrap().replaced);
    assert!(!ask(Role::Assistant).first().unwrap().replaced);
}

#[test]
fn time_is_linear() {
    let sentence = "Keep answers under 80 words and never mention prices. ".repeat(5_000);
    assert!(strength(&sentence) >= STANDS);
    let many: Vec<_> =
        (0..5_000).map(|block| said(block, "Use tabs in all makefiles.", Role::User)).collect();
    assert_eq!(standing_rules(&many).iter().filter(|rule| !rule.replaced).count(), 1);
}

/// Real conversations, if their folder is available: at most two sentences in a hundred are rules.
#[test]
fn little_real_talk_stands() {
    let folder = std::env::var("CONTEXTFIT_DATA").unwrap_or_default();
    let Ok(talks) =
        std::fs::read_to_string(std::path::Path::new(&folder).join("locomo/dev.conversations.jsonl"))
    else {
        eprintln!("skipped: CONTEXTFIT_DATA does not name a folder with locomo/dev.conversations.jsonl");
        return;
    };
    let mut sentences = String::new();
    for talk in talks.lines() {
        let talk: serde_json::Value = serde_json::from_str(talk).unwrap();
        let list = |value: &serde_json::Value, key| value.get(key).unwrap().as_array().unwrap().clone();
        for turn in list(&talk, "sessions").iter().flat_map(|session| list(session, "turns")) {
            let text = turn.get("text").unwrap().as_str().unwrap();
            let ends = crate::unit_ends(text, crate::Shape::Prose);
            for (start, end) in [0].into_iter().chain(ends.iter().copied()).zip(ends.iter().copied()) {
                sentences.push_str(&text.get(start..end).unwrap().trim().replace('\n', " "));
                sentences.push('\n');
            }
        }
    }
    check(&sentences, 0..=1);
}
