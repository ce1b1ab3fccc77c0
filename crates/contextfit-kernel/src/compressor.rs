//! The trait through which an agent executor compresses contexts.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{Budget, CompressionResult, Context, Error, Tokens};

/// Makes a context fit its budget. An executor holds it as `Arc<dyn ContextCompressor>`; the name comes from MoFA.
///
/// Every implementation must guarantee, and callers may assume: a result is within the budget, or the call is an error;
/// a context already within its budget is returned unchanged; pins, groups and order are respected.
#[async_trait]
pub trait ContextCompressor: Send + Sync {
    /// Returns the context within `budget`, with the trace of what was done and the metrics.
    ///
    /// # Errors
    /// [`Error::Infeasible`] if no valid result fits; any other error of the compression.
    async fn compress_with_metrics(
        &self,
        context: Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error>;

    /// Returns the context within `budget`.
    ///
    /// # Errors
    /// As [`compress_with_metrics`](ContextCompressor::compress_with_metrics).
    async fn compress(&self, context: Context, budget: &Budget) -> Result<Context, Error> {
        Ok(self.compress_with_metrics(context, budget).await?.context)
    }

    /// Tokens of the blocks' texts. The default is MoFA's heuristic of one token per four characters.
    fn count_tokens(&self, context: &Context) -> Tokens {
        context.blocks.iter().map(|block| Tokens::new(block.text.chars().count().div_ceil(4))).sum()
    }
}

#[async_trait]
impl<T: ContextCompressor + ?Sized> ContextCompressor for Arc<T> {
    async fn compress_with_metrics(
        &self,
        context: Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error> {
        (**self).compress_with_metrics(context, budget).await
    }

    async fn compress(&self, context: Context, budget: &Budget) -> Result<Context, Error> {
        (**self).compress(context, budget).await
    }

    fn count_tokens(&self, context: &Context) -> Tokens {
        (**self).count_tokens(context)
    }
}
