//! `excerpt`: one text, cut down to what matters.

use serde_json::Value;

use crate::{
    outputs::{COUNTED, bundle, json, log},
    run::{Ran, run, tree},
};

fn excerpt(args: &[&str], input: impl Into<Vec<u8>>) -> Ran {
    run(tree(&[]).path(), &[&["excerpt"], &COUNTED[..], args].concat(), input)
}

#[test]
fn an_error_among_many_lines() {
    let ran = excerpt(&["-b", "100", "--explain"], log());
    insta::assert_snapshot!(ran.told());
}

#[test]
fn what_fits_is_printed_as_it_is() {
    for text in ["", "a", "a\r\nb\n\n", "{\"a\": 1}", "File: x\n---\n\u{feff}ä"] {
        let ran = excerpt(&["-b", "100"], text);
        assert_eq!((ran.code, ran.out.as_str()), (0, text), "{}", ran.err);
    }
    let folder = tree(&[("a.log", b"a\nb")]);
    assert_eq!(run(folder.path(), &["excerpt", "a.log", "-b", "9"], "").out, "a\nb");
    assert_eq!(run(folder.path(), &["excerpt", "-", "-b", "9"], "c").out, "c");
}

#[test]
fn the_budget_is_kept() {
    for text in [log(), json(), bundle(), "word ".repeat(2000), "It is late. ".repeat(500)] {
        for budget in [10, 50, 333] {
            let ran = excerpt(&["-b", &budget.to_string()], text.as_str());
            assert!(ran.code == 0 && ran.out.len().div_ceil(4) <= budget, "{}", ran.told());
        }
    }
}

#[test]
fn no_room_and_wrong_usage() {
    let told = |args: &[&str], input: &[u8]| excerpt(args, input).told();
    let nothing = [
        told(&["-b", "1"], log().as_bytes()),
        told(&[], b"a"),
        told(&["missing.log", "-b", "9"], b""),
        told(&["-b", "9"], b"a\0b"),
        told(&["-b", "9"], b"abc\xe9\n"),
    ];
    insta::assert_snapshot!(nothing.join("\n"));
}

#[test]
fn the_json_answer() {
    let input = json();
    let ran = excerpt(&["-b", "120", "--json"], input.as_str());
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["kind"], "json");
    let context = answer["context"].as_str().unwrap();
    let parsed: Value = serde_json::from_str(context).unwrap();
    assert!(parsed.is_array() && context.contains("card expired"), "{context}");
    for range in answer["ranges"].as_array().unwrap() {
        let at = |n: usize| usize::try_from(range[n].as_u64().unwrap()).unwrap();
        // Shown without the white space between its tokens.
        let shown: String = input.get(at(0)..at(1)).unwrap().split_whitespace().collect();
        let context: String = context.split_whitespace().collect();
        assert!(context.contains(shown.trim_end_matches(',')), "{range}");
    }
    assert_eq!(answer["metrics"]["tokensAfter"], context.len().div_ceil(4));
}

#[test]
fn a_query_is_shown_first() {
    let asked = excerpt(&["-b", "60", "-q", "why did request 250 take so long"], log());
    assert!(asked.out.contains("request 250 took"), "{}", asked.out);
    let unmatched = excerpt(&["-b", "60", "-q", "zebra"], log());
    assert!(unmatched.err.starts_with("no word of the query occurs"), "{}", unmatched.err);
}

#[test]
fn nothing_is_lost() {
    let folder = tree(&[]);
    let check = |input: &str, expect: &str| {
        let ran = run(folder.path(), &["excerpt", "--lossless"], input);
        assert_eq!((ran.code, ran.out.as_str()), (0, expect), "{}", ran.err);
        assert!(ran.err.starts_with("nothing left out"), "{}", ran.err);
    };
    check("one\ntwo\n", "one\ntwo\n");
    check("Loading 5%\rLoading 100%\n", "Loading 100%\n");
    check("a\rERROR: disk full\rdone\n", "a\rERROR: disk full\rdone\n");
    check("\u{1b}[31merror\u{1b}[0m: it fails\n", "error: it fails\n");
    check(
        "{\n  \"size\": 6.17e-10,\n  \"names\": [ \"a  b\" ]\n}\n",
        "{\"size\":6.17e-10,\"names\":[\"a  b\"]}\n",
    );
    let ran = run(folder.path(), &["excerpt", "--lossless", "--budget", "10"], "one\n");
    assert_eq!(ran.code, 2, "{}", ran.err);
}
