//! Requests and their answers.

use std::{num::NonZeroUsize, sync::Arc};

use contextfit_formats::{ChatRequest, ErrorCode, MemoryRequest, Order, SearchRequest};
use contextfit_kernel::{Block, Budget, CompressionResult, Context, Error, Level, TextKind, Tokens};
use contextfit_presets::{
    CompressionOptions, CompressionStrategy, Counting, ExcerptAnswer, FitError, FitWithLlm, Fitter,
    MemoryStrategy, Pipeline, Profile, pins_match,
};
use contextfit_text::{CharsPer, model};
use serde_json::json;

fn fitter() -> Fitter {
    Fitter::new(Counting::by(Arc::new(CharsPer::new(4).unwrap())))
}

/// A page about several subjects; `start` is the number of its first line.
fn page(start: usize) -> String {
    (start..start + 30).map(|n| format!("Line {n} has nothing to do with it.\n")).collect()
}

#[test]
fn what_a_request_leaves_open_is_the_fitters() {
    let mut fitter = fitter();
    let request = || SearchRequest::parse(&json!([{"id": "a", "text": page(1)}]).to_string()).unwrap();
    let error = fitter.search(request(), Order::Document).unwrap_err();
    assert!(matches!(error, FitError::MissingBudget));
    assert_eq!(error.code(), ErrorCode::MissingBudget);
    fitter.budget = Some(Tokens::new(100));
    let fitted = fitter.search(request(), Order::Document).unwrap();
    assert_eq!(fitted.budget.available(), Tokens::new(100));
    assert!(fitted.answer.metrics.tokens_after <= Tokens::new(100));
    let unknown = request().with_strategy("semantic");
    assert_eq!(fitter.search(unknown, Order::Document).unwrap_err().code(), ErrorCode::UnknownStrategy);
}

/// The number of threads changes no byte.
#[test]
fn threads_are_chosen_at_run_time() {
    let request =
        json!({"budget": 150, "query": "line 28", "chunks": [{"text": page(1)}, {"text": page(90)}]});
    let of = |threads: usize| {
        let mut fitter = fitter();
        fitter.threads = NonZeroUsize::new(threads);
        let request = SearchRequest::parse(&request.to_string()).unwrap();
        fitter.search(request, Order::Document).unwrap().answer
    };
    assert!([1, 2, 3].into_iter().all(|threads| of(threads) == of(0)));
}

#[test]
fn a_model_gives_the_tokenizer_and_the_budget() {
    let known = model("gpt-4o").unwrap();
    let fitter = Fitter::new(Counting::new(None, Some(known)).unwrap());
    assert_eq!(fitter.counting.tokenizer(), "o200k_base");
    assert!(fitter.budget(None, None).unwrap().limit() < known.window);
}

/// Every chunk is shown as it is in the context, also if it was joined with others.
#[test]
fn the_shown_text_of_each_chunk_is_in_the_context() {
    let (first, second) = (page(1), page(25));
    let chunk = |id: &str, start: usize, text: &str| json!({"id": id, "path": "a.txt", "startLine": start, "endLine": start + 29, "text": text});
    let request = json!({
        "query": "line 28",
        "chunks": [chunk("one", 1, &first), chunk("two", 25, &second), {"id": "three", "text": "Alone."}],
    });
    for (budget, handle) in
        [40, 80, 160, 320, 10_000].into_iter().flat_map(|budget| [(budget, false), (budget, true)])
    {
        let mut fitter = fitter();
        fitter.budget = Some(Tokens::new(budget));
        fitter.handles = handle.then_some(|_| "7f3a9c1b".into());
        let request = SearchRequest::parse(&request.to_string()).unwrap();
        let Ok(fitted) = fitter.search(request, Order::Document) else { continue };
        for (n, block) in fitted.answer.blocks.iter().enumerate() {
            let shown = fitted.shown(n).unwrap();
            assert!(fitted.answer.context.contains(shown.trim_end()), "{budget}: {n}: {shown}");
            assert_eq!(shown.is_empty(), block.level.is_none(), "{budget}: {n}: {shown}");
            let whole = [&first, &second, "Alone."][n];
            assert_eq!(shown == whole, block.level == Some(Level::Full), "{budget}: {n}");
        }
        assert_eq!(fitted.shown(3), None);
    }
}

/// A model that shortens every passage to the same words.
struct Brief;

impl FitWithLlm for Brief {
    fn conversation(&self, _: Pipeline, _: &Context, _: &Budget) -> Result<CompressionResult, Error> {
        Err(Error::NoStrategy)
    }

