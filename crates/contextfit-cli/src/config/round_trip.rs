//! A configuration that is written in any format and read again is the same.

use contextfit::{
    caches::{CacheConfig, CacheKind},
    presets::{CacheBackend, CompressionOptions, CompressionStrategy, LlmOptions, Profile},
    search::{MetadataOnlyOptions, ScoreMode, SentenceOptions, SmartTruncationOptions, Unmatched},
};
use proptest::{option, prelude::*, sample::select, test_runner::TestCaseError};

use super::{
    diagnose::diagnose,
    format::Format,
    layer::Layer,
    layers::Layers,
    origin::Origin,
    shape::{Api, Config, FeedbackConfig, LlmConfig},
};

const FORMATS: [Format; 3] = [Format::Toml, Format::Yaml, Format::Json];

/// Words, and texts that formats take for other values or must escape.
fn text() -> impl Strategy<Value = String> {
    let awkward =
        ["", "true", "null", "~", "5", "1e3", "no", "- a", "a: b", "# c", "2026-11-25", "\"", "'", "\\n"];
    prop_oneof![
        select(awkward.to_vec()).prop_map(String::from),
        "[a-z]{1,9}",
        "\\PC{0,12}",
        "[ \t\r\n\"'#:é]{0,6}"
    ]
}

/// Whole numbers that TOML can hold.
fn number() -> impl Strategy<Value = usize> {
    prop_oneof![0..10_000_usize, Just(usize::try_from(i64::MAX).unwrap_or(usize::MAX))]
}

fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![select(&[0.0, 0.1, 0.3, 1.0, 2.0, 1e-9, 1e6][..]), -1e3..1e3, any::<f64>()]
        .prop_filter("JSON has no infinities", |weight| weight.is_finite())
}

/// The defaults with other weights.
fn sentences() -> impl Strategy<Value = SentenceOptions> {
    let weights = proptest::collection::vec(weight(), 16);
    let unmatched = select(&[Unmatched::Position, Unmatched::Nothing][..]);
    (weights, number(), unmatched, option::of(text())).prop_map(|(weights, feedback, unmatched, language)| {
        let mut document = serde_json::to_value(SentenceOptions::default()).unwrap();
        let values = document.as_object_mut().into_iter().flat_map(|object| object.values_mut());
        for (value, weight) in values.filter(|value| value.is_f64()).zip(weights) {
            *value = weight.into();
        }
        let mut options: SentenceOptions = serde_json::from_value(document).unwrap();
        (options.feedback, options.unmatched, options.language) = (feedback, unmatched, language);
        options
    })
}

fn compression() -> impl Strategy<Value = CompressionOptions> {
    let cache = select(&[CacheBackend::Memory, CacheBackend::Qdrant, CacheBackend::Both][..]);
    let modes = [ScoreMode::Absolute, ScoreMode::Normalised, ScoreMode::Rank, ScoreMode::Quantile];
    let metadata =
        (any::<bool>(), weight(), select(modes.to_vec())).prop_map(|(enabled, threshold, mode)| {
            MetadataOnlyOptions::default()
                .with_enabled(enabled)
                .with_score_threshold(threshold)
                .with_score_mode(mode)
        });
    let smart = (any::<bool>(), number(), any::<bool>()).prop_map(|(enabled, length, structure)| {
        let options = SmartTruncationOptions::default().with_enabled(enabled).with_max_length(length);
        options.with_preserve_structure(structure)
    });
    let llm =
        (any::<bool>(), option::of(text()), option::of(number())).prop_map(|(enabled, model, max_tokens)| {
            let mut options = LlmOptions::default().with_enabled(enabled).with_max_tokens(max_tokens);
            options.model = model;
            options
        });
    (any::<bool>(), cache, smart, metadata, llm).prop_map(|(enabled, cache, smart, metadata, llm)| {
        let mut options = CompressionOptions::default().with_cache(cache).with_llm(llm);
        options.enabled = enabled;
        options.with_smart_truncation(smart).with_metadata_only(metadata)
    })
}

