//! What is shown of units that are too long for the room, and of files that repeat others.

use std::sync::Arc;

use contextfit_kernel::{Block, Budget, CompressionResult, Context, Passage, Reason, Tokens};
use contextfit_outline::Outlining;
use contextfit_pipeline::Pipeline;
use contextfit_text::CharsPer;

fn fit(files: &[(&str, &str)], query: &str, budget: usize) -> CompressionResult {
    let block = |(path, text): &(&str, &str)| {
        let path = (*path).to_owned();
        Block::passage(path.clone(), Passage::at(path), *text)
    };
    let context = Context::new(files.iter().map(block).collect()).with_query(query);
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(Outlining::new());
    pipeline.fit(&context, &Budget::new(Tokens::new(budget))).unwrap()
}

/// A function of 120 statements, of which the seventieth answers, shows that one, within its head and foot.
#[test]
fn a_long_function_shows_its_best_stretch() {
    let statement = |n: usize| match n {
        70 => "    if backlog > limit { flush_the_write_buffer(); }\n".to_owned(),
        n => format!("    let step_{n} = prepare(step, {n});\n"),
    };
    let body: String = (0..120).map(statement).collect();
    let text = format!("fn make_room() {{\n{body}}}\n\nfn other() {{\n    idle();\n}}\n");
    let result = fit(&[("src/db.rs", &text)], "when is the write buffer flushed", 300);
    let lines: Vec<&str> = result.text.lines().filter(|line| !line.contains("step_")).collect();
    assert!(result.text.contains("flush_the_write_buffer"), "{}", result.text);
    assert!(lines.contains(&"fn make_room() {") && result.text.contains("\n}\n"), "{}", result.text);
    assert!(lines.iter().any(|line| line.starts_with("    // ... ")), "{}", result.text);
}

/// Of a comment that is too long, the first paragraph and the one that answers.
#[test]
fn a_long_comment_shows_its_best_paragraphs() {
    let filler = "/// Gulls cry over the roofs of the town all day and the boats come home.\n";
    let paragraph = |text: &str| format!("{text}///\n");
    let comment: String = [
        paragraph("/// Sends a request.\n"),
        paragraph(&filler.repeat(12)),
        paragraph("/// Redirects are followed at most ten times.\n"),
        filler.repeat(12),
    ]
    .concat();
    let text = format!("{comment}fn send() {{\n    redirects();\n}}\n\nfn idle() {{}}\n");
    let result =
        fit(&[("src/a.rs", &text), ("src/b.rs", &filler.repeat(9))], "how many redirects are followed", 150);
    for shown in ["/// Sends a request.", "at most ten times", "fn send() {\n    redirects();"] {
        assert!(result.text.contains(shown), "{shown}\n{}", result.text);
    }
}

/// A docstring and a block comment are divided as other comments are; their quotes and ends stay.
#[test]
fn other_long_comments_show_their_best_paragraphs() {
    let filler = "Gulls cry over the roofs of the town all day and the boats come home.\n".repeat(5);
    let text = format!(
        "Sends a request.\n\n{filler}\n{filler}\nRedirects are followed at most ten times.\n\n{filler}\n"
    );
    let python =
        format!("def send():\n    \"\"\"{}    \"\"\"\n    redirects()\n", text.replace('\n', "\n    "));
    let script = format!("/*\n{text}*/\nfunction send() {{\n    redirects();\n}}\n");
    let other = filler.repeat(4);
    for (path, text, quotes) in
        [("a.py", &python, ["\"\"\"Sends", "    \"\"\"\n"]), ("a.js", &script, ["/*\n", "*/\n"])]
    {
        let result = fit(&[(path, text), ("b.txt", &other)], "how many redirects are followed", 150);
        for shown in quotes.into_iter().chain(["at most ten times", "send()"]) {
            assert!(result.text.contains(shown), "{shown}\n{}", result.text);
        }
    }
}

/// Thirty copies of a file neither take the room nor hide a name that only they define.
#[test]
fn copies_are_shown_once() {
    let answer = "/// Retries a payment.\nfn retry_payment() {\n    wait();\n}\n";
    let paths: Vec<String> = (0..30).map(|n| format!("vendor/copy{n}/pay.rs")).collect();
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), answer)).collect();
    files.insert(7, ("src/pay.rs", answer));
    files.push(("src/main.rs", "fn main() {\n    retry_payment();\n}\n"));
    let result = fit(&files, "how is a payment retried", 100);
    assert_eq!(result.text.matches("fn retry_payment").count(), 1, "{}", result.text);
    assert!(result.text.contains("src/pay.rs") && result.text.contains("fn main"), "{}", result.text);
    let steps = &result.plan().unwrap().steps;
    let repeated =
        steps.iter().filter(|step| matches!(&step.reason, Reason::SaidAgain { by } if by == "src/pay.rs"));
    assert_eq!(repeated.count(), 30);
}

