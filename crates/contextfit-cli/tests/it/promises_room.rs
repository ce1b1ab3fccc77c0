//! Room is used: more of it never shows less, and a model that does not answer costs none.

use serde_json::{Value, json};

use crate::run::{run, tree};

/// A session with long outputs: the user's words, `rounds` calls with their results, and a question.
fn session(rounds: usize) -> Vec<u8> {
    let mut messages = vec![
        json!({ "role": "user", "content": "Find out why orders are charged twice. Never drop a table." }),
    ];
    for n in 0..rounds {
        let id = format!("call_{n}");
        let call = json!({ "id": id, "type": "function", "function": { "name": "read", "arguments": format!("{{\"path\": \"src/part_{n}.rs\"}}") } });
        let line = |m: usize| {
            format!(
                "fn handle_{n}_{m}(order: &Order) -> Result<Receipt, Fault_{m}> {{ charge(order, {n}, {m}) }}\n"
            )
        };
        messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
        messages.push(
            json!({ "role": "tool", "tool_call_id": id, "content": (0..60).map(line).collect::<String>() }),
        );
    }
    messages.push(json!({ "role": "user", "content": "Which of these charges without a key?" }));
    json!({ "messages": messages }).to_string().into_bytes()
}

/// Asserts that `strategy` uses at least nine tenths of the budget.
#[track_caller]
fn check_used(strategy: &str, budget: usize) {
    let folder = tree(&[("chat.json", &session(12))]);
    let ran =
        run(folder.path(), &["chat", "chat.json", "--answer", "-b", &budget.to_string(), "-s", strategy], "");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let used = answer["metrics"]["tokensAfter"].as_u64().unwrap() as usize;
    assert!(used * 10 >= budget * 9, "{strategy}: {used} of {budget} tokens");
}

#[test]
fn the_room_is_used_without_a_model() {
    for budget in [1_500, 3_000, 5_000] {
        check_used("sliding-window", budget);
        check_used("summarize", budget);
    }
}

#[cfg(feature = "llm")]
mod silent {
    use std::time::Duration;

    use wiremock::ResponseTemplate;

    use super::*;
    use crate::llm::{Desk, answer, search};

    /// Asserts that a model that answers like this costs nothing: the result is the one without it, and standard error
    /// says what the model did.
    #[track_caller]
    fn check(reply: &ResponseTemplate, args: &[&str], says: &str) {
        let chat = session(12);
        let files: [(&str, &[u8]); 2] = [("chat.json", &chat), ("request.json", &search())];
        let desk = Desk::new(reply.clone(), &files);
        let without = run(desk.path(), args, "");
        let ran = desk.run(&[args, &["--llm-deadline", "1"]].concat());
        assert_eq!((ran.code, &ran.out), (0, &without.out), "{args:?}: {}", ran.err);
        assert!(ran.err.contains("warning: gpt-4o-mini") && ran.err.contains(says), "{args:?}: {}", ran.err);
    }

    const CASES: [&[&str]; 4] = [
        &["chat", "chat.json", "-b", "3000"],
        &["chat", "chat.json", "-b", "3000", "-s", "summarize", "--query", "Which charges without a key?"],
        &["chat", "chat.json", "-b", "900"],
        &["search", "request.json", "-b", "500", "--text"],
    ];

    #[test]
    fn a_model_that_fails_costs_no_room() {
        let broken = ResponseTemplate::new(400).set_body_json(json!({ "error": { "message": "no" } }));
        let late = answer("state: late").set_delay(Duration::from_secs(20));
        for args in CASES {
            check(&broken, args, " failed for ");
            check(&late, args, " failed for ");
            check(
                &answer("I'm sorry, but I can't help with that request."),
                args,
                "no answer was usable for ",
            );
        }
    }

