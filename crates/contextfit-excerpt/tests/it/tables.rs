//! Tables between tabs, bars, commas and semicolons, and what only looks like one.

use contextfit_kernel::TextKind;
use contextfit_text::{CharsPer, text_kind};

use super::shown;

/// 400 rows of which one says `failed`, with `sign` between the cells, each made by `row` from its number.
fn rows(header: &str, failed: usize, row: impl Fn(usize, &str) -> String) -> String {
    let header = if header.is_empty() { String::new() } else { format!("{header}\n") };
    let row = |n: usize| row(n, if n == failed { "failed" } else { "passed" }) + "\n";
    header + &(1..=400).map(row).collect::<String>()
}

/// Asserts that `text` is a table of which a twentieth shows the `expected` row and not the one `behind` it.
#[track_caller]
fn check(text: &str, expected: &str, behind: &str) {
    assert_eq!(text_kind(text), TextKind::Table, "{text}");
    let counter = CharsPer::new(4).unwrap();
    let shown = shown(text, &[], text.len() / 4 / 20, &counter);
    assert!(shown.contains(expected), "{expected} is missing in\n{shown}");
    assert!(!shown.contains(behind), "{behind} is in\n{shown}");
}

#[test]
fn the_row_that_failed_is_shown_whatever_the_sign() {
    for sign in ["\t", "|", " | ", ",", ";"] {
        let join = |cells: &[&str]| cells.join(sign);
        let row = |n: usize, state: &str| join(&[&n.to_string(), &format!("job-{}", n * 7), state, "12"]);
        for header in [String::new(), join(&["id", "job", "state", "seconds"])] {
            check(&rows(&header, 217, row), &join(&["217", "job-1519", "failed", "12"]), "job-1526");
        }
        // Without numbers at the start.
        let row = |n: usize, state: &str| join(&[&format!("job-{}", n * 7), state, "x"]);
        check(&rows("", 217, row), &join(&["job-1519", "failed", "x"]), "job-1526");
        // A number among others of which each is in one row.
        let row = |n: usize, state: &str| {
            let amount = format!("{}.{}", if state == "failed" { 98123 } else { n * 37 % 40 }, n % 90 + 10);
            join(&[&(1000 + n).to_string(), &format!("beta{}", n % 10), "ok", &amount, "north"])
        };
        check(&rows(&join(&["id", "name", "status", "amount", "region"]), 217, row), "98123", "1300");
        // Some cells are blank.
        let row = |n: usize, state: &str| {
            join(&[
                &n.to_string(),
                if n.is_multiple_of(3) { "" } else { "web" },
                &format!("job-{}", n * 7),
                state,
                "",
            ])
        };
        check(&rows(&join(&["id", "on", "job", "state", "note"]), 218, row), "failed", "job-1533");
        // No word says that it failed: it is the only one of its kind.
        let row = |n: usize, state: &str| {
            let state = if state == "failed" { "purple" } else { "green" };
            join(&[
                &n.to_string(),
                if n.is_multiple_of(3) { "" } else { "web" },
                state,
                &format!("job-{}", n * 7),
            ])
        };
        check(&rows("", 217, row), "purple", "job-1526");
    }
}

#[test]
fn quoted_cells_have_signs_and_line_feeds() {
    for sign in ["\t", "|", ",", ";"] {
        let row = |n: usize, state: &str| {
            let note = format!("\"first{sign} line {n}\nsecond \"\"line\"\"\n{state} third\"");
            [&n.to_string(), &*note, "end"].join(sign)
        };
        let text = rows(&["id", "note", "end"].join(sign), 217, row);
        // The row is shown whole.
        let whole =
            format!("217{sign}\"first{sign} line 217\nsecond \"\"line\"\"\nfailed third\"{sign}end\n");
        check(&text, &whole, "line 218");
        let long = |n: usize, state: &str| {
            let note = format!("\"{}\nof {n}\"", "word ".repeat(40));
            [&n.to_string(), &*note, state].join(sign)
        };
        check(&rows("", 217, long), "failed", "of 219");
    }
}