fn llm() -> impl Strategy<Value = LlmConfig> {
    let numbers = (option::of(number()), option::of(number()), option::of(number()), option::of(0..9_u64));
    let texts = (option::of(text()), option::of(text()), option::of(text()), option::of("[a-z/]{1,9}"));
    (select(&[Api::Openai, Api::Anthropic][..]), texts, numbers).prop_map(
        |(api, (model, url, key_env, key_file), (window, concurrency, per_minute, deadline))| LlmConfig {
            model,
            api,
            url,
            key_env,
            key_file: key_file.map(Into::into),
            deadline,
            window,
            concurrency,
            per_minute,
        },
    )
}

fn cache() -> impl Strategy<Value = CacheConfig> {
    let kinds = [CacheKind::Memory, CacheKind::Disk, CacheKind::Redis, CacheKind::Qdrant, CacheKind::Both];
    let kind = || select(kinds.to_vec());
    (kind(), kind(), 0..1_u64 << 40, option::of(0..9_u64), option::of("[a-z/]{1,9}"), option::of(text()))
        .prop_map(|(kind, behind, capacity, seconds, path, url)| {
            let config = CacheConfig::default().with_kind(kind).with_behind(behind);
            let mut config = config.with_capacity(capacity).with_seconds(seconds);
            (config.path, config.url) = (path.map(Into::into), url);
            config
        })
}

fn feedback() -> impl Strategy<Value = FeedbackConfig> {
    (any::<bool>(), option::of("[a-z/]{1,9}"), option::of(text()), weight()).prop_map(
        |(enabled, file, project, miss_rate)| FeedbackConfig {
            enabled,
            file: file.map(Into::into),
            project,
            miss_rate,
        },
    )
}

fn config() -> impl Strategy<Value = Config> {
    let strategy = || option::of(select(CompressionStrategy::ALL.to_vec()));
    let plain = (
        strategy(),
        strategy(),
        option::of(text()),
        option::of(text()),
        option::of(number()),
        option::of(number()),
        option::of(select(Profile::ALL.to_vec())),
    );
    let sections = (
        option::of(compression()),
        option::of(sentences()),
        option::of(llm()),
        option::of(cache()),
        option::of(feedback()),
    );
    (plain, sections).prop_map(
        |(
            (strategy, chat, tokenizer, model, budget, reserve, profile),
            (compression, bm25, llm, cache, feedback),
        )| {
            Config {
                strategy,
                chat,
                tokenizer,
                model,
                budget,
                reserve,
                profile,
                compression,
                bm25,
                llm,
                cache,
                feedback,
                imported: false,
            }
        },
    )
}

/// `config`, written in each format and read again.
fn check(config: &Config) -> Result<(), TestCaseError> {
    for format in FORMATS {
        let text = format.write(config);
        let read = diagnose(format, &text, None);
        prop_assert_eq!(&read.config, config, "{:?}: {}\n{:?}", format, text, read.problems);
        // The layer of a file holds what the file says.
        let layer = Layer::new(Origin::Default, &read.document);
        let written = serde_json::to_value(Layers::new(vec![layer]).config().unwrap()).unwrap();
        let expect = serde_json::to_value(config).unwrap();
        prop_assert!(holds(&written, &expect), "{:?}: {}", format, written);
    }
    Ok(())
}

/// Whether `whole` has every value of `part` that is not null.
fn holds(whole: &serde_json::Value, part: &serde_json::Value) -> bool {
    match part {
        serde_json::Value::Null => true,
        serde_json::Value::Object(keys) => keys.iter().all(|(key, part)| holds(&whole[key], part)),
        part => whole == part,
    }
}

proptest! {
    #[test]
    fn any_configuration(config in config()) {
        check(&config)?;
    }
}

#[test]
fn the_defaults_and_the_empty_configuration() {
    check(&Config::defaults()).unwrap();
    check(&Config::default()).unwrap();
}
