//! Coding agents themselves, in front of a provider of our own that says which tool to call next.

#![cfg(unix)]

use std::{
    env, fs,
    path::Path,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use tokio::runtime::Builder;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::any};

use crate::run::contextfit;

/// The variable with the path of Claude Code, as npm installs it.
const CLAUDE: &str = "CONTEXTFIT_CLAUDE_CODE";

/// The commands that the provider asks for, one after the other. `READ` stands for reading what was saved last.
struct Provider {
    commands: Vec<String>,
    asked: AtomicUsize,
}

impl Respond for Provider {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        if !request.url.path().ends_with("/v1/messages") {
            return ResponseTemplate::new(404);
        }
        let body: Value = request.body_json().unwrap_or_default();
        let has_shell = offers_a_shell(&body);
        let n = if has_shell { self.asked.fetch_add(1, Ordering::Relaxed) } else { usize::MAX };
        let block = match self.commands.get(n).map(String::as_str) {
            Some("READ") => {
                let text = body.to_string();
                let path = text.rsplit("saved to: ").next().unwrap().split(']').next().unwrap();
                call(n, "Read", &json!({"file_path": path, "offset": 400, "limit": 3}))
            }
            Some(command) => call(n, "Bash", &json!({"command": command, "description": "a command"})),
            None => json!({"type": "text", "text": "Done."}),
        };
        ResponseTemplate::new(200).set_body_raw(streamed(n, &block), "text/event-stream")
    }
}

fn call(n: usize, name: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": format!("toolu_{n:04}"), "name": name, "input": input})
}

fn offers_a_shell(body: &Value) -> bool {
    body["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == "Bash"))
}

/// The answer with this one block, as a stream of events.
fn streamed(n: usize, block: &Value) -> String {
    let mut start = block.clone();
    let (delta, stop) = match block["type"] == "tool_use" {
        true => {
            start["input"] = json!({});
            (json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}), "tool_use")
        }
        false => {
            start["text"] = "".into();
            (json!({"type": "text_delta", "text": block["text"]}), "end_turn")
        }
    };
    let message = json!({"id": format!("msg_{n}"), "type": "message", "role": "assistant", "model": "m", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 9, "output_tokens": 1}});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": start}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ];
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap()))
        .collect()
}

/// `value` without marks of what to cache, which move with every request, and with single texts as strings.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| *name != "cache_control");
            let kept = kept.map(|(name, value)| match value.as_array().map(Vec::as_slice) {
                Some([only]) if name == "content" && only["type"] == "text" => {
                    (name.clone(), only["text"].clone())
                }
                _ => (name.clone(), comparable(value)),
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => items.iter().map(comparable).collect(),
        other => other.clone(),
    }
}

/// The requests that Claude Code sends while it runs `commands`, with the hook in its settings.
fn requests(claude: &str, home: &Path, commands: Vec<String>) -> Vec<Value> {
    let install = contextfit()
        .args(["hook", "install", "claude-code"])
        .env("CLAUDE_CONFIG_DIR", home)
        .env("XDG_STATE_HOME", home)
        .output()
        .unwrap();
    assert!(install.status.success());
    let binary = Path::new(env!("CARGO_BIN_EXE_contextfit")).parent().unwrap();
    let path = env::join_paths(
        [binary.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())),
    );
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let provider = Provider { commands, asked: AtomicUsize::new(0) };
    let server = runtime.block_on(async {
        let server = MockServer::start().await;
        Mock::given(any()).respond_with(provider).mount(&server).await;
        server
    });
    let ran = Command::new(claude)
        .args(["-p", "Look at the logs.", "--allowedTools", "Bash"])
        .current_dir(home)
        .env("PATH", path.unwrap())
        .envs([("HOME", home), ("CLAUDE_CONFIG_DIR", home), ("XDG_STATE_HOME", home)])
        .envs([("ANTHROPIC_BASE_URL", server.uri().as_str()), ("ANTHROPIC_API_KEY", "sk-ant-none")])
        .envs([("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"), ("IS_SANDBOX", "1")])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    let requests = runtime.block_on(server.received_requests()).unwrap();
    requests.iter().filter_map(|request| request.body_json().ok()).filter(offers_a_shell).collect()
}

/// What the model is shown of each result, in order.
fn results(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap().iter().map(comparable);
    let blocks = messages.filter_map(|message| message["content"].as_array().cloned()).flatten();
    let results = blocks.filter(|block| block["type"] == "tool_result");
    results.map(|result| result["content"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn claude_code_reads_what_the_hook_shows_and_nothing_changes_later() {
    let Ok(claude) = env::var(CLAUDE) else {
        eprintln!(
            "skipped: {CLAUDE} is not set; `npm install @anthropic-ai/claude-code`, then the path of `claude`"
        );
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let source: String = (0..500).map(|n| format!("fn step_{n}() {{ run({n}); }}\n")).collect();
    fs::write(home.path().join("a.rs"), &source).unwrap();
    let log = |lines: usize| {
        format!(
            "for i in $(seq 1 {lines}); do echo \"10:00:00 INFO the level at lock $i is $((300 + i % 7)) cm\"; done"
        )
    };
    let mut commands = vec![format!("{}; echo '10:01:00 ERROR cannot open gate 7'", log(400)), "READ".into()];
    commands.extend([log(4_000), "cat a.rs".into(), "seq 1 3".into()]);
    commands.push("contextfit run -- sh -c 'seq 1 9000; echo error: last; exit 4'".into());
    commands.extend((0..34).map(|n| log(600 + n)));
    let requests = requests(&claude, home.path(), commands);
    assert_eq!(requests.len(), 41);
    for pair in requests.windows(2) {
        let (before, after) =
            (pair[0]["messages"].as_array().unwrap(), pair[1]["messages"].as_array().unwrap());
        let same = before.iter().zip(after).all(|(before, after)| comparable(before) == comparable(after));
        assert!(same && before.len() <= after.len(), "what was sent before has changed");
    }
    let shown = results(&requests[40]);
    let [log, read, long, file, short, failed, rest @ ..] = shown.as_slice() else { panic!("{shown:?}") };
    let is_excerpt = |text: &str| text.len() < 8_000 && text.contains(" lines. Full output saved to: ");
    assert!(is_excerpt(log) && log.contains("ERROR cannot open gate 7") && is_excerpt(long));
    // Nobody had to allow it.
    assert!(read.contains("401\t10:01:00 ERROR cannot open gate 7"), "{read}");
    assert_eq!((file.trim_end(), short.as_str()), (source.trim_end(), "1\n2\n3"));
    assert!(
        failed.starts_with("Exit code 4\n") && failed.contains("\nerror: last\n") && is_excerpt(failed),
        "{failed}"
    );
    assert!(rest.len() == 34 && rest.iter().all(|text| is_excerpt(text)));
}
