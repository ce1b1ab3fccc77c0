//! Whatever is shown can be understood: it is shown with what it needs.

use std::sync::Arc;

use contextfit_bm25::{SentenceOptions, SentenceSelection};
use contextfit_kernel::{Action, Block, Budget, CompressionResult, Context, Passage, Piece, Tokens};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_text::{CharsPer, NaturalLanguage, Needs};
use proptest::prelude::*;

use crate::requests::{chunk, fit};

/// A chunk in Markdown.
fn page(id: &str, text: &str) -> Block {
    Block::passage(id, Passage::default().with_language("markdown"), text)
}

/// Checks that `expect` is shown of `text` in `budget` characters.
#[track_caller]
fn check(text: &str, query: &str, budget: usize, expect: &str) {
    let context = Context::new(vec![page("a", text)]).with_query(query);
    assert_eq!(fit(&SentenceOptions::default(), &context, budget).text, expect);
}

const FILLER: &str = "Gulls cry over the roofs of the town all day.\n\n";

#[test]
fn a_heading_with_its_text_and_a_text_with_its_heading() {
    let text =
        format!("{FILLER}## Bridge\n\nThe first sentence of it. It was built by Ann.\n\n{FILLER}{FILLER}");
    check(
        &text,
        "who is Ann",
        125,
        "[... 2 lines]\n## Bridge\n\nThe first sentence of it. It was built by Ann.\n\n[... 4 lines]\n",
    );
    check(&text, "bridge", 92, "[... 2 lines]\n## Bridge\n\nThe first sentence of it. [... 3 sentences]\n");
}

#[test]
fn a_lead_in_with_its_code_and_the_fences() {
    let text = format!("{FILLER}Start the bridge like this:\n\n```sh\nrun --now\n```\n\n{FILLER}");
    let shown = "[... 2 lines]\nStart the bridge like this:\n\n```sh\nrun --now\n```\n\n[... 2 lines]\n";
    check(&text, "bridge", 110, shown);
    check(&text, "run now", 110, shown);
}

#[test]
fn a_row_with_the_head_of_its_table() {
    let text = format!(
        "{FILLER}| town | river |\n|---|---|\n| Bonn, on the left bank of the river where it is widest | Rhine |\n| Bath | Avon |\n"
    );
    check(&text, "Bath", 105, "[... 2 lines]\n| town | river |\n|---|---|\n[... 1 line]\n| Bath | Avon |\n");
}

#[test]
fn a_subheading_with_the_heading_above_it() {
    let text = format!("# Two\n\n{FILLER}### Added\n\nTolls.\n\n# One\n\n{FILLER}### Added\n\nA bridge.\n");
    check(&text, "bridge", 90, "[... 8 lines]\n# One [... 2 lines]\n### Added\n\nA bridge.\n");
}

#[test]
fn the_best_is_shown_alone_where_it_does_not_fit_otherwise() {
    let text = format!("{FILLER}It is the bridge. {FILLER}");
    check(&text, "bridge", 74, "[... 2 lines]\nIt is the bridge. [... 1 sentence]\n");
}

#[test]
fn the_section_that_answers_before_single_sentences_of_others() {
    let text = format!(
        "# Harbour\n\n{FILLER}## Rules\n\nBoats pay a fee.\n\n## Fees for boats\n\nThe sum is due at noon. Ann collects \
         it.\n\n## Berths\n\nThe fee office is next door. {FILLER}"
    );
    check(
        &text,
        "fees for boats",
        112,
        "# Harbour [... 6 lines]\n## Fees for boats\n\nThe sum is due at noon. Ann collects it.\n\n[... 4 lines]\n",
    );
}

#[test]
fn a_rare_number_before_common_words() {
    let line = |n: usize| match n {
        28 => "28   The time was up.\n".to_owned(),
        _ if n.is_multiple_of(3) => format!("{n}   The exit code of a disk.\n"),
        _ => format!("{n}   The disk was full.\n"),
    };
    let text: String = (10..=60).map(line).collect();
    check(&text, "what is exit code 28", 62, "[... 18 lines]\n28   The time was up.\n[... 32 lines]\n");
}

