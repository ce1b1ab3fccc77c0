//! Counters by name.

use std::{path::Path, sync::Arc};

use contextfit_kernel::TokenCounter;

use crate::{CharsPer, CounterError, model};

/// The known names, apart from paths.
const KNOWN: &[&str] = &["o200k_base", "cl100k_base", "chars/N"];

/// The minimum similarity at which one name may be a typo of another; 1 is identical.
const ALIKE: f64 = 0.8;

/// Finds the counter called `spec`: `o200k_base`, `cl100k_base`, `chars/N` with a number for `N`, or the path of a
/// `tokenizer.json`. Any other name is a path if it ends in `.json` or is that of an existing file.
///
/// A name has the same meaning whatever the features of the build; a counter that is not built in is an error.
///
/// # Errors
///
/// [`CounterError`] if the name is unknown, `N` is not a whole number greater than zero, the feature is missing, or the
/// file is not a tokenizer.
///
/// ```
/// # use contextfit_kernel as contextfit;
/// use contextfit::TokenCounter;
///
/// # fn main() -> Result<(), contextfit_text::CounterError> {
/// assert_eq!(contextfit_text::counter("chars/4")?.name(), "chars/4");
/// # Ok(())
/// # }
/// ```
pub fn counter(spec: &str) -> Result<Arc<dyn TokenCounter>, CounterError> {
    match spec {
        "o200k_base" | "cl100k_base" => tiktoken(spec),
        _ => match spec.strip_prefix("chars/") {
            Some(number) => chars_per(spec, number),
            None if is_path(spec) => huggingface(spec),
            None => Err(unknown(spec)),
        },
    }
}

fn chars_per(spec: &str, number: &str) -> Result<Arc<dyn TokenCounter>, CounterError> {
    let counter = number.parse().ok().and_then(CharsPer::new);
    Ok(Arc::new(counter.ok_or_else(|| CounterError::CharsPer { spec: spec.to_owned() })?))
}

fn is_path(spec: &str) -> bool {
    let path = Path::new(spec);
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) || path.is_file()
}

fn unknown(name: &str) -> CounterError {
    if let Ok(model) = model(name) {
        return CounterError::Model { model: name.to_owned(), encoding: model.encoding };
    }
    let likeness = |known: &str| strsim::jaro_winkler(&name.to_lowercase(), known);
    let nearest = KNOWN
        .iter()
        .map(|&known| (likeness(known), known))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, known)| known);
    CounterError::Unknown { name: name.to_owned(), nearest, known: KNOWN }
}

#[cfg(feature = "tiktoken")]
fn tiktoken(name: &str) -> Result<Arc<dyn TokenCounter>, CounterError> {
    let encoding = name.parse().map_err(|_| unknown(name))?;
    Ok(Arc::new(crate::Tiktoken::new(encoding)))
}

#[cfg(not(feature = "tiktoken"))]
fn tiktoken(name: &str) -> Result<Arc<dyn TokenCounter>, CounterError> {
    Err(CounterError::NotBuiltIn { name: name.to_owned(), feature: "tiktoken" })
}

#[cfg(feature = "huggingface")]
fn huggingface(path: &str) -> Result<Arc<dyn TokenCounter>, CounterError> {
    Ok(Arc::new(crate::HuggingFace::from_file(path)?))
}

#[cfg(not(feature = "huggingface"))]
fn huggingface(path: &str) -> Result<Arc<dyn TokenCounter>, CounterError> {
    Err(CounterError::NotBuiltIn { name: path.to_owned(), feature: "huggingface" })
}
