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