/// Lines of a Markdown page.
fn markdown() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("# Town"),
        Just("## Bridge"),
        Just("A town lies there. It has a bridge. They built it."),
        Just("So do this:"),
        Just("- a bridge:"),
        Just("  - of stone"),
        Just("- a town"),
        Just("```"),
        Just("if bridge {\n    cross();\n}"),
        Just("| a | b |\n|---|---|\n| bridge | 1 |\n| town | 2 |"),
        Just("---"),
        Just("This is old."),
        Just(""),
    ];
    prop::collection::vec(line, 0..40).prop_map(|lines| lines.join("\n"))
}

proptest! {
    // Needs are a relation of every unit to every other.
    #![proptest_config(ProptestConfig::with_cases(4 * ProptestConfig::default().cases))]

    /// Every unit is shown together with everything it needs. The best block fits alone, so no unit is shown without
    /// its needs.
    #[test]
    fn all_that_is_shown_has_what_it_needs(pages in prop::collection::vec(markdown(), 1..4), budget in 60..900_usize) {
        let mut blocks = vec![chunk("plain", "bridge of stone")];
        blocks.extend(pages.iter().map(|text| page("page", text)));
        let context = Context::new(blocks).with_query("bridge of stone");
        let options = SentenceOptions::default().with_min_relevance(0.0);
        let counter = CharsPer::new(1).unwrap();
        let measured = measure(&context, &counter);
        let result = fit_any(&options, &context, budget);
        let Some(plan) = result.plan() else { return Ok(()) };
        for (block, step) in measured.blocks.iter().zip(&plan.steps) {
            let Action::Cut { pieces } = &step.action else { continue };
            let ranges: Vec<_> = pieces.iter().filter_map(Piece::range).collect();
            let is_shown = |unit: usize| {
                let start = block.start_of(unit);
                ranges.iter().any(|range| range.start() <= start && start < range.end())
            };
            let ends: Vec<usize> = block.units().iter().map(|unit| unit.end).collect();
            let needs = Needs::of(&block.block().text, &ends, NaturalLanguage::English);
            for unit in (0..ends.len()).filter(|unit| is_shown(*unit)) {
                let (all, mut one) = (needs.all_of(unit), needs.one_of(unit));
                let are_met = all.iter().all(|&other| is_shown(other)) && (one.is_empty() || one.any(is_shown));
                prop_assert!(are_met, "unit {unit} of {:?}\n{}", block.block().text, result.text);
            }
        }
    }
}

/// The result for `context`, whether or not it is already within the budget.
fn fit_any(options: &SentenceOptions, context: &Context, budget: usize) -> CompressionResult {
    let strategy = SentenceSelection::new(options.clone());
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(strategy);
    pipeline.fit(context, &Budget::new(Tokens::new(budget))).unwrap()
}

#[test]
fn a_sentence_of_another_item_or_quote_on_a_line_of_its_own() {
    let text = format!(
        "- The hall is old. {FILLER}- Gulls cry over the roofs of the town all day. A bridge leads there. {FILLER}"
    );
    check(
        &text,
        "old hall, bridge",
        110,
        "- The hall is old.\n[... 2 sentences]\n- A bridge leads there. Gulls cry over the roofs of the town all day.\n\n",
    );
}

/// A title that has all words of the question is no answer: what stands below it is shown as far as there is room.
#[test]
fn a_title_that_repeats_the_question() {
    let text = "# Cleaning the kiln\n\nIt takes an hour.\n\n## Steps\n\n1. Let it cool for a day.\n2. Brush the floor.\n\
                3. Wipe the lid with a dry cloth.\n";
    let blocks = vec![page("a", text), page("b", &FILLER.repeat(3))];
    let context = Context::new(blocks).with_query("How do I clean the kiln?");
    let shown = fit(&SentenceOptions::default(), &context, text.len() + 40).text;
    for step in ["1. Let it cool", "2. Brush", "3. Wipe"] {
        assert!(shown.contains(step), "{shown}");
    }
}
