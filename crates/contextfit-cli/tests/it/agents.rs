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

/// A coding agent, and what its tools are called.
struct Agent {
    /// The name for `hook install`.
    name: &'static str,
    /// The variable with its path, as npm installs it.
    variable: &'static str,
    package: &'static str,
    shell: &'static str,
    /// The tool that reads a file, and its argument for the path.
    read: (&'static str, &'static str),
    search: &'static str,
}

const CLAUDE_CODE: Agent = Agent {
    name: "claude-code",
    variable: "CONTEXTFIT_CLAUDE_CODE",
    package: "@anthropic-ai/claude-code",
    shell: "Bash",
    read: ("Read", "file_path"),
    search: "mcp__contextfit__search_code",
};

const OPENCODE: Agent = Agent {
    name: "opencode",
    variable: "CONTEXTFIT_OPENCODE",
    package: "opencode-ai",
    shell: "bash",
    read: ("read", "filePath"),
    search: "contextfit_search_code",
};

impl Agent {
    /// Its path, if it is to be tried.
    #[expect(clippy::print_stderr, reason = "a skipped test must not look like one that ran")]
    fn path(&self) -> Option<String> {
        let path = env::var(self.variable).ok();
        if path.is_none() {
            let Self { variable, package, .. } = self;
            eprintln!(
                "skipped: {variable} is not set; `npm install {package}`, then the path of its program"
            );
        }
        path
    }

    fn offers_a_shell(&self, body: &Value) -> bool {
        body["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == self.shell))
    }
}

/// The commands that the provider asks for, one after the other. `READ` stands for reading what was saved last, `SEARCH`
/// for asking the server of contextfit.
struct Provider {
    agent: &'static Agent,
    commands: Vec<String>,
    asked: AtomicUsize,
}

impl Respond for Provider {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        if !request.url.path().ends_with("/v1/messages") {
            return ResponseTemplate::new(404);
        }
        let body: Value = request.body_json().unwrap_or_default();
        let has_shell = self.agent.offers_a_shell(&body);
        let n = if has_shell { self.asked.fetch_add(1, Ordering::Relaxed) } else { usize::MAX };
        let block = match self.commands.get(n).map(String::as_str) {
            Some("READ") => {
                let text = body.to_string();
                let path = text.rsplit("saved to: ").next().unwrap().split(']').next().unwrap();
                let (name, argument) = self.agent.read;
                call(n, name, &json!({argument: path, "offset": 400, "limit": 3}))
            }
            Some("SEARCH") => call(n, self.agent.search, &json!({"query": "which step runs", "budget": 300})),
            Some(command) => {
                call(n, self.agent.shell, &json!({"command": command, "description": "a command"}))
            }
            None => json!({"type": "text", "text": "Done."}),
        };
        ResponseTemplate::new(200).set_body_raw(streamed(n, &block), "text/event-stream")
    }
}

fn call(n: usize, name: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": format!("toolu_{n:04}"), "name": name, "input": input})
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

/// The requests that `agent` at `path` sends while it runs `commands`, with the hook installed.
fn requests(agent: &'static Agent, path: &str, home: &Path, commands: Vec<String>) -> Vec<Value> {
    let folders =
        ["HOME", "CLAUDE_CONFIG_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"];
    let install = contextfit()
        .args(["hook", "install", agent.name])
        .envs(folders.map(|name| (name, home)))
        .output()
        .unwrap();
    assert!(install.status.success());
    let binary = Path::new(env!("CARGO_BIN_EXE_contextfit")).parent().unwrap();
    let programs = env::join_paths(
        [binary.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())),
    );
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let provider = Provider { agent, commands, asked: AtomicUsize::new(0) };
    let server = runtime.block_on(async {
        let server = MockServer::start().await;
        Mock::given(any()).respond_with(provider).mount(&server).await;
        server
    });
    let mut command = Command::new(path);
    let work = home.join("work");
    command
        .current_dir(&work)
        .env("PWD", &work)
        .env("PATH", programs.unwrap())
        .envs(folders.map(|name| (name, home)));
    if agent.name == OPENCODE.name {
        let settings = json!({
            "provider": {"anthropic": {"options": {"baseURL": format!("{}/v1", server.uri()), "apiKey": "none"}}},
            "model": "anthropic/claude-sonnet-4-5", "small_model": "anthropic/claude-sonnet-4-5",
            "permission": {"bash": "allow"}, "autoupdate": false, "share": "disabled",
            "mcp": {"contextfit": {"type": "local", "command": ["contextfit", "mcp"]}},
        });
        fs::write(work.join("opencode.json"), settings.to_string()).unwrap();
        command.args(["run", "Look at the logs."]);
    } else {
        let servers = json!({"mcpServers": {"contextfit": {"command": "contextfit", "args": ["mcp"], "alwaysLoad": true}}});
        command
            .args(["-p", "Look at the logs.", "--allowedTools", "Bash", agent.search])
            .args(["--mcp-config", &servers.to_string()])
            .envs([("ANTHROPIC_BASE_URL", server.uri().as_str()), ("ANTHROPIC_API_KEY", "sk-ant-none")])
            .envs([("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"), ("IS_SANDBOX", "1")]);
    }
    let ran = command.output().unwrap();
    assert!(
        ran.status.success(),
        "{}{}",
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr)
    );
    let requests = runtime.block_on(server.received_requests()).unwrap();
    let bodies = requests.iter().filter_map(|request| request.body_json().ok());
    bodies.filter(|body| agent.offers_a_shell(body)).collect()
}

