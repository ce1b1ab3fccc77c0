//! One retrieved chunk.

use contextfit_kernel::{Block, Passage, Symbols};
use serde::{Deserialize, Serialize};

use crate::{Exact, number};

/// A chunk as a retriever hands it over. Everything but the text is optional; a field not listed here is an error.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "a chunk: an object with `text`")]
pub struct Chunk {
    /// What the application calls it; a number is taken as its digits. Need not be unique.
    #[serde(default, deserialize_with = "number::id", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Where it comes from: a path or an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The title of its document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The text.
    pub text: String,
    /// Relevance as the retriever saw it; any scale, higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The first line in its file, from 1.
    #[serde(default, deserialize_with = "number::line", skip_serializing_if = "Option::is_none")]
    pub start_line: Option<usize>,
    /// The last line in its file, inclusive.
    #[serde(default, deserialize_with = "number::line", skip_serializing_if = "Option::is_none")]
    pub end_line: Option<usize>,
    /// The language, by its usual lower-case name (`typescript`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The symbols that it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbols: Option<Symbols>,
    /// What of it stays verbatim whatever the budget: `true`, or lines as `[[from, to]]`. A chunk of which only lines do
    /// becomes several blocks, called `id:from-to`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<Exact>,
}

impl Chunk {
    /// A chunk of which nothing but the text is known.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The chunk as a block, or as several where lines of it are exact. One without id is called by its path, or by its `position` in the request, from 1;
    /// one without path and title has its id as title, so that it can be cited.
    pub(crate) fn into_blocks(self, position: usize) -> Vec<Block> {
        let named = self.title.or_else(|| self.id.clone().filter(|_| self.path.is_none()));
        let id = self.id.or_else(|| self.path.clone()).unwrap_or_else(|| position.to_string());
        let passage = Passage {
            title: named,
            path: self.path,
            score: self.score,
            start_line: self.start_line,
            end_line: self.end_line,
            language: self.language,
            symbols: self.symbols.unwrap_or_default(),
            part: None,
        };
        let block = Block::passage(id, passage, self.text);
        match self.exact {
            Some(exact) => exact.pin(block),
            None => vec![block],
        }
    }
}
