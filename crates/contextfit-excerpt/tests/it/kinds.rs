//! What must be shown of kinds that have rules of their own: query plans, histories, sessions, makefiles, documents.

use contextfit_excerpt::Kind;
use contextfit_text::CharsPer;

use super::shown;

/// Asserts the kind of `text`, and that one in `share` of its tokens shows all of `expect` and nothing of `others`.
#[track_caller]
fn check(kind: Kind, text: &str, share: usize, expect: &[&str], others: &[&str]) {
    assert_eq!(Kind::of(text), kind, "{text}");
    let counter = CharsPer::new(4).unwrap();
    let shown = shown(text, &[], text.len() / 4 / share, &counter);
    for expect in expect {
        assert!(shown.contains(expect), "{expect:?} is missing in\n{shown}");
    }
    for other in others {
        assert!(!shown.contains(other), "{other:?} is shown in\n{shown}");
    }
}

/// The slow node with what it throws away, the wrong estimate, and the time of all. Its time is spent in the inner
/// scan, once for each of many loops.
#[test]
fn a_query_plan_by_its_time() {
    let plan = " Sort  (cost=214.1..214.2 rows=9 width=45) (actual time=364.086..364.089 rows=5 loops=1)
   Sort Key: x.total
   Sort Method: quicksort  Memory: 25kB
   ->  Nested Loop  (cost=8.9..213.2 rows=9 width=45) (actual time=97.0..364.0 rows=5 loops=1)
         ->  Index Scan using x_pk on x  (cost=0.1..8.3 rows=4 width=37) (actual time=0.1..0.4 rows=5 loops=1)
               Index Cond: (x.id < 5)
               Buffers: shared hit=12
         ->  Aggregate  (cost=200.8..200.9 rows=1 width=8) (actual time=68.4..68.4 rows=1 loops=5)
               ->  Seq Scan on items i  (cost=0.0..200.1 rows=4753 width=4) (actual time=28.3..68.3 rows=2 loops=5)
                     Filter: (order_id = x.id)
                     Rows Removed by Filter: 899998
                     Buffers: shared hit=20112
 Planning Time: 0.355 ms
 Execution Time: 364.181 ms
";
    let slow = ["Seq Scan on items", "Rows Removed by Filter: 899998", "Execution Time: 364.181 ms"];
    check(Kind::Explain, plan, 3, &slow, &["Index Scan using x_pk"]);
    // Without a run, the costs say where the time would go.
    let planned: String =
        plan.lines().map(|line| format!("{}\n", line.split(" (actual").next().unwrap())).collect();
    check(Kind::Explain, &planned, 4, &["Seq Scan on items"], &["Index Scan using x_pk"]);
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
        Kind::History,
        &log,
        4,
        &["Read the 16th field", "Read the 26th field", "Read the 38th field"],
        &[],
    );
}

/// Each part by its kind, under its command.
#[test]
fn a_session_by_its_commands() {
    let rows: String = (0..30).map(|n| format!("/dev/sd{n:02}  100G  4G  96G   4% /mnt/{n}\n")).collect();
    let commits: String = (0..30).map(|n| format!("{n:07x} Rename the {n}th module\n")).collect();
    let session = format!(
        "$ df -h\nFilesystem  Size  Used Avail Use% Mounted on\n{rows}\n$ git log --oneline\n{commits}\n$ psql -c 'select 1 from customrs'\nERROR:  relation \"customrs\" does not exist\n\n$ make\nmake: Nothing to be done for 'all'.\n"
    );
    check(
        Kind::Session,
        &session,
        8,
        &["$ psql", "relation \"customrs\" does not exist", "Nothing to be done"],
        &[],
    );
    check(Kind::Session, &session, 3, &["$ df -h\nFilesystem", "$ git log --oneline\n0000000"], &[]);
}

/// The rules before their recipes.
#[test]
fn a_makefile_by_its_rules() {
    let rule = |n: usize| {
        format!(
            "part{n}: part{n}.o common.h\n\t$(CC) -o $@ $< $(LDFLAGS) -l{n}\n\t@echo built the part {n} of all parts\n\n"
        )
    };
    let makefile = format!("CC ?= gcc\n\n{}", (0..12).map(rule).collect::<String>());
    check(Kind::Code, &makefile, 2, &["CC ?= gcc", "part0: part0.o", "part11: part11.o"], &[]);
}

/// What a document is about, and the first words of its sections, before its examples.
#[test]
fn a_document_by_its_sections() {
    let section = |n: usize| {
        format!(
            "## Part {n}\n\nThe part {n} is there for what the parts before it leave to be done.\n\n```rust\nfn part_{n}() -> Result<(), Error> {{\n    let mut all = read_all()?;\n    all.retain(|one| one.number != {n});\n    write_all(&all)\n}}\n```\n\nThis is said about it when nothing else is to be said of it, at the end.\n\n"
        )
    };
    let document = format!(
        "# parts\n\nA crate that has parts, each of which does one thing.\n\n{}",
        (0..6).map(section).collect::<String>()
    );
    check(
        Kind::Manual,
        &document,
        2,
        &["A crate that has parts", "## Part 0\n\nThe part 0", "## Part 5\n\nThe part 5"],
        &["fn part_3"],
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
        Kind::Log,
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