/// The lines that changed decide which statements of a long function are shown, whatever the query; runs that overlap or
/// lie outside of the text do no harm.
#[test]
fn a_long_function_shows_what_changed() {
    let body: String = (0..300).map(|n| format!("    let step_{n} = prepare(step, {n});\n")).collect();
    let text = format!("fn make_room() {{\n{body}}}\n\nfn query_me() {{\n    idle();\n}}\n");
    let fit = |changed: &[(usize, usize)], first: usize| {
        let passage = Passage::at("a.rs").with_lines(first, first + 305).with_changed(changed);
        let context =
            Context::new(vec![Block::passage("a.rs", passage, text.clone())]).with_query("query me");
        let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(Outlining::new());
        pipeline.fit(&context, &Budget::new(Tokens::new(150))).unwrap().text
    };
    for (changed, first, step) in [
        (&[(202, 202)][..], 1, 200),
        (&[(302, 302)], 101, 200),
        (&[(202, 202), (203, usize::MAX), (9, 3), (0, 0)], 1, 200),
    ] {
        let text = fit(changed, first);
        assert!(text.contains(&format!("let step_{step} =")), "{changed:?}\n{text}");
    }
    assert!(fit(&[], 1).contains("fn query_me() {\n    idle();"));
    assert_eq!(fit(&[(900, 901)], 1), fit(&[], 1));
}

/// All that changed is shown before the rest of any function.
#[test]
fn what_changed_in_each_function_comes_before_the_rest_of_one() {
    let function = |name: char| {
        let body: String = (0..40).map(|n| format!("    let {name}_{n} = prepare({n});\n")).collect();
        format!("fn make_{name}() {{\n{body}}}\n")
    };
    let text: String = ('a'..='f').map(function).collect();
    let changed: Vec<(usize, usize)> = (0..6).map(|n| (n * 42 + 21, n * 42 + 21)).collect();
    let passage = Passage::at("a.rs").with_changed(changed);
    let context = Context::new(vec![Block::passage("a.rs", passage, text)]);
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(Outlining::new());
    let shown = pipeline.fit(&context, &Budget::new(Tokens::new(350))).unwrap().text;
    for name in 'a'..='f' {
        assert!(shown.contains(&format!("let {name}_19 =")), "{shown}");
    }
}

/// A line within a paragraph counts, a blank line does not.
#[test]
fn changed_lines_of_prose_are_found() {
    let section = |n: usize| format!("## Part {n}\n\nGulls cry here\nall day long in part {n}.\n\n");
    let text: String = (0..20).map(section).collect();
    for (line, part) in [(5 * 7 + 3, 7), (5 * 7 + 4, 7), (5 * 12 + 1, 12)] {
        let passage = Passage::at("a.md").with_changed([(line, line)]);
        let context = Context::new(vec![Block::passage("a.md", passage, text.clone())]);
        let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(Outlining::new());
        let shown = pipeline.fit(&context, &Budget::new(Tokens::new(40))).unwrap().text;
        assert!(shown.contains(&format!("Part {part}\n")), "{line}\n{shown}");
    }
}

/// What changed is shown before the rest of what it is part of, however long that is: a line of a list without a syntax, of
/// a table in code, and of a comment.
#[test]
fn what_changed_comes_before_the_rest_of_its_unit() {
    let lines = |line: fn(usize) -> String| (0..300).map(line).collect::<String>();
    let list = lines(|n| format!("example.org/module_{n} v1.{n}.0\n"));
    let table = format!("const ALL: [&str; 300] = [\n{}];\n", lines(|n| format!("    \"module_{n}\",\n")));
    let comment = format!(
        "{}fn documented() {{\n    idle();\n}}\n{}",
        (0..20).map(|n| format!("/// Paragraph {n} is about gulls.\n///\n")).collect::<String>(),
        lines(|n| format!("fn other_{n}() {{\n    idle();\n}}\n"))
    );
    let fences = lines(|n| format!("## Part {n}\n\nGulls cry.\n\n```go\ncall_{n}()\n```\n"));
    for (path, text, line, expect, budget) in [
        ("c.md", &fences, 7 * 150 + 6, "call_150()", 150),
        ("go.sum", &list, 151, "module_150 ", 200),
        ("a.rs", &table, 152, "\"module_150\"", 200),
        ("b.rs", &comment, 31, "Paragraph 15 ", 150),
    ] {
        let passage = Passage::at(path).with_changed([(line, line)]);
        let context = Context::new(vec![Block::passage(path, passage, text.clone())]);
        let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(Outlining::new());
        let shown = pipeline.fit(&context, &Budget::new(Tokens::new(budget))).unwrap().text;
        assert!(shown.contains(expect), "{path}\n{shown}");
    }
}

/// A choice that leaves much of its room unused is made again: a passage that fits is not lost to one that fits too, but
/// is shorter.
#[test]
fn more_room_is_used() {
    let code =
        "fn a(x: u8) -> u8 {\n    let y = x + 1;\n    y * 2\n}\n\nfn b(x: u8) -> u8 {\n    a(x) * 3\n}\n";
    let lines: String =
        (0..9).map(|n| format!("The retry after a timeout is number {n} of the client.\n")).collect();
    let prose =
        "Payments of the gateway have a counter. When the timeout of the parser is over, it reports. "
            .repeat(4);
    let blocks = [("a.rs", code), ("b.md", &prose), ("c.txt", &lines)];
    let blocks = blocks.map(|(path, text)| Block::passage(path, Passage::at(path), text));
    let context = Context::new(blocks.to_vec()).with_query("retry timeout");
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(Outlining::new());
    for (budget, least) in [(103, 100), (106, 100), (130, 125), (226, 220), (229, 220)] {
        let fitted = pipeline.fit(&context, &Budget::new(Tokens::new(budget))).unwrap();
        assert!(fitted.metrics.tokens_after.get() >= least, "{budget}\n{}", fitted.text);
    }
}
