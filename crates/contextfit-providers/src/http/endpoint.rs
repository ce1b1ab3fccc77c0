//! Where a server is, and what every request to it carries.

use std::{fmt, time::Duration};

use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use thiserror::Error;

use super::ApiKey;

/// Values shorter than this are no secrets: `2024-10-21` stays readable in messages of errors.
const SECRET: usize = 12;
/// What stands where a secret was.
const REDACTED: &str = "[redacted]";

/// A server: its base address, and the key, headers and query parameters of every request.
///
/// The base address ends where the paths that providers share begin: `https://api.openai.com/v1`,
/// `http://localhost:11434/v1` (Ollama), `https://openrouter.ai/api/v1`, `https://api.anthropic.com/v1`. Azure and its
/// like want the key in a header of their own and a version in the query:
///
/// ```
/// use contextfit_providers::{ApiKey, Endpoint};
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
/// Redirections are not followed, because the key would go with them. A server on this machine is reached without the
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
    /// The server at `base`; a query in it goes with every request.
    ///
    /// # Errors
    /// [`EndpointError`] when it is no address of `http` or `https`, or holds a user's name and password.
    pub fn new(base: &str) -> Result<Self, EndpointError> {
        // The parser's error is only a reason, and never repeats the address.
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

    /// With the key.
    #[must_use]
    pub fn with_key(self, key: ApiKey) -> Self {
        Self { key: Some(key), ..self }
    }

    /// With the key in the header `name`, bare, instead of where the provider wants it.
    ///
    /// # Errors
    /// [`EndpointError::Header`] when that is no name of a header.
    pub fn with_key_header(self, name: &str) -> Result<Self, EndpointError> {
        Ok(Self { key_header: Some(header_name(name)?), ..self })
    }

    /// With one header more. Its value is treated as a secret.
    ///
    /// # Errors
    /// [`EndpointError::Header`] when a header cannot have that name or value.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Self, EndpointError> {
        let mut secret =
            HeaderValue::from_str(value).map_err(|_| EndpointError::Header { name: name.into() })?;
        secret.set_sensitive(true);
        self.headers.insert(header_name(name)?, secret);
        Ok(self)
    }

    /// With one query parameter more. Its value is treated as a secret.
    #[must_use]
    pub fn with_query(mut self, name: &str, value: &str) -> Self {
        self.query.push((name.into(), value.into()));
        self
    }

    /// With other timeouts.
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

    /// `text` without the key and the values of headers and parameters.
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

/// How long to wait for a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For the connection. Default: 10 seconds.
    pub connect: Duration,
    /// For the whole of a request and its answer. Default: 2 minutes.
    pub request: Duration,
    /// For the next piece of a streamed answer. Default: 30 seconds.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connect: seconds(10), request: seconds(120), idle: seconds(30) }
    }
}

/// Why a server cannot be asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EndpointError {
    /// Not an address.
    #[error("the base address must be one of http:// or https://")]
    Address,
    /// A name and a password in the address, where logs would show them.
    #[error("the base address holds a user's name or password; hand them over as a key or a header")]
    Credentials,
    /// Not a header.
    #[error("a header cannot have the name {name:?} or the value given for it")]
    Header {
        /// Its name.
        name: String,
    },
    /// The client could not be built: no certificates, for one.
    #[error("the HTTP client cannot be built")]
    Client(#[source] reqwest::Error),
}

fn header_name(name: &str) -> Result<HeaderName, EndpointError> {
    name.parse().map_err(|_| EndpointError::Header { name: name.into() })
}
