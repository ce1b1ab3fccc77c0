//! A server's address, and the key, headers and parameters of every request to it.

use std::{fmt, time::Duration};

use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use thiserror::Error;

use super::ApiKey;

/// The minimum length of a value that is treated as a secret: `2024-10-21` stays readable in error messages.
const SECRET: usize = 12;
/// Replaces a secret.
const REDACTED: &str = "[redacted]";

/// A server: its base address, and the key, headers and query parameters of every request.
///
/// The base address is everything before the paths that providers share: `https://api.openai.com/v1`,
/// `http://localhost:11434/v1` (Ollama), `https://openrouter.ai/api/v1`, `https://api.anthropic.com/v1`. Azure and
/// similar services expect the key in their own header and a version in the query:
///
/// ```
/// # mod contextfit { pub use ::contextfit_providers as models; }
/// use contextfit::models::{ApiKey, Endpoint};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let azure = Endpoint::new("https://example.openai.azure.com/openai/deployments/small?api-version=2024-10-21")?
///     .with_key(ApiKey::new("1234567890abcdef")?)
///     .with_key_header("api-key")?;
/// # let _ = azure;
/// # Ok(())
/// # }
/// ```
///
/// Redirects are not followed, because the key would be sent with them. Servers on this machine are reached without the
/// proxy of the environment.
#[derive(Clone)]
pub struct Endpoint {
    pub(crate) base: Url,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) key: Option<ApiKey>,
    pub(crate) key_header: Option<HeaderName>,
    pub(crate) timeouts: Timeouts,
}

impl Endpoint {
    /// The server at `base`; a query in it is sent with every request.
    ///
    /// # Errors
    /// [`EndpointError`] if `base` is not an `http` or `https` address, or contains a user name or password.
    pub fn new(base: &str) -> Result<Self, EndpointError> {
        // The parser's error is only a reason, and never quotes the address.
        let mut base: Url = base.parse().map_err(|_| EndpointError::Address)?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
            return Err(EndpointError::Address);
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(EndpointError::Credentials);
        }
        let query = base.query_pairs().into_owned().collect();
        base.set_query(None);
        base.set_fragment(None);
        let path = format!("{}/", base.path().trim_end_matches('/'));
        base.set_path(&path);
        let (headers, timeouts) = (HeaderMap::new(), Timeouts::default());
        Ok(Self { base, query, headers, key: None, key_header: None, timeouts })
    }

    /// Sets the key.
    #[must_use]
    pub fn with_key(self, key: ApiKey) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Sends the key alone in the header `name`, instead of where the provider expects it.
    ///
    /// # Errors
    /// [`EndpointError::Header`] if `name` is not a valid header name.
    pub fn with_key_header(self, name: &str) -> Result<Self, EndpointError> {
        Ok(Self { key_header: Some(header_name(name)?), ..self })
    }

    /// Adds a header. Its value is treated as a secret.
    ///
    /// # Errors
    /// [`EndpointError::Header`] if the name or value is invalid.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Self, EndpointError> {
        let mut secret =
            HeaderValue::from_str(value).map_err(|_| EndpointError::Header { name: name.into() })?;
        secret.set_sensitive(true);
        self.headers.insert(header_name(name)?, secret);
        Ok(self)
    }

    /// Adds a query parameter. Its value is treated as a secret.
    #[must_use]
    pub fn with_query(mut self, name: &str, value: &str) -> Self {
        self.query.push((name.into(), value.into()));
        self
    }

    /// Sets the timeouts.
    #[must_use]
    pub fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self }
    }

    /// Whether the server is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        let host = self.base.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }

    /// The address of `path`, with the query.
    pub(crate) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        url
    }

    /// `text` with the key and the values of headers and parameters redacted.
    pub(crate) fn redact(&self, text: &str) -> String {
        let key = self.key.iter().map(ApiKey::expose);
        let headers = self.headers.values().filter_map(|value| value.to_str().ok());
        let query = self.query.iter().map(|(_, value)| value.as_str());
        let mut text = text.to_owned();
        // A key is a secret at any length.
        for secret in key.chain(headers.chain(query).filter(|value| value.len() >= SECRET)) {
            // Some servers write `/` as `\/` in JSON.
            text = text.replace(secret, REDACTED).replace(&secret.replace('/', "\\/"), REDACTED);
        }
        text
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let query: Vec<&str> = self.query.iter().map(|(name, _)| name.as_str()).collect();
        let headers: Vec<&str> = self.headers.keys().map(HeaderName::as_str).collect();
        f.debug_struct("Endpoint")
            .field("base", &self.base.as_str())
            .field("query", &query)
            .field("headers", &headers)
            .field("key", &self.key)
            .field("key_header", &self.key_header)
            .field("timeouts", &self.timeouts)
            .finish()
    }
}

/// The timeouts of calls to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// For connecting. Default: 10 seconds.
    pub connect: Duration,
    /// For a whole request and its answer. Default: 2 minutes.
    pub request: Duration,
    /// Between two pieces of a streamed answer. Default: 30 seconds.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connect: seconds(10), request: seconds(120), idle: seconds(30) }
    }
}

contextfit_kernel::setters! {
    Timeouts { with_connect(connect: Duration), with_request(request: Duration), with_idle(idle: Duration) }
}

/// The error of an invalid or unusable endpoint.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EndpointError {
    /// Not an address.
    #[error("the base address must start with http:// or https://")]
    Address,
    /// A user name or password in the address, where logs would show it.
    #[error("the base address contains a user name or password; pass it as a key or a header")]
    Credentials,
    /// Not a header.
    #[error("the header name {name:?} or its value is invalid")]
    Header {
        /// Its name.
        name: String,
    },
    /// The client could not be built, for example because there are no certificates.
    #[error("the HTTP client cannot be built")]
    Client(#[source] reqwest::Error),
}

fn header_name(name: &str) -> Result<HeaderName, EndpointError> {
    name.parse().map_err(|_| EndpointError::Header { name: name.into() })
}
