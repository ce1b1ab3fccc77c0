//! Errors as exceptions. Their classes are in Python; from here come the code, the message and the facts.

use contextfit::{
    formats::{SessionError, with_causes},
    kernel::{Error, Hold, Tokens},
    presets::{FitError, HeldMessage},
};
use pyo3::{
    Bound, PyErr, PyResult, Python,
    types::{PyAnyMethods, PyDict, PyDictMethods, PyModule},
};

/// The result of `work`, done without Python's lock; its error is raised.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, FitError> + Send,
) -> PyResult<T> {
    py.detach(work).map_err(|error| raised(py, &error))
}

/// The exception for `error`.
pub(crate) fn raised(py: Python<'_>, error: &FitError) -> PyErr {
    exception(py, error).unwrap_or_else(|failure| failure)
}

fn exception(py: Python<'_>, error: &FitError) -> PyResult<PyErr> {
    let facts = PyDict::new(py);
    let mut message = with_causes(error);
    match error {
        FitError::Format(error) | FitError::Session(SessionError::Format(error)) => {
            // Its lines are those of JSON that nobody wrote.
            let mut error = error.clone();
            (error.line, error.column) = (0, 0);
            message = error.to_string();
            facts.set_item("path", error.path)?;
        }
        FitError::Session(SessionError::Marks { .. }) => facts.set_item("path", "low")?,
        FitError::Pins(_) => facts.set_item("path", "pins")?,
        FitError::Model(error) => facts.set_item("nearest", &error.nearest)?,
        FitError::Held { needed, available, messages } => {
            if let Some(HeldMessage { id, tokens, .. }) = messages.first() {
                let all = messages.len();
                let longest =
                    format!("; the longest of {all} that must be kept is message {id}, {tokens} tokens");
                message.push_str(&longest);
            }
            let held = messages.iter().map(|it| (it.id.as_str(), it.tokens, it.hold));
            infeasible(&facts, *needed, *available, held)?;
        }
        FitError::Fit(Error::Infeasible { needed, available, blockers })
        | FitError::Session(SessionError::Fit(Error::Infeasible { needed, available, blockers })) => {
            let held = blockers.iter().map(|it| (it.id.as_str(), it.tokens, it.hold));
            infeasible(&facts, *needed, *available, held)?;
        }
        _ => {}
    }
    new(py, error.code().name(), &message, &facts)
}

fn infeasible<'a>(
    facts: &Bound<'_, PyDict>,
    needed: Tokens,
    available: Tokens,
    held: impl Iterator<Item = (&'a str, Tokens, Hold)>,
) -> PyResult<()> {
    facts.set_item("needed", needed.get())?;
    facts.set_item("available", available.get())?;
    let blockers: Vec<_> = held.map(|(id, tokens, hold)| (id, tokens.get(), hold.name())).collect();
    facts.set_item("blockers", blockers)
}

/// The exception for a store that failed: `unknown-handle` if it has no such text, else `store`.
pub(crate) fn of_store(py: Python<'_>, code: &str, error: &dyn std::error::Error) -> PyErr {
    new(py, code, &with_causes(error), &PyDict::new(py)).unwrap_or_else(|failure| failure)
}

fn new(py: Python<'_>, code: &str, message: &str, facts: &Bound<'_, PyDict>) -> PyResult<PyErr> {
    let make = PyModule::import(py, "contextfit_rs._errors")?.getattr("of")?;
    Ok(PyErr::from_value(make.call((code, message), Some(facts))?))
}