    fn passages(
        &self,
        pipeline: Pipeline,
        mut input: Context,
        budget: &Budget,
        _: &CompressionOptions,
    ) -> Result<(Context, CompressionResult), Error> {
        input.blocks.iter_mut().for_each(|block: &mut Block| block.text = "In short, nothing.\n".into());
        let result = pipeline.fit(&input, budget)?;
        Ok((input, result))
    }
}

/// Chunks that were joined and then shortened by a model are each shown by its words: no place of theirs is in them.
#[test]
fn what_a_model_has_shortened_is_shown_whole() {
    let chunk = |start: usize| json!({"path": "a.txt", "startLine": start, "endLine": start + 29, "text": page(start)});
    let request = json!({"budget": 100, "chunks": [chunk(1), chunk(25)]});
    let mut fitter = fitter();
    fitter.llm = Some(Arc::new(Brief));
    fitter.llm_for_passages = true;
    let fitted = fitter.search(SearchRequest::parse(&request.to_string()).unwrap(), Order::Document).unwrap();
    for n in 0..2 {
        assert_eq!(fitted.shown(n).as_deref(), Some("In short, nothing.\n"));
    }
}

#[test]
fn originals_are_those_of_what_is_not_shown_whole() {
    let mut fitter = fitter();
    fitter.budget = Some(Tokens::new(120));
    let request =
        json!({"query": "who", "chunks": [{"id": "a", "text": "Who? Us."}, {"id": "b", "text": page(1)}]});
    let request = || SearchRequest::parse(&request.to_string()).unwrap();
    assert!(fitter.search(request(), Order::Document).unwrap().originals.is_empty());
    fitter.handles = Some(|_| "7f3a9c1b".into());
    let fitted = fitter.search(request(), Order::Document).unwrap();
    let [original] = fitted.originals.as_slice() else { panic!("{:?}", fitted.originals) };
    assert_eq!((original.block, original.bytes.as_slice()), (Some(1), page(1).as_bytes()));
}

#[cfg(feature = "store")]
#[test]
fn handles_can_be_restored() {
    use contextfit_presets::{RestoreError, Store};

    let folder = tempfile::tempdir().unwrap();
    let none = Store::restore(folder.path(), "0123456789").unwrap_err();
    assert!(matches!(none, RestoreError::NoStore { .. }), "{none}");
    let store = Store::open(folder.path()).unwrap();
    let mut fitter = fitter();
    fitter.budget = Some(Tokens::new(60));
    fitter.handles = Some(Store::short_handle);
    let request = json!({"query": "line 28", "chunks": [{"id": "b", "text": page(1)}]});
    let request = SearchRequest::parse(&request.to_string()).unwrap();
    let mut fitted = fitter.search(request, Order::Document).unwrap();
    store.keep(&fitted.originals, &mut fitted.answer.blocks).unwrap();
    drop(store);
    let handle = fitted.answer.blocks[0].original.clone().unwrap();
    assert!(fitted.answer.context.contains(&handle[..8]), "{}", fitted.answer.context);
    assert_eq!(Store::restore(folder.path(), &handle[..8]).unwrap(), page(1).into_bytes());
    let unknown = Store::restore(folder.path(), "ffffffff").unwrap_err();
    assert!(matches!(unknown, RestoreError::Unknown { .. }), "{unknown}");
    let wrong = Store::restore(folder.path(), "f").unwrap_err();
    assert!(matches!(wrong, RestoreError::NotAHandle { .. }), "{wrong}");
}

#[test]
fn a_conversation_comes_back_in_its_own_shape() {
    let talk: Vec<_> = (0..40)
        .map(|n| {
            let role = if n % 2 == 0 { "user" } else { "assistant" };
            json!({"role": role, "content": format!("Message {n}. {}", page(n))})
        })
        .collect();
    let request = json!({"id": 7, "budget": 2000, "messages": talk}).to_string();
    let request = ChatRequest::parse(&request).unwrap();
    let fitted = fitter().chat(&request).unwrap();
    assert_eq!(fitted.answer.id, Some(json!(7)));
    assert!(fitted.result.metrics.tokens_after <= Tokens::new(2000));
    let messages: Vec<serde_json::Value> =
        serde_json::from_str(fitted.answer.messages.unwrap().get()).unwrap();
    assert_eq!(messages.last(), talk.last());
}

