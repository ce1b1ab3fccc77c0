//! A build that keeps no originals: asking for them is an error.

use contextfit_formats::SearchAnswer;
use contextfit_kernel::Context;

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
    pub(crate) fn load(&self, _: &str) -> Result<String, CliError> {
        Err(missing())
    }
}

impl Store {
    pub(crate) fn keep(&self, _: &Context, _: &mut SearchAnswer) {
        match *self {}
    }
}

fn missing() -> CliError {
    CliError::Usage("this build keeps no originals: build contextfit-cli with `--features store`".into())
}
