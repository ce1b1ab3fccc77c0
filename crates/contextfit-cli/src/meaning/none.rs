//! For builds without embedding models: naming one is an error.

use std::{borrow::Borrow, path::Path, sync::Arc};

use contextfit_conversational::TurnVectors;
use contextfit_kernel::{Context, Scorer};

use crate::error::CliError;

/// No embedding model.
#[derive(Clone)]
pub(crate) enum Meaning {}

impl Meaning {
    pub(crate) fn open(_: &Path) -> Result<Self, CliError> {
        Err(super::lacks("embedding models", "model2vec` or `--features bert"))
    }

    pub(crate) fn scorer(&self) -> Arc<dyn Scorer> {
        match *self {}
    }

    pub(crate) fn no_turns(&self) -> Option<&'static str> {
        match *self {}
    }

    pub(crate) fn remembering(self) -> Self {
        self
    }

    pub(crate) fn turns(
        &self,
        _: impl IntoIterator<Item = impl Borrow<Context>>,
    ) -> Result<Arc<TurnVectors>, CliError> {
        match *self {}
    }
}
