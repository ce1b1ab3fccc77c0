//! What is promised of input: pins that match nothing are errors, one broken byte is no reason for nothing, and its own
//! output is not its input.

mod own_output;

use serde_json::{Value, json};

use crate::run::{Ran, contextfit, run, tree};

/// A conversation with a call of `read_file`.
fn messages() -> Value {
    json!([
        {"role": "user", "content": "Read it. Never delete the database."},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
            "function": {"name": "read_file", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "def pay(): return 1"},
        {"role": "user", "content": "And now?"}
    ])
}

/// Checks that pins that match nothing are listed, one on each line, and that nothing else happens.
#[track_caller]
fn check_pins(args: &[&str], code: i32, expect: &[&str]) {
    let ran = run(tree(&[]).path(), &[&["chat", "-b", "500"], args].concat(), messages().to_string());
    assert_eq!((ran.code, ran.out.is_empty()), (code, code != 0), "{args:?}: {}", ran.err);
    let lines: Vec<&str> = ran.err.lines().skip(1).map(str::trim).collect();
    if code != 0 {
        assert_eq!(ran.err.lines().next(), Some("error: no message matches:"), "{args:?}");
        assert_eq!(lines, expect);
    }
}

#[test]
fn a_pin_that_matches_nothing_is_an_error_that_lists_what_there_is() {
    check_pins(&["--pin", "3", "--pin", "#4", "--pin-id", "call_1"], 0, &[]);
    check_pins(&["--pin-tool", "read_file", "--pin-text", "Never delete"], 0, &[]);
    check_pins(&["--pin", "4"], 2, &["--pin 4 (pins.indices): messages are 0 to 3"]);
    check_pins(
        &["--pin", "#5"],
        2,
        &["--pin #5: no message is turn 5: a record holds it, or the conversation is shorter; \
           messages are turns #1 to #4"],
    );
    check_pins(
        &["--pin", "0", "--pin-id", "call_2", "--pin-tool", "readfile", "--pin-text", "Never drop"],
        2,
        &[
            "--pin-id call_2 (pins.ids): ids are call_1",
            "--pin-tool readfile (pins.tools): tools are read_file",
            "--pin-text \"Never drop\" (pins.markers): no message contains it",
        ],
    );
    check_pins(&["--pin-text", ""], 2, &["--pin-text \"\" (pins.markers): expected a text, found none"]);
}

/// The answers to two lines with these `pins` of `chat` with `args`, and what else was said.
fn lines(args: &[&str], pins: [Value; 2]) -> (Vec<Value>, Ran) {
    let lines =
        pins.map(|pins| json!({"id": 1, "messages": messages(), "pins": pins}).to_string()).join("\n");
    let ran = run(tree(&[]).path(), &[&["chat", "--jsonl", "-b", "500"], args].concat(), lines);
    (ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), ran)
}

