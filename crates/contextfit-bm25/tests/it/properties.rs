//! Arbitrary requests: within the budget, in order, and deterministic.

use std::sync::Arc;

use contextfit_bm25::{SentenceOptions, SentenceSelection, Unmatched};
use contextfit_kernel::{Block, Context};
use contextfit_pipeline::Pipeline;
use contextfit_testkit::{arbitrary_context, check_fit};
use contextfit_text::CharsPer;
use proptest::prelude::*;

use crate::requests::{chunk, fit, titled};

/// Arbitrary options, sensible or not.
fn arbitrary_options() -> impl Strategy<Value = SentenceOptions> {
    let weight = || prop_oneof![3 => 0.0..2.0_f64, 1 => any::<f64>(), 1 => Just(f64::NAN)];
    let weights = prop::array::uniform12(weight());
    let language = prop::option::of(prop_oneof![Just("none"), Just("en"), Just("de"), Just("zh"), Just("?")]);
    (weights, 0..6_usize, any::<bool>(), language).prop_map(|(weights, feedback, nothing, language)| {
        let [
            k1,
            b,
            heading,
            passage,
            neighbour,
            phrase,
            lead,
            mention,
            shared_name,
            repetition,
            retrieval,
            least,
        ] = weights;
        let mut options = SentenceOptions::default().with_k1(k1).with_b(b).with_heading(heading);
        options = options.with_passage(passage).with_neighbour(neighbour).with_phrase(phrase).with_lead(lead);
        options = options.with_mention(mention).with_shared_name(shared_name).with_repetition(repetition);
        options = options.with_retrieval(retrieval).with_feedback(feedback).with_min_relevance(least);
        options.unmatched = if nothing { Unmatched::Nothing } else { Unmatched::Position };
        options.language = language.map(Into::into);
        options
    })
}

/// Queries that share words with the arbitrary texts, and arbitrary others.
fn query() -> impl Strategy<Value = String> {
    let words = "((A|sentence|Another|fourth|comment|read|self|call|第三句|say) ?){0,6}";
    prop_oneof![2 => words, 1 => "(?s).{0,60}", 1 => "[\\PC]{0,40}"]
}

proptest! {
    /// Checks every invariant: within the budget, order kept, whole units, deterministic, stable under a second pass.
    #[test]
    fn any_request(
        mut context in arbitrary_context(),
        query in query(),
        options in arbitrary_options(),
        budget in 0..3_000_usize,
    ) {
        context.query = Some(query);
        let pipeline = Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(SentenceSelection::new(options));
        check_fit(&pipeline, &context, budget);
    }

    /// Case and punctuation of the query do not matter.
    #[test]
    fn case_and_punctuation_of_the_query(words in prop::collection::vec("[a-z]{2,8}", 1..6), budget in 60..200_usize) {
        let text = |n: usize| format!("The {} is here. Nobody came along. {} was seen.", words[n % words.len()], words[0]);
        let blocks: Vec<Block> = (0..4).map(|n| chunk(&n.to_string(), &text(n))).collect();
        let shown = |query: String| fit(&SentenceOptions::default(), &Context::new(blocks.clone()).with_query(query), budget).text;
        let usual = shown(words.join(" "));
        prop_assert_eq!(&usual, &shown(words.join(", ") + "?"));
        prop_assert_eq!(&usual, &shown(words.join(" ").to_uppercase()));
    }
}

/// 64-bit FNV-1a of `text`.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// A large request: 40 blocks of about 20 KB, made of few words so that they are shared; generated from a fixed seed.
fn large() -> Vec<Block> {
    let mut state = 7_u64;
    let mut next = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti"];
    let word = move |next: &mut dyn FnMut(u64) -> u64| -> String {
        (0..2 + next(3)).map(|_| syllables[usize::try_from(next(8)).unwrap()]).collect()
    };
    (0..40)
        .map(|n| {
            let mut text = String::new();
            while text.len() < 20_000 {
                let words: Vec<String> = (0..4 + next(12)).map(|_| word(&mut next)).collect();
                text.extend(["The ", &words.join(" "), ". "]);
            }
            let title = format!("{} {}", word(&mut next), word(&mut next));
            if n % 3 == 0 { titled(&title, &text) } else { chunk(&title, &text) }
        })
        .collect()
}

/// With the feature `parallel`, blocks are read in parts of 64 KB; without it, all at once. One snapshot serves both:
/// the plans are the same to the last byte.
#[test]
fn the_same_with_and_without_threads() {
    let blocks = large();
    // Words that occur, a misspelt one with several equally near candidates, and feedback terms.
    let queries =
        ["balike moraba", "balikex nurasebb timolii", "ke ba li keba", "Serati Moti and LIKE kemolira"];
    let mut told = String::new();
    for query in queries {
        for options in [SentenceOptions::default(), SentenceOptions::default().with_feedback(5)] {
            let feedback = options.feedback;
            let context = Context::new(blocks.clone()).with_query(query);
            let result = fit(&options, &context, 20_000);
            let kept = result.context.blocks.len();
            let actions: Vec<_> = result.plan().unwrap().steps.iter().map(|step| &step.action).collect();
            told += &format!(
                "{query:?}, feedback {feedback}: {kept} blocks, {} tokens, text {:016x}, actions {:016x}\n",
                result.metrics.tokens_after,
                hash(&result.text),
                hash(&format!("{actions:?}")),
            );
        }
    }
    insta::assert_snapshot!("with and without threads", told);
}

/// Several words equally near to a misspelt one, spread over parts: which one is chosen does not depend on how the
/// texts were divided.
#[test]
fn a_misspelt_word_with_several_neighbours() {
    let filler = "Gulls cry over roofs. ".repeat(4_000);
    let near = ["marlon", "marlen", "marlin", "marlan", "marlun"];
    let sentences: String = near.iter().map(|name| format!("The {name} is here. {filler}")).collect();
    let context = Context::new(vec![chunk("a", &sentences), chunk("b", &filler)]).with_query("marlxn");
    let options = SentenceOptions::default().with_language("none");
    let result = fit(&options, &context, 100);
    assert!(result.text.contains("The marlan is here."), "{}", result.text);
}
