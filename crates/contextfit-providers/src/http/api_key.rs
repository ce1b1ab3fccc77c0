//! Keys that cannot be printed.

use std::{
    env, fmt, fs, io,
    path::{Path, PathBuf},
};

use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

/// The key of an API. It is never part of a debug output, an error or a log, and wiped from memory when dropped.
///
/// ```
/// use contextfit_providers::ApiKey;
///
/// let key = ApiKey::new("sk-1234567890")?;
/// assert_eq!(format!("{key:?}"), "ApiKey([redacted])");
/// # Ok::<(), contextfit_providers::ApiKeyError>(())
/// ```
#[derive(Clone)]
pub struct ApiKey(SecretString);

impl ApiKey {
    /// The key `key`, without the white space around it.
    ///
    /// # Errors
    /// [`ApiKeyError`] when it is empty or holds what a header cannot.
    pub fn new(key: impl AsRef<str>) -> Result<Self, ApiKeyError> {
        let key = key.as_ref().trim();
        if key.is_empty() {
            return Err(ApiKeyError::Empty);
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ApiKeyError::Characters);
        }
        Ok(Self(SecretString::from(key)))
    }

    /// The key in the environment variable `name`.
    ///
    /// # Errors
    /// [`ApiKeyError`] when there is none, or no key in it.
    pub fn from_env(name: &str) -> Result<Self, ApiKeyError> {
        // Not `env::var`: its error would hold the value.
        let value = env::var_os(name).ok_or_else(|| ApiKeyError::Unset { name: name.into() })?;
        Self::new(value.to_str().ok_or(ApiKeyError::Characters)?)
    }

    /// The key that is the only content of a file, as secrets are mounted into containers.
    ///
    /// # Errors
    /// [`ApiKeyError`] when the file cannot be read, or there is no key in it.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ApiKeyError> {
        let path = path.as_ref();
        let text = fs::read_to_string(path)
            .map_err(|source| ApiKeyError::Unreadable { path: path.into(), source })?;
        Self::new(text)
    }

    /// The key itself, for the header alone.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey([redacted])")
    }
}

/// Why there is no key.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ApiKeyError {
    /// Nothing but white space.
    #[error("the API key is empty")]
    Empty,
    /// White space, control characters or letters outside ASCII within it.
    #[error("the API key has characters that a header cannot carry")]
    Characters,
    /// No such variable.
    #[error("the environment variable {name} is not set")]
    Unset {
        /// The variable.
        name: String,
    },
    /// No such file, or no right to read it.
    #[error("cannot read the API key in {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
}