/// What the model is shown of each result, in order.
fn results(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap().iter().map(comparable);
    let blocks = messages.filter_map(|message| message["content"].as_array().cloned()).flatten();
    let results = blocks.filter(|block| block["type"] == "tool_result");
    results.map(|result| result["content"].as_str().unwrap_or_default().to_owned()).collect()
}

/// What the model is shown of a log, of a file that the agent read, of a longer log, of a source file, of a short output, of
/// a failing command, and of what a search found; then 33 logs more.
struct Shown {
    first: Vec<String>,
    source: String,
}

/// Runs forty commands through `agent`. What was sent once is never sent in another form.
fn shown(agent: &'static Agent, path: &str, failing: &str) -> Shown {
    let home = tempfile::tempdir().unwrap();
    let source: String = (0..500).map(|n| format!("fn step_{n}() {{ run({n}); }}\n")).collect();
    fs::create_dir(home.path().join("work")).unwrap();
    fs::write(home.path().join("work/a.rs"), &source).unwrap();
    let log = |lines: usize| {
        format!(
            "for i in $(seq 1 {lines}); do echo \"10:00:00 INFO the level at lock $i is $((300 + i % 7)) cm\"; done"
        )
    };
    let mut commands = vec![format!("{}; echo '10:01:00 ERROR cannot open gate 7'", log(400)), "READ".into()];
    commands.extend([log(4_000), "cat a.rs".into(), "seq 1 3".into(), failing.into(), "SEARCH".into()]);
    commands.extend((0..33).map(|n| log(600 + n)));
    let requests = requests(agent, path, home.path(), commands);
    assert_eq!(requests.len(), 41);
    for pair in requests.windows(2) {
        let (before, after) =
            (pair[0]["messages"].as_array().unwrap(), pair[1]["messages"].as_array().unwrap());
        let same = before.iter().zip(after).all(|(before, after)| comparable(before) == comparable(after));
        assert!(same && before.len() <= after.len(), "what was sent before has changed");
    }
    let mut first = results(&requests[40]);
    let rest = first.split_off(7);
    assert!(rest.len() == 33 && rest.iter().all(|text| is_excerpt(text)), "{rest:?}");
    Shown { first, source }
}

fn is_excerpt(text: &str) -> bool {
    text.len() < 8_000 && text.contains(" lines. Full output saved to: ")
}

#[test]
fn claude_code_reads_what_the_hook_shows_and_nothing_changes_later() {
    let Some(path) = CLAUDE_CODE.path() else { return };
    let failing = "contextfit run -- sh -c 'seq 1 9000; echo error: last; exit 4'";
    let Shown { first, source } = shown(&CLAUDE_CODE, &path, failing);
    let [log, read, long, file, short, failed, found] = first.as_slice() else { panic!("{first:?}") };
    assert!(is_excerpt(log) && log.contains("ERROR cannot open gate 7") && is_excerpt(long));
    // Nobody had to allow it.
    assert!(read.contains("401\t10:01:00 ERROR cannot open gate 7"), "{read}");
    assert_eq!((file.trim_end(), short.as_str()), (source.trim_end(), "1\n2\n3"));
    assert!(
        failed.starts_with("Exit code 4\n") && failed.contains("\nerror: last\n") && is_excerpt(failed),
        "{failed}"
    );
    assert!(found.starts_with("File: a.rs\n") && found.contains("fn step_"), "{found}");
}

#[test]
fn opencode_reads_what_the_plugin_shows_and_nothing_changes_later() {
    let Some(path) = OPENCODE.path() else { return };
    let Shown { first, source } = shown(&OPENCODE, &path, "seq 1 9000; echo error: last; exit 4");
    let [log, read, long, file, short, failed, found] = first.as_slice() else { panic!("{first:?}") };
    assert!(is_excerpt(log) && log.contains("ERROR cannot open gate 7") && is_excerpt(long));
    assert!(read.contains("401: 10:01:00 ERROR cannot open gate 7"), "{read}");
    assert_eq!((file.trim_end(), short.trim_end()), (source.trim_end(), "1\n2\n3"));
    assert!(failed.contains("\nerror: last\n") && is_excerpt(failed), "{failed}");
    assert!(found.starts_with("File: a.rs\n") && found.contains("fn step_"), "{found}");
}