#[test]
fn what_psql_and_cut_print() {
    let psql = rows("id|name|state", 217, |n, state| format!("{n}|job-{}|{state}", n * 7)) + "(400 rows)\n";
    check(&psql, "217|job-1519|failed", "job-1526");
    for header in ["", "id|state"] {
        let two = rows(header, 217, |n, state| format!("{n}|{state}"));
        check(&two, "217|failed", "218|passed");
        check(&two.replace('|', "\t"), "217\tfailed", "218\tpassed");
        let two = two.replace("failed", "purple").replace("passed", "green");
        check(&two, "217|purple", "218|green");
        check(&two.replace('|', "\t"), "217\tpurple", "218\tgreen");
    }
    let cut = rows("", 217, |n, state| format!("{n}\t{state}\t/srv/{}", n % 5));
    check(&cut, "217\tfailed", "218\t");
    let du = rows("size\tpath", 217, |n, state| format!("{}\t/srv/{state}/{n}", n * 13 % 97));
    assert_eq!(text_kind(&du), TextKind::Table);
}

#[test]
fn what_is_no_table_stays_none() {
    #[track_caller]
    fn check(text: &str, expect: TextKind) {
        assert_eq!(text_kind(text), expect, "{text}");
    }
    let go =
        "func main() {\n\tx := 1\n\tif x > 0 {\n\t\tfmt.Println(x)\n\t}\n}\n\nfunc other() {\n\ty := 2\n}\n";
    assert_ne!(text_kind(&go.repeat(20)), TextKind::Table);
    let body = "\tx := load()\n\ty := x.find(\"a\")\n\treturn y\n";
    assert_ne!(text_kind(&body.repeat(20)), TextKind::Table);
    let numbered =
        |text: &str| (1..).zip(text.lines()).map(|(n, line)| format!("{n:6}\t{line}\n")).collect::<String>();
    check(&numbered(&go.repeat(20)), TextKind::Code);
    check(&numbered(&body.repeat(20)), TextKind::Code);
    check(&numbered("use a;\nfn main() {\n    let x = 1;\n}\n"), TextKind::Code);
    check(&numbered("use a;\nfn main() {\n    let x = 1;\n}\n").replace('\t', "|"), TextKind::Code);
    let makefile = "all: a b\n\tcc -o all a b\n\na: a.c\n\tcc -c a.c\n\nb: b.c\n\tcc -c b.c\n";
    assert_ne!(text_kind(makefile), TextKind::Table);
    assert_ne!(text_kind(&makefile.repeat(20)), TextKind::Table);
    let pipelines = "cat a.log | grep error | wc -l\ncat b.log | sort | uniq -c\nps aux | grep nginx | awk '{print $2}'\n\
                     ls /srv | sort -n | head -5\ndu -s * | sort -rn | head\ncut -f1 a.tsv | sort | uniq\n";
    assert_ne!(text_kind(pipelines), TextKind::Table);
    assert_ne!(text_kind(&pipelines.repeat(20)), TextKind::Table);
    let document = "# Jobs\n\nThey run at night, one after another.\n\n## States\n\nThese are the states that a job has.\n\n\
                    | job | state |\n|---|---|\n| a | ok |\n| b | ok |\n\n## Errors\n\nThey are told to whoever is on call.\n";
    assert_ne!(text_kind(document), TextKind::Table);
}

/// A time at the start makes a log, whatever comes after it.
#[test]
fn a_tab_after_a_time_hides_nothing() {
    let text =
        rows("", 217, |n, state| format!("2024-05-01T12:{:02}:{:02}Z\tjob-{n}\t{state}", n / 60, n % 60));
    let shown = shown(&text, &[], text.len() / 4 / 20, &CharsPer::new(4).unwrap());
    assert!(shown.contains("job-217\tfailed"), "{shown}");
}
