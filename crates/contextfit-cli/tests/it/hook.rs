//! `hook`: what is replaced, what never is, and the agent's settings.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::{Ran, contextfit, tree};

/// The session of the events, whose folder is in `home`.
fn transcript(home: &TempDir) -> String {
    home.path().join("projects/x/0c1d.jsonl").display().to_string()
}

fn event(home: &TempDir, tool: &str, input: Value, response: Value) -> Value {
    json!({
        "session_id": "0c1d", "transcript_path": transcript(home), "cwd": "/", "hook_event_name": "PostToolUse",
        "tool_name": tool, "tool_input": input, "tool_response": response, "tool_use_id": "toolu_01AB",
        "duration_ms": 12,
    })
}

fn shell(home: &TempDir, command: &str, output: &str) -> Value {
    let response = json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false});
    event(home, "Bash", json!({"command": command}), response)
}

#[track_caller]
fn answer(event: &Value) -> Option<Value> {
    let output = contextfit().args(["hook", "claude-code"]).write_stdin(event.to_string()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    (!output.stdout.is_empty()).then(|| serde_json::from_slice(&output.stdout).unwrap())
}

/// A log of this many lines with one error.
fn log(lines: usize) -> String {
    let line = |n| match n == lines / 2 {
        true => format!("2026-11-27T10:00:{:02} ERROR cannot open the gate at lock 7\n", n % 60),
        false => format!("2026-11-27T10:00:{:02} INFO the level at lock {n} is {}\n", n % 60, 300 + n % 7),
    };
    (0..lines).map(line).collect()
}

#[test]
fn a_long_output_is_replaced_before_it_is_read() {
    let home = tempfile::tempdir().unwrap();
    let text = log(400);
    let answer = answer(&shell(&home, "journalctl -u lock", &text)).unwrap();
    let answer = &answer["hookSpecificOutput"];
    assert_eq!(answer["hookEventName"], "PostToolUse");
    let output = answer["updatedToolOutput"].as_object().unwrap();
    assert_eq!(output.keys().collect::<Vec<_>>(), ["stdout", "stderr", "interrupted", "isImage"]);
    let shown = output["stdout"].as_str().unwrap();
    assert!(shown.contains("ERROR cannot open the gate at lock 7") && shown.len() < 5_000, "{shown}");
    // The agent may read this folder without asking.
    let saved = home.path().join("projects/x/0c1d/tool-results/contextfit-toolu_01AB.txt");
    let last = shown.lines().last().unwrap();
    assert!(last.ends_with(&format!("of 400 lines. Full output saved to: {}]", saved.display())), "{last}");
    assert_eq!(fs::read_to_string(saved).unwrap(), text);
}

#[test]
fn an_output_that_the_agent_cut_is_read_where_it_saved_it() {
    let home = tempfile::tempdir().unwrap();
    let text = log(4_000);
    let saved = home.path().join("whole.txt");
    fs::write(&saved, &text).unwrap();
    let cut: String = text.chars().take(30_000).collect();
    let mut event = shell(&home, "journalctl", &cut);
    event["tool_response"]["persistedOutputPath"] = saved.display().to_string().into();
    event["tool_response"]["persistedOutputSize"] = text.len().into();
    let answer = answer(&event).unwrap();
    let output = answer["hookSpecificOutput"]["updatedToolOutput"].as_object().unwrap();
    assert!(!output.contains_key("persistedOutputPath") && !output.contains_key("persistedOutputSize"));
    let shown = output["stdout"].as_str().unwrap();
    assert!(shown.contains("ERROR cannot open the gate at lock 7"), "{shown}");
    assert!(
        shown.ends_with(&format!("of 4,000 lines. Full output saved to: {}]\n", saved.display())),
        "{shown}"
    );
    assert!(!home.path().join("projects").exists(), "it was saved twice");
}

#[test]
fn what_a_search_finds_keeps_its_form() {
    let home = tempfile::tempdir().unwrap();
    let lines: String =
        (0..300).map(|n| format!("src/file{}.rs:{n}: fn step_{n}() -> Level {{\n", n / 9)).collect();
    let found =
        json!({"mode": "content", "numFiles": 34, "filenames": [], "content": lines, "numLines": 300});
    let answer = answer(&event(&home, "Grep", json!({"pattern": "fn"}), found)).unwrap();
    let output = &answer["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(output["numLines"], 300);
    assert!(output["content"].as_str().unwrap().contains("of 300 lines. Full output saved to: "));
}

#[test]
fn nothing_is_printed_where_nothing_changes() {
    let home = tempfile::tempdir().unwrap();
    let text = log(540);
    assert!((25_000..30_000).contains(&text.len()), "{}", text.len());
    let text = text.as_str();
    let unchanged = |event: &Value| assert_eq!(answer(event), None, "{event}");
    for command in ["cat a.rs", "git show HEAD:a.rs", "sed -n 1,900p a.rs", "contextfit restore 0123abcd"] {
        unchanged(&shell(&home, command, text));
    }
    let file = json!({"type": "text", "file": {"filePath": "/a.rs", "content": text, "numLines": 450}});
    unchanged(&event(&home, "Read", json!({"file_path": "/a.rs"}), file));
    let edit = json!({"filePath": "/a.rs", "oldString": text, "newString": text, "originalFile": text});
    unchanged(&event(&home, "Edit", json!({"file_path": "/a.rs"}), edit));
    unchanged(&shell(&home, "cargo test", &log(140)));
    let source: String = (0..900).map(|n| format!("fn step_{n}() {{ run({n}); }}\n")).collect();
    unchanged(&shell(&home, "ruby print-it.rb a.rs", &source));
    for (name, value) in
        [("isImage", json!(true)), ("interrupted", json!(true)), ("backgroundTaskId", json!("b1"))]
    {
        let mut event = shell(&home, "cargo test", text);
        event["tool_response"][name] = value;
        unchanged(&event);
    }
    let blocks = json!([{"type": "text", "text": text}]);
    unchanged(&event(&home, "mcp__filesystem__read_file", json!({"path": "/a.rs"}), blocks));
    let found = json!({"mode": "content", "filenames": [], "content": text, "numLines": 450});
    unchanged(&event(&home, "Grep", json!({"path": "/p/tool-results/contextfit-toolu_1.txt"}), found));
    let mut missing = shell(&home, "cargo test", text);
    missing["tool_response"]["persistedOutputPath"] = "/no/such/file".into();
    unchanged(&missing);
    let mut failed = shell(&home, "cargo test", text);
    failed["hook_event_name"] = "PostToolUseFailure".into();
    unchanged(&failed);
    let mut strange = shell(&home, "cargo test", text);
    strange["tool_use_id"] = "../../x".into();
    unchanged(&strange);
    strange["tool_response"] = json!(text);
    unchanged(&strange);
    unchanged(&json!(text));
    assert!(!home.path().join("projects").exists(), "something was saved");
}

/// Changes the settings in `home`, which holds the agent's folder and the state.
fn settings(home: &Path, args: &[&str]) -> Ran {
    let mut command = contextfit();
    command.arg("hook").args(args).current_dir(home);
    let output =
        command.env("CLAUDE_CONFIG_DIR", home).env("XDG_STATE_HOME", home.join("state")).output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Settings of all forms, `None` for no file.
const SETTINGS: [Option<&str>; 8] = [
    None,
    Some(""),
    Some("{}"),
    Some("{\n  \"model\": \"opus\"\n}\n"),
    Some("{\n\t\"hooks\": {\n\t\t\"PostToolUse\": [ ]\n\t}\n}"),
    Some("{\"hooks\": {\"Stop\": []}, \"env\": {\"A\": \"\\u00e9\"}}"),
    Some(
        "{\"hooks\":{\"PostToolUse\":[{\"matcher\":\"Edit\",\"hooks\":[{\"type\":\"command\",\"command\":\"fmt\"}]}]}}\r\n",
    ),
    Some(
        "{\"permissions\": {\"allow\": [\"Bash(a: *)\"]},\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\"matcher\": \"*\", \"hooks\": []}\n    ]\n  }\n}\n",
    ),
];

#[test]
fn settings_are_as_before_after_uninstalling() {
    for before in SETTINGS {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("settings.json");
        before.into_iter().for_each(|before| fs::write(&file, before).unwrap());
        let shown = settings(home.path(), &["install", "claude-code", "--dry-run"]);
        assert!(shown.out.contains("contextfit hook claude-code"), "{}", shown.told());
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), before);

        assert_eq!(settings(home.path(), &["install", "claude-code"]).code, 0);
        let installed = fs::read_to_string(&file).unwrap();
        let value: Value = serde_json::from_str(&installed).unwrap();
        let hooks = value["hooks"]["PostToolUse"].as_array().unwrap();
        assert_eq!(hooks.last().unwrap()["hooks"][0]["command"], "contextfit hook claude-code");
        // Everything else is there, in the same order.
        let mut rest = installed.chars();
        let kept = before.unwrap_or_default().chars().all(|c| rest.any(|other| other == c));
        assert!(kept, "{before:?} became {installed}");

        let again = settings(home.path(), &["install", "claude-code"]);
        assert!(again.err.ends_with("nothing to do\n"), "{}", again.told());
        assert_eq!(fs::read_to_string(&file).unwrap(), installed);

        assert_eq!(settings(home.path(), &["uninstall", "claude-code"]).code, 0);
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), before);
    }
}

