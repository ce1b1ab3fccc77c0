//! The encodings against `tiktoken-rs`, a port of OpenAI's own tokenizer.
//!
//! It panics on a million white-space characters, so it never gets more than a thousand in a row.

use std::sync::LazyLock;

use contextfit_kernel::TokenCounter;
use contextfit_text::{Encoding, Tiktoken};
use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
};
use tiktoken_rs::CoreBPE;

use crate::texts::{NASTY, glued};

static ORACLES: LazyLock<[(Tiktoken, CoreBPE); 2]> = LazyLock::new(|| {
    [
        (Tiktoken::o200k_base(), tiktoken_rs::o200k_base().unwrap()),
        (Tiktoken::cl100k_base(), tiktoken_rs::cl100k_base().unwrap()),
    ]
});

#[track_caller]
pub(crate) fn check(text: &str) {
    for (counter, oracle) in &*ORACLES {
        let expect = oracle.encode_ordinary(text).len();
        assert_eq!(counter.count(text).get(), expect, "{} of {:?}", counter.name(), head(text));
    }
}

fn head(text: &str) -> String {
    text.chars().take(2000).collect()
}

#[test]
fn names() {
    assert_eq!(Tiktoken::new(Encoding::O200kBase), Tiktoken::o200k_base());
    assert_eq!(Tiktoken::o200k_base().name(), "o200k_base");
    assert_eq!(Tiktoken::new(Encoding::Cl100kBase), Tiktoken::cl100k_base());
}

#[test]
fn every_fragment_beside_every_other() {
    for one in NASTY {
        for other in NASTY {
            check(&format!("{one}{other}"));
            check(&format!("a{one}{other}b"));
        }
    }
}

#[test]
fn every_fragment_far_into_a_text() {
    for fragment in NASTY {
        for length in (440..=520).step_by(3) {
            let head: String = "some words, 12 of them; ".chars().cycle().take(length).collect();
            check(&format!("{head}{fragment}{fragment} {head}{fragment}x"));
        }
    }
}

#[test]
fn runs_of_every_length() {
    for fragment in NASTY {
        for times in [2, 3, 5, 10, 50, 97, 200, 300] {
            check(&fragment.repeat(times));
            check(&format!("word{} word\n", fragment.repeat(times)));
        }
    }
}

#[test]
fn runs_at_every_alignment() {
    for run in ["a", "ACGT", "=", " ", "\n", "\t", "é", "字"] {
        for (ahead, length) in [(0, 127), (1, 128), (17, 191), (63, 192), (64, 200), (300, 210), (500, 600)] {
            let text = format!("{}{} end", "x; ".repeat(ahead / 3), run.repeat(length));
            check(&text);
            check(&text.repeat(3));
        }
    }
}

#[test]
fn long_runs() {
    for fragment in ["a", "!", "Z", "é", "字", "。", "😀", "-=", "ab'", "5", "नि"] {
        check(&fragment.repeat(20_000));
    }
    for (counter, _) in &*ORACLES {
        for fragment in [" ", "\n", "\t"] {
            // The oracle cannot take these. Both vocabularies have tokens for long runs, of up to a hundred or so.
            let tokens = counter.count(&fragment.repeat(1_000_000)).get();
            assert!((5_000..100_000).contains(&tokens), "{fragment:?}: {tokens}");
        }
    }
}

/// Runs of one byte of every length up to a few of the longest tokens, and some far longer ones.
#[test]
fn runs_of_one_byte() {
    for byte in (b'!'..=b'~').chain([b' ', b'\t', b'\n']).map(char::from) {
        for length in (1..400).step_by(7).chain([999]) {
            check(&byte.to_string().repeat(length));
        }
    }
    for length in [4_097, 65_536, 99_999] {
        check(&"a".repeat(length));
        check(&"=".repeat(length));
    }
}

/// Pieces too long to be merged as one are counted in parts.
#[test]
fn longer_than_any_piece() {
    let counter = Tiktoken::o200k_base();
    let (whole, part) = (counter.count(&"ACGT".repeat(2 << 20)), counter.count(&"ACGT".repeat(1 << 20)));
    assert_eq!(whole.get(), 2 * part.get());
}

/// Fails when the oracle's version of Unicode is no longer that of the table of classes.
#[test]
fn every_character() {
    let (mut alone, mut beside) = (String::new(), String::new());
    for character in '\0'..=char::MAX {
        alone.push(character);
        let c = character;
        beside.extend([c, ' ', 'a', c, '\'', 's', 'A', c, 'b', '\n', c, '/', '1', c]);
        if alone.len() > 3000 || character == char::MAX {
            check(&alone);
            check(&beside);
            alone.clear();
            beside.clear();
        }
    }
}

/// Characters of one alphabet, most of which form no words: letters of few kinds, those of a script, any at all.
fn alphabet() -> impl Strategy<Value = String> {
    const SCRIPTS: [u32; 14] = [
        0x80, 0x400, 0x600, 0x900, 0xE00, 0x1000, 0x1E00, 0x2000, 0x3000, 0x4E00, 0xAC00, 0xFE00, 0x1_0400,
        0x1_F300,
    ];
    let from = |start: u32, length: u32| {
        vec(start..start + length, 1..300)
            .prop_map(|all| all.into_iter().filter_map(char::from_u32).collect())
    };
    prop_oneof![
        (1..=26_u32).prop_flat_map(move |length| from(u32::from('a'), length)),
        select(&SCRIPTS[..]).prop_flat_map(move |start| from(start, 0x200)),
        from(0, 0x11_0000),
    ]
}

proptest! {
    // Counts are a promise, and quick.
    #![proptest_config(ProptestConfig::with_cases(24 * ProptestConfig::default().cases))]

    #[test]
    fn any_text_of_one_alphabet(text in alphabet(), fragment in select(NASTY), at in any::<Index>()) {
        check(&text);
        let at = text.floor_char_boundary(at.index(text.len() + 1));
        let (head, tail) = text.split_at(at);
        check(&format!("{head}{fragment}{tail}"));
    }

    #[test]
    fn any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_glued_text(text in glued(40)) {
        check(&text);
    }

    #[test]
    fn any_glued_text_repeated(text in glued(40), times in 2..30usize) {
        check(&text.repeat(times).replace(&"\n".repeat(40), "\n").replace(&" ".repeat(40), " "));
    }
}
