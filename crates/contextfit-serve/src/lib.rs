//! contextfit in front of agents and gateways.
//!
//! | module | feature | what it is |
//! |---|---|---|
//! | this one | | [`SavedOutputs`]: whole outputs in files, for as long as there is room |
//! | `http` | `serve` | requests of the command line over HTTP, and the sidecar that gateways call |
//! | `mcp` | `mcp` | a server of the Model Context Protocol, on standard input and output |
//!
//! The command line starts both servers: `contextfit serve` and `contextfit mcp`.

mod saved;

#[cfg(feature = "serve")]
pub mod http;
#[cfg(feature = "mcp")]
pub mod mcp;

// What is in the signatures of this crate.
#[cfg(feature = "serve")]
#[doc(no_inline)]
pub use axum;
#[cfg(feature = "serve")]
#[doc(no_inline)]
pub use contextfit;
#[cfg(any(feature = "mcp", feature = "serve"))]
#[doc(no_inline)]
pub use tokio;

pub use crate::saved::{LAST_LINE, SavedOutputs, is_excerpt, make_private, save_private};
