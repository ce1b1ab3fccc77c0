//! The special tokens around a text, and whether the tokenizer has them.

use std::collections::HashMap;

use serde::{Deserialize, de::IgnoredAny};

/// The part of `tokenizer.json` that defines the special tokens around a text. The library looks them up without
/// checking that they exist, and would panic.
#[derive(Deserialize)]
pub(super) struct Frame {
    post_processor: Option<Processor>,
}

/// One processor, or a sequence of them.
#[derive(Deserialize)]
struct Processor {
    /// In a template: the pieces around a single text.
    #[serde(default)]
    single: Vec<Piece>,
    #[serde(default)]
    special_tokens: HashMap<String, IgnoredAny>,
    #[serde(default)]
    processors: Vec<Self>,
}

#[derive(Deserialize)]
enum Piece {
    Sequence { id: String },
    SpecialToken { id: String },
}

impl Frame {
    /// What is wrong, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        self.post_processor.as_ref().and_then(Processor::fault)
    }
}

impl Processor {
    fn fault(&self) -> Option<String> {
        let fault = |piece: &Piece| match piece {
            Piece::Sequence { id } if id != "A" => {
                Some(format!("post_processor.single has a sequence `{id}`"))
            }
            Piece::SpecialToken { id } if !self.special_tokens.contains_key(id) => {
                Some(format!("post_processor.special_tokens has no `{id}`"))
            }
            _ => None,
        };
        self.single.iter().find_map(fault).or_else(|| self.processors.iter().find_map(Self::fault))
    }
}
