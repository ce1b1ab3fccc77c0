//! Language models, played by a server on loopback.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use wiremock::{Mock, MockServer, Request, ResponseTemplate, matchers::method};

use crate::run::{Ran, contextfit, tree};

/// A secret that must not leak.
const KEY: &str = "sk-planted-0123456789";

/// A server, a working folder and a home folder.
pub(crate) struct Desk {
    runtime: Runtime,
    server: MockServer,
    folder: TempDir,
}

impl Desk {
    pub(crate) fn new(answer: ResponseTemplate, files: &[(&str, &[u8])]) -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let server = runtime.block_on(async {
            let server = MockServer::start().await;
            Mock::given(method("POST")).respond_with(answer).mount(&server).await;
            server
        });
        Self { runtime, server, folder: tree(files) }
    }

    fn requests(&self) -> Vec<Request> {
        self.runtime.block_on(self.server.received_requests()).unwrap()
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs `contextfit` with a model on the server.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let url = format!("{}/v1", self.server.uri());
        let model = ["--llm", "gpt-4o-mini", "--llm-url", &url, "--llm-key-env", "PLANTED_KEY"];
        let output = contextfit()
            .args(args)
            .args(model)
            .current_dir(self.path())
            .env("PLANTED_KEY", KEY)
            .env("XDG_CACHE_HOME", self.path().join("cache"))
            .env("XDG_STATE_HOME", self.path().join("state"))
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }
}

pub(crate) fn answer(text: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 1_000, "completion_tokens": 50 },
    }))
}

/// A conversation that is much longer than its budget.
fn chat() -> Vec<u8> {
    let said = |n: usize| {
        let role = if n.is_multiple_of(2) { "user" } else { "assistant" };
        let content =
            format!("About point {n}: it was said at length what should be done with it, and by whom.");
        json!({ "role": role, "content": content })
    };
    let messages: Vec<Value> = (0..61).map(said).collect();
    json!({ "messages": messages }).to_string().into_bytes()
}

/// A request with a long and relevant chunk, a short one, and an irrelevant one.
pub(crate) fn search() -> Vec<u8> {
    let chunk = |id: &str, lines: usize, score: f64| {
        let text = format!("The {id} chunk has this line, and others that are like it.\n").repeat(lines);
        json!({ "id": id, "path": format!("docs/{id}.md"), "text": text, "score": score })
    };
    json!({ "chunks": [chunk("long", 90, 0.9), chunk("short", 2, 0.8), chunk("unlikely", 90, 0.1)] })
        .to_string()
        .into_bytes()
}

#[test]
fn a_conversation_is_summarized_once() {
    let good = "state: all points were talked about at length, what should be done with each and by whom";
    let desk = Desk::new(answer(good), &[("chat.json", &chat())]);
    let args = ["chat", "chat.json", "-b", "600", "--model", "gpt-4o", "--report", "report.json"];
    let first = desk.run(&args);
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.out.contains("summary from #1: state: all points were talked about"), "{}", first.out);
    assert!(first.err.contains("asked gpt-4o-mini 1 time · 1,000 tokens in, 50 out"), "{}", first.err);
    assert!(first.err.contains("of input each time it is sent (gpt-4o, prices of "), "{}", first.err);
    assert!(first.err.contains("; with a cached prompt "), "{}", first.err);

    let report: Value = serde_json::from_slice(&fs::read(desk.path().join("report.json")).unwrap()).unwrap();
    assert_eq!(report["llm"]["calls"], 1);
    assert_eq!(report["llm"]["cache"]["spaces"][1]["misses"], 1);
    // 1,000 tokens at $0.15 and 50 at $0.60 per million.
    let spent = report["llm"]["dollars"].as_f64().unwrap();
    assert!((spent - 0.00018).abs() < 1e-12, "{spent}");
    let cost = &report["cost"];
    let saved = report["metrics"]["tokensSaved"].as_f64().unwrap() * 2.5 / 1e6;
    assert!((cost["saved"].as_f64().unwrap() - saved).abs() < 1e-9, "{cost}");
    assert!((cost["net"].as_f64().unwrap() - (saved - spent)).abs() < 1e-9, "{cost}");
    // The first message changed: the shorter prompt is read at full price once, the longer one at half price.
    let (cache, tokens) = (&cost["promptCache"], |name: &str| report["metrics"][name].as_f64().unwrap());
    assert_eq!(cache["tokensUnchanged"], 0, "{cost}");
    let once = (tokens("tokensBefore") * 1.25 - tokens("tokensAfter") * 2.5) / 1e6;
    assert!((cache["first"].as_f64().unwrap() - once).abs() < 1e-9, "{cost}");
    assert!((cache["later"].as_f64().unwrap() - saved / 2.0).abs() < 1e-9, "{cost}");

    let second = desk.run(&args);
    assert_eq!(second.out, first.out);
    assert!(second.err.contains("asked gpt-4o-mini 0 times · 0 tokens in, 0 out · 1 answer from the cache"));
    assert_eq!(desk.requests().len(), 1);
}

