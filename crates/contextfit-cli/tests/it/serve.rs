//! `serve`: a server over HTTP, and what gateways ask of it.

use std::{
    env, fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

use serde_json::{Value, json};

use crate::run::contextfit;

/// The variable with the path of a Python that has LiteLLM.
const LITELLM: &str = "CONTEXTFIT_LITELLM_PYTHON";

/// A server that has started.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::start_at("127.0.0.1:0", folder, arguments)
    }

    fn start_at(listen: &str, folder: &Path, arguments: &[&str]) -> Self {
        let process = Command::new(env!("CARGO_BIN_EXE_contextfit"))
            .args(["serve", "--listen", listen])
            .args(arguments)
            .envs([("XDG_STATE_HOME", folder), ("XDG_CONFIG_HOME", folder)])
            .env("CONTEXTFIT_TOKEN", "")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut server = Self { process, address: String::new() };
        let lines = BufReader::new(server.process.stderr.take().unwrap()).lines();
        let mut lines = lines.map_while(Result::ok);
        let line = lines.find_map(|line| Some(line.strip_prefix("listening at http://")?.to_owned()));
        server.address.push_str(line.unwrap().split(' ').next().unwrap());
        server
    }

    /// The status and body of the answer to a request.
    fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = headers.iter().any(|header| header.starts_with("Host:"));
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !host {
            head += &format!("Host: {}\r\n", self.address);
        }
        headers.iter().for_each(|header| head += &format!("{header}\r\n"));
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, body) = self.ask("POST", path, &[], &body.to_string());
        (status, serde_json::from_str(&body).unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn log(lines: usize) -> String {
    let line = |n| format!("10:00:{:02} INFO the level at lock {} is {}\n", n % 60, n % 9, 300 + n % 7);
    (0..lines).map(line).collect::<String>() + "10:20:00 ERROR cannot open gate 7\n"
}

fn source() -> String {
    (0..500).map(|n| format!("fn step_{n}() {{ run({n}); }}\n")).collect()
}

#[test]
fn requests_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let (status, excerpt) = server.post("/v1/excerpt", &json!({"id": 3, "text": log(900), "budget": 200}));
    assert_eq!((status, &excerpt["id"]), (200, &json!(3)));
    assert!(excerpt["context"].as_str().unwrap().ends_with("ERROR cannot open gate 7\n"), "{excerpt}");
    assert!(excerpt["metrics"]["tokensAfter"].as_u64().unwrap() <= 200);
    let search =
        json!({"id": "q", "query": "gate", "budget": 200, "chunks": [{"path": "a.md", "text": log(900)}]});
    let memory = json!({"id": "q", "budget": 200, "memories": [{"id": "m", "type": "x", "importance": "high",
        "confidence": 0.5, "summary": "The gate opens at seven."}]});
    let chat =
        json!({"id": "q", "budget": 200, "messages": [{"role": "user", "content": "Who opens the gate?"}]});
    // The same answers as those of the command line.
    for (name, request) in [("search", search), ("memory", memory), ("chat", chat)] {
        let (status, answer) = server.post(&format!("/v1/{name}"), &request);
        let output = contextfit().args([name, "--jsonl"]).write_stdin(request.to_string()).output().unwrap();
        assert_eq!((status, answer), (200, serde_json::from_slice(&output.stdout).unwrap()), "{name}");
    }
    // A text that was cut within a character.
    let cut = r#"{"budget": 200, "messages": [{"role": "user", "content": "Who opens the gate? \ud83d"}]}"#;
    let (status, answer) = server.ask("POST", "/v1/chat", &[], cut);
    let output = contextfit().args(["chat", "--jsonl"]).write_stdin(cut).output().unwrap();
    assert_eq!((status, answer.as_bytes()), (200, output.stdout.trim_ascii_end()));
    for (request, status, code) in [
        (json!({"text": log(900), "budget": 3}), 422, "infeasible"),
        (json!({"text": log(900)}), 400, "missing-budget"),
        (json!({"txt": ""}), 400, "invalid-request"),
    ] {
        let (found, answer) = server.post("/v1/excerpt", &request);
        assert_eq!((found, &answer["error"]["code"]), (status, &json!(code)), "{answer}");
    }
    let (status, figures) = server.ask("GET", "/metrics", &[], "");
    assert_eq!(status, 200);
    assert!(figures.contains("contextfit_requests_total{route=\"/v1/excerpt\"} 4"), "{figures}");
    assert!(figures.contains("contextfit_failures_total{route=\"/v1/excerpt\",code=\"infeasible\"} 1"));
}

