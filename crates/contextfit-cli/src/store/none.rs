//! For builds without a store of originals: requesting one is an error.

use std::borrow::Cow;

use contextfit_cache::Digest;
use contextfit_formats::AnswerBlock;
use contextfit_kernel::{Block, Context};
use contextfit_pipeline::Pipeline;

use super::{PlaceArgs, StoreArgs};
use crate::error::CliError;

/// No store.
#[derive(Clone)]
pub(crate) enum Store {}

impl StoreArgs {
    pub(crate) fn open(&self) -> Result<Option<Store>, CliError> {
        if self.store.is_some() { Err(missing()) } else { Ok(None) }
    }
}

impl PlaceArgs {
    pub(crate) fn load(&self, _: &str) -> Result<Vec<u8>, CliError> {
        Err(missing())
    }
}

impl Store {
    pub(crate) fn named_in(
        pipeline: Pipeline,
        _: &Context,
        _: impl Fn(&Block) -> Option<Digest>,
    ) -> Pipeline {
        pipeline
    }

    pub(crate) fn keep<'t>(&self, _: &mut [AnswerBlock], _: impl Fn(usize) -> Option<Cow<'t, [u8]>>) {
        match *self {}
    }

    pub(crate) fn keep_texts(&self, _: Vec<&[u8]>) -> Vec<String> {
        match *self {}
    }
}

fn missing() -> CliError {
    CliError::Usage("this build cannot store originals: build contextfit-cli with `--features store`".into())
}
