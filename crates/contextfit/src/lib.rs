//! Fits context for a language model into a token budget: files, search results, conversations and memories.
//!
//! Every block (a file, a search result, a turn, a memory) can be shown at four [levels](Level) of fidelity. A
//! [strategy](Strategy) returns a [plan](Plan) that says what happens to each block. The [pipeline](Pipeline) carries
//! out the plan, recounts, and returns a text that fits, or an error that says which blocks prevent it.
//!
//! ```
//! # #[cfg(all(feature = "tiktoken", feature = "presets"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use contextfit::{Block, Budget, Context, Passage, counter, preset};
//!
//! // What a retriever found, with its scores.
//! let guide = "Set the key in the console. ".repeat(40) + "Tokens are counted once per block. ";
//! let found = [("docs/counting.md", 0.81, guide), ("docs/setup.md", 0.34, "Install the tool. ".repeat(90))];
//! let blocks = found.map(|(path, score, text)| Block::passage(path, Passage::at(path).with_score(score), text));
//! let context = Context::new(blocks.into()).with_query("how are tokens counted");
//!
//! let pipeline = preset("auto", counter("o200k_base")?)?;
//! let result = pipeline.fit(&context, &Budget::new(100))?;
//!
//! assert!(result.text.contains("Tokens are counted once per block."));
//! assert!(result.metrics.tokens_after.get() <= 100);
//! for step in &result.plan().ok_or("it fits as it is")?.steps {
//!     println!("{}: {}, because {}", step.id, step.action.name(), step.reason);
//! }
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "tiktoken", feature = "presets")))]
//! # fn main() {}
//! ```
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `truncation` (default) | `SmartTruncation`, `MetadataOnly`, `Incremental`; module `feedback`: thresholds learned from reports | none |
//! | `bm25` (default) | `SentenceSelection`; `Bm25`, a `Scorer` | none |
//! | `parallel` | counts, parses and analyses a request on all cores, with the same result | `rayon` |
//! | `code` | `Outlining`, `Outline`: code as signatures plus the bodies that matter, in 14 languages | `tree-sitter` and a grammar for each language |
//! | `code-heavy` | five more languages, whose grammars take longer to build | as `code` |
//! | `conversational` (default) | `SlidingWindowCompressor`, `SummarizingCompressor`, `SemanticCompressor`, `HierarchicalCompressor`: turns of a conversation | none |
//! | `presets` (default) | `preset`, `Preset`, `Profile`: every strategy by name, and the choice of `auto`; turns on `truncation`, `bm25` and `conversational`, and the strategy `Excerpts` | none |
//! | `formats` (default) | JSON requests and answers, OpenAI and Anthropic conversations, histories of `feedback` | `serde_json` |
//! | `session` (default) | `Session`: keeps a growing conversation within its budget | none |
//! | `hierarchical` (default) | module `memory`: memories packed at four levels; budgets, shares, previously sent memories | none |
//! | `tiktoken` (default) | `Tiktoken`: exact counts in `o200k_base` and `cl100k_base` | none |
//! | `huggingface` | `HuggingFace`: exact counts with a `tokenizer.json` | `tokenizers` |
//! | `tiktoken-rs` | `TiktokenRs`: counts with a `CoreBPE` that the application holds | `tiktoken-rs` |
//! | `report` | module `report`: what one compression lost, by name; two of them block by block; a page in HTML | `aho-corasick`, `serde_json` |
//! | `http` | `OpenAiChat`, `OpenAiEmbeddings`, `AnthropicMessages`; turns on `llm` | `reqwest`, `secrecy` |
//! | `llm` | `Summarizer`; `Retry`, `RateLimited`, `Concurrent` and `Metered` wrappers for any model; `LlmCompressor` | `tokio` |
//! | `bert` | `BertEmbeddings`: embeddings from a local BERT model, such as MiniLM | `candle`, `tokenizers` |
//! | `model2vec` | `StaticEmbeddings`: embeddings from a local static model | `model2vec-rs`, `safetensors` |
//! | `cache` | module `cache`: `CompressionCache`, `Cached`, `Originals`, in memory | `moka`, `sha2`, `tokio`'s locks |
//! | `cache-disk` | `Disk`: a cache in a file | `redb`, `tokio` |
//! | `cache-redis` | `Redis`: a shared cache | `redis` |
//! | `cache-qdrant` | `Qdrant`: a cache in the payload of points | `qdrant-client` |
//! | `full` | all features | all of the above |

