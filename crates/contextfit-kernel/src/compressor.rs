//! The trait through which an agent executor compresses contexts.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{Budget, CompressionResult, Context, Error, TokenCounter, Tokens};

/// Makes a context fit its budget. An executor holds it as `Arc<dyn ContextCompressor>`; the name comes from MoFA.
///
/// Every implementation must guarantee, and callers may assume: a result is within the budget, or the call is an error;
/// a context already within its budget is returned unchanged; pins, groups and order are respected.
///
/// Planning is computation, not waiting: an implementation may plan on the thread that polls it, for about a tenth of a
/// second per megabyte of text. A server that must not block its runtime for that long awaits the call within
/// `tokio::task::spawn_blocking` and `Handle::block_on`.
#[async_trait]
pub trait ContextCompressor: Send + Sync {
    /// Returns the context within `budget`, with the trace of what was done and the metrics.
    ///
    /// # Errors
    /// [`Error::Infeasible`] if no valid result fits; any other error of the compression.
    async fn compress_with_metrics(
        &self,
        context: &Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error>;

    /// Returns the context within `budget`.
    ///
    /// # Errors
    /// As [`compress_with_metrics`](ContextCompressor::compress_with_metrics).
    async fn compress(&self, context: &Context, budget: &Budget) -> Result<Context, Error> {
        Ok(self.compress_with_metrics(context, budget).await?.context)
    }

    /// The counter whose tokens budgets and results are in.
    fn counter(&self) -> &dyn TokenCounter;

    /// Tokens of the context. The default is the sum over the blocks' headers and texts, each counted on its own,
    /// without what joins them.
    fn count_tokens(&self, context: &Context) -> Tokens {
        let tokens = |text: &str| self.counter().count(text);
        context.blocks.iter().map(|block| tokens(&block.header()) + tokens(&block.text)).sum()
    }
}

/// A pointer to a compressor is one.
macro_rules! forward {
    ($($pointer:ident),*) => {$(
        #[async_trait]
        impl<T: ContextCompressor + ?Sized> ContextCompressor for $pointer<T> {
            async fn compress_with_metrics(
                &self,
                context: &Context,
                budget: &Budget,
            ) -> Result<CompressionResult, Error> {
                (**self).compress_with_metrics(context, budget).await
            }

            async fn compress(&self, context: &Context, budget: &Budget) -> Result<Context, Error> {
                (**self).compress(context, budget).await
            }

            fn counter(&self) -> &dyn TokenCounter {
                (**self).counter()
            }

            fn count_tokens(&self, context: &Context) -> Tokens {
                (**self).count_tokens(context)
            }
        }
    )*};
}

forward!(Arc, Box);
