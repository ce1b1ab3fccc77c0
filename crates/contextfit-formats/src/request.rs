//! Requests with retrieved chunks.

use contextfit_kernel::{Block, Context, LINE_BREAKS, Layout, Tokens};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, Error},
};
use serde_json::Value;

use crate::{Documents, FormatError, Order, SearchChunk, number};

/// Retrieved chunks and a budget in tokens. A field not listed here is an error, also in a chunk: unknown names are
/// usually misspelt ones. Names of several words may be in camelCase or in `snake_case`, as in every request.
///
/// ```
/// # mod contextfit { pub use ::contextfit_formats as formats; }
/// use contextfit::formats::SearchRequest;
///
/// let request = SearchRequest::parse(r#"{"id": 7, "budget": 1200, "chunks": [{"text": "fn main() {}"}]}"#)?;
/// assert_eq!(request.budget.map(|budget| budget.get()), Some(1200));
/// assert_eq!(request.into_context().blocks.len(), 1);
///
/// let error = SearchRequest::parse(r#"{"budget": -5, "chunks": []}"#).unwrap_err();
/// assert_eq!((error.path.as_str(), error.line, error.column), ("budget", 1, 13));
/// let error = SearchRequest::parse(r#"[{"txet": "fn main() {}"}]"#).unwrap_err();
/// assert!(error.message.starts_with(r#"unknown key "txet", did you mean "text"?"#));
/// # Ok::<(), contextfit_formats::FormatError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a request: an object with `chunks`, or an array of chunks")]
#[non_exhaustive]
pub struct SearchRequest {
    /// The application's id for the request, echoed unchanged in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// The question for which the chunks were retrieved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The maximum number of tokens to spend, including the reserve.
    #[serde(default, deserialize_with = "number::tokens", skip_serializing_if = "Option::is_none")]
    pub budget: Option<Tokens>,
    /// The part of the budget to set aside.
    #[serde(default, deserialize_with = "number::tokens", skip_serializing_if = "Option::is_none")]
    pub reserve: Option<Tokens>,
    /// The name of the strategy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// How the chunks are joined into one text; with headers and `---` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<SearchLayout>,
    /// The chunks, in the order in which to show them.
    pub chunks: Vec<SearchChunk>,
}

/// How the chunks of a request are joined into one text: a [`Layout`] in JSON. Absent fields have the values of
/// [`Layout::default`].
///
/// ```
/// # mod contextfit { pub use ::contextfit_formats as formats; }
/// use contextfit::formats::{Order, SearchRequest};
///
/// let request = SearchRequest::parse(r#"{"layout": {"headers": false, "separator": "***"}, "chunks": []}"#)?;
/// let layout = request.into_documents(Order::Document).context.layout;
/// assert_eq!((layout.headers, layout.separator.as_str(), layout.line_numbers), (false, "***", false));
/// # Ok::<(), contextfit_formats::FormatError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase", expecting = "a layout: an object")]
pub struct SearchLayout {
    /// Whether chunks have headers.
    pub headers: bool,
    /// The line between chunks. Without one, a chunk that ends like the start of another looks like two.
    #[serde(deserialize_with = "line")]
    pub separator: String,
    /// Whether a last line says how many chunks were left out.
    pub omission: bool,
    /// Whether each line is preceded by its number in its file.
    #[serde(alias = "line_numbers")]
    pub line_numbers: bool,
}

impl Default for SearchLayout {
    fn default() -> Self {
        let Layout { headers, separator, omission, line_numbers, .. } = Layout::default();
        Self { headers, separator, omission: omission.is_some(), line_numbers }
    }
}

impl From<SearchLayout> for Layout {
    fn from(SearchLayout { headers, separator, omission, line_numbers }: SearchLayout) -> Self {
        let mut layout = Self::default().with_headers(headers).with_separator(separator);
        layout.omission.take_if(|_| !omission);
        layout.with_line_numbers(line_numbers)
    }
}

