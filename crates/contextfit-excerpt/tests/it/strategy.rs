//! The strategy: its shares, the blocks it leaves out, the conformance suite.

use std::sync::Arc;

use contextfit_excerpt::Excerpts;
use contextfit_kernel::{Action, Block, Budget, Context, Passage, Strategy, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_testkit::{check_fit, check_strategy};
use contextfit_text::CharsPer;

#[test]
fn conformance() {
    check_strategy(Arc::new(Excerpts));
}

fn log(path: &str, lines: usize, last: &str) -> Block {
    let passage = Passage::at(path);
    let lines: String =
        (0..lines).map(|n| format!("2024-05-01 12:00:{n:02} INFO step {n} is done\n")).collect();
    Block::passage(path, passage, lines + last)
}

/// A dump in one piece, of which no part fits.
fn dump() -> Block {
    let passage = Passage::at("dump.txt");
    Block::passage("dump.txt", passage, "0123456789".repeat(60))
}

/// Checks the actions for `blocks`, as `keep`, `cut` or `drop`, and text that the result must contain.
#[track_caller]
fn check(blocks: Vec<Block>, query: Option<&str>, budget: usize, actions: &[&str], holds: &[&str]) {
    let mut context = Context::new(blocks);
    context.query = query.map(Into::into);
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(Excerpts);
    let result = pipeline.fit(&context, &Budget::new(Tokens::new(budget))).unwrap();
    let plan = result.plan().unwrap();
    assert_eq!(plan.strategy, Excerpts.name());
    let found: Vec<&str> = plan.steps.iter().map(|step| step.action.name()).collect();
    assert_eq!(found, actions, "{}", result.text);
    for text in holds {
        assert!(result.text.contains(text), "{text:?} is not in {}", result.text);
    }
    // An excerpt uses its room.
    if plan.steps.iter().any(|step| matches!(step.action, Action::Cut { .. })) {
        assert!(result.metrics.tokens_after.get() * 5 >= budget * 3, "{}", result.text);
    }
}

#[test]
fn short_blocks_stay_whole_and_the_rest_share() {
    let (short, long) = (|| log("a.log", 2, ""), || log("b.log", 60, ""));
    check(
        vec![short(), long(), log("c.log", 90, "")],
        None,
        300,
        &["keep", "cut", "cut"],
        &["step 1 is", "step 59"],
    );
    let error = "2024-05-01 12:01:00 ERROR disk full";
    check(vec![log("b.log", 60, error), long()], None, 200, &["cut", "cut"], &[error, "step 0"]);
}

#[test]
fn what_answers_least_is_left_out() {
    let blocks = || vec![log("a.log", 60, ""), log("b.log", 60, "fan speed 12\n"), log("c.log", 60, "")];
    check(blocks(), None, 100, &["cut", "drop", "drop"], &["[... 2 passages]", "a.log"]);
    check(blocks(), Some("how fast is the fan"), 100, &["drop", "cut", "drop"], &["fan speed 12"]);
    let mut scored = blocks();
    for (block, score) in scored.iter_mut().zip([0.1, 0.2, 0.9]) {
        if let contextfit_kernel::BlockKind::Passage(passage) = &mut block.kind {
            passage.score = Some(score);
        }
    }
    check(scored, None, 100, &["drop", "drop", "cut"], &["c.log"]);
}

#[test]
fn what_is_held_is_shown() {
    let held =
        vec![log("a.log", 60, ""), log("b.log", 3, "").with_pinned(), log("c.log", 60, "").with_shown()];
    check(held, Some("zebra"), 100, &["drop", "keep", "cut"], &["step 2 is done", "c.log"]);
    let group =
        vec![log("a.log", 60, "").with_group("g"), log("b.log", 60, "").with_group("g"), log("c.log", 4, "")];
    check(group, Some("a"), 90, &["drop", "drop", "keep"], &["c.log"]);
}

#[test]
fn bundles_and_json_on_one_line() {
    let bundle: String =
        (0..300).map(|n| format!("function a{n}(e,t){{return e>t?r{n}(e,{n}):log(n)}};")).collect();
    let rows: Vec<String> =
        (0..300).map(|n| format!(r#"{{"id": {n}, "name": "naïve", "text": "{n} and {n}"}}"#)).collect();
    let json = format!("[{}]", rows.join(", "));
    let texts = [
        ("a.min.js", format!("/* licence */\n{bundle}\n//# sourceMappingURL=a.map\n")),
        ("b.min.js", bundle.replace('e', "é")),
        ("c.js", "x".repeat(5_000)),
        ("d.json", json.clone()),
        ("e.json", json[..json.len() / 2].to_owned()),
        ("f.jsonl", rows.join("\n")),
    ];
    for (path, text) in &texts {
        let passage = Passage::at(*path);
        for query in [None, Some("what is a150 or 150")] {
            let mut context = Context::new(vec![Block::passage(*path, passage.clone(), text.as_str())]);
            context.query = query.map(Into::into);
            for per_token in [1, 4] {
                let counter = Arc::new(CharsPer::new(per_token).unwrap());
                let pipeline = Pipeline::new(counter).with_strategy(Excerpts);
                for budget in [0, 10, 30, 100, 500, 2_000, 10_000] {
                    check_fit(&pipeline, &context, budget);
                }
            }
        }
    }
    let block = |n: usize| {
        let passage = Passage::at(texts[n].0);
        vec![Block::passage(texts[n].0, passage, texts[n].1.as_str())]
    };
    check(block(0), Some("what is a150"), 120, &["cut"], &["function a150(", " characters]", "licence"]);
    check(block(3), Some("150"), 120, &["cut"], &[r#""id":150"#, r#" more""#]);
    // A name that says nothing is no reason to read lines as sentences.
    let found: String = (0..60).map(|n| format!("src/file_{n}.rs:{n}: let found = {n};\n")).collect();
    let passage = Passage::at("found.txt");
    check(
        vec![Block::passage("a", passage, found)],
        Some("file_30"),
        60,
        &["cut"],
        &["\nsrc/file_30.rs:30: let found = 30;\n"],
    );
}

/// Units longer than the room are divided.
#[test]
fn giant_lines() {
    let named = |path: &str, text: String| Block::passage(path, Passage::at(path), text);
    // An error among lines of ordinary length is shown by its start.
    let fields: String = (0..300).map(|n| format!("\"field{n}\": {}, ", n * 7 % 90)).collect();
    let error = format!("ERROR payload rejected: {{{fields}}} reason=schema_version 7 unsupported\n");
    let steps = |from: usize| (from..from + 30).map(|n| format!("INFO step {n} ok\n")).collect::<String>();
    let log = named("a.log", steps(0) + &error + &steps(30));
    check(vec![log], None, 300, &["cut"], &["ERROR payload rejected"]);
}

/// What has room for its marker alone is left out, but not without the rest of its group.
#[test]
fn groups_are_not_split() {
    check(vec![dump(), log("a.log", 60, "")], None, 200, &["drop", "cut"], &["step 0"]);
    let group = vec![dump().with_group("g"), log("a.log", 60, "").with_group("g")];
    check(group, None, 200, &["cut", "cut"], &["step 0"]);
}
