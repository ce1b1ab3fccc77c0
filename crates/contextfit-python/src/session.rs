//! Conversations that grow.

use std::sync::{Mutex, MutexGuard, PoisonError};

use contextfit::{
    Fitter, Tokens,
    chat::{self, SessionState, WaterMarks},
    formats::{Pins, read_field},
};
use pyo3::{PyResult, Python, pyclass, pymethods};
use serde_json::Value;

use crate::{errors::detached, fitter::Core};

/// A growing conversation. Threads that share it wait for each other.
#[pyclass(frozen, module = "contextfit_rs._native")]
pub(crate) struct Session {
    session: Mutex<chat::Session>,
    fitter: Fitter,
}

#[pymethods]
impl Session {
    /// A session for `request`, with `pins`, both as JSON.
    #[new]
    #[pyo3(signature = (core, request, /, high, low, pins))]
    fn new(
        py: Python<'_>,
        core: &Core,
        request: &str,
        high: usize,
        low: Option<usize>,
        pins: Option<&str>,
    ) -> PyResult<Self> {
        let fitter = core.fitter().clone();
        let session = detached(py, || {
            let high = Tokens::new(high);
            let marks = match low {
                Some(low) => WaterMarks::new(high, Tokens::new(low))?,
                None => WaterMarks::half_of(high),
            };
            let pins: Pins = pins.map(|pins| read_field("pins", pins)).transpose()?.unwrap_or_default();
            let request: Value = read_field("messages", request)?;
            let counter = fitter.counting.counter.clone();
            Ok(chat::Session::new(request, marks, counter)?.with_pins(pins))
        })?;
        Ok(Self { session: Mutex::new(session), fitter })
    }

    /// The session with this `state`.
    #[staticmethod]
    #[pyo3(signature = (core, state, /))]
    fn resume(py: Python<'_>, core: &Core, state: &str) -> PyResult<Self> {
        let fitter = core.fitter().clone();
        let session = detached(py, || {
            let state: SessionState = read_field("json", state)?;
            Ok(chat::Session::resume(state, fitter.counting.counter.clone())?)
        })?;
        Ok(Self { session: Mutex::new(session), fitter })
    }

    /// Adds `message`, in JSON.
    #[pyo3(signature = (message, /))]
    fn push(&self, py: Python<'_>, message: &str) -> PyResult<()> {
        detached(py, || {
            let message: Value = read_field("message", message)?;
            Ok(self.session().push(message)?)
        })
    }

    /// Shortens the request if it is due, and says whether it did.
    fn prepare(&self, py: Python<'_>) -> PyResult<bool> {
        detached(py, || self.fitter.prepare(&mut self.session()).map(|done| done.is_some()))
    }

    /// The request, as JSON.
    fn request(&self) -> String {
        self.session().request().to_string()
    }

    /// The tokens of the request.
    fn tokens(&self) -> usize {
        self.session().tokens().get()
    }

    /// The state, as JSON.
    fn state(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || Ok(serde_json::to_string(self.session().state())?))
    }
}

impl Session {
    fn session(&self) -> MutexGuard<'_, chat::Session> {
        // Whatever panicked left it unchanged.
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
