//! The two engines of each encoding, loaded on first use.

use std::sync::LazyLock;

use ::tiktoken::{CoreBpe, get_encoding};

use super::{
    Encoding,
    segment::{Engine, Segment},
    steady::Steady,
};

static FAST_O200K: LazyLock<Option<&'static CoreBpe>> =
    LazyLock::new(|| get_encoding(Encoding::O200kBase.name()));
static FAST_CL100K: LazyLock<Option<&'static CoreBpe>> =
    LazyLock::new(|| get_encoding(Encoding::Cl100kBase.name()));
static STEADY_O200K: LazyLock<Option<Steady>> =
    LazyLock::new(|| Steady::new(Encoding::O200kBase, (*FAST_O200K)?));
static STEADY_CL100K: LazyLock<Option<Steady>> =
    LazyLock::new(|| Steady::new(Encoding::Cl100kBase, (*FAST_CL100K)?));

/// The tokens of `segment` in `encoding`. Linear in its length.
pub(super) fn count(encoding: Encoding, segment: Segment<'_>) -> usize {
    let (fast, steady) = match encoding {
        Encoding::O200kBase => (&FAST_O200K, &STEADY_O200K),
        Encoding::Cl100kBase => (&FAST_CL100K, &STEADY_CL100K),
    };
    let fast = || fast.map(|engine| engine.count(segment.text));
    let count = match segment.engine {
        Engine::Fast => fast(),
        Engine::Steady => steady.as_ref().map(|engine| engine.count(segment.text)).or_else(fast),
    };
    // The feature compiles both vocabularies in. Without them, bytes would be an upper bound on the tokens.
    count.unwrap_or(segment.text.len())
}
