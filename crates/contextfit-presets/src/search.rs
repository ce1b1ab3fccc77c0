//! Search results: a request with retrieved chunks in, one context out.

use std::{borrow::Cow, collections::HashMap};

use contextfit_formats::{Documents, Order, SearchAnswer, SearchRequest};

use crate::{CompressionStrategy, FitError, Fitted, Fitter, Original, original::originals};

/// A byte order mark at the start of a chunk, which no reader wants.
const MARK: char = '\u{feff}';

impl Fitter {
    /// Answers `request`, with the documents of its chunks in `order`.
    ///
    /// # Errors
    /// [`FitError`] if there is no budget, nothing fits, or the strategy is unknown.
    pub fn search(&self, request: SearchRequest, order: Order) -> Result<Fitted<SearchAnswer>, FitError> {
        self.search_repaired(request, None, order)
    }

    /// As [`search`](Self::search), for a request that was repaired when it was read. Handles name the texts of
    /// `original`, the request as it was sent, if there is one.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn search_repaired(
        &self,
        request: SearchRequest,
        original: Option<SearchRequest>,
        order: Order,
    ) -> Result<Fitted<SearchAnswer>, FitError> {
        let (mut request, original) = without_marks(request, original);
        let strategy = match request.strategy.as_deref() {
            Some(name) => CompressionStrategy::of_passages(name)?,
            None => self.passages,
        };
        let budget = self.budget(request.budget, request.reserve)?;
        if request.query.is_none() {
            request.query.clone_from(&self.query);
        }
        let id = request.id.take();
        let mut documents = request.into_documents(order);
        documents.context.layout.line_numbers |= self.line_numbers;
        let sent = Sent::new(original.filter(|_| self.handles.is_some()), order, &documents);
        let (input, mut result) = self.passages(strategy, documents.context.clone(), &budget, |block| {
            Some(self.handles?(&sent.of(&block.text)))
        })?;
        // The input is every chunk, not only what remains after joining them.
        result.metrics.tokens_before += self.counter().count(&documents.repeated());
        let answer = SearchAnswer::of_documents(id, strategy.name(), &documents, &input, &result);
        let originals = if self.handles.is_some() {
            let chunks = originals(&answer.blocks, |at| sent.chunk(at, &documents));
            // Markers refer to the joined texts.
            let joined = documents.joined().map(|text| sent.of(text).into_owned());
            let joined = joined.map(|bytes| Original { block: None, bytes });
            chunks.into_iter().chain(joined).collect()
        } else {
            Vec::new()
        };
        let blocks = input.blocks.iter().zip(&documents.context.blocks).enumerate();
        let rewritten =
            blocks.filter(|(_, (shown, read))| shown.text != read.text).map(|(at, _)| at).collect();
        Ok(Fitted { answer, input, budget, result, originals, places: documents.places, rewritten })
    }
}

/// `request` without the byte order marks that its chunks start with; if there are any, the original has them.
fn without_marks(
    mut request: SearchRequest,
    original: Option<SearchRequest>,
) -> (SearchRequest, Option<SearchRequest>) {
    if !request.chunks.iter().any(|chunk| chunk.text.starts_with(MARK)) {
        return (request, original);
    }
    let original = original.or_else(|| Some(request.clone()));
    for chunk in &mut request.chunks {
        if let Some(text) = chunk.text.strip_prefix(MARK) {
            chunk.text = text.to_owned();
        }
    }
    (request, original)
}

/// The texts of chunks as they were sent, where they were not read as they are.
struct Sent {
    /// The documents of the original, if they are the same documents but for single characters.
    documents: Option<Documents>,
    /// The joined texts of these, by what was read instead.
    joined: HashMap<String, Vec<u8>>,
}

impl Sent {
    fn new(original: Option<SearchRequest>, order: Order, read: &Documents) -> Self {
        let same = |originals: &Documents| {
            originals.places.len() == read.places.len()
                && originals.context.blocks.len() == read.context.blocks.len()
        };
        let documents = original.map(|request| request.into_documents(order)).filter(same);
        let blocks = documents.iter().flat_map(|originals| &originals.context.blocks);
        let pairs =
            read.context.blocks.iter().zip(blocks).filter(|(read, original)| read.text != original.text);
        let joined =
            pairs.map(|(read, original)| (read.text.clone(), original.text.clone().into_bytes())).collect();
        Self { documents, joined }
    }

    /// The original of the block with this `text`.
    fn of<'t>(&'t self, text: &'t str) -> Cow<'t, [u8]> {
        Cow::Borrowed(self.joined.get(text).map_or(text.as_bytes(), Vec::as_slice))
    }

    /// The original of chunk `n` of the answer, one of `read`.
    fn chunk<'t>(&'t self, n: usize, read: &'t Documents) -> Option<Cow<'t, [u8]>> {
        let text = self.documents.as_ref().unwrap_or(read).text(n)?;
        Some(Cow::Borrowed(text.as_bytes()))
    }
}