#[test]
fn a_pin_in_a_line_is_the_error_of_that_line() {
    let (answers, ran) = lines(&[], [json!({"tools": ["readfile"]}), json!({"tools": ["read_file"]})]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(answers[0]["error"]["code"], "invalid-request");
    let told = answers[0]["error"]["message"].as_str().unwrap();
    assert!(told.contains("readfile (pins.tools): tools are read_file"), "{told}");
    assert!(answers[1]["error"].is_null(), "{}", answers[1]);
}

#[test]
fn a_pin_by_flag_is_an_error_only_if_it_matches_in_no_line() {
    let none = || [json!({}), json!({})];
    let (answers, ran) = lines(&["--pin-tool", "readfile", "--pin-text", "Never"], none());
    assert_eq!(ran.code, 2);
    assert!(answers.iter().all(|answer| answer["error"].is_null()) && answers.len() == 2, "{}", ran.out);
    let told =
        "error: no message of any line matches:\n  --pin-tool readfile (pins.tools): tools are read_file\n";
    assert!(ran.err.ends_with(told), "{}", ran.err);

    let other = json!({"messages": [{"role": "user", "content": "Something else."}]});
    let lines = format!("{other}\n{}\n{other}", json!({"messages": messages()}));
    let args =
        ["chat", "--jsonl", "-b", "500", "--pin-tool", "read_file", "--pin", "#4", "--pin-id", "call_1"];
    let ran = run(tree(&[]).path(), &args, lines);
    assert_eq!((ran.code, ran.out.contains("error")), (0, false), "{}{}", ran.out, ran.err);
}

#[test]
fn the_only_input_can_be_pinned_by_its_index() {
    let body = json!({"model": "gpt-4o", "input": "Never delete it."}).to_string();
    for (pin, code) in [("0", 0), ("#1", 0), ("1", 2)] {
        let ran = run(tree(&[]).path(), &["chat", "-b", "500", "--pin", pin], body.as_str());
        assert_eq!(ran.code, code, "{pin}: {}", ran.err);
    }
}

/// `text` in UTF-16, as PowerShell writes it.
fn utf16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Checks that `args` read `input` and show `expect`, after a warning that contains `told`.
#[track_caller]
fn check_read(args: &[&str], input: &[u8], expect: &str, told: &str) {
    let ran = run(tree(&[]).path(), args, input);
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    assert!(ran.out.contains(expect), "{args:?}: {}", ran.out);
    assert!(!ran.out.contains('\0') && !ran.out.contains('\u{feff}'), "{args:?}: {}", ran.out);
    let warned = ran.err.contains("warning: ");
    assert_eq!((ran.err.contains(told), warned), (true, !told.is_empty()), "{args:?}: {}", ran.err);
}

/// A request of each command around these bytes of a text, and the arguments that read it.
fn requests(text: &[u8]) -> [(&'static [&'static str], Vec<u8>); 7] {
    let around = |before: &str, after: &str| [before.as_bytes(), text, after.as_bytes()].concat();
    let chat = around(r#"{"messages": [{"role": "user", "content": "é "#, r#""}]}"#);
    let search = around(r#"{"chunks": [{"text": "é "#, r#""}]}"#);
    let memory = around(r#"{"memories": [{"id": "m", "type": "tribal", "summary": "é "#, r#""}]}"#);
    [
        (&["excerpt", "-b", "200"], around("é ", "")),
        (&["chat", "-b", "200"], chat.clone()),
        (&["search", "-b", "200", "--text"], search.clone()),
        (&["memory", "-b", "200", "--text"], memory.clone()),
        (&["chat", "-b", "200", "--jsonl"], [chat, b"\n".to_vec()].concat()),
        (&["search", "-b", "200", "--jsonl"], search),
        (&["memory", "-b", "200", "--jsonl"], memory),
    ]
}

#[test]
fn a_nul_is_read_as_a_replacement_character() {
    for (args, input) in requests(b"a\0b") {
        check_read(args, &input, "é a\u{fffd}b", "standard input has 1 NUL byte; reading each as U+FFFD");
    }
}

#[test]
fn a_byte_that_is_not_utf_8_is_read_as_windows_1252() {
    for (args, input) in requests(b"na\xefve \x80") {
        // What is UTF-8 stays as it is.
        check_read(args, &input, "é naïve €", "not UTF-8");
    }
}

#[test]
fn control_characters_in_json_are_read_as_they_are() {
    let [_, (args, input), ..] = requests(b"\x1b[31mred\x01");
    check_read(args, &input, r"é \u001b[31mred\u0001", "");
    let [_, (args, input), ..] = requests(b"a\tb\r\nc");
    check_read(args, &input, r"é a\tb\r\nc", "");
}

#[test]
fn utf_16_is_read_by_its_mark() {
    for (args, input) in requests("naïve 😀".as_bytes()) {
        let input = utf16(str::from_utf8(&input).unwrap());
        check_read(args, &input, "é naïve 😀", "");
    }
}

#[test]
fn a_broken_byte_in_one_line_costs_no_line() {
    let lines = b"{\"id\": 1, \"chunks\": [{\"text\": \"one\"}]}\n\
        {\"id\": 2, \"chunks\": [{\"text\": \"tw\xf6 \0\"}]}\n\
        {\"id\": 3, \"chunks\": [{\"text\": \"three\"}]}\0\n";
    let ran = run(tree(&[]).path(), &["search", "--jsonl", "-b", "100"], lines);
    assert_eq!((ran.code, ran.out.lines().count(), ran.out.contains("error")), (0, 3, false), "{}", ran.out);
    assert!(ran.out.contains("twö \u{fffd}"), "{}", ran.out);
    assert!(
        ran.err.contains("warning: 1 line is not UTF-8, from line 2; reading such bytes as Windows-1252\n"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("2 NUL bytes"), "{}", ran.err);
}

#[test]
fn what_is_binary_is_still_refused() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06";
    for (args, code) in [(&["excerpt", "-b", "9"][..], 2), (&["chat", "-b", "9"], 2), (&["count"], 1)] {
        let ran = run(tree(&[]).path(), args, png);
        assert_eq!((ran.code, ran.out.is_empty()), (code, true), "{args:?}: {}", ran.err);
        assert!(ran.err.contains("binary"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn count_reads_what_files_reads_and_counts_bytes_as_they_are() {
    let folder = tree(&[
        ("latin1", b"abc\xe9"),
        ("utf16", &utf16("abcé")),
        ("nul", b"a\0b"),
        ("mark", b"\xef\xbb\xbfabc"),
    ]);
    let ran = run(folder.path(), &["count", "--tokenizer", "chars/1", "latin1", "utf16", "nul", "mark"], "");
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, " 4 latin1\n 4 utf16\n 3 nul\n 4 mark\n15 total\n"),
        "{}",
        ran.err
    );
    assert_eq!(ran.err, "warning: latin1 is not UTF-8 (byte 3); reading such bytes as Windows-1252\n");
}

#[test]
fn walking_leaves_out_binary_files_and_marks() {
    let folder = tree(&[("a.txt", b"\xef\xbb\xbfone\n"), ("b.txt", b"\xef\xbb\xbftwo\n"), ("c", b"a\0b")]);
    let ran = run(folder.path(), &["files", ".", "-b", "500"], "");
    assert_eq!(ran.out, "File: a.txt\n\none\n---\nFile: b.txt\n\ntwo\n");
    assert!(ran.err.contains("skipped 1 file: 1 binary"), "{}", ran.err);
}

#[test]
fn a_mark_never_ends_up_in_a_context() {
    check_read(&["excerpt", "-b", "200"], b"\xef\xbb\xbfone\n", "one\n", "");
    check_read(&["excerpt", "--lossless"], b"\xef\xbb\xbfone\n", "one\n", "");
    check_read(&["files", "-", "-b", "200"], b"\xef\xbb\xbfone\n", "one\n", "");
    let chunk = |text: &str| json!({"path": "a.md", "text": text});
    let request = json!({"chunks": [chunk("\u{feff}one two\n"), chunk("\u{feff}three\n")]}).to_string();
    check_read(&["search", "-b", "200", "--text"], request.as_bytes(), "three\n", "");
}

/// What `restore` prints for the only shortened block of `args`, which `--store=kept`.
#[cfg(feature = "store")]
#[track_caller]
fn restored(files: &[(&str, &[u8])], args: &[&str], input: &[u8], more: &[&str]) -> Vec<u8> {
    let folder = tree(files);
    let ran = run(folder.path(), &[args, &["--store=kept"]].concat(), input);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let blocks = answer["blocks"].as_array().unwrap();
    let handle = blocks.iter().find_map(|block| block["original"].as_str()).unwrap();
    let restore = |handle: &str| {
        let args = [&["restore", handle, "--store", "kept"], more].concat();
        let output = contextfit().args(args).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    // Markers name the same original.
    let context = answer["context"].as_str().unwrap_or_default();
    if let Some((_, short)) = context.split_once(", restore ") {
        assert_eq!(restore(short.get(..8).unwrap()), restore(handle));
    }
    restore(handle)
}

#[cfg(feature = "store")]
#[test]
fn handles_restore_the_original_bytes() {
    let long = "Sentence one of many that say nothing, na\u{ef}ve. ".repeat(60);
    let latin1: Vec<u8> = long.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let marked = ["\u{feff}".as_bytes(), long.as_bytes()].concat();
    let files = ["files", ".", "-b", "60", "--json"];
    for bytes in [latin1, utf16(&long), marked.clone()] {
        assert_eq!(restored(&[("a.txt", &bytes)], &files, b"", &[]), bytes);
        assert_eq!(restored(&[("a.txt", &bytes)], &files, b"", &["--text"]).len() / 10, long.len() / 10);
    }
    // A chunk with a NUL, or with a mark; a message with a NUL.
    let with_nul = long.replace("many", "m\0ny");
    let request = |text: &str| format!("{{\"chunks\": [{{\"path\": \"a.md\", \"text\": \"{text}\"}}]}}");
    let search = ["search", "-b", "60"];
    for text in [&with_nul, str::from_utf8(&marked).unwrap()] {
        assert_eq!(restored(&[], &search, request(text).as_bytes(), &[]), text.as_bytes());
    }
    let chat = format!(
        "[{{\"role\": \"user\", \"content\": \"{with_nul}\"}}, {{\"role\": \"user\", \"content\": \"End\"}}]"
    );
    let chat_args = ["chat", "-b", "60", "--answer"];
    assert_eq!(restored(&[], &chat_args, chat.as_bytes(), &["--text"]), with_nul.as_bytes());
}
