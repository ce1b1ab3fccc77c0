//! Regression tests for the known defects of the system described in ADR-002.

use contextfit_bm25::{Bm25, SentenceOptions, SentenceSelection, Unmatched};
use contextfit_kernel::{Action, Block, Context, Piece, Plan, Reason, Scorer};
use contextfit_pipeline::measure;
use contextfit_text::CharsPer;

use crate::requests::{chunk, fit, own_words, titled};

/// The score of unit `unit` of block `block`.
#[track_caller]
fn score(options: &SentenceOptions, context: &Context, block: usize, unit: usize) -> f64 {
    let counter = CharsPer::new(1).unwrap();
    let measured = measure(context, &counter);
    SentenceSelection::new(options.clone()).explain(&measured, block, unit).unwrap().value
}

/// The text shown of `blocks` in `budget` characters for `query`, and the plan.
#[track_caller]
fn shown(blocks: Vec<Block>, query: &str, budget: usize) -> (String, Plan) {
    let result = fit(&SentenceOptions::default(), &Context::new(blocks).with_query(query), budget);
    (result.text.clone(), result.plan().unwrap().clone())
}

/// Prose that shares no word with the queries here.
const FILLER: &str = "Gulls cry over roofs. Rain fell all week. Nobody came along. Lamps burn late there. ";

#[test]
fn scores_compare_across_chunks() {
    // Within its own chunk, "bridge" in the first is as rare as "copper" in the second. Across the request, it is
    // common.
    let mut blocks = vec![
        chunk("a", "The bridge stands. Gulls cry over roofs. Rain fell."),
        chunk("b", "The copper shines. Gulls cry over roofs. Rain fell."),
    ];
    blocks.extend((0..8).map(|n| chunk(&n.to_string(), "A bridge here. A bridge there. Nobody came.")));
    let context = Context::new(blocks.clone()).with_query("copper bridge");
    let (common, rare) = (score(&own_words(), &context, 0, 0), score(&own_words(), &context, 1, 0));
    assert!(rare > 2.0 * common, "{rare} for the rare word, {common} for the common one");
    // Equal sentences of different chunks have equal scores, whatever surrounds them.
    let alike = [(2, 0), (5, 1), (9, 0)].map(|(block, unit)| score(&own_words(), &context, block, unit));
    assert!(alike.iter().all(|score| score.to_bits() == alike[0].to_bits()), "{alike:?}");
    let (text, _) = shown(blocks, "copper bridge", 80);
    assert!(text.contains("The copper shines."), "{text}");
}

#[test]
fn no_word_counts_against_a_sentence() {
    // A word in all sentences but one: `ln((N - n + 0.5) / (n + 0.5))` would be below zero.
    let everywhere =
        "The bridge is old. The bridge is long. The bridge is red. The bridge is shut. Nobody came.";
    let context = Context::new(vec![chunk("a", everywhere)]).with_query("bridge");
    for unit in 0..4 {
        assert!(score(&own_words(), &context, 0, unit) > 0.0);
        assert!(score(&own_words(), &context, 0, unit) > score(&own_words(), &context, 0, 4));
    }
    let scores = Bm25::default().score("bridge", &["bridge", "bridge", "bridge", "nobody"]);
    assert!(scores[..3].iter().all(|&score| score > scores[3]) && scores[3] >= 0.0, "{scores:?}");
}

#[test]
fn a_word_matches_with_its_full_stop_and_in_its_other_forms() {
    let matching = [
        ("network", "These are networks."),
        ("networks.", "This is a (network)!"),
        ("NETWORK", "A network's size."),
        ("who wrote it", "It was written then."),
        ("get user name", "Call getUserName() twice."),
        ("user_name", "The userName is short."),
        ("Häuser", "Das Haus ist alt."),
        ("cafe", "A small CAFÉ on the shore."),
        ("ＨＴＴＰ", "An http request."),
        ("預算", "這裡檢查預算。"),
        ("пределы", "Это предел бюджета."),
    ];
    for (query, sentence) in matching {
        let context = Context::new(vec![chunk("a", sentence), chunk("b", "Nothing.")]).with_query(query);
        assert!(score(&own_words(), &context, 0, 0) > 0.0, "{query:?} does not match {sentence:?}");
        assert!(score(&own_words(), &context, 1, 0) <= 0.0, "{query:?} matches everything");
    }
}

#[test]
fn no_fixed_number_of_sentences_per_chunk() {
    let good =
        "The bridge opened in May. Its bridge deck is steel. The bridge has six piers. A bridge fee is due. ";
    let blocks = vec![chunk("a", good), chunk("b", FILLER), chunk("c", FILLER)];
    let (text, plan) = shown(blocks, "bridge", 160);
    assert!(text.starts_with(good.trim_end()), "{text}");
    assert!(plan.steps[1..].iter().all(|step| step.action == Action::Drop), "{:?}", plan.steps);
}

