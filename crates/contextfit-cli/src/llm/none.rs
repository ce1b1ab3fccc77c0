//! For builds without language models: naming one is an error.

use std::sync::Arc;

use contextfit::{
    caches::CacheConfig,
    presets::{Counting, FitWithLlm},
    text::Judge,
};

use super::spent::Spent;
use crate::{config::LlmConfig, error::CliError};

/// No model.
#[derive(Clone)]
pub(crate) enum Llm {}

impl Llm {
    pub(crate) fn open(
        _: LlmConfig,
        _: &CacheConfig,
        _: &Counting,
        _: Judge,
        _: bool,
    ) -> Result<Self, CliError> {
        Err(CliError::Usage(
            "this build cannot call language models: build contextfit-cli with `--features llm`".into(),
        ))
    }

    pub(crate) fn for_fitting(&self) -> Arc<dyn FitWithLlm> {
        match *self {}
    }

    pub(crate) fn learn(&self, _: &Counting) {
        match *self {}
    }

    pub(crate) fn spent(&self) -> Spent {
        match *self {}
    }
}