#[test]
fn messages_that_must_be_kept_are_named() {
    let request = json!({"budget": 20, "messages": [{"role": "user", "content": "Hello. ".repeat(99)}],
                         "pins": {"indices": [0, 8]}});
    let request = ChatRequest::parse(&request.to_string()).unwrap();
    let error = pins_match(&request).unwrap_err();
    assert_eq!(error.to_string(), "pins match no message: indices [8]");
    let error = fitter().chat(&request).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Infeasible);
    let FitError::Held { available, messages, .. } = error else { panic!("{error}") };
    assert_eq!((available, messages[0].id.as_str()), (Tokens::new(20), "0"));
}

#[test]
fn memories_are_fitted_as_the_options_say() {
    let request = json!({"budget": 60, "memories": [
        {"id": "a", "type": "tribal", "importance": "critical", "summary": "Never retry payments.", "knowledge": page(1)},
        {"id": "b", "type": "note", "summary": "Lunch is at noon.", "knowledge": page(2)},
    ]});
    let request = || MemoryRequest::parse(&request.to_string()).unwrap();
    let mut fitter = fitter();
    let fitted = fitter.memory(request()).unwrap();
    assert!(fitted.batch.tokens <= Tokens::new(60));
    assert!(fitted.answer.context.contains("Never retry payments."));
    fitter.memories.max_level = Level::Reference;
    let named = fitter.memory(request()).unwrap();
    assert!(named.batch.shown.iter().all(|shown| shown.level <= Some(Level::Reference)));
    let unknown = MemoryRequest { strategy: Some("best".into()), ..request() };
    assert_eq!(fitter.memory(unknown).unwrap_err().code(), ErrorCode::UnknownStrategy);
    assert_eq!(MemoryStrategy::from(Profile::Fast), MemoryStrategy::Greedy);
    for strategy in MemoryStrategy::ALL {
        assert_eq!(strategy.name().parse::<MemoryStrategy>().unwrap(), strategy);
    }
}

#[test]
fn an_excerpt_can_be_read_back() {
    let mut log: String =
        (0..400).map(|n| format!("2026-01-01 12:00:{:02} INFO step {n} is done\n", n % 60)).collect();
    log.push_str("2026-01-01 12:00:59 ERROR disk is full\n");
    let fitter = fitter();
    let fitted = fitter.excerpt(log.clone(), Some(Tokens::new(200))).unwrap();
    assert_eq!(fitted.kind, TextKind::Log);
    let answer = fitted.answer();
    assert!(answer.context.contains("ERROR disk is full") && answer.metrics.tokens_after <= Tokens::new(200));
    let read: ExcerptAnswer = serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap();
    assert_eq!(read, answer);
    let (shown, _, before) = fitter.lossless("a\na\na\n".into());
    assert!(fitter.counting.counter.count(&shown) <= before);
}

#[test]
fn strategies_are_for_passages_or_for_conversations() {
    let fitter = fitter();
    assert!(fitter.passages_pipeline(CompressionStrategy::Hybrid).is_err());
    assert!(fitter.conversations_pipeline(CompressionStrategy::Bm25, None).is_err());
}

#[cfg(feature = "code")]
#[test]
fn outlines_of_earlier_requests_change_nothing() {
    use contextfit_presets::CompressionStrategy;

    let source = |name: &str| {
        let body: String = (0..40).map(|n| format!("    let step_{n} = run({n});\n")).collect();
        format!(
            "/// Opens the {name}.\npub fn open_{name}() {{\n{body}}}\n\nfn close_{name}() {{\n{body}}}\n"
        )
    };
    let request = |query: &str| {
        let chunks = [("gate.rs", source("gate")), ("lock.rs", source("lock"))];
        let chunks: Vec<_> = chunks.iter().map(|(path, text)| json!({"path": path, "text": text})).collect();
        let request = json!({"query": query, "budget": 300, "chunks": chunks}).to_string();
        SearchRequest::parse(&request).unwrap()
    };
    let mut fitter = fitter();
    fitter.passages = CompressionStrategy::Outline;
    let alone = |query| fitter.search(request(query), Order::Document).unwrap().answer.context;
    let expected = ["who opens the gate", "who closes the lock"].map(alone);
    fitter.outlines = Some(Arc::default());
    for _ in 0..2 {
        let found = ["who opens the gate", "who closes the lock"]
            .map(|query| fitter.search(request(query), Order::Document).unwrap().answer.context);
        assert_eq!(found, expected);
    }
}
