//! Requests that are very large, or made to be slow: each must come back within its budget. No times are measured; what
//! is not linear would not come back before the run is over.

use contextfit_bm25::{Bm25, SentenceOptions};
use contextfit_kernel::{Block, CompressionResult, Context, Passage, Scorer, Symbols};

use crate::requests::{chunk, fit, titled};

const MEGABYTE: usize = 1_000_000;

#[track_caller]
fn check(blocks: Vec<Block>, query: &str, budget: usize) -> CompressionResult {
    fit(&SentenceOptions::default(), &Context::new(blocks).with_query(query), budget)
}

/// `n` chunks with the text that `text` gives for each.
fn chunks(n: usize, text: impl Fn(usize) -> String) -> Vec<Block> {
    (0..n).map(|n| chunk(&n.to_string(), &text(n))).collect()
}

#[test]
fn no_sentence_boundary_at_all() {
    let words = "word ".repeat(MEGABYTE / 5);
    let result = check(vec![chunk("a", &words), chunk("b", "One word. Another one.")], "word", 1_000);
    // What is longer than all the room is shown in part.
    assert!(result.text.contains(" words]"), "{}", result.text);
    assert!(result.text.ends_with("One word. Another one."), "{}", result.text);
    check(vec![chunk("a", &words)], "word", MEGABYTE / 2);
    check(vec![chunk("a", &"x".repeat(MEGABYTE))], "x", 1_000);
    check(vec![chunk("a", &"汉字".repeat(MEGABYTE / 6))], "汉字", 1_000);
}

#[test]
fn one_word_of_a_megabyte_misspelt() {
    let (word, near) = ("a".repeat(MEGABYTE), format!("{}b", "a".repeat(MEGABYTE - 1)));
    check(vec![chunk("a", &near), chunk("b", "Short.")], &word, 1_000);
}

#[test]
fn chunks_of_one_word() {
    let result = check(chunks(50_000, |n| format!("word{n}")), "word 49999", 1_000);
    assert!(result.text.contains("word49999"), "{}", result.text);
}

#[test]
fn a_query_a_million_times() {
    let query = "bridge built ".repeat(MEGABYTE);
    let text =
        "It lies on a wide river. Its bridge was built in 1902. It has two schools, a market and a mill.";
    let result = check(vec![chunk("a", text)], &query, 90);
    assert!(result.text.contains("Its bridge was built in 1902."), "{}", result.text);
}

#[test]
fn a_long_query_and_many_titles() {
    let query: String = (0..100_000).map(|n| format!("bridge{n} of ")).collect();
    let blocks = (0..50_000).map(|n| titled(&format!("Bridge of {n}"), "It was built."));
    check(blocks.collect(), &query, 1_000);
}

#[test]
fn a_query_as_long_as_the_text() {
    let words: String = (0..100_000).map(|n: u32| format!("w{} ", letters(n))).collect();
    check(vec![chunk("a", &words), chunk("b", "One. Two.")], &words, 1_000);
    let scores = Bm25::default().score(&words, &[&words, "other"]);
    assert!(scores[0] > scores[1]);
}

/// `n` in letters.
fn letters(mut n: u32) -> String {
    let mut text = String::new();
    for _ in 0..5 {
        text.push(char::from_digit(10 + n % 26, 36).unwrap());
        n /= 26;
    }
    text
}

#[test]
fn a_query_without_a_word() {
    for query in ["", " ", "?!… — ...", "\u{0}\u{200b}\u{301}", "🙂🙃"] {
        let result = check(chunks(1_000, |n| format!("Sentence {n}. And another.")), query, 500);
        assert!(result.text.starts_with("Sentence 0."), "{query:?}: {}", result.text);
    }
}

#[test]
fn very_many_chunks() {
    let result =
        check(chunks(100_000, |n| format!("This is chunk {n}. It is one of many.")), "chunk 77777", 500);
    assert!(result.text.contains("chunk 77777."), "{}", result.text);
}

#[test]
fn very_many_chunks_of_one_title_and_one_group() {
    let text =
        |n: usize| format!("The same thing {n}. A sentence that is longer than the marker in its place.");
    let block = |n: usize| titled("The same thing", &text(n)).with_group("one");
    let blocks: Vec<Block> = (0..100_000).map(block).collect();
    // There is no room for a sentence of each: none is shown.
    check(blocks.clone(), "the same thing", 100_000);
    // There is.
    let result = check(blocks, "the same thing", 7_000_000);
    assert_eq!(result.context.blocks.len(), 100_000);
}