#[test]
fn what_does_not_fit_is_skipped_and_what_fits_is_taken() {
    let long = format!("The bridge toll {}stays.", "and so on and so forth ".repeat(20));
    let text = format!("{FILLER}{long} The toll is due. {FILLER}");
    let result = fit(&own_words(), &Context::new(vec![chunk("a", &text)]).with_query("bridge toll"), 150);
    assert!(result.text.contains("The toll is due."), "{}", result.text);
    assert!(!result.text.contains("and so on"), "{}", result.text);
    assert!(
        score(&own_words(), &Context::new(vec![chunk("a", &text)]).with_query("bridge toll"), 0, 4) > 0.0
    );
}

#[test]
fn no_sentence_is_cut() {
    let text = "Dr. Smith paid 3.14 dollars. The U.S. toll, e.g. for vans, is high. See https://a.example/b.c?d=e. It ends.";
    let sentences = [
        "Dr. Smith paid 3.14 dollars.",
        "The U.S. toll, e.g. for vans, is high.",
        "See https://a.example/b.c?d=e.",
        "It ends.",
    ];
    let context = Context::new(vec![chunk("a", text), chunk("b", FILLER)]).with_query("toll dollars example");
    for budget in 20..190 {
        let result = fit(&SentenceOptions::default(), &context, budget);
        let Action::Cut { pieces } = &result.plan().unwrap().steps[0].action else { continue };
        for piece in pieces {
            let Piece::Source(range) = piece else { continue };
            let mut rest = range.of(text).unwrap().trim();
            while let Some(behind) = sentences.iter().find_map(|sentence| rest.strip_prefix(sentence)) {
                rest = behind.trim_start();
            }
            assert_eq!(rest, "", "at {budget} part of a sentence is shown: {}", result.text);
        }
    }
}

#[test]
fn a_threshold_with_its_reason() {
    let blocks = vec![
        chunk("a", "The copper bridge opened in May. Gulls cry over roofs. Rain fell all week."),
        chunk("b", "A bridge is a fine thing for all who wish to go from one side to the other."),
        chunk("c", FILLER),
    ];
    let context = Context::new(blocks).with_query("copper bridge");
    let options = own_words().with_min_relevance(0.9);
    let result = fit(&options, &context, 200);
    assert_eq!(
        result.text, "The copper bridge opened in May. [... 2 sentences]\n[... 2 passages]",
        "there was room for more"
    );
    let reasons: Vec<_> = result.plan().unwrap().steps.iter().map(|step| step.reason.clone()).collect();
    let best = score(&own_words(), &context, 0, 0);
    assert_eq!(reasons[0], Reason::Relevant { kept: 1, of: 3, score: best, best });
    assert_eq!(
        reasons[1],
        Reason::Irrelevant { best: score(&own_words(), &context, 1, 0), min_score: 0.9 * best }
    );
    assert_eq!(reasons[2], Reason::Irrelevant { best: 0.0, min_score: 0.9 * best });
    assert!(reasons[2].to_string().starts_with("best relevance 0.00 is below minimum "), "{}", reasons[2]);
}

#[test]
fn nothing_matches_and_position_decides() {
    let other = "Trains run late. Snow lies deep. Doors stay shut. Bells ring twice.";
    let context = Context::new(vec![chunk("a", FILLER), chunk("b", other)]).with_query("zebra");
    let result = fit(&SentenceOptions::default(), &context, 96);
    assert_eq!(
        result.text,
        "Gulls cry over roofs. [... 3 sentences]\n---\nTrains run late. [... 3 sentences]"
    );
    for step in &result.plan().unwrap().steps {
        assert_eq!(step.reason, Reason::Unmatched { kept: 1, of: 4 });
        assert!(step.reason.to_string().starts_with("no word of the query occurs"), "{}", step.reason);
    }
}

#[test]
fn nothing_matches_and_nothing_is_kept() {
    let pinned = chunk("c", "Keep this.").with_pinned();
    let options = SentenceOptions::default().with_unmatched(Unmatched::Nothing);
    for query in [Some("zebra"), Some("?"), None] {
        let mut context = Context::new(vec![chunk("a", FILLER), chunk("b", FILLER), pinned.clone()]);
        context.query = query.map(Into::into);
        let result = fit(&options, &context, 150);
        assert_eq!(result.text, "Keep this.\n[... 2 passages]");
        let steps = &result.plan().unwrap().steps;
        assert_eq!(steps[2].reason, Reason::Pinned);
        for step in &steps[..2] {
            assert_eq!(step.reason, Reason::Unmatched { kept: 0, of: 4 });
        }
    }
}

