//! For builds without language models: naming one is an error.

use std::convert::Infallible;

use contextfit_cache::CacheConfig;
use contextfit_kernel::{Budget, CompressionResult, Context};
use contextfit_pipeline::Pipeline;
use contextfit_presets::{CompressionOptions, Counting, FitWithLlm};

use super::{Answers, LlmConfig, Spent};
use crate::error::CliError;

/// No model.
#[derive(Clone)]
pub(crate) struct Llm(Infallible);

impl Llm {
    pub(crate) fn open(_: LlmConfig, _: &CacheConfig, _: &Counting, _: Answers) -> Result<Self, CliError> {
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
    ) -> Result<CompressionResult, contextfit_kernel::Error> {
        match self.0 {}
    }

    fn passages(
        &self,
        _: Pipeline,
        _: Context,
        _: &Budget,
        _: &CompressionOptions,
    ) -> Result<(Context, CompressionResult), contextfit_kernel::Error> {
        match self.0 {}
    }
}
