//! `--store` and `restore`: every byte that is not shown can be restored.

#![cfg(feature = "store")]

use std::{fs, path::Path, process::Stdio};

use serde_json::Value;

use crate::run::{contextfit, run, tree};

/// Chunks with every kind of line ending; at 40 tokens, none of the long ones is shown whole.
fn request() -> Value {
    let long =
        |start: &str| format!("{start}\r\n\twords and more words, naïve 漢字\0\n").repeat(40) + "no end";
    serde_json::json!({"id": "q1", "query": "token budget", "chunks": [
        {"id": "a", "path": "src/a.ts", "score": 0.9, "text": "export function budget() {}\n"},
        {"id": "b", "path": "docs/b.md", "score": 0.5, "text": long("Of one.")},
        {"id": "c", "path": "docs/c.md", "score": 0.4, "text": long("Of the other.")},
        {"id": "d", "text": ""},
    ]})
}

/// The answer to `request` at 40 tokens.
#[track_caller]
fn answer(folder: &Path, args: &[&str], request: &str) -> Value {
    let ran = run(folder, &[&["search", "-b", "40"], args].concat(), request);
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn what_is_not_shown_whole_can_be_had_back() {
    let folder = tree(&[]);
    let request = request();
    let answer = answer(folder.path(), &["--store=kept"], &request.to_string());
    let mut restored = 0;
    for (chunk, block) in
        request["chunks"].as_array().unwrap().iter().zip(answer["blocks"].as_array().unwrap())
    {
        let text = chunk["text"].as_str().unwrap();
        let Some(handle) = block["original"].as_str() else {
            assert!(block["level"] == 3 || text.is_empty(), "{block} has no handle");
            continue;
        };
        let ran = run(folder.path(), &["restore", handle, "--store", "kept"], "");
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, text, ""));
        restored += 1;
    }
    assert_eq!(restored, 2);
}

/// The marker of a cut text holds the handle to restore it; without a store it does not.
#[test]
fn markers_name_short_handles() {
    let folder = tree(&[]);
    let lines: String = (0..400).map(|n| format!("12:00:{:02} INFO step {n} is done\n", n % 60)).collect();
    let request =
        serde_json::json!({"id": "q", "query": "step 77", "chunks": [{"id": "log", "text": lines}]})
            .to_string();
    for (args, budget) in [(&["--store=kept"][..], 80), (&["--store=kept"], 160), (&[], 160)] {
        let ran =
            run(folder.path(), &[&["search", "-b", &budget.to_string()], args].concat(), request.as_str());
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert!(answer["metrics"]["tokensAfter"].as_u64().unwrap() <= budget);
        let context = answer["context"].as_str().unwrap();
        let Some((_, named)) = context.split_once(", restore ") else {
            assert!(args.is_empty(), "{context}");
            assert!(answer["blocks"][0].get("original").is_none());
            continue;
        };
        assert_eq!(context.matches(", restore ").count(), 1, "{context}");
        let short = named.get(..8).unwrap();
        assert!(answer["blocks"][0]["original"].as_str().unwrap().starts_with(short));
        assert_eq!(run(folder.path(), &["restore", short, "--store", "kept"], "").out, lines);
        let line = run(folder.path(), &["restore", short, "--lines", "78", "--store", "kept"], "").out;
        assert_eq!(line, "12:00:17 INFO step 77 is done\n");
    }
}

#[test]
fn markers_of_joined_chunks_name_what_is_joined() {
    let folder = tree(&[]);
    let text: String = (0..80).map(|n| format!("Sentence {n} says what river {n} is like. ")).collect();
    let (first, second) = (text.get(..2_000).unwrap(), text.get(1_900..).unwrap());
    let chunk = |id: &str, text: &str| serde_json::json!({"id": id, "path": "rivers.md", "text": text});
    let request = serde_json::json!({"query": "river 7", "chunks": [chunk("a", first), chunk("b", second)]});
    let ran = run(folder.path(), &["search", "-b", "120", "--store=kept"], request.to_string());
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let context = answer["context"].as_str().unwrap();
    let (_, named) = context.split_once(", restore ").unwrap();
    assert_eq!(run(folder.path(), &["restore", named.get(..8).unwrap(), "--store", "kept"], "").out, text);
}

#[test]
fn files_are_kept_as_they_were() {
    let text = "Tokens are counted here. And here is more, of no use to anyone.\n".repeat(50);
    let folder = tree(&[("docs/a.md", text.as_bytes())]);
    let args = ["files", "docs", "--query", "tokens", "-b", "60", "--json", "--store=kept"];
    let ran = run(folder.path(), &args, "");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let handle = answer["blocks"][0]["original"].as_str().unwrap();
    fs::write(folder.path().join("docs/a.md"), "changed since").unwrap();
    assert_eq!(run(folder.path(), &["restore", handle, "--store", "kept"], "").out, text);
}

/// A file that is not UTF-8, in parts: their bytes, not those of the text that they were read as.
#[test]
fn parts_of_files_are_kept_as_they_were() {
    let line = |n: usize| [format!("Tokens of line {n} in a ros").as_bytes(), b"\xe9.\r\n"].concat();
    let lines: Vec<Vec<u8>> = (0..60).map(line).collect();
    let folder = tree(&[("a.txt", &lines.concat())]);
    let args =
        ["files", "a.txt", "--exact", "a.txt:3-4", "-q", "tokens", "-b", "200", "--json", "--store=kept"];
    let ran = run(folder.path(), &args, "");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let blocks = answer["blocks"].as_array().unwrap().iter();
    let restored = blocks.filter_map(|block| block["original"].as_str()).map(|handle| {
        let args = ["restore", handle, "--store", "kept"];
        contextfit().args(args).current_dir(folder.path()).output().unwrap().stdout
    });
    assert_eq!(restored.collect::<Vec<_>>(), [lines[4..].concat()]);
}

