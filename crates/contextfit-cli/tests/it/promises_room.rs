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
            check(&broken, args, "failed, and the result is used without a model instead");
            check(&late, args, "failed, and the result is used without a model instead");
            check(&answer("I'm sorry, but I can't help with that request."), args, "rejected");
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