/// Answers of a model that are not summaries of the source, and the reason given for each.
const BAD: [(&str, &str); 8] = [
    ("I'm sorry, but I can't help with that request.", "refuses"),
    ("Es tut mir leid, aber dabei kann ich leider nicht helfen.", "is in German"),
    (
        "About each point it was said at length what should be done. The total came to 4,731 units.",
        "a number that is not in the source: 4,731",
    ),
    (
        "About each point it was said at length what Olivia Bennett should do with it.",
        "a name that is not in the source",
    ),
    (
        "About each point it was said: \"nobody may ever touch this again\", and by whom.",
        "contains a quotation that is not in the source",
    ),
    (
        "It was said what should be done. It was said what should be done. It was said what should be done.",
        "repeats itself",
    ),
    (
        "The weather stayed lovely all summer, and many happy families visited the quiet beach near the harbour.",
        "words are in the source",
    ),
    (
        "About each point it was said at length what should be done with it. It was said by whom it",
        "ends in the middle of a sentence",
    ),
];

#[test]
fn what_is_no_summary_is_neither_used_nor_kept() {
    let args = ["chat", "chat.json", "-b", "600", "-s", "summarize"];
    let local = crate::run::run(tree(&[("chat.json", &chat())]).path(), &args, "");
    let cut = ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "message": { "content": "About each point it was said." }, "finish_reason": "length" }],
    }));
    let bad = BAD.map(|(text, why)| (answer(text), why)).into_iter().chain([(cut, "the answer was cut off")]);
    for (template, why) in bad {
        let desk = Desk::new(template, &[("chat.json", &chat())]);
        for calls in 1..3 {
            let ran = desk.run(&[&args[..], &["--explain", "--report", "report.json"]].concat());
            assert_eq!(ran.out, local.out, "{why}");
            let warnings: Vec<&str> = ran.err.lines().filter(|line| line.contains("warning:")).collect();
            assert_eq!(warnings.len(), 1, "{}", ran.err);
            assert!(
                warnings[0]
                    .contains("gpt-4o-mini: no answer was usable for 1 of 1 text, shortened without it: "),
                "{}",
                warnings[0]
            );
            assert!(warnings[0].contains(why), "{}", warnings[0]);
            assert!(ran.err.contains(": not summarized by the model: "), "{}", ran.err);
            let report = fs::read_to_string(desk.path().join("report.json")).unwrap();
            assert!(report.contains("\"unfit\""), "{report}");
            assert_eq!(desk.requests().len(), calls, "a rejected answer is asked for again");
        }
    }
}

#[test]
fn of_one_server_the_good_answers_are_used_and_refreshed_when_asked_to() {
    let good = "state: about each point it was said at length what should be done, and by whom";
    let desk = Desk::new(answer(good), &[("chat.json", &chat())]);
    desk.runtime.block_on(async {
        let refusal = answer("I'm sorry, but I cannot do that.");
        let first = Mock::given(method("POST")).respond_with(refusal).up_to_n_times(1).with_priority(1);
        first.mount(&desk.server).await;
    });
    let run = |more: &[&str]| desk.run(&[&["chat", "chat.json", "-b", "600"], more].concat());
    for (more, is_good, calls) in
        [(&[][..], false, 1), (&[], true, 2), (&[], true, 2), (&["--refresh"], true, 3), (&[], true, 3)]
    {
        let ran = run(more);
        assert_eq!(ran.out.contains(good), is_good, "{}", ran.err);
        assert_eq!(desk.requests().len(), calls, "{}", ran.err);
    }
}

