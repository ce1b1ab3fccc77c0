//! Rewrites lose nothing, make nothing longer, and agree with a terminal.

use contextfit_kernel::Rewrite;
use contextfit_text::{has_controls, is_json, repeated, rewritten, says_the_same};
use proptest::prelude::*;
use serde_json::{Value, value::RawValue};

const ALL: [Rewrite; 3] = [Rewrite::Terminal, Rewrite::JsonBlanks, Rewrite::Repeats];

#[track_caller]
fn check(rewrite: Rewrite, source: &str, expect: Option<&str>) {
    assert_eq!(rewritten(rewrite, source).as_deref(), expect, "{source:?}");
    check_all(source);
}

/// Checks what holds for every text.
#[track_caller]
fn check_all(source: &str) {
    for rewrite in ALL {
        let Some(text) = rewritten(rewrite, source) else { continue };
        let told = || format!("{rewrite:?} of {:?} is {:?}", start(source), start(&text));
        assert!(text.len() <= source.len(), "longer: {}", told());
        assert!(says_the_same(rewrite, source, &text), "something else: {}", told());
        assert!(text != source, "nothing new: {}", told());
        // A repeated line with its number may be repeated itself.
        let is_done = rewrite == Rewrite::Repeats || rewritten(rewrite, &text).is_none();
        assert!(is_done, "not done: {}", told());
    }
}

fn start(text: &str) -> String {
    text.chars().take(200).collect()
}

#[test]
fn terminals() {
    let check = |source, expect| check(Rewrite::Terminal, source, expect);
    check("plain\r\ntext\n", None);
    check("", None);
    check("\u{1b}[1;31merror\u{1b}[0m: no\n", Some("error: no\n"));
    check("\u{1b}[32m+\tadded\u{1b}[m\u{1b}[K\r\n", Some("+\tadded\r\n"));
    check("10 %\r 50 %\r100 %\nnext\n", Some("100 %\nnext\n"));
    check("a long line\rshort\n", Some("shortg line\n"));
    check("a long line\r\u{1b}[Kshort\n", Some("short\n"));
    check("a long line\u{1b}[2K\rshort\n", Some("short\n"));
    check("Downloading\r           \rDone\n", Some("Done\n"));
    check("bo\u{8}ol\u{8}ld", Some("bold"));
    check("_\u{8}N_\u{8}A_\u{8}M_\u{8}E\n", Some("NAME\n"));
    check("日本語\rab\n", Some("ab本語\n"));
    check("\u{1b}]0;title\u{7}text\n", Some("text\n"));
    check("\u{1b}]8;;https://a.example\u{1b}\\link\u{1b}]8;;\u{1b}\\\n", Some("link\n"));
    check("\u{1b}(B\u{1b}[?25lx\u{1b}[?25h\n", Some("x\n"));
    // Sequences that do not end, and moves to existing lines.
    check("a\u{1b}]0;text\nb\n", Some("a]0;text\nb\n"));
    check("a\u{1b}[3", Some("a[3"));
    check("one\n\u{1b}[1A\u{1b}[2Ktwo\n", Some("one\ntwo\n"));
    check("one\u{1b}[1A\u{1b}[2Ktwo\n", Some("one\ntwo\n"));
    // Blanks are clipped if they would make the line longer.
    check("a\u{1b}[200Cb\n", Some("a      b\n"));
    // Letters of other scripts within a sequence.
    check("\u{1b}[é31mtext é\u{7f}\n", Some("text é\n"));
}

