//! The metrics event of KB Labs Mind reaches a subscriber with all its fields.

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use contextfit_kernel::{Block, Budget, Context, Passage, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_testkit::DropAll;
use contextfit_text::CharsPer;
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

/// Collects the fields of every event at info and the names of all spans.
#[derive(Clone, Default)]
struct Collector {
    seen: Arc<Mutex<Vec<String>>>,
}

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::INFO
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        self.seen.lock().unwrap().push(format!("span {}", attributes.metadata().name()));
        attributes.record(&mut Fields(&self.seen));
        span::Id::from_u64(1)
    }

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Fields(&self.seen));
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

struct Fields<'a>(&'a Mutex<Vec<String>>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.lock().unwrap().push(format!("{field}={value:?}"));
    }
}

#[test]
fn compression_metrics() {
    let collector = Collector::default();
    let context = Context::new(vec![Block::passage("a", Passage::default(), "far too long for its budget")]);
    tracing::subscriber::with_default(collector.clone(), || {
        let pipeline = Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(DropAll);
        pipeline.fit(&context, &Budget::new(Tokens::new(20))).unwrap();
    });
    let seen = collector.seen.lock().unwrap();
    let expect = [
        "span stage",
        "strategy=\"drop-all\"",
        "message=Compression metrics",
        "totalChunks=1",
        "metadataOnlyChunks=0",
        "tokensBeforeCompression=27",
        "tokensAfterCompression=15",
        "tokensSaved=12",
        "compressionRate=\"44.4%\"",
    ];
    for line in expect {
        assert!(seen.iter().any(|seen| seen == line), "{line} is not among {seen:?}");
    }
}
