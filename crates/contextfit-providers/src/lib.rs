//! Implementations of contextfit's model traits, [`LlmProvider`](contextfit_kernel::LlmProvider) and
//! [`EmbeddingProvider`](contextfit_kernel::EmbeddingProvider).
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `bert` | `BertEmbeddings`: a BERT such as MiniLM, loaded from files | `candle`, `tokenizers`, `serde_json` |
//! | `http` | `OpenAiChat`, `OpenAiEmbeddings`, `AnthropicMessages`; turns on `llm` | `reqwest` with rustls, `secrecy`, `httpdate`, `serde_json` |
//! | `llm` | for any provider: `Retry`, `RateLimited`, `Concurrent`, `Metered`; `LlmCompressor` | `tokio`, `backon`, `futures-util`, `tracing` |
//! | `model2vec` | `StaticEmbeddings`: a static embedding model, loaded from files | `model2vec-rs`, `safetensors`, `serde_json` |
//!
//! Decorators wrap a provider and are providers themselves. A call passes through them from the outside in:
//!
//! ```
//! # #[cfg(feature = "http")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # mod contextfit { pub use ::contextfit_providers as models; }
//! use contextfit::models::{Concurrent, Endpoint, Metered, OpenAiChat, RateLimited, Retry, RetryPolicy};
//!
//! let chat = OpenAiChat::new("qwen3-8b", Endpoint::new("http://localhost:11434/v1")?)?;
//! let limited = RateLimited::new(Metered::new(chat), 60);
//! let provider = Retry::new(Concurrent::new(limited, 4), RetryPolicy::default());
//! # let _ = provider;
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "http"))]
//! # fn main() {}
//! ```

#[cfg(feature = "http")]
mod http;

#[cfg(feature = "http")]
mod anthropic;
#[cfg(feature = "http")]
mod openai;

#[cfg(feature = "bert")]
mod bert;
#[cfg(feature = "model2vec")]
mod model2vec;
#[cfg(any(feature = "bert", feature = "model2vec"))]
mod tokenizer_json;

#[cfg(feature = "llm")]
mod compressor;
#[cfg(feature = "llm")]
mod concurrent;
#[cfg(feature = "llm")]
mod metered;
#[cfg(feature = "llm")]
mod rate_limited;
#[cfg(feature = "llm")]
mod retry;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[cfg(feature = "llm")]
#[doc(no_inline)]
pub use contextfit_text as text;
#[cfg(feature = "http")]
#[doc(no_inline)]
pub use reqwest;
#[cfg(feature = "http")]
#[doc(no_inline)]
pub use serde_json;

#[cfg(feature = "http")]
pub use crate::{
    anthropic::AnthropicMessages,
    http::{ApiKey, ApiKeyError, Endpoint, EndpointError, HttpError, Timeouts},
    openai::{OpenAiChat, OpenAiEmbeddings},
};

#[cfg(feature = "llm")]
pub use crate::{
    compressor::{LlmCompressor, LlmCompressorOptions, NullLlmCompressor, Shortened, Shortening},
    concurrent::Concurrent,
    metered::{Metered, Metering},
    rate_limited::RateLimited,
    retry::{DeadlineExceeded, Retry, RetryPolicy},
};

#[cfg(feature = "bert")]
pub use crate::bert::{BertEmbeddings, BertEmbeddingsError};

#[cfg(feature = "model2vec")]
pub use crate::model2vec::{StaticEmbeddings, StaticEmbeddingsError};
