//! For builds without language models: naming one is an error.

use std::convert::Infallible;

use contextfit::{
    caches::CacheConfig,
    kernel::{Budget, CompressionResult, Context},
    pipeline::Pipeline,
    presets::{CompressionOptions, Counting, FitWithLlm},
    text::Judge,
};

use super::spent::Spent;
use crate::{config::LlmConfig, error::CliError};

/// No model.
#[derive(Clone)]
pub(crate) struct Llm(Infallible);

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

    pub(crate) fn learn(&self, _: &Counting) {
        match self.0 {}
    }

    pub(crate) fn spent(&self) -> Spent {
        match self.0 {}
    }
}

impl FitWithLlm for Llm {
    fn conversation(
        &self,
        _: Pipeline,
        _: &Context,
        _: &Budget,
    ) -> Result<CompressionResult, contextfit::kernel::Error> {
        match self.0 {}
    }

    fn passages(
        &self,
        _: Pipeline,
        _: Context,
        _: &Budget,
        _: &CompressionOptions,
    ) -> Result<(Context, CompressionResult), contextfit::kernel::Error> {
        match self.0 {}
    }
}
