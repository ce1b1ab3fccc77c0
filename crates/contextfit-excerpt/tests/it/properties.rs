//! Properties of any text at any room.

use contextfit_kernel::TextKind;
use contextfit_testkit::{PairCounter, awkward_texts};
use contextfit_text::{CharsPer, text_kind};
use proptest::prelude::*;
use serde_json::{Map, Value};

use super::{assert_json, config, shown};

#[test]
fn awkward() {
    for text in awkward_texts() {
        for room in [0, 1, 3, 10, 40, 200, 1_000, 5_000] {
            shown(&text, &["x"], room, &CharsPer::new(4).unwrap());
            shown(&text, &[], room, &PairCounter);
        }
    }
}

/// Any JSON: nested, with empty values, long strings with line feeds, keys of any characters.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        "(?s).{0,12}".prop_map(Value::from),
        prop::collection::vec("[a-z\\\\\"{}\\[\\], ]{0,40}", 0..20)
            .prop_map(|lines| Value::from(lines.join("\n"))),
        "[a-zé ,.]{100,500}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(6, 120, 10, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..10).prop_map(Value::from),
            prop::collection::vec((".{0,8}", inner), 0..10)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    });
    value.prop_filter("an array or an object", |value| value.is_array() || value.is_object())
}

/// Whether all of `part` is in `whole`, except for markers.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Array(part), Value::Array(whole)) => {
            let mut rest = whole.iter();
            part.iter().all(|inner| is_marker(inner) || rest.any(|other| is_part(inner, other)))
        }
        (Value::Object(part), Value::Object(whole)) => part.iter().all(|(key, inner)| {
            key.starts_with("...") || whole.get(key).is_some_and(|other| is_part(inner, other))
        }),
        (Value::String(part), Value::String(whole)) => {
            // Markers may be inside strings.
            let mut texts =
                part.split("[... ").map(|text| text.split_once(']').map_or(text, |(_, text)| text));
            part == whole || texts.all(|text| whole.contains(text.trim()))
        }
        _ => part == whole,
    }
}

fn is_marker(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.starts_with("... ") && text.ends_with(" more"))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text(text in "(?s).{0,300}", room in 0..120_usize) {
        shown(&text, &["a", "é"], room, &CharsPer::new(2).unwrap());
    }

    /// Kinds with rules of their own, torn and mixed in any way.
    #[test]
    fn any_kind(
        first in prop_oneof![Just("* commit 1f6589ec3a"), Just("# A")],
        lines in prop::collection::vec(
            prop_oneof![
                "[|* ]{0,3}commit [0-9a-f]{7,40}",
                "[|* ]{0,4} {4}[a-z ]{1,20}",
                " [a-z]{1,4}\\.rs \\| [0-9]{1,2} [+-]{1,4}",
                "#{1,3} [A-Z][a-z ]{1,9}",
                "[A-Z][a-z]{1,6}( [a-z]{1,6}){8,20}\\.",
                Just("```".to_owned()),
                Just(String::new()),
                " {2,4}[|+] [A-Z][a-z]{1,9}Error: [a-z ]{1,9}",
                "HTTP/[12]\\.[01] [1-5][0-9]{2} [A-Z]{0,4}",
                "\\[ {0,4}[0-9]{1,3}\\.[0-9]{6}\\] [a-z ]{1,20}",
                "[0-9]{1,2} [a-z]{0,8} ?(errors|failed|warnings)[.:,]?",
            ],
            0..60,
        ),
        room in 0..400_usize,
    ) {
        let text = format!("{first}\n{}", lines.join("\n"));
        shown(&text, &["main", "x"], room, &CharsPer::new(3).unwrap());
        shown(&text, &[], room, &CharsPer::new(3).unwrap());
    }

    #[test]
    fn any_lines(
        lines in prop::collection::vec(
            prop_oneof![
                "[0-9]{1,3}: [a-z ]{0,20}",
                Just("2024-05-01 12:00:00 ERROR connection refused".to_owned()),
                Just("@@ -1,3 +1,4 @@ fn main".to_owned()),
                Just("diff --git a/x b/x".to_owned()),
                Just("Traceback (most recent call last):".to_owned()),
                Just("  File \"/app/x.py\", line 3, in main".to_owned()),
                "[+-][a-z]{0,9}",
                "[a-z]{1,4},[a-z]{1,4},[0-9]{1,4}",
                "src/[a-z]{1,3}\\.rs:[0-9]{1,3}:[a-z ]{0,20}",
                Just("\u{1b}[31merror\u{1b}[0m: no such file\u{1b}[K".to_owned()),
                Just(" 10 % |#    |\r 50 % |###  |\r100 % |#####|".to_owned()),
                Just("waiting for a file lock".to_owned()),
                Just("A sentence of prose, which is long enough to be read as one. Another one.".to_owned()),
                ".{0,40}",
            ],
            0..60,
        ),
        room in 0..400_usize,
    ) {
        shown(&lines.join("\n"), &["main", "x"], room, &CharsPer::new(3).unwrap());
    }

    #[test]
    fn any_json(value in json(), room in 0..200_usize, pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let text = text.unwrap();
        prop_assert_eq!(text_kind(&text), TextKind::Json);
        let left = assert_json(&shown(&text, &["a"], room, &CharsPer::new(2).unwrap()));
        prop_assert!(is_part(&left[0], &value), "{} is not part of {}", left[0], value);
    }

    #[test]
    fn any_json_lines(values in prop::collection::vec(json(), 2..20), room in 0..300_usize) {
        let text: String = values.iter().map(|value| value.to_string() + "\n").collect();
        let left = shown(&text, &["a"], room, &CharsPer::new(2).unwrap());
        left.lines().for_each(|line| drop(assert_json(line)));
    }
}
