//! `verify`: reports are checked from the originals in them.

use std::fs;

use serde_json::Value;

use crate::{
    outputs,
    run::{run, tree},
};

/// A conversation with a long result.
fn chat() -> String {
    let messages = serde_json::json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What failed?"},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function",
            "function": {"name": "logs", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": outputs::log()},
        {"role": "user", "content": "And since when?"},
    ]);
    serde_json::json!({"messages": messages}).to_string()
}

/// Runs `args` with a report, and asserts that it is verified, and that it is not when `change` has altered it.
#[track_caller]
fn check(args: &[&str], input: &str, change: impl Fn(&mut Value), expect: &str) {
    let code = "pub fn budget(tokens: usize) -> usize {\n    tokens + 1\n}\n\n".repeat(40);
    let folder = tree(&[("a.rs", code.as_bytes()), ("b.md", b"Budgets are kept. Colours are not.\n")]);
    let ran = run(folder.path(), &[args, &["--report", "r.json"]].concat(), input);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run(folder.path(), &["verify", "r.json"], "");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.starts_with("r.json: verified "), "{}", ran.err);

    let mut report: Value = serde_json::from_slice(&fs::read(folder.path().join("r.json")).unwrap()).unwrap();
    change(&mut report);
    let ran = run(folder.path(), &["verify"], report.to_string());
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains(expect), "{}", ran.err);
}

#[test]
fn what_is_not_as_claimed_is_found() {
    let files = ["files", "a.rs", "b.md", "-q", "how are budgets kept", "-b", "150"];
    check(&files, "", |report| report["metrics"]["tokensAfter"] = 3.into(), "3 tokens are claimed");
    check(&files, "", |report| report["budget"]["limit"] = 20.into(), "exceed the budget of 20");
    check(
        &files,
        "",
        |report| report["context"] = "Budgets are lost.".into(),
        "`context` is not the verified text",
    );
    let forged = |report: &mut Value| {
        let text = report["text"].as_str().unwrap().replace("kept", "lost");
        report["text"] = text.into();
    };
    check(&files, "", forged, "differs: expected \"kept");
    let changed = |report: &mut Value| {
        let text = report["input"]["blocks"][0]["text"].as_str().unwrap().replace("tokens", "tokenz");
        report["input"]["blocks"][0]["text"] = text.into();
    };
    check(&files, "", changed, "block \"a.rs\": its step claims");
}

#[test]
fn messages_are_checked_too() {
    let args = ["chat", "-b", "400"];
    let forged = |change: fn(&mut Vec<Value>), expect: &str| {
        let change = |report: &mut Value| change(report["request"]["messages"].as_array_mut().unwrap());
        check(&args, &chat(), change, expect);
    };
    forged(
        |messages| messages[0]["content"] = "Be long.".into(),
        "messages[0] differs at character 3: expected \"brief.\", found \"long.\"",
    );
    forged(
        |messages| messages[1]["role"] = "assistant".into(),
        "messages[1].role: expected user, found assistant",
    );
    forged(|messages| drop(messages.pop()), "expected 5 messages, found 4");
    forged(
        |messages| messages[2]["tool_calls"][0]["function"]["name"] = "delete".into(),
        "messages[2].calls[0].name: expected \"logs\", found \"delete\"",
    );
    forged(|messages| messages[4]["name"] = "Admin".into(), "messages[4].");
    let parts = |part: Value| serde_json::json!([{"type": "text", "text": "And since when?"}, part]);
    for part in [
        serde_json::json!({"type": "refusal", "refusal": "Obey."}),
        serde_json::json!({"type": "file", "file": {"file_id": "f"}}),
    ] {
        let change = |report: &mut Value| {
            report["request"]["messages"][4]["content"] = parts(part.clone());
        };
        check(&args, &chat(), change, "messages[4]");
    }
}

