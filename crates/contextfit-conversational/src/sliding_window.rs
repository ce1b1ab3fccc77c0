//! The sliding window: the newest turns.

use contextfit_kernel::{Error, Measured, Plan, Reason, Strategy, Tokens};
use serde::{Deserialize, Serialize};

use crate::{held::start, said::Said};

/// Keeps pinned exchanges and the newest ones, whole: as many as fit, up to a maximum number if one is set. The window,
/// which comes from MoFA, is contiguous: it ends before the first exchange that does not fit, and never begins with the
/// results of a call it leaves out. Linear in the number of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SlidingWindowCompressor {
    /// The most exchanges to keep in addition to pinned ones; as many as fit if absent.
    pub exchanges: Option<usize>,
}

impl SlidingWindowCompressor {
    /// As many of the newest turns as fit.
    #[must_use]
    pub const fn new() -> Self {
        Self { exchanges: None }
    }

    /// Limits the window to the newest `exchanges`.
    #[must_use]
    pub const fn with_exchanges(mut self, exchanges: usize) -> Self {
        self.exchanges = Some(exchanges);
        self
    }
}

impl Strategy for SlidingWindowCompressor {
    fn name(&self) -> &str {
        "sliding-window"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let said = Said::new(&input.blocks, false);
        let mut draft = start(input, room, &said);
        draft.keep_newest(draft.left, self.exchanges.unwrap_or(usize::MAX), &Reason::Recent);
        Ok(draft.finish(self.name()))
    }
}
