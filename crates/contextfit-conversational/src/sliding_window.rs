//! The sliding window: the newest turns.

use contextfit_kernel::{Action, Error, Measured, Plan, Reason, Strategy, Tokens};
use contextfit_text::Speakers;
use serde::{Deserialize, Serialize};

use crate::{
    draft::{Draft, ExchangeForm},
    outputs::{SHORTEST_CUT_TOKENS, cut_to, start},
};

/// Keeps pinned exchanges and the newest ones, whole: a maximum number if one is set, or as many as fit. The window,
/// which comes from MoFA, is contiguous and never begins with the results of a call that it leaves out. With a maximum
/// number, it ends before the first exchange that does not fit; without one, that exchange is cut to the remaining
/// room, or left out if it cannot be cut. Linear in the length of the conversation.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Budget, Context};
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_text::counter;
/// #     pub use ::contextfit_conversational as chat;
/// # }
/// use contextfit::{Budget, Context, Pipeline, chat::SlidingWindowCompressor, counter};
///
/// let counter = counter("chars/4")?;
/// let mut talk = Context::conversation(&*counter).system("You watch a river.");
/// for day in 1..=40 {
///     talk = talk.user(&format!("How high is it on day {day}?")).assistant("It is at 300 centimetres, and falling.");
/// }
/// let pipeline = Pipeline::new(counter.clone()).with_strategy(SlidingWindowCompressor::new().with_exchanges(3));
/// let result = pipeline.fit(&talk.user("And now?").build()?, &Budget::new(200))?;
/// assert!(result.text.contains("day 40?") && result.text.contains("turns 2-78, 77 left out"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SlidingWindowCompressor {
    /// The maximum number of exchanges to keep in addition to pinned ones; as many as fit if absent.
    pub exchanges: Option<usize>,
}

impl SlidingWindowCompressor {
    /// The strategy with as many of the newest turns as fit.
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
        let speakers = Speakers::of(&input.blocks);
        let mut draft = start(input, room, &speakers);
        match self.exchanges {
            Some(most) => draft.keep_newest(draft.left, most),
            None => fill(&mut draft),
        }
        Ok(draft.finish(self.name()))
    }
}

/// Keeps the newest exchanges that fit, and cuts the one before them. One that cannot be cut is left out.
fn fill(draft: &mut Draft<'_>) {
    draft.keep_newest(draft.left, usize::MAX);
    let open: Vec<usize> = draft.open().filter(|&n| !draft.is_entry(n)).collect();
    for n in open.into_iter().rev() {
        let room = draft.left;
        if draft.keep(n, room, Reason::Recent).is_some() {
            continue;
        }
        if room.get() < SHORTEST_CUT_TOKENS {
            break;
        }
        if let Some((forms, cost)) = cut_to(draft, n, room).filter(|(_, cost)| *cost <= room) {
            let forms = forms.into_iter().map(|(action, reason)| match action {
                Action::Keep => (action, Reason::Recent),
                _ => (action, reason),
            });
            draft.replace(n, ExchangeForm::As(forms.collect()), cost);
            break;
        }
    }
}
