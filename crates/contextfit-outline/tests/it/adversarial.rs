//! Sources that nobody writes by hand: they are outlined in linear time, without recursion, and never abort the
//! process.

use contextfit_kernel::{Block, Context, Passage, Strategy, Tokens};
use contextfit_outline::{Outline, Outlining};
use contextfit_pipeline::measure;
use contextfit_text::{CharsPer, Language};

#[track_caller]
fn check(language: &str, text: &str) {
    let outline = Outline::of(text, Language::named(language).unwrap());
    let mut end = 0;
    for item in &outline.items {
        assert!(item.range.of(text).is_some_and(|lines| !lines.is_empty()));
        match item.parent {
            Some(parent) => {
                let outer = outline.items[parent].range;
                assert!(outer.start() <= item.range.start() && item.range.end() <= outer.end());
            }
            None => {
                assert!(item.range.start() >= end, "{language}: neighbours overlap");
                end = item.range.end();
            }
        }
    }
}

/// `open` repeated `n` times, each nested in the one before, then `close` as often.
fn nested(open: &str, close: &str, n: usize) -> String {
    open.repeat(n) + &close.repeat(n)
}

/// The scanner of this grammar reads on to the end of a broken text in each step.
#[test]
fn readings() {
    let broken = "{y()()\n(d\n ———\n es]\n    r(a);\n\nfun b() {\n    [．．． 9 lines]\n    ———\n\nfun c() {\n    ; ... 9 lines\n    ———\n}\n\n";
    check("kotlin", &broken.repeat(400));
}

#[test]
fn nesting() {
    check("json", &nested("[", "]", 200_000));
    check("json", &"[".repeat(200_000));
    check("json", &nested("{\"a\":\n", "}\n", 20_000));
    check("rust", &nested("{\n", "}\n", 50_000));
    check("javascript", &nested("function f() {\n", "}\n", 10_000));
    check("python", &"(".repeat(200_000));
    check("bash", &"$(".repeat(50_000));
    check("cpp", &"a<".repeat(10_000));
    check("markdown", &"> ".repeat(50_000));
    check("go", &nested("(", ")", 100_000));
}

/// Inputs on which the scanners of these grammars would abort the process.
#[test]
fn scanners() {
    let stairs = |n: usize| -> String { (0..n).map(|n| format!("{}a:\n", " ".repeat(n))).collect() };
    check("yaml", &stairs(400));
    check("yaml", &"- ".repeat(5_000));
    check("yaml", &"a: 1\n".repeat(40_000));
    check("python", &(stairs(511).replace("a:", "if a:") + &" ".repeat(511) + "f\"{a}\"\n"));
    check("ruby", &format!("x = <<~{0}\n b\n{0}\n", "A".repeat(300)));
    check("ruby", &format!("f({})\n", "<<AB, ".repeat(300)));
    check("bash", &format!("cat {}\n", "<<AB ".repeat(300)));
}

/// Blocks within blocks: units are found without rereading every level.
#[test]
fn nested_blocks_are_planned() {
    let text = "{\n".repeat(120_000) + "function f() {\n  return 1;\n}\n" + &"}\n".repeat(120_000);
    let passage = Passage::default().with_language("javascript");
    let context = Context::new(vec![Block::passage("x", passage, text)]).with_query("f");
    let counter = CharsPer::new(4).unwrap();
    let plan = Outlining::new().plan(&measure(&context, &counter), Tokens::new(300)).unwrap();
    assert_eq!(plan.steps.len(), 1);
}

#[test]
fn long_lines_and_tables() {
    check("javascript", &"a(b,c);d(e);".repeat(30_000));
    check("c", &format!("int t[] = {{\n{}}};\n", "1, 2, 3,\n".repeat(20_000)));
    check("toml", &"a = 1\n".repeat(20_000));
    check("rust", &"x".repeat(500_000));
    check("typescript", &" ".repeat(500_000));
}
