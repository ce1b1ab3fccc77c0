//! One retrieved chunk.

use contextfit_kernel::{Block, Passage, Symbols, Tokens};
use serde::{Deserialize, Serialize};

use crate::{Exact, number};

/// A chunk as a retriever returns it. Everything but the text is optional; a field not listed here is an error.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "a chunk: an object with `text`")]
#[non_exhaustive]
pub struct SearchChunk {
    /// The application's id for it; a number is read as its digits. It need not be unique.
    #[serde(default, deserialize_with = "number::id", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its origin: a path or an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The title of its document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The text.
    pub text: String,
    /// The relevance that the retriever assigned, on any scale; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The number of its first line in the file, from 1.
    #[serde(
        default,
        alias = "start_line",
        deserialize_with = "number::line",
        skip_serializing_if = "Option::is_none"
    )]
    pub start_line: Option<usize>,
    /// The number of its last line in the file, inclusive.
    #[serde(
        default,
        alias = "end_line",
        deserialize_with = "number::line",
        skip_serializing_if = "Option::is_none"
    )]
    pub end_line: Option<usize>,
    /// The language, by its usual lowercase name (`typescript`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The symbols that enclose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbols: Option<Symbols>,
    /// The tokens that the application adds around it when it shows it, such as tags or metadata. They count against the
    /// budget and are not in the context. Of chunks that are shown as one, they add up.
    #[serde(default, deserialize_with = "number::tokens", skip_serializing_if = "Option::is_none")]
    pub overhead: Option<Tokens>,
    /// The part to keep verbatim, whatever the budget: everything (`true`), or lines (`[[from, to]]`). A chunk with
    /// exact lines becomes several blocks, named `id:from-to`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<Exact>,
}

contextfit_kernel::setters! {
    SearchChunk {
        with_id(id: impl Into<String> => some), with_path(path: impl Into<String> => some),
        with_title(title: impl Into<String> => some), with_score(score: impl Into<Option<f64>>),
        with_start_line(start_line: usize), with_end_line(end_line: usize),
        with_language(language: impl Into<String> => some), with_symbols(symbols: Symbols),
        with_overhead(overhead: Tokens), with_exact(exact: Exact),
    }
}

impl SearchChunk {
    /// A chunk with only a text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The chunk as a block, or as several if some of its lines are exact. Without an id, it is named by its path, or
    /// by its `position` in the request, from 1. Without path and title, it can be cited by its id, which becomes the
    /// title.
    pub(crate) fn into_blocks(self, position: usize) -> Vec<Block> {
        let named = self.title.or_else(|| self.id.clone().filter(|_| self.path.is_none()));
        let id = self.id.or_else(|| self.path.clone()).unwrap_or_else(|| position.to_string());
        let mut passage = Passage::default().with_score(self.score).with_overhead(self.overhead);
        (passage.title, passage.path, passage.language) = (named, self.path, self.language);
        (passage.start_line, passage.end_line) = (self.start_line, self.end_line);
        passage.symbols = self.symbols.unwrap_or_default();
        let block = Block::passage(id, passage, self.text);
        match self.exact {
            Some(exact) => exact.pin(block),
            None => vec![block],
        }
    }
}
