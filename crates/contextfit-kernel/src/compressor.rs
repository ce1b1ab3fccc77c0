//! The trait through which an agent executor compresses contexts.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{Budget, CompressionResult, Context, Error, TokenCounter, Tokens};

/// Makes a context fit its budget. An agent executor holds one as `Arc<dyn ContextCompressor>`; the name comes from
/// MoFA.
///
/// Every implementation must guarantee, and callers may assume, that a result is within the budget, that a context
/// already within its budget is returned unchanged, and that pins, groups and order are respected. A call that cannot
/// guarantee this returns an error.
///
/// Implementations may plan on the thread that polls them. Planning takes about a tenth of a second per megabyte of
/// text; a server that must not block its runtime for that long can await the call inside `tokio::task::spawn_blocking`
/// with `Handle::block_on`.
#[diagnostic::on_unimplemented(
    note = "a `Strategy` becomes a compressor by `Pipeline::new(counter).with_strategy(strategy)`"
)]
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

    /// The counter. Budgets and results are in its tokens.
    fn counter(&self) -> &dyn TokenCounter;

    /// Tokens of the context. The default is the sum over the blocks' headers and texts, each counted on its own,
    /// without what joins them.
    fn count_tokens(&self, context: &Context) -> Tokens {
        let tokens = |text: &str| self.counter().count(text);
        context.blocks.iter().map(|block| tokens(&block.header()) + tokens(&block.text)).sum()
    }
}

/// Implements the trait for a pointer to a compressor.
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
