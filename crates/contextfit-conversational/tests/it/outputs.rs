//! A few long outputs are cut to what answers the question, and nothing that was said is lost.

use std::sync::Arc;

use contextfit_conversational::HierarchicalCompressor;
use contextfit_kernel::{Block, Budget, Context, Role, Scorer, Tokens, Turn};
use contextfit_pipeline::Pipeline;
use contextfit_testkit::{check_fit, conversation_of};
use contextfit_text::CharsPer;

/// Rates nothing as relevant.
struct Nothing;

impl Scorer for Nothing {
    fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> {
        vec![0.0; texts.len()]
    }
}

/// A user asks `question`, a tool prints `output`, and the user says `last`.
fn talk(question: &str, output: &str, last: &str) -> Context {
    let turns = [
        (Role::User, question),
        (Role::Assistant, "I run it."),
        (Role::Tool, output),
        (Role::Assistant, "That was long."),
        (Role::User, last),
    ];
    let block = |(n, (role, text)): (usize, (Role, &str))| {
        Block::turn(n.to_string(), Turn::new(role).with_framing(Tokens::new(4)), text)
    };
    let blocks = turns.into_iter().enumerate().map(block).collect();
    Context::new(blocks).with_layout(conversation_of(2).layout)
}

/// Checks that the result within 250 tokens shows `expect` and everything that was said.
#[track_caller]
fn check(question: &str, output: &str, last: &str, expect: &[&str]) {
    let context = talk(question, output, last);
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap()))
        .with_strategy(HierarchicalCompressor::new(Arc::new(Nothing)));
    check_fit(&pipeline, &context, 250);
    let result = pipeline.fit(&context, &Budget::new(Tokens::new(250))).unwrap();
    let shown: Vec<&str> = result.context.blocks.iter().map(|block| block.text.as_str()).collect();
    let shown = shown.join("\n");
    for said in [question, "I run it.", "That was long.", last] {
        assert!(shown.contains(said), "{said:?} is lost: {shown}");
    }
    for expect in expect {
        assert!(shown.contains(expect), "{expect:?} is lost: {shown}");
    }
}

#[test]
fn the_question_counts() {
    let requests: String =
        (0..400).map(|n| format!("12:00:{:02} worker {n} served page {n}\n", n % 60)).collect();
    let log = format!("{requests}12:09:00 disk usage of vault is at 81 %\n{requests}");
    check("How full is the vault disk?", &log, "Go on.", &["vault is at 81 %"]);
    check("Start the server.", &log, "How full is the vault disk?", &["vault is at 81 %"]);
    check("Start the server.", &log, "What did worker 237 serve?", &["worker 237 served page 237"]);
    // An unusual line is shown whether or not it is asked about.
    check("Start the server.", &log, "Go on.", &["vault is at 81 %"]);

    let nodes: Vec<String> = (0..300)
        .map(|n| format!(r#"{{"name": "node-{n}", "zone": "z{}", "address": "10.0.0.{n}"}}"#, n % 7))
        .collect();
    let json = format!(r#"{{"nodes": [{}], "total": 300}}"#, nodes.join(", "));
    check("List the nodes.", &json, "Which address has node-211?", &["node-211", "10.0.0.211"]);
    let headed = format!("HTTP/2 200\nserver: nginx\nratelimit-remaining: 3\n\n{json}");
    check(
        "List the nodes.",
        &headed,
        "Which address has node-211?",
        &["HTTP/2 200", "node-211", "10.0.0.211"],
    );
}

/// The user's only words stay whole next to a result that the model has not read, whatever the room.
#[test]
fn the_question_stays_next_to_its_result() {
    let question = "One container died. Which, and why?";
    let result: Vec<String> = (0..300)
        .map(|n| format!("    {{\n        \"Id\": \"{n:064x}\",\n        \"Pid\": {}\n    }}", n * 37))
        .collect();
    let counter = CharsPer::new(4).unwrap();
    let context = Context::conversation(&counter)
        .system("You are a coding agent.")
        .user(question)
        .call("docker", "{\"arguments\": \"inspect\"}")
        .result("docker", format!("[\n{}\n]\n", result.join(",\n")))
        .build()
        .unwrap();
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap()))
        .with_strategy(HierarchicalCompressor::new(Arc::new(Nothing)));
    for budget in [120, 300, 600, 1_000, 1_500, 2_000, 4_000] {
        check_fit(&pipeline, &context, budget);
        let result = pipeline.fit(&context, &Budget::new(budget)).unwrap();
        assert_eq!(result.context.blocks[1].text, question, "at {budget}");
    }
}

/// A question that is too long for the room is cut between its clauses, and more room never shows less of it.
#[test]
fn a_question_of_one_line_is_never_a_bare_marker() {
    let clauses = [
        "Tell me what the second migration of the payments table does with rows without a currency,",
        "whether it is safe to run it twice after the backup has been restored on the replica,",
        "and which of the three environments has already been migrated by the nightly job.",
    ];
    let counter = CharsPer::new(4).unwrap();
    let context = Context::conversation(&counter)
        .system("Be brief.")
        .user("hello")
        .assistant("hi ".repeat(200))
        .user(clauses.join(" "))
        .build()
        .unwrap();
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap()))
        .with_strategy(HierarchicalCompressor::new(Arc::new(Nothing)));
    let mut before = 0;
    for budget in 90..200 {
        check_fit(&pipeline, &context, budget);
        let result = pipeline.fit(&context, &Budget::new(budget)).unwrap();
        let shown = clauses.iter().filter(|clause| result.text.contains(**clause)).count();
        assert!(shown >= before.max(1), "at {budget}: {}", result.text);
        before = shown;
    }
    assert_eq!(before, 3);
}

#[test]
fn an_error_keeps_its_place() {
    let notes: String = (0..300).map(|n| format!("   Compiling part{n} v0.{n}.0\n")).collect();
    let error = "error[E0308]: mismatched types\n   --> src/deep/file.rs:88:13\n    |\n88  |     width\n    |     ^^^^^ expected u32\n\n";
    check(
        "Build it.",
        &format!("{notes}{error}{notes}"),
        "Go on.",
        &["mismatched types", "src/deep/file.rs:88:13"],
    );
}
