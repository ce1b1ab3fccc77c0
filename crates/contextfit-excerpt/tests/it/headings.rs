//! Each line under its nearest heading, no heading without a line, tables within texts, findings with their place.

use std::fmt::Write as _;

use contextfit_text::CharsPer;

use super::shown;

/// Asserts that one in `share` of the tokens of `text` shows all of `expect` in this order, and none of `hidden`.
#[track_caller]
fn check(text: &str, share: usize, expect: &[&str], hidden: &[&str]) {
    let counter = CharsPer::new(4).unwrap();
    let shown = shown(text, &[], text.len() / 4 / share, &counter);
    let mut rest = shown.as_str();
    for expect in expect {
        let at =
            rest.find(expect).unwrap_or_else(|| panic!("{expect:?} is missing, or too early, in\n{shown}"));
        rest = &rest[at..];
    }
    for hidden in hidden {
        assert!(!shown.contains(hidden), "{hidden:?} says nothing in\n{shown}");
    }
}

fn all(lines: usize, line: impl Fn(usize) -> String) -> String {
    (0..lines).map(line).collect()
}

#[test]
fn the_nearest_heading() {
    let release = |n: usize| {
        let breaking = if n == 11 { "### Breaking\n\n- `parse()` returns `Result`\n\n" } else { "" };
        format!(
            "## 2.{n}.0\n\n### Added\n\n- Option {n}\n- Format {n}\n\n### Fixed\n\n- Total {n}\n\n{breaking}"
        )
    };
    check(&all(20, release), 3, &["## 2.11.0", "### Breaking", "parse()"], &[]);

    let dependency = |n: usize| {
        let log = if n == 18 { "openssl v0.9.61 (yanked)" } else { "log v0.4.13" };
        format!(
            "\u{251c}\u{2500}\u{2500} dep-{n} v1.{n}.0\n\u{2502}   \u{251c}\u{2500}\u{2500} serde v1.0.2\n\u{2502}   \u{2514}\u{2500}\u{2500} {log}\n"
        )
    };
    let tree = format!("shop v0.9.4\n{}", all(30, dependency));
    check(&tree, 8, &["dep-18", "openssl v0.9.61 (yanked)"], &[]);

    let case = |n: usize| {
        let inner = if n == 30 { "    <failure message=\"no voucher\">a.py:61</failure>\n" } else { "" };
        format!("  <testcase name=\"t{n}\">\n{inner}  </testcase>\n")
    };
    check(&all(60, case), 10, &["name=\"t30\"", "<failure"], &[]);
}

#[test]
fn no_heading_without_a_line() {
    let file = |n: usize| {
        let level = if n == 8 { "error  'userId' is not defined" } else { "warning  Missing semicolon" };
        let lines = all(5, |line| format!("  {line}:33   warning  Missing semicolon\n"));
        format!("/app/src/View{n}.js\n{lines}  211:14   {level}\n\n")
    };
    let lint = all(12, file) + "\u{2716} 72 problems (1 error, 71 warnings)\n";
    check(&lint, 8, &["View8.js", "error  'userId'", "72 problems"], &["View3.js"]);
}

#[test]
fn verbs_aligned_to_the_right_are_no_headings() {
    let mut build = all(60, |n| format!("   Compiling crate-{n} v0.1.{n}\n"));
    build += "    Finished dev profile in 4s\n";
    check(&build, 10, &["Finished"], &["crate-57"]);
}

#[test]
fn a_table_in_a_text() {
    let row = |n: usize| {
        let (value, failed, raw) = if n == 4 { ("001", "NOW", 4120) } else { ("100", "-", n % 5) };
        format!("{n:>3} Attribute_{n:<14} 0x000f   {value}   010    {failed:<5} {raw}\n")
    };
    let mut text = "Device Model:     ST4000\nSerial Number:    ZFN1\n\n".repeat(3);
    let _ = writeln!(text, "ID# ATTRIBUTE_NAME           FLAG     VALUE THRESH FAILED RAW");
    text += &all(24, row);
    check(&text, 4, &["ATTRIBUTE_NAME", "4120"], &["Attribute_9"]);
}

#[test]
fn a_finding_in_the_form_of_its_tool() {
    let task = |n: usize| format!("> Task :app:step{n} UP-TO-DATE\n");
    let found =
        "e: file:///src/Sync.kt:58:21 Type mismatch: inferred type is String? but String was expected\n";
    let end =
        "\nFAILURE: Build failed with an exception.\n\n* Try:\n> Run with --info\n\nBUILD FAILED in 41s\n";
    check(&(all(40, task) + found + end), 6, &["Sync.kt:58:21", "BUILD FAILED"], &[]);

    let host = |n: usize| format!("ok: [web{n:02}]\n");
    let play = |n: usize| {
        let failed = match n {
            3 => {
                "fatal: [web05]: FAILED! => {\"rc\": 1, \"stderr\": \"nginx: [emerg] host not found in app.conf:17\"}\n"
            }
            _ => "",
        };
        format!("TASK [step {n}] *******************\n{}{failed}\n", all(8, host))
    };
    check(&all(6, play), 3, &["host not found"], &[]);
}

#[test]
fn what_a_process_writes_before_each_line() {
    let lines = ["Memcheck, a memory error detector", "Command: ./vg", "", "Invalid read of size 4"];
    let frames =
        ["   at 0x109262: main (vg.c:7)", " Address 0x4a8 is 0 bytes inside a block", "", "HEAP SUMMARY:"];
    let usage = all(30, |n| format!("    in use at exit: {n} bytes in 1 blocks\n"));
    let text: String = lines
        .iter()
        .chain(&frames)
        .copied()
        .chain(usage.lines())
        .map(|line| format!("==66== {line}\n"))
        .collect();
    check(&text, 4, &["Invalid read", "at 0x109262"], &[]);
}

#[test]
fn what_a_change_declares() {
    let change = |n: usize| {
        let file =
            format!("diff --git a/f{n}.rs b/f{n}.rs\n--- a/f{n}.rs\n+++ b/f{n}.rs\n@@ -1,1 +1,14 @@\n");
        let lines = all(10, |m| format!("+            field_{m},\n"));
        format!("{file} \n+use std::fmt;\n{lines}+fn renew_lease_{n}(at: u64) -> u64 {{\n+    at + 1\n+}}\n")
    };
    check(&all(6, change), 4, &["+++ b/f2.rs", "fn renew_lease_2"], &["+use std::fmt"]);
}
