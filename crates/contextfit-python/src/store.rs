//! Originals of shortened texts, in a folder.

use std::path::PathBuf;

use contextfit::{
    formats::{AnswerBlock, with_causes},
    presets::{self, Original, RestoreError},
};
use pyo3::{PyResult, Python, pyclass, pymethods};

use crate::errors::of_store;

/// The store in a folder.
#[pyclass(frozen, module = "contextfit_rs._native")]
pub(crate) struct Store {
    store: presets::Store,
    folder: PathBuf,
}

#[pymethods]
impl Store {
    #[new]
    #[pyo3(signature = (folder, /))]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| {
            std::fs::create_dir_all(&folder).map_err(contextfit::kernel::StoreError::new)?;
            presets::Store::open(&folder)
        });
        Ok(Self { store: opened.map_err(|error| of_store(py, "store", &error))?, folder })
    }

    /// The short handle that a text has, or would have.
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn short_handle(text: &str) -> String {
        presets::Store::short_handle(text.as_bytes())
    }

    /// Stores a text and returns its handle.
    #[pyo3(signature = (text, /))]
    fn keep_text(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        let kept = py.detach(|| self.store.keep_text(text.as_bytes()));
        kept.map_err(|error| of_store(py, "store", &error))
    }

    /// The bytes for `handle`.
    #[pyo3(signature = (handle, /))]
    fn restore(&self, py: Python<'_>, handle: &str) -> PyResult<Vec<u8>> {
        let restored = py.detach(|| presets::Store::restore(&self.folder, handle));
        restored.map_err(|error| {
            let is_unknown = matches!(error, RestoreError::NotAHandle { .. } | RestoreError::Unknown { .. });
            of_store(py, if is_unknown { "unknown-handle" } else { "store" }, &error)
        })
    }
}

impl Store {
    /// Stores `originals` and sets the handles of `blocks`. Returns why, if that failed.
    pub(crate) fn keep(&self, originals: &[Original], blocks: &mut [AnswerBlock]) -> Option<String> {
        self.store.keep(originals, blocks).err().map(|error| with_causes(&error))
    }
}
