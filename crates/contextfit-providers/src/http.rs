//! The parts that all HTTP providers share: keys, addresses, requests and answers.

mod api_key;
mod client;
mod endpoint;
mod error;
mod retry_after;
mod sse;

pub use self::{
    api_key::{ApiKey, ApiKeyError},
    endpoint::{Endpoint, EndpointError, Timeouts},
    error::HttpError,
};

pub(crate) use self::client::{Client, KeyIn, Progress};

/// The result of a stream. If it ended early, the error gets the number of bytes of text received.
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