#[test]
fn blanks_of_json() {
    let check = |source, expect| check(Rewrite::JsonBlanks, source, expect);
    check(
        "{\"a\" : [ 1, 6.17e-10 , -0.0 ], \"b\": \"x  \\u00e9 \\\" , \"}\n",
        Some("{\"a\":[1,6.17e-10,-0.0],\"b\":\"x  \\u00e9 \\\" , \"}\n"),
    );
    check("{\n  \"a\": true\n}\n\n[\n  1\n]", Some("{\"a\":true}\n[1]"));
    check("{\"a\":[1]}", None);
    check("{\"a\":[1]}\n", None);
    // A part of JSON, between two tokens.
    check("\"a\": 1,\n  \"b\": [\n", Some("\"a\":1,\"b\":["));
    check("\"b\": 2\n}", Some("\"b\":2}"));
    check("1 2\n\n3", Some("1\n2\n3"));
}

#[test]
fn runs_of_lines() {
    let check = |source, expect| check(Rewrite::Repeats, source, expect);
    check("waiting\nwaiting\nwaiting\n", Some("waiting [x3]\n"));
    check("waiting\nwaiting\nwaiting", Some("waiting [x3]"));
    check("waiting\r\nwaiting\r\n", Some("waiting [x2]\r\n"));
    check("waiting [x2]\nwaiting [x2]\n", Some("waiting [x2] [x2]\n"));
    check("waiting\r\nwaiting", None);
    check("waiting\nwaiting\nready\n", None);
    check("a\na\n", None);
    check("\n\n\n\n\n\n\n\n\n\n", None);
    check("waiting", None);
    check("f (a.py:1)\ng (a.py:2)\nf (a.py:1)\ng (a.py:2)\n", Some("f (a.py:1)\ng (a.py:2) [2 lines x2]\n"));
    check("one\r\ntwo\r\none\r\ntwo\r\none\r\ntwo\r\n", Some("one\r\ntwo [2 lines x3]\r\n"));
    check("first\nsecond\nfirst\nsecond\nfirst\n", None);
    assert_eq!(repeated("a\nb [2 lines x12]\n"), Some(("a\nb", 12)));
    assert_eq!(repeated("b [2 lines x12]\n"), None);
    assert_eq!(repeated("waiting [x2] [x12]\r\n"), Some(("waiting [x2]", 12)));
    assert_eq!(repeated("waiting [x99999999999999999999]"), None);
    assert_eq!(repeated("waiting"), None);
    assert!(!says_the_same(Rewrite::Repeats, "waiting\nwaiting\n", "waiting [x9999999999999]\n"));
    assert!(!says_the_same(Rewrite::Repeats, "waiting\nwaiting\n", "waiting [x2]"));
    assert!(!says_the_same(Rewrite::Repeats, "", "waiting [x0]\n"));
}

/// What a program writes on a line: words, sequences, moves.
fn writing() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-z0-9 %|#é本]{0,12}",
        2 => Just("\r".to_owned()),
        1 => Just("\u{8}".to_owned()),
        1 => Just("\t".to_owned()),
        2 => "\u{1b}\\[[0-9]{0,2}(;[0-9]{0,2})?m",
        2 => "\u{1b}\\[[0-2]?K",
        1 => "\u{1b}\\[[0-9]{0,2}[CDGX]",
        1 => "\u{1b}\\][0-9];[a-z]{0,5}(\u{7}|\u{1b}\\\\)",
        1 => Just("\u{1b}[?25l".to_owned()),
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

/// What a one-row terminal shows.
fn on_terminal(line: &str) -> String {
    let mut terminal = vt100::Parser::new(1, 1024, 0);
    terminal.process(line.as_bytes());
    terminal.screen().contents().trim_end().to_owned()
}

/// The text with every run of blanks as one: those left by moves may be clipped.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "(?s).{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((".{0,8}", inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The numbers in a JSON text, as written.
fn numbers(text: &str) -> Vec<String> {
    let Ok(raw) = serde_json::from_str::<&RawValue>(text) else { return Vec::new() };
    if let Ok(values) = serde_json::from_str::<Vec<&RawValue>>(raw.get()) {
        return values.into_iter().flat_map(|value| numbers(value.get())).collect();
    }
    if let Ok(members) = serde_json::from_str::<std::collections::BTreeMap<String, &RawValue>>(raw.get()) {
        return members.into_values().flat_map(|value| numbers(value.get())).collect();
    }
    let number = raw.get().starts_with(|c: char| c == '-' || c.is_ascii_digit());
    if number { vec![raw.get().to_owned()] } else { Vec::new() }
}

