//! The native half of the Python package `contextfit_rs`.
//!
//! It takes requests as JSON and gives answers as dictionaries of plain values; the classes that people see are in Python.
//! What takes time runs without Python's lock.

mod errors;
mod fitter;
mod ranges;
mod session;
mod shown;
mod store;

use contextfit::models::{Model, model, models};
use pyo3::{
    Bound, PyResult, Python, pyfunction, pymodule,
    types::{PyModule, PyModuleMethods},
    wrap_pyfunction,
};

use crate::{errors::raised, fitter::Core, session::Session, shown::Page, store::Store};

/// A model's name, encoding, whether that is its own, window and longest answer.
type Facts = (&'static str, &'static str, bool, usize, usize);

const fn facts(model: &'static Model) -> Facts {
    (model.name, model.encoding, model.exact, model.window.get(), model.output.get())
}

/// The model called `name`.
#[pyfunction]
#[pyo3(signature = (name, /))]
fn model_facts(py: Python<'_>, name: &str) -> PyResult<Facts> {
    model(name).map(facts).map_err(|error| raised(py, &error.into()))
}

/// All models.
#[pyfunction]
fn all_models() -> Vec<Facts> {
    models().iter().map(facts).collect()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Core>()?;
    module.add_class::<Page>()?;
    module.add_class::<Session>()?;
    module.add_class::<Store>()?;
    module.add_function(wrap_pyfunction!(model_facts, module)?)?;
    module.add_function(wrap_pyfunction!(all_models, module)?)
}