#[test]
fn very_many_chunks_in_pairs() {
    let block = |n: usize| chunk(&n.to_string(), "A thing. Another thing.").with_group((n / 2).to_string());
    check((0..100_000).map(block).collect(), "thing", 10_000);
}

#[test]
fn two_long_chunks_of_one_group() {
    // Headings that leave no room: every sentence of both is asked whether it opens the group.
    let block =
        |n: usize| titled(&"title ".repeat(100), &format!("A thing {n}. ").repeat(30_000)).with_group("one");
    check((0..2).map(block).collect(), "thing", 1_000);
}

#[test]
fn a_name_in_every_sentence() {
    // The strongest sentence lends its score by a name that it holds very often, to very many others.
    let strong = format!("Bridge bridge bridge {}.", "of Zed ".repeat(50_000));
    let weak = "They saw Zed.\n\n".repeat(50_000);
    check(vec![chunk("a", &strong), chunk("b", &weak)], "bridge", 10_000);
}

#[test]
fn titles_within_titles() {
    let title = |n: usize| "a ".repeat(n % 40 + 1);
    let blocks = (0..5_000).map(|n| titled(&title(n), &"A a a a a a a a a a a a a. ".repeat(4)));
    check(blocks.collect(), &"a ".repeat(1_000), 10_000);
}

#[test]
fn very_many_symbols() {
    let block = |n: usize| {
        let symbols = Symbols {
            function: Some(format!("read{n}")),
            section: Some("read".into()),
            ..Symbols::default()
        };
        Block::passage(
            "a",
            Passage { symbols, path: Some("src/read.rs".into()), ..Passage::default() },
            "let x = read();\n",
        )
    };
    check((0..50_000).map(block).collect(), "read", 10_000);
}

#[test]
fn scores_that_are_no_numbers() {
    let extreme = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, -0.0, 1.0];
    let block = |n: usize| {
        let passage = Passage { score: Some(extreme[n % extreme.len()]), ..Passage::default() };
        Block::passage(n.to_string(), passage, format!("The bridge of {n}. It has two schools."))
    };
    for n in [2, 3, 7, 100] {
        let blocks: Vec<Block> = (0..n).map(block).collect();
        let result = check(blocks.clone(), "bridge", 60);
        assert!(result.text.contains("bridge"), "{}", result.text);
        let reversed = check(blocks.into_iter().rev().collect(), "bridge", 60);
        assert!(reversed.text.contains("bridge"), "{}", reversed.text);
    }
}

#[test]
fn weights_as_large_as_they_get() {
    let options = SentenceOptions {
        k1: f64::MAX,
        heading: f64::MAX,
        passage: f64::MAX,
        neighbour: f64::MAX,
        phrase: f64::MAX,
        lead: f64::MAX,
        mention: f64::MAX,
        shared_name: f64::MAX,
        retrieval: f64::MAX,
        feedback: usize::MAX,
        ..SentenceOptions::default()
    };
    let text = "It lies on a river. Its bridge was built in 1902. It has two schools.";
    let context = Context::new(vec![titled("Bridge", text), chunk("b", text)]).with_query("bridge river");
    let result = fit(&options, &context, 100);
    assert!(result.text.contains("bridge") || result.text.contains("river"), "{}", result.text);
}

#[test]
fn units_that_all_lean_on_one_another() {
    for line in [
        "It was a bridge. ",
        "a bridge:\n",
        "- a bridge:\n",
        "| bridge | b |\n",
        "---\n",
        "```\nbridge\n",
        "# bridge\n",
    ] {
        let text = format!("A | B\n---|---\n{}", line.repeat(MEGABYTE / line.len()));
        check(vec![chunk("a", &text)], "bridge", 1_000);
        check(vec![chunk("a", &text)], "bridge", MEGABYTE / 4);
    }
    let nested: String = (0..1_000).map(|depth| format!("{}- a bridge\n", " ".repeat(depth))).collect();
    check(vec![chunk("a", &nested)], "bridge", 1_000);
}
