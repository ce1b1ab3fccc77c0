//! The two engines of each encoding, loaded when they are first needed.

use std::sync::LazyLock;

use super::{
    Encoding,
    pairs::Pairs,
    segment::{Engine, Segment},
};

static FAST_O200K: LazyLock<Option<&'static ::tiktoken::CoreBpe>> =
    LazyLock::new(|| ::tiktoken::get_encoding(Encoding::O200kBase.name()));
static FAST_CL100K: LazyLock<Option<&'static ::tiktoken::CoreBpe>> =
    LazyLock::new(|| ::tiktoken::get_encoding(Encoding::Cl100kBase.name()));
static PAIRS_O200K: LazyLock<Pairs> = LazyLock::new(|| Pairs::of(&bpe_openai::o200k_base().bpe));
static PAIRS_CL100K: LazyLock<Pairs> = LazyLock::new(|| Pairs::of(&bpe_openai::cl100k_base().bpe));

/// The tokens of `segment` in `encoding`. Linear in its length.
pub(super) fn count(encoding: Encoding, segment: Segment<'_>) -> usize {
    match segment.engine {
        Engine::Fast => {
            let engine = match encoding {
                Encoding::O200kBase => *FAST_O200K,
                Encoding::Cl100kBase => *FAST_CL100K,
            };
            engine.map_or_else(|| count_steady(encoding, segment.text), |engine| engine.count(segment.text))
        }
        Engine::Steady => count_steady(encoding, segment.text),
    }
}

#[cold]
fn count_steady(encoding: Encoding, text: &str) -> usize {
    let (engine, pairs) = match encoding {
        Encoding::O200kBase => (bpe_openai::o200k_base(), &*PAIRS_O200K),
        Encoding::Cl100kBase => (bpe_openai::cl100k_base(), &*PAIRS_CL100K),
    };
    engine.split(text).map(|piece| pairs.count(piece.as_bytes(), &engine.bpe)).sum()
}