#[test]
fn the_reason_names_the_best_sentence_that_is_kept() {
    // Too long to fit with a marker, but not long enough to be divided.
    let long = format!("The copper bridge {}stays.", "and so on and so forth ".repeat(4));
    let context = Context::new(vec![chunk("a", &format!("{FILLER}{long} The bridge. {FILLER}"))])
        .with_query("copper bridge");
    let options = own_words().with_b(0.0);
    let result = fit(&options, &context, 120);
    assert!(result.text.contains("The bridge."), "{}", result.text);
    let of = |unit| score(&options, &context, 0, unit);
    let reason = &result.plan().unwrap().steps[0].reason;
    assert!(matches!(reason, Reason::Relevant { score, best, .. } if *score == of(5) && *best == of(4)));
    let told = format!("best score {:.2}; no room for the best, {:.2}", of(5), of(4));
    assert!(reason.to_string().ends_with(&told), "{reason}");
}

/// Checks that `wanted` is kept whole when it is the only unit of `text` with a word of the query and there is room for
/// no other.
#[track_caller]
fn kept_whole(text: &str, query: &str, wanted: &str) {
    let text = format!("{text}\n\n{}", FILLER.repeat(8));
    let budget = wanted.chars().count() + 60;
    let result = fit(&own_words(), &Context::new(vec![chunk("a", &text)]).with_query(query), budget);
    assert!(result.text.contains(wanted), "{wanted:?} is not whole in {:?}", result.text);
}

#[test]
fn what_looks_like_an_end_is_none() {
    kept_whole(
        "We met. Dr. Adams came at 5 p.m. to see Mr. Zorn. He left.",
        "Zorn",
        "Dr. Adams came at 5 p.m. to see Mr. Zorn.",
    );
    kept_whole(
        "We met. The U.S. army paid J. R. Zorn 3.14 million. He left.",
        "Zorn",
        "The U.S. army paid J. R. Zorn 3.14 million.",
    );
    kept_whole(
        "We met. See https://zorn.example/a.b?c=d.e for v1.2.3 of it. He left.",
        "zorn",
        "See https://zorn.example/a.b?c=d.e for v1.2.3 of it.",
    );
    kept_whole(
        "Er kam. Am 3. Mai 1902 kam z. B. Dr. Zorn an. Er ging.",
        "Zorn",
        "Am 3. Mai 1902 kam z. B. Dr. Zorn an.",
    );
    kept_whole("今天下雨。橋樑在一九〇二年建成。他走了。", "橋樑", "橋樑在一九〇二年建成。");
    kept_whole("雨だ。「橋は古い。」と彼は言った。帰った。", "橋は", "「橋は古い。」と彼は言った。");
}

#[test]
fn lists_tables_and_code_are_cut_at_their_parts() {
    kept_whole(
        "Things to do:\n\n- pay Zorn, e.g. in cash\n- buy milk\n",
        "Zorn",
        "- pay Zorn, e.g. in cash\n",
    );
    kept_whole(
        "| name | age |\n|---|---|\n| Zorn | 3.5 |\n| Adams | 4 |\n",
        "Zorn",
        "| name | age |\n|---|---|\n| Zorn | 3.5 |\n",
    );
    kept_whole(
        "So:\n\n```rust\nlet a = 1;\nlet zorn = a.b();\n```\n",
        "zorn",
        "So:\n\n```rust\nlet a = 1;\nlet zorn = a.b();\n```\n",
    );
}

#[test]
fn line_feeds_stay_where_they_are() {
    let text = "# Heading\r\n\r\nThe first sentence is\r\nwrapped over lines. The bridge\r\nopened. Rain fell\r\nall week.\r\n";
    let context = Context::new(vec![titled("T", text), chunk("b", FILLER)]).with_query("bridge");
    let result = fit(&own_words(), &context, 90);
    assert!(result.text.contains("The bridge\r\nopened."), "{:?}", result.text);
    let all = fit(&own_words(), &context, 170);
    assert!(
        all.text.contains("\r\n\r\nThe first sentence is\r\nwrapped over lines. The bridge\r\nopened."),
        "{:?}",
        all.text
    );
}

#[test]
fn a_heading_that_does_not_count_changes_nothing() {
    let text = "The bridge opened. Rain fell. The bridge is old.";
    let options = SentenceOptions::default().with_heading(0.0).with_mention(0.0);
    let of = |block: Block| {
        let context = Context::new(vec![block, chunk("b", FILLER)]).with_query("bridge");
        [0, 1, 2].map(|unit| score(&options, &context, 0, unit))
    };
    assert_eq!(of(titled("Bridge", text)), of(chunk("a", text)));
    assert_eq!(of(titled("Bridge bridge", text)), of(chunk("a", text)));
}
