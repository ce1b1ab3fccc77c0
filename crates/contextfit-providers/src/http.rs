//! What all providers behind HTTP share: keys, addresses, one request, one answer.

mod api_key;
mod client;
mod endpoint;
mod error;
mod refusal;
mod retry_after;
mod sse;

pub use self::{
    api_key::{ApiKey, ApiKeyError},
    endpoint::{Endpoint, EndpointError, Timeouts},
    error::HttpError,
};

pub(crate) use self::{
    client::{Client, KeyIn, Progress},
    refusal::refusal,
};

/// The result of a stream, with how much of its text had come when it ended early.
pub(crate) fn received(
    result: Result<(), contextfit_kernel::ProviderError>,
    bytes: usize,
) -> Result<(), contextfit_kernel::ProviderError> {
    result.map_err(|mut error| {
        if let Some(HttpError::Interrupted { received }) = error.source.downcast_mut() {
            *received = bytes;
        }
        error
    })
}