    #[test]
    fn a_dead_server_costs_no_room() {
        let folder = tree(&[("chat.json", &session(12)), ("a.md", &search())]);
        let dead = ["--llm", "m", "--llm-url", "http://127.0.0.1:9/v1", "--llm-deadline", "1"];
        for args in [&["chat", "chat.json", "-b", "3000"][..], &["files", "-b", "500", "a.md"]] {
            let (without, ran) =
                (run(folder.path(), args, ""), run(folder.path(), &[args, &dead].concat(), ""));
            assert_eq!((ran.code, &ran.out), (0, &without.out), "{args:?}: {}", ran.err);
            assert!(ran.err.contains("warning: m at http://127.0.0.1:9/v1"), "{args:?}: {}", ran.err);
        }
    }
}

/// Asserts that `search` uses at least half of each of `budgets`, however long the units are.
#[track_caller]
fn check_half_is_used(query: Option<&str>, chunks: &[(&str, &str)], budgets: std::ops::Range<usize>) {
    let chunk = |(n, (path, text)): (usize, &(&str, &str))| match path.is_empty() {
        true => json!({ "id": n.to_string(), "text": text }),
        false => json!({ "path": path, "text": text }),
    };
    let chunks: Vec<Value> = chunks.iter().enumerate().map(chunk).collect();
    let line = |budget: usize| json!({ "query": query, "budget": budget, "chunks": chunks }).to_string();
    let lines: Vec<String> = budgets.clone().map(line).collect();
    let ran = run(tree(&[]).path(), &["search", "--jsonl"], lines.join("\n"));
    for (budget, line) in budgets.zip(ran.out.lines()) {
        let answer: Value = serde_json::from_str(line).unwrap();
        let used = answer["metrics"]["tokensAfter"].as_u64().unwrap() as usize;
        assert!(used * 2 >= budget, "{used} of {budget} tokens: {}", answer["context"]);
    }
}

#[test]
fn no_unit_is_so_long_that_the_room_stays_empty() {
    let long = "The mayor, who had come late because of the fog over the river, said that the bridge, which was built in \
                1902 by the railway and widened twice since, would be closed until the engineers had looked at each of \
                the forty-one piers. ";
    let prose = |topic: &str| format!("{long}Nobody in the room had asked about the {topic}. {long}");
    check_half_is_used(
        Some("when was the bridge built"),
        &[("", &prose("ferry")), ("", &prose("market"))],
        50..130,
    );
    let row = |n: usize| format!("src/part_{n}.py {n} {}\n", "14-17, 23, 40-41, ".repeat(1 + n % 3 * 20));
    let table = "Name Stmts Missing\n".to_owned() + &(0..9).map(row).collect::<String>();
    let list: String = (0..20).map(|n| format!("application/x-{n}   e{n};\n")).collect();
    check_half_is_used(None, &[("", &table), ("", &list), ("", "ok 1\nok 2\nok 3\n")], 120..420);
    let flags: String = (0..80)
        .map(|n| format!("      --flag-{n} string      Set what number {n} is about if the server\n            has it\n"))
        .collect();
    let help = "Usage:  tool run [OPTIONS] IMAGE\n\nRun a command\n\nOptions:\n".to_owned() + &flags;
    let code: String =
        (0..12).map(|n| format!("fn part_{n}(a: usize) -> usize {{\n    a + {n}\n}}\n\n")).collect();
    for query in [Some("which flag sets number 7"), None] {
        check_half_is_used(query, &[("", &help), ("src/part.rs", &code)], 500..560);
    }
}