#[test]
fn only_its_own_entry_is_removed_from_edited_settings() {
    let home = tree(&[("settings.json", b"{\"hooks\": {\"PostToolUse\": [{\"hooks\": []}]}}")]);
    let file = home.path().join("settings.json");
    settings(home.path(), &["install", "claude-code"]);
    let others = r#"{"hooks": [{"type": "command", "command": "my-contextfit hook claude-code"}]}"#;
    let edited = fs::read_to_string(&file).unwrap().replace("{\"hooks\": []}", others);
    let edited = edited.replace("{\"hooks\": {", "{\"model\": \"opus\", \"hooks\": {");
    fs::write(&file, edited).unwrap();
    settings(home.path(), &["uninstall", "claude-code"]);
    let expect = format!("{{\"model\": \"opus\", \"hooks\": {{\"PostToolUse\": [{others}]}}}}");
    assert_eq!(fs::read_to_string(&file).unwrap(), expect);
    let again = settings(home.path(), &["uninstall", "claude-code"]);
    assert!(again.err.ends_with("nothing to do\n"), "{}", again.told());
}

#[test]
fn settings_that_cannot_be_read_are_left_alone() {
    for (text, expect) in [
        ("{\"hooks\": ", "not valid JSON: EOF"),
        ("{\"hooks\": []}", "`hooks` is not an object"),
        ("{\"hooks\": {\"PostToolUse\": {}}}", "`PostToolUse` is not an array"),
    ] {
        let home = tree(&[("settings.json", text.as_bytes())]);
        let ran = settings(home.path(), &["install", "claude-code"]);
        assert_eq!(ran.code, 2, "{}", ran.told());
        assert!(ran.err.contains(expect) && ran.err.contains("nothing was changed"), "{}", ran.err);
        assert_eq!(fs::read_to_string(home.path().join("settings.json")).unwrap(), text);
    }
}