contextfit_kernel::setters! {
    SearchRequest {
        with_id(id: impl Into<Value> => some), with_query(query: impl Into<String> => some),
        with_budget(budget: impl Into<Tokens> => some), with_reserve(reserve: impl Into<Tokens> => some),
        with_strategy(strategy: impl Into<String> => some), with_layout(layout: SearchLayout),
    }
}

impl SearchRequest {
    /// A request for `chunks`, with every other field absent.
    #[must_use]
    pub fn new(chunks: Vec<SearchChunk>) -> Self {
        Self { chunks, ..Self::default() }
    }

    /// Reads a request, or a bare array of chunks. Linear in the length of `text`.
    ///
    /// # Errors
    /// [`FormatError`] with line, column and path if `text` is not JSON or not such a request.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        read_either(text, Self::new)
    }

    /// The id of a request that may otherwise be invalid, for its error answer; `None` if it has no id or `text` is not
    /// JSON.
    #[must_use]
    pub fn id_of(text: &str) -> Option<Value> {
        #[derive(Deserialize)]
        struct OnlyId {
            id: Option<Value>,
        }
        serde_json::from_str::<OnlyId>(text.trim_start_matches('\u{feff}')).ok()?.id
    }

    /// The chunks as a context of passages, in order; a chunk with exact lines becomes several.
    #[must_use]
    pub fn into_context(self) -> Context {
        let blocks: Vec<Block> =
            self.chunks.into_iter().zip(1..).flat_map(|(chunk, n)| chunk.into_blocks(n)).collect();
        let mut context = Context::new(blocks).with_layout(self.layout.unwrap_or_default().into());
        context.query = self.query;
        context
    }

    /// The chunks as a context in `order`, in which chunks of one document that overlap or touch are one passage.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_formats as formats; }
    /// use contextfit::formats::{Order, SearchRequest};
    ///
    /// let request = SearchRequest::parse(
    ///     r#"[{"path": "a.md", "startLine": 2, "endLine": 2, "text": "two\n"}, {"path": "b.md", "text": "other\n"},
    ///         {"path": "a.md", "startLine": 1, "endLine": 1, "text": "one\n"}]"#,
    /// )?;
    /// let blocks = request.into_documents(Order::Document).context.blocks;
    /// assert_eq!(blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>(), ["one\ntwo\n", "other\n"]);
    /// # Ok::<(), contextfit_formats::FormatError>(())
    /// ```
    #[must_use]
    pub fn into_documents(self, order: Order) -> Documents {
        let mut documents = Documents::of(self.chunks, order);
        documents.context.query = self.query;
        documents.context.layout = self.layout.unwrap_or_default().into();
        documents
    }
}

/// Reads a text without line breaks.
fn line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let line = String::deserialize(deserializer)?;
    if line.contains(LINE_BREAKS) { Err(D::Error::custom("expected a single line")) } else { Ok(line) }
}

/// Reads a request, or a bare array that `new` turns into one.
pub(crate) fn read_either<R: DeserializeOwned, T: DeserializeOwned>(
    text: &str,
    new: impl FnOnce(Vec<T>) -> R,
) -> Result<R, FormatError> {
    // Some writers add a byte order mark, which JSON does not allow.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Deciding by the first character, instead of trying one shape after the other, preserves the position of errors.
    if text.trim_start().starts_with('[') {
        return Ok(new(read(text)?));
    }
    read(text)
}

/// Reads the value of the field `name` from a JSON document of its own.
///
/// # Errors
/// [`FormatError`] with line, column and path if `text` is not JSON or not such a value.
pub fn read_field<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, FormatError> {
    read(text).map_err(|error| error.within(name))
}

/// Reads a text that must be exactly one JSON document.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, FormatError> {
    let mut document = serde_json::Deserializer::from_str(text);
    let mut track = serde_path_to_error::Track::new();
    let value = T::deserialize(serde_path_to_error::Deserializer::new(&mut document, &mut track))
        .map_err(|error| FormatError::new(&track.path().to_string(), &error))?;
    // Text after the document belongs to no field.
    document.end().map_err(|error| FormatError::new("", &error))?;
    Ok(value)
}
