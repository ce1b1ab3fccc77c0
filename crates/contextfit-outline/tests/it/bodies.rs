//! Bodies that fill the room that signatures leave.

use std::{fmt::Write as _, sync::Arc};

use contextfit_bm25::Bm25;
use contextfit_kernel::{Block, Budget, Context, Passage, TokenCounter, Tokens};
use contextfit_outline::Outlining;
use contextfit_packing::Mode;
use contextfit_pipeline::Pipeline;
use contextfit_text::CharsPer;

/// Packs functions of so many statements into a share of their tokens: which are whole.
#[track_caller]
fn check(statements: &[usize], percent: usize, mode: Mode, whole: &[usize]) {
    let mut text = String::new();
    for (n, statements) in statements.iter().enumerate() {
        writeln!(text, "pub fn f{n}() {{\n{}}}", format!("    step_{n}();\n").repeat(*statements)).unwrap();
    }
    let counter = Arc::new(CharsPer::new(4).unwrap());
    let strategy = Outlining::new(Arc::new(Bm25::default())).with_mode(mode);
    let pipeline = Pipeline::new(counter.clone()).with_strategy(strategy);
    let passage = Passage { language: Some("rust".into()), ..Passage::default() };
    let budget = Tokens::new(counter.count(&text).get() * percent / 100);
    let context = Context::new(vec![Block::passage("a", passage, text)]);
    let fitted = pipeline.fit(&context, &Budget::new(budget)).unwrap();
    let shown = |n: usize| fitted.text.matches(&format!("step_{n}();")).count() == statements[n];
    let shown: Vec<usize> = (0..statements.len()).filter(|&n| shown(n)).collect();
    assert_eq!(shown, whole, "{mode:?}\n{}", fitted.text);
}

#[test]
fn bodies_are_packed() {
    // The small one is worth most for its tokens, the two large ones are worth more together.
    let statements = [30, 50, 50];
    check(&statements, 85, Mode::Greedy, &[0, 1]);
    check(&statements, 85, Mode::Optimal, &[1, 2]);
}

/// What the query has opened takes no room of the others.
#[test]
fn passages_are_packed_around_what_is_open() {
    let counter = Arc::new(CharsPer::new(4).unwrap());
    let words = |word: &str, n: usize| format!("{}.", vec![word; n].join(" "));
    let texts = [words("tides", 40), words("small", 30), words("large", 50), words("broad", 50)];
    let blocks = texts.iter().zip(["asked", "small", "large", "broad"]);
    let blocks = blocks.map(|(text, id)| Block::passage(id, Passage::default(), text.clone())).collect();
    let strategy = Outlining::new(Arc::new(Bm25::default()));
    let pipeline = Pipeline::new(counter.clone()).with_strategy(strategy);
    let room: usize = [0, 2, 3].iter().map(|&n: &usize| counter.count(&texts[n]).get()).sum();
    let context = Context::new(blocks).with_query("tides");
    let fitted = pipeline.fit(&context, &Budget::new(Tokens::new(room + 15))).unwrap();
    let shown: Vec<bool> = texts.iter().map(|text| fitted.text.contains(text)).collect();
    assert_eq!(shown, [true, false, true, true], "{}", fitted.text);
}