/// Asserts that `search` with `strategy` and no query never uses less than two thirds of what it uses of a smaller one
/// of `budgets`, nor less than two fifths of the budget.
#[track_caller]
fn check_no_fall(strategy: &str, chunks: &[(&str, &str)], budgets: std::ops::Range<usize>) {
    let chunks: Vec<Value> =
        chunks.iter().map(|(path, text)| json!({ "path": path, "text": text })).collect();
    let line = |budget: usize| json!({ "budget": budget, "chunks": chunks }).to_string();
    let lines: Vec<String> = budgets.clone().map(line).collect();
    let ran = run(tree(&[]).path(), &["search", "--jsonl", "-s", strategy], lines.join("\n"));
    let mut most = 0;
    for (budget, line) in budgets.zip(ran.out.lines()) {
        let answer: Value = serde_json::from_str(line).unwrap();
        let used = answer["metrics"]["tokensAfter"].as_u64().unwrap() as usize;
        let context = &answer["context"];
        assert!(used * 3 >= most * 2, "{strategy}: {used} of {budget} tokens, {most} before: {context}");
        assert!(used * 5 >= budget * 2, "{strategy}: {used} of {budget} tokens: {context}");
        most = most.max(used);
    }
}

#[test]
fn a_token_more_never_costs_a_third() {
    let release = |n: usize| {
        format!(
            "## [0.{n}.0] - 2025-03-12\n### Fixed\n- Close the file when a reader of part {n} fails [#{n}]\n\n\
             [#{n}]: https://example.com/pull/{n}\n\n"
        )
    };
    let log = "# Changelog\nAll notable changes to this project will be documented in this file.\n\n"
        .to_owned()
        + &(1..21).rev().map(release).collect::<String>();
    let notes = "# Notes\n\nThe mayor, who had come late because of the fog over the river, said that the bridge, which \
                 was built in 1902 by the railway and widened twice since, would be closed until the engineers had \
                 looked at each of the forty-one piers. Nobody asked about the ferry.\n"
        .repeat(2);
    for strategy in ["auto", "incremental", "smart-truncation"] {
        check_no_fall(strategy, &[("CHANGELOG.md", &log)], 30..160);
        check_no_fall(strategy, &[("CHANGELOG.md", &log), ("docs/notes.md", &notes)], 40..160);
    }
}

