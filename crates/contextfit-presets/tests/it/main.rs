//! Presets: every name on every kind of context, and what `auto` chooses.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "tests fail by panicking"
)]

mod options;
mod requests;
mod sessions;
mod verified;

use std::sync::Arc;

use contextfit_kernel::{Block, Budget, Context, Error, Passage, TokenCounter, Tokens};
use contextfit_presets::{CompressionOptions, CompressionStrategy, Preset, Profile, preset};
use contextfit_testkit::conversation_of;
use contextfit_text::CharsPer;

fn counter() -> Arc<dyn TokenCounter> {
    Arc::new(CharsPer::new(4).unwrap())
}

/// Blocks of the texts, each with its path.
fn passages(texts: &[(&str, String)]) -> Context {
    Context::new(texts.iter().map(|(path, text)| Block::passage(*path, *path, text.as_str())).collect())
}

fn prose() -> (&'static str, String) {
    ("guide.md", "The tool counts tokens once. It is quick. Nobody waits for it any more. ".repeat(40))
}

fn code() -> (&'static str, String) {
    ("lib.rs", "/// Counts tokens.\npub fn count(text: &str) -> usize {\n    text.len()\n}\n\n".repeat(60))
}

fn output() -> (&'static str, String) {
    ("run.log", "2026-01-01T00:00:00Z INFO ready\n2026-01-01T00:00:01Z ERROR no tokens left\n".repeat(60))
}

#[test]
fn every_name_fits_every_kind() {
    let contexts = [passages(&[prose(), code(), output()]).with_query("tokens"), conversation_of(60)];
    let strategies = CompressionStrategy::ALL.map(CompressionStrategy::name);
    let conversations = CompressionStrategy::CHAT.map(CompressionStrategy::name);
    let built_in = |name: &&str| cfg!(feature = "code") || *name != "outline";
    for name in strategies.into_iter().filter(built_in).chain(Profile::ALL.map(Profile::name)) {
        for context in &contexts {
            let fitted = preset(name, counter()).unwrap().fit(context, &Budget::new(400));
            let for_passages = name.parse::<Profile>().is_err() && !conversations.contains(&name);
            if for_passages && context.layout.framing.is_some() {
                let error = fitted.unwrap_err().to_string();
                assert!(error.contains("this is a conversation; use one of auto, "), "{error}");
                continue;
            }
            let result = fitted.unwrap();
            assert!(result.metrics.tokens_after <= Tokens::new(400), "{name}");
            assert!(result.strategy().is_some(), "{name}");
        }
    }
}

/// Asserts which strategy the preset `name` plans with.
#[track_caller]
fn check(name: &str, context: &Context, expect: &str) {
    let result = preset(name, counter()).unwrap().fit(context, &Budget::new(400)).unwrap();
    assert_eq!(result.strategy(), Some(expect));
}

#[test]
fn auto_chooses_by_what_there_is() {
    check("auto", &conversation_of(60), "hierarchical");
    check("auto", &passages(&[prose()]).with_query("tokens"), "bm25");
    check("auto", &passages(&[prose()]), "bm25");
    let scored = Block::passage("a", Passage::default().with_score(0.5), prose().1);
    check("auto", &Context::new(vec![scored]), "incremental");
    let for_code = if cfg!(feature = "code") { "outline" } else { "bm25" };
    check("auto", &passages(&[prose(), code()]).with_query("tokens"), for_code);
    check("auto", &passages(&[output()]).with_query("tokens"), "excerpt");
}

#[test]
fn profiles_have_a_strategy_for_each_kind() {
    check("fast", &conversation_of(60), "sliding-window");
    check("fast", &passages(&[prose()]), "smart-truncation");
    check("quality", &conversation_of(60), "hierarchical");
    check("cost-optimized", &passages(&[prose()]), "bm25");
}

/// With room left, `quality` fills it, and `cost-optimized` leaves out what is only a little like the query.
#[test]
fn profiles_spend_what_they_promise() {
    let near = "How often tokens are counted depends on the counter. ";
    let far = "A counter of visitors stands at the door. The weather was fine all week. ";
    let text = [near.to_owned(), far.repeat(30), "Tokens are cheap. ".repeat(20)].concat();
    let context = passages(&[("a.md", text)]).with_query("how often are tokens counted");
    let spent = |name: &str| {
        let result = preset(name, counter()).unwrap().fit(&context, &Budget::new(500)).unwrap();
        assert!(result.text.contains(near.trim()), "{name}");
        result.metrics.tokens_after
    };
    let [least, usual, most] = ["cost-optimized", "balanced", "quality"].map(spent);
    assert!(least < usual && usual < most, "{least} {usual} {most}");
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let error = preset("best", counter()).unwrap_err();
    assert!(matches!(&error, Error::UnknownStrategy { name, .. } if name == "best"));
    let message = error.to_string();
    assert!(
        message.contains("auto, ") && message.ends_with("fast, balanced, quality, cost-optimized"),
        "{message}"
    );
}

#[cfg(not(feature = "code"))]
#[test]
fn what_this_build_lacks_names_its_feature() {
    let error = preset("outline", counter()).unwrap_err();
    assert_eq!(error.to_string(), "strategy outline is not part of this build; enable the feature `code`");
}

#[test]
fn options_reach_the_strategy() {
    let mut options = CompressionOptions::on();
    options.smart_truncation.max_length = 200.into();
    let fit = |preset: Preset| {
        let context = passages(&[prose()]);
        preset.pipeline(counter()).unwrap().fit(&context, &Budget::new(400)).unwrap().metrics.tokens_after
    };
    let by_default = fit(Preset::new(CompressionStrategy::SmartTruncation));
    let shorter = fit(Preset::new(CompressionStrategy::SmartTruncation).with_options(options));
    assert!(shorter < by_default && shorter <= Tokens::new(60), "{shorter} of {by_default}");
}
