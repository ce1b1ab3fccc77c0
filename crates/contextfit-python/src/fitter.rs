//! Requests in JSON in, answers as plain values out.

use std::num::NonZeroUsize;

use contextfit::{
    Fitter, Tokens,
    formats::{
        ChatRequest, ErrorAnswer, ExcerptRequest, FormatError, MemoryRequest, Order, SearchChunk,
        SearchLayout, SearchRequest, read_field, with_causes,
    },
    kernel::{Level, Role, TextKind},
    models,
    presets::{
        self, CompressionStrategy, Counting, FitError, Profile, is_long_output, output_kind, pins_match,
    },
};
use pyo3::{
    Bound, IntoPyObjectExt, PyResult, Python, exceptions::PyValueError, pyclass, pymethods, types::PyList,
};

use crate::{
    errors::{detached, raised},
    shown::{self, ChatFields, ResultFields},
    store::Store,
};

/// How to fit, chosen once for any number of threads.
#[pyclass(frozen, module = "contextfit_rs._native")]
pub(crate) struct Core {
    fitter: Fitter,
    order: Order,
    /// The layout of search requests that have none.
    layout: SearchLayout,
}

#[pymethods]
impl Core {
    #[new]
    #[pyo3(signature = (*, model, tokenizer, strategy="auto", conversations="auto", budget=None, reserve=None, layout=None, by_score=false, threads=None))]
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        py: Python<'_>,
        model: Option<&str>,
        tokenizer: Option<&str>,
        strategy: &str,
        conversations: &str,
        budget: Option<usize>,
        reserve: Option<usize>,
        layout: Option<&str>,
        by_score: bool,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        detached(py, || {
            let mut fitter = Fitter::new(Counting::new(tokenizer, model.map(models::model).transpose()?)?);
            if let Ok(profile) = strategy.parse::<Profile>() {
                fitter.passages = profile.passages();
                fitter = fitter.with_profile(profile);
            } else {
                fitter.passages = CompressionStrategy::of_passages(strategy)?;
            }
            fitter.conversations = CompressionStrategy::of_conversations(conversations)?;
            fitter.budget = budget.map(Tokens::new);
            fitter.reserve = reserve.map(Tokens::new);
            fitter.threads = threads.and_then(NonZeroUsize::new);
            let layout = layout.map(|layout| read_field("layout", layout)).transpose()?.unwrap_or_default();
            let order = if by_score { Order::Score } else { Order::Document };
            Ok(Self { fitter, order, layout })
        })
    }

    /// The tokens of each text.
    #[pyo3(signature = (texts, /))]
    fn count(&self, py: Python<'_>, texts: Vec<String>) -> Vec<usize> {
        py.detach(|| self.fitter.each(texts, |fitter, text| fitter.counting.counter.count(&text).get()))
    }

    /// Search results.
    #[pyo3(signature = (request, /, store=None))]
    fn search(&self, py: Python<'_>, request: &str, store: Option<&Store>) -> PyResult<ResultFields> {
        detached(py, || self.search_by(&self.with_handles(store), request, store))
    }

    /// Many requests for search results; instead of an answer, the exception that would have been raised.
    #[pyo3(signature = (requests, /))]
    fn search_each<'py>(&self, py: Python<'py>, requests: Vec<String>) -> PyResult<Bound<'py, PyList>> {
        let answers = py.detach(|| {
            self.fitter.each(requests, |fitter, request| {
                self.search_by(fitter, &request, None).map(ResultFields::without_page)
            })
        });
        let answers = answers.into_iter().map(|answer| match answer {
            Ok(fields) => fields.into_bound_py_any(py),
            Err(error) => raised(py, &error).into_bound_py_any(py),
        });
        PyList::new(py, answers.collect::<PyResult<Vec<_>>>()?)
    }

    /// The answers of `contextfit search --jsonl` to these lines.
    #[pyo3(signature = (lines, /))]
    fn answer_lines(&self, py: Python<'_>, lines: Vec<String>) -> Vec<String> {
        py.detach(|| {
            let numbered = lines.into_iter().zip(1..).collect();
            self.fitter
                .each(numbered, |fitter, (line, n): (String, usize)| self.answer_line(fitter, &line, n))
        })
    }

    /// A context and its tokens for each row of `texts` and its query.
    #[pyo3(signature = (texts, queries, /, budget))]
    fn columns(
        &self,
        py: Python<'_>,
        texts: Vec<Vec<String>>,
        queries: Vec<Option<String>>,
        budget: Option<usize>,
    ) -> PyResult<(Vec<String>, Vec<usize>)> {
        let answers: Vec<_> = detached(py, || {
            let rows = texts.into_iter().zip(queries).collect();
            let answers = self.fitter.each(rows, |fitter, (texts, query): (Vec<String>, Option<String>)| {
                let mut request = SearchRequest::new(texts.into_iter().map(SearchChunk::new).collect());
                request.query = query;
                request.budget = budget.map(Tokens::new);
                let answer = fitter.search(self.laid_out(request), self.order)?.answer;
                Ok((answer.context, answer.metrics.tokens_after.get()))
            });
            answers.into_iter().collect()
        })?;
        Ok(answers.into_iter().unzip())
    }

    /// A conversation, cut to `target` tokens if it exceeds its budget and may be smaller than that. With `loose_pins`, a
    /// pin may match nothing.
    #[pyo3(signature = (request, /, record_role, target=None, store=None, loose_pins=false))]
    fn chat(
        &self,
        py: Python<'_>,
        request: &str,
        record_role: &str,
        target: Option<usize>,
        store: Option<&Store>,
        loose_pins: bool,
    ) -> PyResult<ChatFields> {
        detached(py, || {
            let fitter = self.with_handles(store);
            let role = match record_role {
                "system" => Role::System,
                "developer" => Role::Developer,
                _ => Role::User,
            };
            // In Python, `request` is the argument itself.
            let own = |mut error: FormatError| {
                if let Some(rest) = error.path.strip_prefix("request") {
                    error.path = rest.strip_prefix('.').map_or(format!("messages{rest}"), str::to_owned);
                }
                error
            };
            let mut request = ChatRequest::parse(request).map_err(own)?;
            if !loose_pins {
                pins_match(&request)?;
            }
            request.conversation = request.conversation.with_record_role(role);
            let mut fitted = fitter.chat(&request)?;
            if let Some(target) = target
                && fitted.answer.blocks.iter().any(|block| block.action != "keep")
            {
                request.budget = Some(Tokens::new(target));
                match fitter.chat(&request) {
                    Ok(smaller) => fitted = smaller,
                    Err(FitError::Held { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
            let unkept = store.and_then(|store| store.keep(&fitted.originals, &mut fitted.answer.blocks));
            let mut fields = shown::chat(&fitter.counting, fitted);
            fields.result.unkept = unkept;
            Ok(fields)
        })
    }

    /// Memories.
    #[pyo3(signature = (request, /, shares, min_level, max_level))]
    fn memory(
        &self,
        py: Python<'_>,
        request: &str,
        shares: Vec<(String, f64)>,
        min_level: u8,
        max_level: u8,
    ) -> PyResult<ResultFields> {
        let level = |number| Level::try_from(number).map_err(PyValueError::new_err);
        let (min_level, max_level) = (level(min_level)?, level(max_level)?);
        detached(py, || {
            let mut fitter = self.fitter.clone();
            (fitter.memories.min_level, fitter.memories.max_level) = (min_level, max_level);
            fitter.memories.shares = shares;
            Ok(shown::memories(&fitter.counting, fitter.memory(MemoryRequest::parse(request)?)?))
        })
    }

    /// An excerpt of a text.
    #[pyo3(signature = (request, /))]
    fn excerpt(&self, py: Python<'_>, request: &str) -> PyResult<ResultFields> {
        detached(py, || {
            let mut fitter = self.fitter.clone();
            let request = ExcerptRequest::parse(request)?;
            fitter.query = request.query;
            Ok(shown::excerpt(&fitter.counting, fitter.excerpt(request.text, request.budget)?))
        })
    }

    /// What is shown of the output of a tool, and a last line that ends with `note`; `None` if it stays: source code, what
    /// is not long without a budget, and what fits.
    #[pyo3(signature = (text, /, budget, note))]
    fn output(
        &self,
        py: Python<'_>,
        text: String,
        budget: Option<usize>,
        note: &str,
    ) -> PyResult<Option<String>> {
        detached(py, || {
            if (budget.is_none() && !is_long_output(text.as_bytes())) || output_kind(&text) == TextKind::Code
            {
                return Ok(None);
            }
            let last = |shown, of| format!("[contextfit: {shown} of {of} lines{note}]");
            let shown = self.fitter.output(text, budget.map(Tokens::new), last)?;
            Ok(shown.map(|output| output.text))
        })
    }
}

impl Core {
    pub(crate) const fn fitter(&self) -> &Fitter {
        &self.fitter
    }

    fn laid_out(&self, mut request: SearchRequest) -> SearchRequest {
        request.layout.get_or_insert_with(|| self.layout.clone());
        request
    }

    fn search_by(
        &self,
        fitter: &Fitter,
        request: &str,
        store: Option<&Store>,
    ) -> Result<ResultFields, FitError> {
        let request = self.laid_out(SearchRequest::parse(request)?);
        let length = |chunk: &SearchChunk| match chunk.text.strip_prefix('\u{feff}') {
            Some(text) => (text.len(), true),
            None => (chunk.text.len(), false),
        };
        let lengths: Vec<(usize, bool)> = request.chunks.iter().map(length).collect();
        let mut fitted = fitter.search(request, self.order)?;
        let unkept = store.and_then(|store| store.keep(&fitted.originals, &mut fitted.answer.blocks));
        let mut fields = shown::search(&fitter.counting, fitted, &lengths);
        fields.unkept = unkept;
        Ok(fields)
    }

    /// The answer to line `n`.
    fn answer_line(&self, fitter: &Fitter, line: &str, n: usize) -> String {
        let answered = || {
            let request = SearchRequest::parse(line).map_err(|error| error.at_line(n))?;
            let answer = fitter.search(self.laid_out(request), self.order)?.answer;
            let (before, after) = (answer.metrics.tokens_before, answer.metrics.tokens_after);
            Ok::<_, FitError>(serde_json::to_string(&fitter.counting.estimated(&answer, before, after))?)
        };
        answered().unwrap_or_else(|error| {
            let answer = ErrorAnswer::new(SearchRequest::id_of(line), error.code(), with_causes(&error));
            serde_json::to_string(&answer).unwrap_or_default()
        })
    }

    /// The fitter, with handles if there is a store for what they name.
    fn with_handles(&self, store: Option<&Store>) -> Fitter {
        let mut fitter = self.fitter.clone();
        fitter.handles = store.map(|_| presets::Store::short_handle as fn(&[u8]) -> String);
        fitter
    }
}