/// The shown text of every answer of `contextfit` with `args` to `request` at each of `budgets`; a message's parts and
/// lines are folded into one line.
fn ladder(command: &str, request: &Value, budgets: std::ops::Range<usize>) -> Vec<(usize, String)> {
    let line = |budget: usize| {
        let mut line = request.clone();
        line["budget"] = budget.into();
        line.to_string()
    };
    let lines: Vec<String> = budgets.clone().map(line).collect();
    let ran = run(tree(&[]).path(), &[command, "--jsonl"], lines.join("\n"));
    let answers = budgets.zip(ran.out.lines()).filter_map(|(budget, line)| {
        let answer: Value = serde_json::from_str(line).unwrap();
        // There is no answer where even the smallest one does not fit.
        answer.get("metrics")?;
        let mut texts: Vec<&str> = answer["context"].as_str().into_iter().collect();
        texts.extend(
            answer["messages"].as_array().into_iter().flatten().filter_map(|it| it["content"].as_str()),
        );
        Some((budget, texts.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")))
    });
    answers.collect()
}

/// Asserts that never less of `wanted`, in bytes, is shown with a token more.
#[track_caller]
fn check_never_less(shown: &[(usize, String)], wanted: &[&str]) {
    let bytes = |text: &str| wanted.iter().filter(|it| text.contains(**it)).map(|it| it.len()).sum::<usize>();
    assert!(bytes(&shown.last().unwrap().1) > 0);
    for pair in shown.windows(2) {
        let (less, more) = (bytes(&pair[0].1), bytes(&pair[1].1));
        assert!(less <= more, "{} tokens: {}\n{} tokens: {}", pair[0].0, pair[0].1, pair[1].0, pair[1].1);
    }
}

const RULES: &str = "Refund orders only once. Never touch the production database.";
const WISH: &str = "Use the staging key from vault, and keep the public API as it is.";

/// Messages of the user and outputs of tools, in this order.
fn told(turns: &[(&str, &str)]) -> Value {
    let mut messages = Vec::new();
    for (n, (tool, text)) in turns.iter().enumerate() {
        if *tool == "user" || *tool == "assistant" {
            messages.push(json!({ "role": tool, "content": text }));
            continue;
        }
        let call = json!({ "id": n.to_string(), "type": "function", "function": { "name": tool, "arguments": "{}" } });
        messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
        messages.push(json!({ "role": "tool", "tool_call_id": n.to_string(), "content": text }));
    }
    json!({ "messages": messages })
}

fn log(lines: usize) -> String {
    let line = |n: usize| {
        let (worker, batch, time) = (n * 7 % 4, n * 7919 % 9973, n * 131 % 400);
        format!(
            "2026-11-26T10:{n:02}:{:02}Z INFO  worker-{worker} processed batch {batch} in {time} ms\n",
            n * 37 % 60
        )
    };
    (0..lines).map(line).collect()
}

fn tests(passed: usize) -> String {
    let ok: String = (0..passed.min(14)).map(|n| format!("test api::case_{n} ... ok\n")).collect();
    format!(
        "running {} tests\n{ok}test api::refund_twice ... FAILED\n\n---- api::refund_twice stdout ----\nassertion `left == right` \
         failed\n  left: 2\n right: 1\n\ntest result: FAILED. {passed} passed; 1 failed; 0 ignored\n",
        passed + 1,
    )
}

/// What is shown never falls in total (a test in `contextfit-conversational` has every room); of one thing alone it can,
/// below these budgets, where something that is worth more comes in.
#[test]
fn more_room_never_shows_less_of_the_users_words_or_of_a_result() {
    let words = [RULES, WISH];
    let two = told(&[
        ("user", RULES),
        ("read_log", &log(20)),
        ("run_tests", &tests(200)),
        ("user", WISH),
        ("assistant", "Understood."),
        ("read_log", &log(10)),
        ("user", "Why is it slow?"),
    ]);
    let shown = ladder("chat", &two, 115..380);
    check_never_less(&shown, &words);
    check_never_less(&shown[5..], &["refund_twice ... FAILED"]);
    let one = told(&[("user", RULES), ("run_tests", &tests(8)), ("user", "What failed?")]);
    check_never_less(&ladder("chat", &one, 4..190), &words);
    let short = told(&[
        ("user", RULES),
        ("run_tests", &tests(3)),
        ("user", WISH),
        ("read_log", &log(6)),
        ("user", "And now?"),
    ]);
    let shown = ladder("chat", &short, 111..360);
    check_never_less(&shown, &words);
    check_never_less(&shown[4..], &["refund_twice ... FAILED"]);
    check_never_less(&shown, &["3 passed; 1 failed"]);
}

#[test]
fn more_room_never_shows_less_of_a_passage() {
    let check = |query: &str, passages: &[&str]| {
        let chunk = |(n, text): (usize, &&str)| json!({ "id": n.to_string(), "text": text });
        let chunks: Vec<Value> = passages.iter().enumerate().map(chunk).collect();
        let shown = ladder("search", &json!({ "query": query, "chunks": chunks }), 4..80);
        let sentences: Vec<&str> =
            passages.iter().flat_map(|text| text.split_inclusive(". ")).map(str::trim).collect();
        check_never_less(&shown, &sentences);
    };
    check(
        "login timeout",
        &["No. A key belongs to one project. The bridge was built in 1902.", "Ships pass it at noon."],
    );
    check(
        "market day",
        &[
            "A key belongs to one project. The login timeout is 30 seconds.",
            "Sessions end. Ships pass it at noon.",
        ],
    );
    check(
        "request limit",
        &["A key belongs to one project. No.", "Sessions end. Admins may change the timeout in auth.toml."],
    );
    check(
        "When was the bridge built?",
        &[
            "The bridge was built in 1902 by the railway.",
            "The town has two schools and a market. It is held on Fridays.",
        ],
    );
    check(
        "login timeout",
        &[
            "Sessions end after 30 minutes.",
            "The login timeout is 30 seconds.",
            "Login needs a password. The timeout of the login is set in auth.toml. Admins may change it.",
        ],
    );
}
