//! Keys that cannot be printed.

use std::{
    env, fmt, fs, io,
    path::{Path, PathBuf},
};

use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

/// An API key. It never appears in debug output, errors or logs, and is wiped from memory when dropped.
///
/// ```
/// # mod contextfit { pub use ::contextfit_providers as models; }
/// use contextfit::models::ApiKey;
///
/// let key = ApiKey::new("sk-1234567890")?;
/// assert_eq!(format!("{key:?}"), "ApiKey([redacted])");
/// # Ok::<(), contextfit_providers::ApiKeyError>(())
/// ```
#[derive(Clone)]
pub struct ApiKey(SecretString);

impl ApiKey {
    /// Wraps `key`, trimmed.
    ///
    /// # Errors
    /// [`ApiKeyError`] if it is empty or contains characters that are invalid in a header.
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

    /// Reads the key from the environment variable `name`.
    ///
    /// # Errors
    /// [`ApiKeyError`] if the variable is not set or holds no valid key.
    pub fn from_env(name: &str) -> Result<Self, ApiKeyError> {
        // `env::var` is not used because its error would contain the value.
        let value = env::var_os(name).ok_or_else(|| ApiKeyError::Unset { name: name.into() })?;
        Self::new(value.to_str().ok_or(ApiKeyError::Characters)?)
    }

    /// Reads the key from a file that contains nothing else, such as a secret mounted into a container.
    ///
    /// # Errors
    /// [`ApiKeyError`] if the file cannot be read or holds no valid key.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ApiKeyError> {
        let path = path.as_ref();
        let text = fs::read_to_string(path)
            .map_err(|source| ApiKeyError::Unreadable { path: path.into(), source })?;
        Self::new(text)
    }

    /// The key itself, only for the header.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey([redacted])")
    }
}

/// The error of an invalid or missing key.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ApiKeyError {
    /// Nothing but white space.
    #[error("the API key is empty")]
    Empty,
    /// White space, control characters or non-ASCII characters inside it.
    #[error("the API key contains characters that are invalid in a header")]
    Characters,
    /// The variable does not exist.
    #[error("the environment variable {name} is not set")]
    Unset {
        /// The variable.
        name: String,
    },
    /// The file does not exist or is not readable.
    #[error("cannot read the API key from {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
}