/// A record is the user's unless the caller of `verify` says otherwise.
#[test]
fn a_record_in_another_role_is_found() {
    let filler = "I found the problem in the code. ".repeat(40);
    let messages = serde_json::json!([
        {"role": "user", "content": "Mend it. Never delete the database."},
        {"role": "assistant", "content": filler},
        {"role": "user", "content": "And now?"},
    ]);
    let input = serde_json::json!({"messages": messages}).to_string();
    let change = |report: &mut Value| report["request"]["messages"][0]["role"] = "system".into();
    check(&["chat", "-b", "90"], &input, change, "messages[0].role: expected user, found system");
    let folder = tree(&[]);
    let args = ["chat", "-b", "90", "--record-role", "developer", "--report", "r.json"];
    assert_eq!(run(folder.path(), &args, &*input).code, 0);
    assert_eq!(run(folder.path(), &["verify", "r.json"], "").code, 1);
    let ran = run(folder.path(), &["verify", "r.json", "--record-role", "developer"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn the_number_in_a_marker_is_that_of_what_is_missing() {
    let lines = |from: usize, to: usize| {
        (from..to).map(|n| format!("fn f{n}() {{ let a = {n}; }}\n")).collect::<String>()
    };
    let input = serde_json::json!({"chunks": [{"path": "a.rs", "text": lines(0, 10)}]}).to_string();
    let more = |report: &mut Value| {
        let text = report.to_string();
        let (_, rest) = text.split_once("// ... ").unwrap();
        let marker = format!("// ... {} line", rest.split(' ').next().unwrap());
        *report = serde_json::from_str(&text.replace(&marker, "// ... 30 line")).unwrap();
    };
    let args = ["search", "-b", "90", "-s", "smart-truncation"];
    check(&args, &input, more, "30 lines\\n\" does not count what is missing");
    // The line of the brace that the marker of a folded body ends with is not missing.
    let body: String = (0..62).map(|n| format!("    const A{n}: usize = {n};\n")).collect();
    let code = format!("struct Case;\n\nimpl Case {{\n{body}}}\n\nfn other() -> usize {{\n    3\n}}\n");
    let input = serde_json::json!({"query": "other", "chunks": [{"path": "a.rs", "text": code}]}).to_string();
    for wrong in ["61 lines", "66 lines"] {
        let other = |report: &mut Value| {
            *report = serde_json::from_str(&report.to_string().replace("62 lines", wrong)).unwrap();
        };
        check(&["search", "-b", "44", "-s", "outline"], &input, other, "does not count what is missing");
    }
}

#[test]
fn what_a_report_says_is_made_again() {
    let files = ["files", "a.rs", "b.md", "-q", "how are budgets kept", "-b", "150"];
    let overlapping = serde_json::json!({"chunks": [
        {"id": "x", "path": "a.md", "startLine": 1, "endLine": 2, "text": "one two three\nfour five six\n"},
        {"id": "y", "path": "a.md", "startLine": 3, "endLine": 3, "text": outputs::log()},
    ]});
    for (args, input) in [
        (&files[..], String::new()),
        (&["search", "-b", "150"], overlapping.to_string()),
        (&["chat", "-b", "400"], chat()),
    ] {
        let changed = |path: &str, value: Value, expect: &str| {
            check(args, &input, |report| *report.pointer_mut(path).unwrap() = value.clone(), expect);
        };
        changed("/blocks/0/action", "render".into(), "blocks[0].action: expected ");
        changed("/blocks/0/reason", "because".into(), "blocks[0].reason: expected ");
        changed("/blocks/1/tokens", 1.into(), "blocks[1].tokens: expected ");
        changed("/blocks/0/ranges", serde_json::json!([[0, 1]]), "blocks[0].ranges");
        changed("/metrics/tokensBefore", 5.into(), "metrics.tokensBefore: expected ");
        changed("/metrics/compressionRate", "1.0%".into(), "metrics.compressionRate: expected ");
        changed("/metrics/blocksAfter", 70.into(), "metrics.blocksAfter: expected ");
        changed("/strategy", "bm26".into(), "strategy: expected ");
        changed("/query", "else".into(), "query: expected ");
        let fewer = |report: &mut Value| drop(report["blocks"].as_array_mut().unwrap().pop());
        check(args, &input, fewer, " entries, found ");
    }
    let dearer = |report: &mut Value| {
        let stages = report["stages"].as_array_mut().unwrap().iter_mut();
        let steps = stages.filter_map(|stage| stage.pointer_mut("/plan/steps")?.as_array_mut()).flatten();
        for step in steps.filter(|step| step["tokens"].is_number()) {
            step["tokens"] = (step["tokens"].as_u64().unwrap() + 1).into();
        }
    };
    check(&["files", "a.rs", "b.md", "-s", "excerpt", "-b", "150"], "", dearer, "its step claims ");
}

/// What `files`, `search` and `chat` print is compared with the report.
#[test]
fn outputs_are_checked() {
    let anthropic = serde_json::json!({"system": "Be brief.", "max_tokens": 5, "messages": [
        {"role": "user", "content": outputs::log()}, {"role": "assistant", "content": "Disk full."},
        {"role": "user", "content": "Since when?"},
    ]});
    let checked = |args: &[&str], input: &str, forge: (&str, &str), expect: &str| {
        let folder = tree(&[("a.log", outputs::log().as_bytes())]);
        let printed = run(folder.path(), &[args, &["--report", "r.json"]].concat(), input).out;
        let verify = |output: &str| {
            fs::write(folder.path().join("out"), output).unwrap();
            run(folder.path(), &["verify", "r.json", "--output", "out"], "")
        };
        let ran = verify(&printed);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        assert!(printed.contains(forge.0), "{printed}");
        let ran = verify(&printed.replacen(forge.0, forge.1, 1));
        assert_eq!(ran.code, 1, "{args:?}");
        assert!(ran.err.contains(expect), "{args:?}: {}", ran.err);
    };
    let files = ["files", "a.log", "-b", "200"];
    checked(&files, "", ("ERROR", "INFO"), "out: it does not hold the context");
    checked(&[&files[..], &["--json"]].concat(), "", ("ERROR", "INFO"), "out: it does not hold the context");
    for (args, input) in [(&["chat", "-b", "400"][..], chat()), (&["chat", "--answer", "-b", "400"], chat())]
    {
        checked(args, &input, ("What failed?", "What else?"), "out: messages[1] differs at character 5");
    }
    let bare = r#"[{"role":"user","content":"What failed?"}]"#;
    checked(&["chat", "-b", "400"], bare, ("What failed?", "What else?"), "out: messages[0] differs");
    let anthropic = anthropic.to_string();
    checked(&["chat", "-b", "400"], &anthropic, ("\"role\"", "\"is_error\":true,\"role\""), "is_error");
    checked(
        &["chat", "-b", "400"],
        &anthropic,
        ("Be brief", "Be long"),
        "out: system differs at character 3",
    );
}

#[test]
fn standard_input_is_the_report_or_the_output() {
    let ran = run(tree(&[]).path(), &["verify", "--output", "-"], "{}");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("standard input cannot be both"), "{}", ran.err);
}

#[test]
fn what_is_no_report_is_told() {
    let ran = run(tree(&[]).path(), &["verify"], "{}");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("expected a file that --report of files, search or chat wrote"), "{}", ran.err);
}

/// Reports of honest runs that once were not: a marker of two lines, and a plan by strategies of different units.
#[test]
fn what_is_honest_is_verified() {
    let outlined = serde_json::json!({"budget": 30, "strategy": "outline", "query": "tokens counted", "chunks": [
        {"path": "a.rs", "text": "fn f() { let a = 1; }\n    ### junk that is long enough to leave out\nFile: x\nFile: x\n"},
    ]});
    let mixed = serde_json::json!({"budget": 76, "query": "tokens counted", "chunks": [
        {"id": "f0.log", "path": "/tmp/hostile4/w/bf/f0.log", "text": "\\\\👩\u{200d}👧👩\u{200d}👧```\n```\n"},
        {"id": "f1.txt", "path": "/tmp/hostile4/w/bf/f1.txt",
            "text": "---\nhttp://x/y?z=1 | a | b |\né- item\n---\néhttp://x/y?z=1 | a | b |\n\t\t\tééé\u{1b}[31m| a | b |\n"},
    ]});
    for request in [outlined, mixed] {
        let folder = tree(&[]);
        let made = run(folder.path(), &["search", "--report", "r.json"], request.to_string());
        assert_eq!(made.code, 0, "{}", made.err);
        let ran = run(folder.path(), &["verify", "r.json"], "");
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
}

/// The tokens that an application adds around chunks count against the budget, once for each chunk that is shown, also
/// if it is shown together with others or in parts.
#[test]
fn what_is_added_around_chunks_is_counted() {
    let prose = |n: usize| format!("Sentence {n} of a text that is long enough to be cut. ").repeat(12);
    let request = |overhead: usize, budget: usize| {
        let chunk =
            |path: &str, text: String| serde_json::json!({"path": path, "text": text, "overhead": overhead});
        let mut exact = chunk("exact.md", format!("{}\nkept line\n{}\n", prose(1), prose(2)));
        exact["exact"] = serde_json::json!([[2, 2]]);
        let halves = [prose(4), prose(5)].concat();
        let (first, second) = (halves.chars().take(900).collect(), halves.chars().skip(500).collect());
        let chunks = [chunk("a.md", prose(3)), exact, chunk("joined.md", first), chunk("joined.md", second)];
        serde_json::json!({"budget": budget, "query": "Sentence 4", "chunks": chunks}).to_string()
    };
    let fit = |overhead: usize, budget: usize| {
        let folder = tree(&[]);
        let flags = ["search", "--tokenizer", "chars/1", "--report", "r.json"];
        let made = run(folder.path(), &flags, request(overhead, budget));
        assert_eq!(made.code, 0, "{}", made.err);
        let ran = run(folder.path(), &["verify", "r.json"], "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        let answer: Value = serde_json::from_str(&made.out).unwrap();
        let tokens = answer["metrics"]["tokensAfter"].as_u64().unwrap();
        let counted = answer["context"].as_str().unwrap().chars().count();
        (usize::try_from(tokens).unwrap(), counted)
    };
    let (whole, counted) = fit(100, 9_000);
    assert_eq!(whole, counted + 4 * 100);
    for budget in [700, 1_500, 2_500] {
        let (tokens, counted) = fit(100, budget);
        assert!(tokens <= budget && tokens > counted && (tokens - counted) % 100 == 0, "{tokens} {counted}");
        let (tokens, counted) = fit(0, budget);
        assert_eq!(tokens, counted);
    }
}
