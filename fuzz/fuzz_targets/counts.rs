//! Counts: those of OpenAI's tokenizer, the same in units as in one, and the sum of their parts where the counter splits.

#![no_main]

use std::sync::LazyLock;

use contextfit_kernel::{TokenCounter, Tokens};
use contextfit_text::{Shape, Tiktoken, part_ends, tally, unit_ends};
use libfuzzer_sys::fuzz_target;
use tiktoken_rs::CoreBPE;

/// The oracle takes quadratic time on long words.
const LONGEST: usize = 4096;

static ENCODINGS: LazyLock<[(Tiktoken, CoreBPE); 2]> = LazyLock::new(|| {
    [
        (Tiktoken::o200k_base(), tiktoken_rs::o200k_base().unwrap()),
        (Tiktoken::cl100k_base(), tiktoken_rs::cl100k_base().unwrap()),
    ]
});

fuzz_target!(|text: &str| {
    for (counter, oracle) in &*ENCODINGS {
        let count = counter.count(text);
        if text.len() <= LONGEST {
            assert_eq!(count.get(), oracle.encode_ordinary(text).len(), "{}", counter.name());
        }
        for shape in [Shape::Code, Shape::Prose, Shape::Json] {
            let units = tally(counter, text, &unit_ends(text, shape));
            assert!(units.is_sorted_by_key(|unit| unit.tokens_through));
            assert_eq!(units.last().map_or(Tokens::ZERO, |unit| unit.tokens_through), count);
        }
        let places = (1..text.len()).filter(|&at| counter.splits_at(text, at)).step_by(1 + text.len() / 64);
        for (before, after) in places.map(|at| text.split_at(at)) {
            assert_eq!(counter.count(before) + counter.count(after), count, "split at {}", before.len());
        }
    }
    let ends = part_ends(text);
    assert!(ends.is_sorted_by(|a, b| a < b) && ends.iter().all(|&end| text.is_char_boundary(end)));
});