proptest! {
    // That nothing is lost is a promise.
    #![proptest_config(ProptestConfig::with_cases(4 * ProptestConfig::default().cases))]

    #[test]
    fn any_text(text in "(?s).{0,200}") {
        check_all(&text);
    }

    #[test]
    fn any_controls(text in "[\u{0}-\u{20}\u{7f}-\u{a0}\u{1b}\\[\\];0-9A-Zm本é\u{301}\n]{0,120}") {
        check_all(&text);
        prop_assert!(rewritten(Rewrite::Terminal, &text).is_none_or(|text| !has_controls(&text)));
    }

    #[test]
    fn any_writing(lines in prop::collection::vec(writing(), 0..6)) {
        let text = lines.join("\n");
        check_all(&text);
        let shown = rewritten(Rewrite::Terminal, &text).unwrap_or_else(|| text.clone());
        prop_assert_eq!(shown.split('\n').count(), text.split('\n').count());
        for (line, source) in shown.split('\n').zip(text.split('\n')) {
            let terminal = on_terminal(source);
            prop_assert_eq!(words(line), words(&terminal), "{:?}", source);
            if line.len() < source.len() && !line.contains('\t') {
                prop_assert_eq!(line.trim_end(), terminal, "{:?}", source);
            }
        }
    }

    #[test]
    fn any_json(value in json(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let text = text.unwrap();
        check_all(&text);
        if let Some(shown) = rewritten(Rewrite::JsonBlanks, &text) {
            prop_assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
            prop_assert_eq!(numbers(&shown), numbers(&text));
        } else {
            prop_assert!(!pretty || !is_json(&text) || !text.contains('\n'));
        }
    }

    #[test]
    fn any_groups(group in prop::collection::vec("[ab]{0,9}", 1..4), count in 0..5_usize, feed in prop_oneof![Just("\n"), Just("\r\n")], ends: bool) {
        let text = group.iter().map(|line| format!("{line}{feed}")).collect::<String>().repeat(count);
        check_all(if ends { text.as_str() } else { text.trim_end_matches(['\r', '\n']) });
    }

    #[test]
    fn any_run(line in "[^\n]{0,30}", count in 0..9_usize, feed in prop_oneof![Just("\n"), Just("\r\n")], ends: bool) {
        let text = format!("{line}{feed}").repeat(count);
        let text = if ends { text.as_str() } else { text.trim_end_matches(['\r', '\n']) };
        check_all(text);
        if let Some(shown) = rewritten(Rewrite::Repeats, text) {
            // What comes before a line feed may be part of it.
            let body = if feed == "\n" { line.strip_suffix('\r').unwrap_or(&line) } else { &line };
            prop_assert_eq!(repeated(&shown), Some((body, count)));
        }
    }
}

/// Long lines of the worst input for a reader that goes back still take linear time.
#[test]
fn long_lines() {
    for part in [
        "\u{1b}[2K\u{1b}[200Cx",
        "x\u{1b}[1K",
        "\u{1b}[60000X",
        "\u{1b}[A\u{1b}[99Cx",
        "\t",
        "x\u{8}\u{8}",
        "\u{1b}]",
        "x\r",
        "本\u{8}",
    ] {
        check_all(&part.repeat(20_000));
        check_all(&format!("{}\r{}", "x".repeat(100_000), part.repeat(10_000)));
    }
    check_all(&"waiting\n".repeat(100_000));
    check_all(&"one\ntwo\nthree\n".repeat(30_000));
    check_all(&"/usr/lib/a\n".repeat(100_000));
    check_all(&"[".repeat(100_000));
}