#[test]
fn the_settings_of_a_project() {
    let home = tempfile::tempdir().unwrap();
    settings(home.path(), &["install", "claude-code", "--project"]);
    assert!(home.path().join(".claude/settings.json").is_file());
    settings(home.path(), &["uninstall", "claude-code", "--project"]);
    assert!(!home.path().join(".claude/settings.json").exists());
}

#[test]
fn opencode_is_answered_and_its_plugin_comes_and_goes() {
    let home = tempfile::tempdir().unwrap();
    let text = log(400);
    let answer = |tool: &str, args: Value| {
        let event = json!({"tool": tool, "sessionID": "s", "callID": "call_01", "args": args, "output": text,
            "metadata": {"exit": 1, "truncated": false}});
        let output = contextfit()
            .args(["hook", "opencode"])
            .env("XDG_DATA_HOME", home.path())
            .write_stdin(event.to_string())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let shown: Value = serde_json::from_str(&answer("bash", json!({"command": "journalctl"}))).unwrap();
    let saved = home.path().join("opencode/tool-output/contextfit-call_01.txt");
    let last = format!(" of 400 lines. Full output saved to: {}]\n", saved.display());
    assert!(shown["output"].as_str().unwrap().ends_with(&last), "{shown}");
    assert_eq!(fs::read_to_string(saved).unwrap(), text);
    for (tool, args) in [
        ("bash", json!({"command": "cat a.rs"})),
        ("read", json!({"filePath": "/a.rs"})),
        ("edit", json!({"filePath": "/a.rs"})),
        ("grep", json!({"pattern": "x", "path": "/h/opencode/tool-output/tool_1"})),
        ("bash", Value::Null),
    ] {
        assert_eq!(answer(tool, args), "");
    }
    let plugin = home.path().join("opencode/plugin/contextfit.js");
    let hook = |arguments: &[&str]| {
        contextfit().arg("hook").args(arguments).env("XDG_CONFIG_HOME", home.path()).output().unwrap()
    };
    assert!(hook(&["install", "opencode", "--dry-run"]).status.success() && !plugin.exists());
    assert!(hook(&["install", "opencode"]).status.success() && plugin.exists());
    assert!(hook(&["uninstall", "opencode"]).status.success() && !plugin.exists());
    fs::write(&plugin, "export const mine = 1\n").unwrap();
    assert_eq!(hook(&["install", "opencode"]).status.code(), Some(2));
    assert_eq!(hook(&["uninstall", "opencode"]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(plugin).unwrap(), "export const mine = 1\n");
}

#[test]
fn codex_is_answered_and_told_that_the_exit_code_is_lost() {
    let home = tempfile::tempdir().unwrap();
    let text = log(400);
    let answer = |command: &str, text: &str| {
        let event = json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash",
            "tool_input": {"command": command}, "tool_response": text, "tool_use_id": "call_2"});
        let output = contextfit()
            .args(["hook", "codex"])
            .env("XDG_STATE_HOME", home.path())
            .write_stdin(event.to_string())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let shown: Value = serde_json::from_str(&answer("journalctl", &text)).unwrap();
    assert_eq!(shown["decision"], "block");
    let reason = shown["reason"].as_str().unwrap();
    let saved = home.path().join("contextfit/runs/contextfit-call_2.txt");
    let last = reason.lines().last().unwrap();
    assert!(last.starts_with("[contextfit: exit code not known; "), "{reason}");
    assert!(
        last.ends_with(&format!(" of 400 lines. Full output saved to: {}]", saved.display())),
        "{reason}"
    );
    // A script may print what was shortened before.
    assert_eq!(answer("./report.sh", &format!("{text}{reason}")), "");
    assert_eq!(fs::read_to_string(saved).unwrap(), text);
    assert_eq!(answer("cat a.rs", &text), "");
    assert_eq!(
        answer("journalctl", &format!("Warning: truncated output (original token count: 9)\n{text}")),
        ""
    );

    let hooks = home.path().join("hooks.json");
    let hook = |arguments: &[&str]| {
        let mut command = contextfit();
        let command = command.arg("hook").args(arguments).env("XDG_STATE_HOME", home.path());
        assert!(command.env("CODEX_HOME", home.path()).output().unwrap().status.success());
    };
    let before = "{ \"hooks\": {\"PostToolUse\": []},\n\"mine\": 1.0e5 }";
    fs::write(&hooks, before).unwrap();
    hook(&["install", "codex"]);
    let entry = "{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"contextfit hook codex\",\"timeout\":10}]}";
    assert_eq!(fs::read_to_string(&hooks).unwrap(), before.replace("[]", &format!("[{entry}]")));
    hook(&["uninstall", "codex"]);
    assert_eq!(fs::read_to_string(&hooks).unwrap(), before);
}

#[test]
fn the_plugin_of_claude_code_has_the_entry_that_is_installed() {
    let home = tempfile::tempdir().unwrap();
    let mut install = contextfit();
    let install = install.args(["hook", "install", "claude-code"]).env("CLAUDE_CONFIG_DIR", home.path());
    assert!(install.env("XDG_STATE_HOME", home.path()).output().unwrap().status.success());
    let read = |path: &Path| -> Value { serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() };
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins/claude-code/hooks/hooks.json");
    assert_eq!(read(&home.path().join("settings.json"))["hooks"], read(&plugin)["hooks"]);
}