#[test]
fn a_prompt_is_divided_by_the_window_of_the_model() {
    let good = "state: about each point it was said at length what should be done, and by whom";
    let desk = Desk::new(answer(good), &[("chat.json", &chat())]);
    let ran = desk.run(&["chat", "chat.json", "-b", "600", "--llm-window", "1000"]);
    assert!(ran.out.contains(good), "{}", ran.err);
    let sent = desk.requests();
    assert!(sent.len() > 1, "{}", ran.err);
    let longest = sent.iter().map(|sent| sent.body.len()).max().unwrap();
    assert!(longest < 4 * 1_000, "{longest} bytes");
    let ran = desk.run(&["chat", "chat.json", "-b", "600", "--llm-window", "999"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("a window of 999 tokens has no room"), "{}", ran.err);
}

#[test]
fn a_damaged_cache_costs_what_it_had() {
    let good = "state: about each point it was said at length what should be done, and by whom";
    let desk =
        Desk::new(answer(good), &[("chat.json", &chat()), ("cache/contextfit/answers.redb", b"damaged")]);
    for calls in 1..3 {
        let ran = desk.run(&["chat", "chat.json", "-b", "600"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains(good), "{}", ran.out);
        assert!(ran.err.contains("warning: answers are kept for this run only"), "{}", ran.err);
        assert_eq!(desk.requests().len(), calls, "{}", ran.err);
    }
}

#[test]
fn long_chunks_are_shortened_and_their_originals_kept() {
    let desk = Desk::new(
        answer("The long chunk has a line, and others that are like it, ninety times."),
        &[("request.json", &search())],
    );
    let ran = desk.run(&["search", "request.json", "-b", "500", "--store"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    let long = &said["blocks"][0];
    assert_eq!((&long["level"], &long["ranges"]), (&json!(1), &json!([])));
    let context = said["context"].as_str().unwrap();
    assert!(context.contains("[shortened by gpt-4o-mini from "), "{context}");
    assert!(context.contains("others that are like it, ninety times."));
    assert_eq!(desk.requests().len(), 1, "one long chunk is likely");

    let restored = desk.run(&["restore", long["original"].as_str().unwrap()]);
    let asked: Value = serde_json::from_slice(&search()).unwrap();
    assert_eq!(restored.code, 2, "restore calls no model: {}", restored.err);
    let mut command = contextfit();
    command.args(["restore", long["original"].as_str().unwrap()]).current_dir(desk.path());
    let restored = command.env("XDG_STATE_HOME", desk.path().join("state")).output().unwrap();
    assert_eq!(String::from_utf8(restored.stdout).unwrap(), asked["chunks"][0]["text"].as_str().unwrap());

    let lines = desk.run(&["search", "--jsonl", "request.json", "-b", "500"]);
    assert!(lines.out.contains("ninety times"), "{}", lines.out);
    assert!(lines.err.contains("asked gpt-4o-mini 0 times"), "{}", lines.err);
}

#[test]
fn a_model_that_refuses_leaves_the_local_result_and_no_secret() {
    let files: &[(&str, &[u8])] = &[("chat.json", &chat()), ("request.json", &search())];
    let echo = format!("wrong key: {KEY}");
    let refusal = ResponseTemplate::new(401).set_body_json(json!({ "error": { "message": echo } }));
    let desk = Desk::new(refusal, files);
    for args in [&["chat", "chat.json", "-b", "600"][..], &["search", "request.json", "-b", "500"]] {
        let ran = desk.run(&[args, &["--log", "trace", "--report", "report.json"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("asked gpt-4o-mini 1 time, 1 failed"), "{}", ran.err);
        let failed = format!("warning: gpt-4o-mini at {}/v1 failed for 1 of 1 text, ", desk.server.uri());
        assert!(ran.err.contains(&failed) && ran.err.contains("status 401"), "{}", ran.err);
        let report = fs::read_to_string(desk.path().join("report.json")).unwrap();
        assert!(report.contains("status 401: wrong key: [redacted]"), "{report}");
        for text in [&ran.out, &ran.err, &report] {
            assert!(!text.contains("planted"), "{text}");
        }
    }
    let sent = desk.requests();
    assert!(sent.iter().all(|sent| sent.headers["authorization"] == format!("Bearer {KEY}")));
}

#[test]
fn what_is_missing_is_said() {
    let folder = tree(&[("chat.json", &chat()), ("c.toml", b"[llm]\nmodel = \"m\"\nurl = \"nowhere\"\n")]);
    let check = |args: &[&str], expect: &str| {
        let ran = crate::run::run(folder.path(), &[&["chat", "chat.json", "-b", "600"], args].concat(), "");
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(expect), "{}", ran.err);
    };
    check(
        &["--llm", "m", "--llm-key-env", "NO_SUCH_VARIABLE"],
        "the environment variable NO_SUCH_VARIABLE is not set",
    );
    check(&["--llm", "m", "--llm-url", "localhost"], "the base address must start with http:// or https://");
    check(&["--config", "c.toml"], "the base address must start with http:// or https://");
}

/// Requests are processed in parallel, and each is large enough that its texts are read in parallel too.
#[test]
fn many_large_requests_wait_for_a_model_side_by_side() {
    let text = |n: usize| {
        let sentence = |m: usize| format!("Ship {m} of fleet {n} left harbour {} before noon. ", m * n % 97);
        (0..1_000).map(sentence).collect::<String>()
    };
    let request = |n: usize| {
        let chunks: Vec<Value> = (0..4)
            .map(|c| json!({ "id": c.to_string(), "path": format!("{c}.md"), "text": text(4 * n + c), "score": 0.9 }))
            .collect();
        json!({ "id": n, "query": "Which ship left harbour 7?", "budget": 300, "chunks": chunks }).to_string()
    };
    let lines = (0..24).map(request).collect::<Vec<_>>().join("\n");
    let no_use = ResponseTemplate::new(400).set_body_json(json!({ "error": { "message": "no" } }));
    let desk = Desk::new(no_use, &[("requests.jsonl", lines.as_bytes())]);
    let ran = desk.run(&["search", "--jsonl", "requests.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ids: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    assert_eq!(ids, (0..24).map(Value::from).collect::<Vec<_>>());
}
