//! How trait objects are printed for debugging: by their names, so that what holds one can derive `Debug`.

use std::fmt;

use crate::{ChunkCompressor, EmbeddingProvider, LlmProvider, Scorer, Strategy, TokenCounter};

macro_rules! printed {
    ($($object:ident as $it:ident => $name:expr),+ $(,)?) => {$(
        impl fmt::Debug for dyn $object + '_ {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let $it = self;
                f.write_str($name)
            }
        }
    )+};
}

printed!(
    ChunkCompressor as _it => "ChunkCompressor",
    EmbeddingProvider as it => it.model(),
    LlmProvider as it => it.model(),
    Scorer as _it => "Scorer",
    Strategy as it => it.name(),
    TokenCounter as it => it.name(),
);
