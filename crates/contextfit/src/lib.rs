//! Fits context for a language model into a token budget: files, search results, conversations and memories.
//!
//! Every block (a file, a search result, a turn, a memory) can be shown at four [levels](Level) of fidelity. A
//! [strategy](Strategy) returns a [plan](kernel::Plan) that says what happens to each block. The [pipeline](Pipeline) carries
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
//! | module | for |
//! |---|---|
//! | [`search`] | search results and files: strategies, relevance to a query, requests and answers |
//! | [`chat`] | conversations: strategies, the formats of providers, sessions that grow |
//! | `memory` | memories at four levels: packing, budgets and shares, requests and answers |
//! | `code` | outlines of code, and the ranking of a repository |
//! | [`models`] | models: tokens, windows, prices; clients for language models and embeddings |
//! | `caches` | stored model answers, and the originals behind markers |
//! | `presets` | [`Fitter`]: from requests to answers; strategies and profiles by name |
//! | `formats` | JSON requests and answers, and the wire formats of providers |
//! | `report`, `feedback` | what a compression lost, by name; thresholds learned from reports about it |
//! | [`kernel`], [`text`], [`pipeline`] | for strategies, counters and models of your own |
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `truncation` (default) | `SmartTruncation`, `MetadataOnly`, `Incremental`; module `feedback`: thresholds learned from reports | none |
//! | `bm25` (default) | `SentenceSelection`; `Bm25`, a `Scorer` | none |
//! | `parallel` | counts, parses and analyses a request on all cores, with the same result | `rayon` |
//! | `code` | `Outlining`, `Outline`: code as signatures plus the bodies that matter, in 14 languages, ranked by words and by meaning | `tree-sitter` and a grammar for each language |
//! | `outline` | module `code`: the ranking of a repository; outlines in the languages of `code` and `code-heavy` | `tree-sitter` |
//! | `code-heavy` | five more languages, whose grammars take longer to build | as `code` |
//! | `conversational` (default) | `SlidingWindowCompressor`, `SummarizingCompressor`, `SemanticCompressor`, `HierarchicalCompressor`: turns of a conversation | none |
//! | `presets` (default) | `Fitter`: from requests to answers; `preset`, `Preset`, `Profile`: every strategy by name, and the choice of `auto`; turns on `truncation`, `bm25`, `conversational`, `hierarchical` and `formats`, and the strategy `Excerpts` | `serde_json` |
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
//! | `cache` | module `caches`: `CompressionCache`, `Cached`, `Originals`, in memory | `moka`, `sha2`, `tokio`'s locks |
//! | `cache-disk` | `Disk`: a cache in a file | `redb`, `tokio` |
//! | `cache-redis` | `Redis`: a shared cache | `redis` |
//! | `cache-qdrant` | `Qdrant`: a cache in the payload of points | `qdrant-client` |
//! | `store` | `presets::Store`: originals of shortened texts in a file | `redb`, `sha2`, `tokio` |
//! | `schema` | JSON schemas of options and names | `schemars` |
//! | `full` | all features | all of the above |

#[doc(inline)]
pub use contextfit_kernel::{
    Block, Budget, CompressionResult, Context, ContextCompressor, Error, Level, Passage, Role, Scorer,
    Strategy, TokenCounter, Tokens, Turn,
};
#[doc(inline)]
pub use contextfit_pipeline::Pipeline;
#[cfg(feature = "presets")]
#[doc(inline)]
pub use contextfit_presets::{Counting, Fitter, preset};
#[doc(inline)]
pub use contextfit_text::counter;

#[cfg(feature = "cache")]
pub use contextfit_cache as caches;
#[cfg(feature = "formats")]
pub use contextfit_formats as formats;
pub use contextfit_kernel as kernel;
#[cfg(feature = "outline")]
pub use contextfit_outline as code;
pub use contextfit_pipeline as pipeline;
#[cfg(feature = "presets")]
pub use contextfit_presets as presets;
#[cfg(feature = "report")]
pub use contextfit_report as report;
pub use contextfit_text as text;
#[cfg(feature = "truncation")]
pub use contextfit_truncation::feedback;

/// Search results and files: strategies, relevance to a query, requests and answers.
pub mod search {
    #[cfg(feature = "bm25")]
    pub use contextfit_bm25::*;
    #[cfg(feature = "presets")]
    pub use contextfit_excerpt::{Excerpts, ROW_FEATURES, RowFeatures, focus, row_features};
    #[cfg(feature = "formats")]
    pub use contextfit_formats::{
        Documents, Order, Place, SearchAnswer, SearchChunk, SearchLayout, SearchRequest,
    };
    #[cfg(feature = "truncation")]
    pub use contextfit_truncation::{
        Incremental, MetadataOnly, MetadataOnlyOptions, PackingMode, ScoreMode, SmartTruncation,
        SmartTruncationOptions, TruncationOptions, gist, reference,
    };
}

/// Conversations: strategies, the formats of providers, sessions that grow.
pub mod chat {
    #[cfg(feature = "conversational")]
    pub use contextfit_conversational::*;
    #[cfg(feature = "formats")]
    pub use contextfit_formats::{
        ChatAnswer, ChatRequest, Conversation, Origin, Pins, ReplaceError, WireFormat, replace_text,
    };
    #[cfg(feature = "session")]
    pub use contextfit_formats::{Compaction, Session, SessionError, SessionState, WaterMarks};
    pub use contextfit_kernel::ConversationBuilder;
}

/// Memories at four levels: packing, budgets and shares, requests and answers.
#[cfg(feature = "hierarchical")]
pub mod memory {
    #[cfg(feature = "formats")]
    pub use contextfit_formats::{MemoryAnswer, MemoryEntry, MemoryRequest};
    pub use contextfit_hierarchical::*;
    pub use contextfit_kernel::{CodeSnippet, Evidence, Importance, MemoryRecord};
}

/// Models: their tokens, windows and prices; clients for language models and embeddings, and what goes around them.
pub mod models {
    pub use contextfit_kernel::{EmbeddingProvider, LlmProvider};
    #[cfg(feature = "llm")]
    pub use contextfit_pipeline::Summarizer;
    #[cfg(any(feature = "llm", feature = "bert", feature = "model2vec"))]
    pub use contextfit_providers::*;
    pub use contextfit_text::{
        Bill, Model, Money, Prices, TokenFactor, TokenRatio, TokenUsage, UnknownModel, model, models, prices,
    };
}

// The Rust blocks of the book run as documentation tests. The package has no copy of it.
#[cfg(all(doctest, feature = "presets", feature = "session", feature = "tiktoken"))]
#[doc = include_str!("../../../docs/book/cookbook.md")]
mod book {}

#[cfg(all(doctest, feature = "presets", feature = "session", feature = "tiktoken"))]
#[doc = include_str!("../../../docs/book/one-crate.md")]
mod one_crate {}
