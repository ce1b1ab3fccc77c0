//! `chat`.

use serde_json::{Value, json};

use crate::run::{run, tree};

/// An agent run: a system prompt, a request, calls with results, and a last user message.
fn messages() -> Value {
    let flights: Vec<Value> = (0..40)
        .map(|n| json!({"flight": format!("HX{n:03}"), "from": "JFK", "to": "SEA", "price": 100 + n, "seats": n % 9}))
        .collect();
    json!([
        {"role": "system", "content": "You are an agent of an airline. Ask before you book."},
        {"role": "user", "content": "Hello! I want to fly from JFK to SEA on 2026-12-20. Never book a seat in the last row."},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
            "function": {"name": "search_flights", "arguments": "{\"from\":\"JFK\",\"to\":\"SEA\"}"}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": serde_json::to_string(&flights).unwrap()},
        {"role": "assistant", "content": "HX007 costs 107 dollars. Shall I book it?"},
        {"role": "user", "content": "Yes, please book it with my card credit_card_4421."}
    ])
}

#[test]
fn a_run_of_an_agent() {
    let folder = tree(&[("chat.json", messages().to_string().as_bytes())]);
    for (name, args) in [
        ("shorter", &["chat", "chat.json", "-b", "260"][..]),
        ("answer", &["chat", "chat.json", "-b", "260", "--answer", "--explain"]),
        ("window", &["chat", "chat.json", "-b", "260", "-s", "sliding-window"]),
        ("pinned", &["chat", "chat.json", "-b", "260", "--pin-tool", "search_flights"]),
        ("whole", &["chat", "chat.json", "-b", "5000"]),
    ] {
        insta::assert_snapshot!(name, run(folder.path(), args, "").told());
    }
}

#[test]
fn requests_one_a_line() {
    let messages = messages();
    let lines = [
        json!({"id": 1, "budget": 120, "messages": messages}),
        json!({"id": 2, "budget": 200, "request": {"model": "gpt-4o", "messages": messages, "temperature": 1.0}}),
        json!({"id": 3, "budget": 20, "messages": messages}),
        json!({"id": 4, "budget": 200, "strategy": "bm25", "messages": messages}),
        json!({"id": 5, "budget": 200, "messages": [{"role": "user", "content": 7}]}),
    ];
    let lines = lines.map(|line| line.to_string()).join("\n");
    insta::assert_snapshot!(run(tree(&[]).path(), &["chat", "--jsonl"], lines).told());
}

/// Without `--jsonl`, the input is a provider's body, and unknown fields belong to the provider.
#[test]
fn unknown_fields_of_a_body_pass() {
    let body = json!({"budgte": 1, "messages": [{"role": "user", "content": "a", "own": {"x": 1}}], "temprature": 2});
    let ran = run(tree(&[]).path(), &["chat", "-b", "100"], body.to_string());
    assert_eq!(serde_json::from_str::<Value>(&ran.out).unwrap(), body, "{}", ran.err);
}

/// Checks the messages that `chat` lists with `args` when nothing fits the budget.
#[track_caller]
fn check_infeasible(args: &[&str], expect: &str) {
    let folder = tree(&[("chat.json", messages().to_string().as_bytes())]);
    let ran = run(folder.path(), &[&["chat", "chat.json", "-b", "20"], args].concat(), "");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    let (_, blockers) = ran.err.split_once("unpin one of these:\n").unwrap_or_default();
    assert_eq!(blockers.trim_end(), expect);
}

#[test]
fn what_is_infeasible_says_what_would_free_it() {
    const SYSTEM: &str = "  message 0 (system): 17 tokens, pinned as instructions; --unpin-instructions (pins.instructions: false) lets it be cut";
    const LAST: &str = "  message 5 (user): 10 tokens, the last user message, already cut as far as possible";
    const OUTPUT: &str = "pinned by --pin-tool search_flights (pins.tools)";
    check_infeasible(&[], &[SYSTEM, LAST].join("\n"));
    check_infeasible(
        &["--pin-last-user", "--unpin-instructions"],
        "  message 5 (user): 18 tokens, pinned by --pin-last-user (pins.last_user)",
    );
    let calls = ["  message 3 (tool): 926 tokens, ", "  message 2 (assistant): 26 tokens, "];
    let calls = calls.map(|call| format!("{call}{OUTPUT}")).join("\n");
    check_infeasible(
        &["--pin-tool", "search_flights", "--pin", "4"],
        &[&calls, SYSTEM, "  and 2 smaller messages"].join("\n"),
    );
}

/// Records and --explain number turns from 1, messages are counted from 0.
#[test]
fn messages_are_pinned_by_their_turn_too() {
    let pinned = |pin: &str, code: i32| {
        let ran =
            run(tree(&[]).path(), &["chat", "-b", "260", "--explain", "--pin", pin], messages().to_string());
        assert_eq!(ran.code, code, "{}", ran.err);
        ran.err
    };
    let (by_index, by_turn) = (pinned("4", 0), pinned("#5", 0));
    let row = |told: &str| told.lines().find(|line| line.contains("4 (#5)")).map(str::to_owned);
    assert!(row(&by_turn).unwrap().contains("pinned"), "{by_turn}");
    assert_eq!(row(&by_index), row(&by_turn));
    assert!(pinned("#7", 2).contains("no message is turn 7"));
    assert!(pinned("x", 2).contains("expected an index from 0"));
}

#[test]
fn what_is_within_the_budget_comes_back_byte_for_byte() {
    let text = r#"{"messages": [{"role": "user", "content": "Hi", "n": 1e400, "x": 1.0}], "seed": 12345678901234567890123}"#;
    let ran = run(tree(&[]).path(), &["chat", "-b", "100"], text);
    assert_eq!(ran.out.replace(' ', "").trim(), text.replace(' ', ""), "{}", ran.err);
}

#[test]
fn what_is_for_files_is_no_option_of_conversations() {
    let ran = run(tree(&[]).path(), &["chat", "-b", "100", "--line-numbers"], "[]");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("--line-numbers works with files and search only"), "{}", ran.err);
}