pub use contextfit_kernel::*;
#[cfg(feature = "llm")]
pub use contextfit_pipeline::Summarizer;
pub use contextfit_pipeline::{
    Claim, Discrepancy, PROMPT_VERSION, Pipeline, check_plan, measure, verified, verify,
};
pub use contextfit_text::{
    Analyzer, Bill, CharsPer, CounterError, Fence, Judge, Language, Model, Money, NaturalLanguage, Prices,
    Shape, TokenFactor, TokenRatio, TokenUsage, UnknownModel, counter, gap_marker, model, models, prices,
    tally, text_kind, unit_ends, words,
};

#[cfg(feature = "huggingface")]
pub use contextfit_text::HuggingFace;
#[cfg(feature = "tiktoken-rs")]
pub use contextfit_text::TiktokenRs;
#[cfg(feature = "tiktoken")]
pub use contextfit_text::{Encoding, Tiktoken};

#[cfg(feature = "bm25")]
pub use contextfit_bm25::{
    Bm25, Explanation, Fusion, SentenceOptions, SentenceSelection, Similarity, Unmatched,
};
#[cfg(feature = "cache")]
pub use contextfit_cache as cache;
#[cfg(feature = "conversational")]
pub use contextfit_conversational::{
    HierarchicalCompressor, HierarchicalOptions, HybridCompressor, SemanticCompressor, SemanticOptions,
    SlidingWindowCompressor, SummarizingCompressor, SummarizingOptions, ToolOutputs, TurnVectors, Worth,
};
#[cfg(feature = "presets")]
pub use contextfit_excerpt::Excerpts;
#[cfg(feature = "formats")]
pub use contextfit_formats as formats;
#[cfg(feature = "session")]
pub use contextfit_formats::{Compaction, Session, SessionError, SessionState, WaterMarks};
#[cfg(feature = "hierarchical")]
pub use contextfit_hierarchical as memory;
#[cfg(any(feature = "code", feature = "code-heavy"))]
pub use contextfit_outline::{Item, ItemKind, Outline, Outlining};
#[cfg(feature = "presets")]
pub use contextfit_presets::{
    CacheBackend, CompressionOptions, CompressionStrategy, Dispatch, LlmOptions, Preset, Profile, Traits,
    preset,
};
#[cfg(feature = "http")]
pub use contextfit_providers::{
    AnthropicMessages, ApiKey, ApiKeyError, Endpoint, EndpointError, HttpError, OpenAiChat, OpenAiEmbeddings,
    Timeouts,
};
#[cfg(feature = "bert")]
pub use contextfit_providers::{BertEmbeddings, BertEmbeddingsError};
#[cfg(feature = "llm")]
pub use contextfit_providers::{
    Concurrent, DeadlineExceeded, LlmCompressor, LlmCompressorOptions, Metered, Metering, NullLlmCompressor,
    RateLimited, Retry, RetryPolicy, Shortened, Shortening,
};
#[cfg(feature = "model2vec")]
pub use contextfit_providers::{StaticEmbeddings, StaticEmbeddingsError};
#[cfg(feature = "report")]
pub use contextfit_report as report;
#[cfg(feature = "truncation")]
pub use contextfit_truncation::feedback;
#[cfg(feature = "truncation")]
pub use contextfit_truncation::{
    Incremental, MetadataOnly, MetadataOnlyOptions, ScoreMode, SmartTruncation, SmartTruncationOptions,
    TruncationOptions,
};

// The Rust blocks of the book run as documentation tests. The package has no copy of it.
#[cfg(all(doctest, feature = "presets", feature = "session", feature = "tiktoken"))]
#[doc = include_str!("../../../docs/book/cookbook.md")]
mod book {}