#[test]
fn a_gateway_gets_as_many_messages_as_it_sent_and_originals_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    let text = log(900);
    let messages = json!([
        {"role": "user", "content": text},
        {"role": "tool", "tool_call_id": "1", "content": text, "cost": 1.50},
        {"role": "tool", "tool_call_id": "2", "content": source()},
        {"role": "tool", "tool_call_id": "3", "content": [{"type": "text", "text": log(700)}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "4", "content": log(800)}]},
        {"role": "unknown"}, null, 7
    ]);
    let (status, answer) =
        server.post("/v1/compress", &json!({"messages": messages, "config": {"mode": "ccr"}}));
    let shown = answer["messages"].as_array().unwrap();
    assert_eq!((status, shown.len()), (200, 8));
    for same in [0, 2, 5, 6, 7] {
        assert_eq!(shown[same], messages[same]);
    }
    let hashes: Vec<&str> =
        answer["ccr_hashes"].as_array().unwrap().iter().map(|hash| hash.as_str().unwrap()).collect();
    assert!(hashes.len() == 3 && hashes.iter().all(|hash| hash.len() == 24), "{hashes:?}");
    let replaced = shown[1]["content"].as_str().unwrap();
    let last = format!(" of 901 lines. Full output: hash={}]\n", hashes[0]);
    assert!(
        replaced.contains("ERROR cannot open gate 7\n[contextfit: ") && replaced.ends_with(&last),
        "{replaced}"
    );
    assert_eq!(shown[1]["cost"].to_string(), "1.5");
    let figure = |name: &str| answer[name].as_u64().unwrap();
    assert_eq!(figure("tokens_before") - figure("tokens_after"), figure("tokens_saved"));
    let (_, again) = server.post("/v1/compress", &json!({"messages": shown, "config": {"mode": "ccr"}}));
    assert_eq!(again["messages"], answer["messages"]);

    server.process.kill().unwrap();
    server.process.wait().unwrap();
    let server = Server::start(folder.path(), &[]);
    let (status, original) = server.ask("GET", &format!("/v1/retrieve/{}?query=gate", hashes[0]), &[], "");
    assert_eq!(status, 200);
    assert_eq!(serde_json::from_str::<Value>(&original).unwrap(), json!({"original_content": text}));
    assert_eq!(server.ask("GET", &format!("/v1/retrieve/{}", "0".repeat(24)), &[], "").0, 404);
    assert_eq!(server.ask("GET", "/v1/retrieve/..%2F..%2Fetc%2Fpasswd", &[], "").0, 404);
    // What is damaged is not the original, and is mended by the next request.
    fs::write(folder.path().join(format!("contextfit/originals/{}.txt", hashes[1])), "x").unwrap();
    let retrieve = || server.ask("GET", &format!("/v1/retrieve/{}", hashes[1]), &[], "").0;
    assert_eq!(retrieve(), 404);
    server.post("/v1/compress", &json!({"messages": messages, "config": {"mode": "ccr"}}));
    assert_eq!(retrieve(), 200);
}

#[test]
fn a_gateway_that_retrieves_nothing_is_given_no_hash() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let messages = json!([{"role": "tool", "tool_call_id": "1", "content": log(900)}]);
    let (_, answer) = server.post("/v1/compress", &json!({"messages": messages}));
    assert_eq!(answer["ccr_hashes"], json!([]));
    assert!(answer["messages"][0]["content"].as_str().unwrap().ends_with(" of 901 lines]\n"));
    assert!(!folder.path().join("contextfit/originals").exists());
    let body = json!({"messages": messages}).to_string();
    // A text that was cut within a character.
    let (_, answer) = server.ask("POST", "/v1/compress", &[], &body.replacen("gate", "gate \\ud83d", 1));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert!(answer["messages"][0]["content"].as_str().unwrap().ends_with(" of 901 lines]\n"), "{answer}");
    let (_, answer) = server.ask("POST", "/v1/compress", &["x-headroom-bypass: true"], &body);
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap()["messages"], messages);
    assert_eq!(server.ask("POST", "/v1/compress", &[], "nonsense").0, 400);
    let (status, answer) = server.post("/v1/compress", &json!({"messages": messages, "config": null}));
    assert_eq!((status, answer["messages"].as_array().unwrap().len()), (200, 1));
}