#[test]
fn the_usual_folder_is_that_of_the_xdg_directories() {
    let folder = tree(&[]);
    let state = folder.path().join("state");
    let with_state = |args: &[&str], input: String| {
        let output =
            contextfit().args(args).env("XDG_STATE_HOME", &state).write_stdin(input).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let answer: Value =
        serde_json::from_str(&with_state(&["search", "-b", "40", "--store"], request().to_string())).unwrap();
    let handle = answer["blocks"][1]["original"].as_str().unwrap();
    assert!(state.join("contextfit/originals.redb").exists());
    let text = request()["chunks"][1]["text"].as_str().unwrap().to_owned();
    assert_eq!(with_state(&["restore", handle], String::new()), text);
}

#[test]
fn wrong_handles_and_missing_stores() {
    let folder = tree(&[("damaged/originals.redb", b"something else")]);
    answer(folder.path(), &["--store=kept"], &request().to_string());
    let unknown = "0".repeat(64);
    let check = |args: &[&str], code: i32, expect: &str| {
        let ran = run(folder.path(), &[&["restore"], args].concat(), "");
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(expect), "{args:?}: {}", ran.err);
    };
    check(&[&unknown, "--store", "kept"], 1, "no text is stored for");
    check(&["0a", "--store", "kept"], 2, "is not a handle");
    check(
        &[&unknown, "--store", "elsewhere"],
        2,
        "nothing is stored in elsewhere: shorten with --store first",
    );
    check(&[&unknown, "--store", "damaged"], 1, "cannot use the store of originals in damaged");
    let ran = run(folder.path(), &["search", "-b", "40", "--store=damaged"], request().to_string());
    assert_eq!(ran.code, 1, "handles were requested but none are available: {}", ran.err);
}

/// Many processes share one store, and each gets its handles.
#[test]
fn processes_share_a_store() {
    let folder = tree(&[("request.json", request().to_string().as_bytes())]);
    let start = |_| {
        let program = env!("CARGO_BIN_EXE_contextfit");
        std::process::Command::new(program)
            .args(["search", "request.json", "-b", "40", "--store=kept"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..6).map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answer["blocks"][1]["original"].is_string(), "{output:?}");
    }
}

#[test]
fn every_line_has_its_handles() {
    let folder = tree(&[]);
    let lines: String = (0..50).map(|_| request().to_string() + "\n").collect();
    let ran = run(folder.path(), &["search", "--jsonl", "-b", "40", "--store=kept"], lines);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let handles = ran.out.matches("\"original\":").count();
    assert_eq!(handles, 100);
}

/// The original of a message is the whole message, with its calls and unknown fields.
#[test]
fn messages_come_back_as_they_were() {
    let said = |n: usize| serde_json::json!({"role": "user", "content": format!("{n}: {}", "a word or two ".repeat(30)), "x": 1});
    let messages: Vec<Value> = (0..30).map(said).collect();
    let folder = tree(&[("chat.json", serde_json::json!({ "messages": messages }).to_string().as_bytes())]);
    let ran = run(folder.path(), &["chat", "chat.json", "-b", "500", "--store=kept", "--answer"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let shortened =
        answer["blocks"].as_array().unwrap().iter().zip(&messages).filter(|(block, _)| block["level"] != 3);
    let mut n = 0;
    for (block, message) in shortened {
        let restored =
            run(folder.path(), &["restore", block["original"].as_str().unwrap(), "--store", "kept"], "");
        assert_eq!(restored.out, message.to_string(), "{}", restored.err);
        n += 1;
    }
    assert!(n > 20, "{n} messages are shortened");
    let told = run(folder.path(), &["chat", "chat.json", "-b", "500", "--store=kept"], "");
    assert!(told.err.contains("--answer and --report list all handles"), "{}", told.err);
}

/// Parts of an original, by line number or by pattern; for a message, parts of its text.
#[test]
fn parts_of_an_original() {
    let said = (1..=900).map(|n| format!("line {n} of many\n")).collect::<String>();
    let messages = serde_json::json!([
        {"role": "user", "content": "Read it."},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": said},
        {"role": "user", "content": "Which line is the last of many?"}]);
    let folder = tree(&[("chat.json", messages.to_string().as_bytes())]);
    let ran = run(folder.path(), &["chat", "chat.json", "-b", "400", "--store=kept", "--answer"], "");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let handle = answer["blocks"][2]["original"].as_str().unwrap();
    let check = |args: &[&str], code: i32, expect: &str| {
        let ran = run(folder.path(), &[&["restore", handle, "--store", "kept"], args].concat(), "");
        assert_eq!((ran.code, ran.out.as_str()), (code, expect), "{args:?}: {}", ran.err);
    };
    check(&["--text"], 0, &said);
    check(&["--lines", "100-101"], 0, "line 100 of many\nline 101 of many\n");
    check(&["--lines", "900-"], 0, "line 900 of many\n");
    check(&["--lines", "901-902"], 1, "");
    check(
        &["--grep", "line 9[0-9] "],
        0,
        &(90..100).map(|n| format!("{n}:line {n} of many\n")).collect::<String>(),
    );
    check(&["--grep", "nothing"], 1, "");
    check(&["--grep", "("], 2, "");
}

/// Nobody else can read the store.
#[cfg(unix)]
#[test]
fn the_store_is_private() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tree(&[]);
    answer(folder.path(), &["--store=kept"], &request().to_string());
    let mode = |path: &str| fs::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("kept"), mode("kept/originals.redb")), (0o700, 0o600));
}
