//! What must be shown of histories and groups of exceptions.

use contextfit_kernel::TextKind;
use contextfit_text::{CharsPer, text_kind};

use super::shown;

/// Asserts the kind of `text`, and that one in `share` of its tokens shows all of `expect` and nothing of `others`.
#[track_caller]
fn check(kind: TextKind, text: &str, share: usize, expect: &[&str], others: &[&str]) {
    assert_eq!(text_kind(text), kind, "{text}");
    let counter = CharsPer::new(4).unwrap();
    let shown = shown(text, &[], text.len() / 4 / share, &counter);
    for expect in expect {
        assert!(shown.contains(expect), "{expect:?} is missing in\n{shown}");
    }
    for other in others {
        assert!(!shown.contains(other), "{other:?} is shown in\n{shown}");
    }
}

/// The subjects of all commits before the hash of any, also beside a drawn graph.
#[test]
fn a_history_by_its_subjects() {
    let commit = |n: usize| {
        let hash = format!("{n:02x}").repeat(20);
        let subject =
            if n.is_multiple_of(3) { "doc update".to_owned() } else { format!("Read the {n}th field") };
        format!(
            "* commit {hash}\n| Author: A B <a@b.c>\n| Date:   Mon May 1 12:00:00 2026\n| \n|     {subject}\n| \n|  src/f{n}.rs | 2 +-\n|  1 file changed\n| \n"
        )
    };
    let log: String = (16..40).map(commit).collect();
    check(
        TextKind::History,
        &log,
        4,
        &["Read the 16th field", "Read the 26th field", "Read the 38th field"],
        &[],
    );
}

/// Each exception of a group with its own frame, in spite of the margin.
#[test]
fn a_group_of_exceptions() {
    let library = |depth: &str| -> String {
        (0..6)
            .map(|n| format!("{depth}|   File \"/usr/lib/python3.11/asyncio/base{n}.py\", line {n}0, in run\n{depth}|     return self.run_{n}(task)\n"))
            .collect()
    };
    let trace = format!(
        "  + Exception Group Traceback (most recent call last):\n{}  |   File \"/app/main.py\", line 22, in main\n  |     async with TaskGroup() as tg:\n  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n{}    |   File \"/app/stage.py\", line 5, in stage\n    |     json.loads(text)\n    | json.decoder.JSONDecodeError: Expecting value: line 1 column 17\n    +---------------- 2 ----------------\n    | Traceback (most recent call last):\n    |   File \"/app/stage.py\", line 9, in stage\n    |     connect()\n    | ConnectionRefusedError: [Errno 111] Connect call failed ('10.4.0.17', 5432)\n    +------------------------------------\n",
        library("  "),
        library("    ")
    );
    check(
        TextKind::Log,
        &trace,
        2,
        &[
            "ExceptionGroup: unhandled",
            "JSONDecodeError: Expecting value",
            "Connect call failed ('10.4.0.17', 5432)",
        ],
        &[],
    );
}

/// Of each error what was expected and found, in spite of sixty warnings.
#[test]
fn what_was_expected_and_found() {
    let error = |line: usize, title: &str, code: &str, found: &str| {
        let carets = "^".repeat(code.len());
        format!(
            "error[E0308]: {title}\n  --> src/lib.rs:{line}:9\n   |\n{line} |         {code}\n   |         {carets} {found}\n   |\nhelp: try a conversion\n   |\n{line} |         {code}.into()\n   |          +++++++\n\n"
        )
    };
    let warning = |n: usize| {
        format!(
            "warning: unused variable: `unused_{n}`\n --> src/lib.rs:{n}:9\n  |\n{n} |     let unused_{n} = a;\n  |         ^^^^^^^^ help: if this is intentional, prefix it with an underscore: `_unused_{n}`\n\n"
        )
    };
    let errors = error(45, "mismatched types", "sum", "expected `u32`, found `u64`")
        + &error(91, "mismatched types", "\"none\"", "expected `String`, found `&str`")
        + &error(
            97,
            "cannot divide `f64` by `{integer}`",
            "x / 2",
            "no implementation for `f64 / {integer}`",
        );
    let warnings: String = (10..70).map(warning).collect();
    let text = format!(
        "   Compiling ledger v0.1.0 (/work/ledger)\n{errors}{warnings}error: could not compile `ledger` (lib) due to 3 previous errors; 60 warnings emitted\n"
    );
    let expect = [
        "expected `u32`, found `u64`",
        "expected `String`, found `&str`",
        "no implementation for",
        "due to 3",
    ];
    check(TextKind::Log, &text, 5, &expect, &[]);
}
