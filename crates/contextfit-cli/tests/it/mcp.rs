//! `mcp`: a client on standard input and output.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

/// A client of a server that has started.
struct Client {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    asked: u64,
    /// The folders that the client names if it is asked for them.
    roots: Option<Vec<String>>,
}

impl Client {
    fn start(folder: &Path, state: &Path, version: &str) -> Self {
        Self::start_with(folder, state, version, None)
    }

    fn start_with(folder: &Path, state: &Path, version: &str, roots: Option<Vec<String>>) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_contextfit"))
            .args(["mcp", "--log", "trace"])
            .current_dir(folder)
            .envs([("XDG_STATE_HOME", state), ("XDG_CONFIG_HOME", state)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        let capabilities = if roots.is_some() { json!({"roots": {"listChanged": true}}) } else { json!({}) };
        let mut client = Self { server, to, from, asked: 0, roots };
        let hello = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}});
        let answer = client.ask("initialize", hello);
        assert_eq!(answer["result"]["protocolVersion"], version);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert_ne!(self.from.read_line(&mut line).unwrap(), 0, "the server has ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["method"] == "roots/list" {
                let roots = self.roots.iter().flatten().map(|uri| json!({"uri": uri}));
                let roots: Vec<Value> = roots.collect();
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}}));
            } else {
                assert_eq!(message["id"], id);
                return message;
            }
        }
    }

    /// The text that a tool answers, and whether it is an error.
    fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        (result["content"][0]["text"].as_str().unwrap().to_owned(), result["isError"] == true)
    }

    /// What the server logged until it ended.
    fn end(mut self) -> String {
        drop(self.to.take());
        let output = self.server.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    }
}

#[test]
fn code_is_found_and_changes_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/gate.rs"), "/// Opens the gate.\nfn open_gate() {\n    lift(7)\n}\n")
        .unwrap();
    fs::write(folder.path().join(".env"), "GATE_TOKEN=open-sesame\n").unwrap();
    let mut client = Client::start(folder.path(), folder.path(), "2025-11-25");
    let question = json!({"query": "who opens the gate", "budget": 3000.0});
    let (text, is_error) = client.call("search_code", question.clone());
    assert!(!is_error && text.starts_with("File: src/gate.rs\n") && text.contains("lift(7)"), "{text}");
    assert!(!text.contains("sesame"));
    let source = "/// Opens the gate.\nfn open_gate() {\n    lift(8);\n    wait()\n}\n";
    fs::write(folder.path().join("src/gate.rs"), source).unwrap();
    let (text, _) = client.call("search_code", question);
    assert!(text.contains("lift(8)") && !text.contains("lift(7)"), "{text}");
    for (arguments, expect) in [
        (json!({"query": "gate", "path": "/etc"}), "outside of the folders"),
        (json!({"query": "gate", "path": "lib"}), "lib is not there"),
        (json!({"query": "gate", "path": ".env"}), "contains a secret"),
        (json!({"query": "gate", "budget": "many"}), "`budget`: expected a whole number"),
        (json!({"query": "gate", "budget": 3}), "cannot fit"),
        (json!({}), "`query` is missing"),
    ] {
        let (text, is_error) = client.call("search_code", arguments);
        assert!(is_error && text.contains(expect), "{text}");
    }
    let unknown = client.ask("tools/call", json!({"name": "rm", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602);
    assert!(!client.end().contains("who opens"), "a question is in the log");
}

#[test]
fn saved_outputs_are_restored_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_contextfit"))
        .args(["run", "--", "seq", "1", "9000"])
        .env("XDG_STATE_HOME", folder.path())
        .output()
        .unwrap();
    let shown = String::from_utf8(ran.stdout).unwrap();
    let path = shown.rsplit_once("saved to: ").unwrap().1.trim_end().trim_end_matches(']').to_owned();
    let mut client = Client::start(folder.path(), folder.path(), "2025-06-18");
    let lines = client.call("restore", json!({"handle": path, "from": 8999}));
    assert_eq!(lines, ("8999\n9000\n".into(), false));
    let lines = client.call("restore", json!({"handle": path, "grep": "^70?7$"}));
    assert_eq!(lines, ("77:77\n707:707\n".into(), false));
    let (start, _) = client.call("restore", json!({"handle": path}));
    assert!(start.ends_with(" of 9,000 lines; `from`, `to` or `grep` show others]\n"), "{start}");
    for (handle, expect) in [
        ("/etc/passwd", "not an output that contextfit or an agent saved"),
        ("01234567", "run the command again"),
        ("/no/such/run-1.log", "run the command again"),
    ] {
        let (text, is_error) = client.call("restore", json!({"handle": handle}));
        assert!(is_error && text.contains(expect), "{text}");
    }
    client.end();
}

/// Every request of this version says which one it is; there is no greeting.
#[test]
fn the_newest_version_needs_no_greeting() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.rs"), "fn open_gate() {}\n").unwrap();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let requests = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
               "params": {"_meta": meta, "name": "search_code", "arguments": {"query": "gate"}}}),
    ];
    let mut server = Command::new(env!("CARGO_BIN_EXE_contextfit"))
        .arg("mcp")
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = server.stdin.take().unwrap();
    let mut from = BufReader::new(server.stdout.take().unwrap());
    let mut answers = Vec::new();
    for request in requests {
        writeln!(to, "{request}").unwrap();
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        answers.push(serde_json::from_str::<Value>(&line).unwrap());
    }
    drop(to);
    assert!(server.wait().unwrap().success());
    let versions = &answers[0]["result"]["supportedVersions"];
    assert_eq!(*versions, json!(["2025-06-18", "2025-11-25", "2026-07-28"]), "{}", answers[0]);
    let text = answers[1]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("fn open_gate()"), "{text}");
}

#[test]
fn the_folders_of_the_client_are_searched_from_the_first_call_on() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["here", "there"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("a.rs"), format!("fn open_gate_{name}() {{}}\n")).unwrap();
    }
    let here = folder.path().join("here");
    let there = format!("file://{}", folder.path().join("there").display());
    let mut client = Client::start_with(&here, folder.path(), "2025-11-25", Some(vec![there]));
    let question = || json!({"query": "gate"});
    let (text, _) = client.call("search_code", question());
    assert!(text.contains("open_gate_there") && !text.contains("open_gate_here"), "{text}");
    let mut change = |roots: Vec<String>| {
        client.roots = Some(roots);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
        // Notifications are not answered, so another request makes sure that it was read.
        client.ask("tools/list", json!({}));
        client.call("search_code", question())
    };
    let (text, is_error) = change(vec![format!("file://{}/gone", folder.path().display())]);
    assert!(is_error && text.contains("none of the folders that the client names"), "{text}");
    let (text, _) = change(Vec::new());
    assert!(text.contains("open_gate_here"), "{text}");
}