#[test]
fn source_code_stays_whatever_a_tool_puts_around_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let lines = source();
    let lines: Vec<&str> = lines.lines().collect();
    let each = |form: &dyn Fn(usize, &str) -> String| -> String {
        lines.iter().enumerate().map(|(n, line)| form(n + 1, line)).collect()
    };
    let forms = [
        each(&|_, line| format!("{line}\n")),
        each(&|n, line| format!("{n:>6}\t{line}\n")),
        each(&|n, line| format!("{n}\u{2192}{line}\n")),
        format!("<file>\n{}</file>\n", each(&|n, line| format!("{n:05}| {line}\n"))),
        each(&|_, line| format!("\u{1b}[32m{line}\u{1b}[0m\n")),
        json!({"stdout": source(), "stderr": "", "exit_code": 0}).to_string(),
        json!([{"type": "text", "text": source()}]).to_string(),
    ];
    for form in forms {
        let messages = json!([{"role": "tool", "tool_call_id": "1", "content": form}]);
        let (_, answer) = server.post("/v1/compress", &json!({"messages": messages}));
        assert_eq!(answer["messages"], messages);
    }
}

#[test]
fn strangers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--host", "gate.local"]);
    let status = |headers: &[&str]| server.ask("GET", "/metrics", headers, "").0;
    assert_eq!(status(&["Host: evil.example"]), 403);
    assert_eq!(status(&["Host: gate.local:80"]), 200);
    assert_eq!(status(&["Origin: http://evil.example"]), 403);
    assert_eq!(status(&["Origin: http://localhost:3000"]), 403);
    assert_eq!(status(&[&format!("Origin: http://{}", server.address)]), 200);
    let token = folder.path().join("token");
    fs::write(&token, "sesame\n").unwrap();
    let server = Server::start(folder.path(), &["--token-file", token.to_str().unwrap()]);
    let status = |path: &str, headers: &[&str]| server.ask("GET", path, headers, "").0;
    assert_eq!(status("/metrics", &[]), 401);
    assert_eq!(status("/metrics", &["Authorization: Bearer sesam"]), 401);
    assert_eq!(status("/metrics", &["Authorization: Bearer sesame"]), 200);
    assert_eq!(status("/healthz", &[]), 200);
}

#[test]
fn it_does_not_start_with_what_cannot_be() {
    let check = |args: &[&str], expect: &str| {
        let ran = contextfit().arg("serve").args(args).output().unwrap();
        let told = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.code() == Some(2) && told.contains(expect), "{args:?}: {told}");
    };
    check(&["--listen", "0.0.0.0:0"], "set CONTEXTFIT_TOKEN or --token-file");
    check(&["--listen", "8787"], "expected an address and a port");
    check(&["--keep", "0"], "0 is not in 1..");
    let file = tempfile::NamedTempFile::new().unwrap();
    check(&["--originals", file.path().to_str().unwrap()], "expected a folder for originals");
}

#[test]
fn many_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let request = json!({"text": log(300), "budget": 200}).to_string();
    thread::scope(|scope| {
        let asked: Vec<_> =
            (0..200).map(|_| scope.spawn(|| server.ask("POST", "/v1/excerpt", &[], &request))).collect();
        let answers: Vec<_> = asked.into_iter().map(|asked| asked.join().unwrap()).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0] && answer.0 == 200));
    });
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    // It does not wait for this one for ever.
    let mut stuck = TcpStream::connect(&server.address).unwrap();
    stuck.write_all(b"GET /hea").unwrap();
    let id = server.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert!(server.process.wait().unwrap().success());
}

/// LiteLLM's own client, before and after a crash of the server.
#[test]
fn litellm_compresses_and_retrieves() {
    let Ok(python) = env::var(LITELLM) else {
        eprintln!(
            "skipped: {LITELLM} is not set; `pip install -r tests/it/litellm/requirements.txt`, then the path of python"
        );
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    let text = log(900);
    let messages = json!([
        {"role": "system", "content": "You keep the gates."},
        {"role": "user", "content": "Look at the log."},
        {"role": "assistant", "content": null,
         "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": text}]},
        {"role": "assistant", "content": "I see."},
        {"role": "user", "content": "Which gate?"}
    ]);
    let client = |arguments: &[&str], input: &str| -> Value {
        let mut process = Command::new(&python)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/litellm/client.py"))
            .args(arguments)
            .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let base = format!("http://{}", server.address);
    let sent = client(&["compress", &base], &messages.to_string());
    for same in [0, 1, 2, 4, 5] {
        assert_eq!(sent["messages"][same], messages[same]);
    }
    let shown = sent["messages"][3]["content"][0]["text"].as_str().unwrap();
    assert!(shown.contains("ERROR cannot open gate 7") && shown.len() < 5_000, "{shown}");
    assert_eq!(sent["tools"][0]["function"]["name"], "headroom_retrieve");
    let hash = shown.rsplit_once("hash=").unwrap().1.trim_end().trim_end_matches(']');

    server.process.kill().unwrap();
    server.process.wait().unwrap();
    let server = Server::start_at(&server.address, folder.path(), &[]);
    let found = client(&["retrieve", &format!("http://{}", server.address), hash], "");
    assert_eq!(found, json!({"original": text}));
}
