//! The strategy that replaces blocks by their metadata.

use std::sync::Arc;

use crate::feedback::State;
use contextfit_kernel::{Error, Level, Measured, Plan, Strategy, Tokens};

use crate::{
    TruncationOptions,
    forms::{Form, Forms, cost},
    items::{Draft, RankedGroup, Undecided},
    relevance::weighted,
};

/// Shows blocks below the score threshold by their metadata, as KB Labs Mind does, and the others whole.
///
/// If that is too long, the least relevant blocks are reduced in rounds: first to their metadata, then to id and path,
/// then they are dropped. O(n log n) in the number of blocks.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Block, Budget, Context, Passage};
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_text::counter;
/// #     pub use ::contextfit_truncation as search;
/// # }
/// use contextfit::{
///     Block, Budget, Context, Passage, Pipeline, counter,
///     search::{MetadataOnly, MetadataOnlyOptions},
/// };
///
/// let found = [("src/count.rs", 0.9, "fn count() {}\n".repeat(4)), ("src/page.rs", 0.2, "fn page() {}\n".repeat(40))];
/// let blocks = found.map(|(path, score, text)| Block::passage(path, Passage::at(path).with_score(score), text));
/// let options = MetadataOnlyOptions::default().with_score_threshold(0.3);
/// let pipeline = Pipeline::new(counter("chars/4")?).with_strategy(MetadataOnly::new(options));
/// let text = pipeline.fit(&Context::new(blocks.into()), &Budget::new(60))?.text;
/// assert!(text.ends_with("fn count() {}\n---\n[metadata-only] src/page.rs"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MetadataOnly {
    options: TruncationOptions,
    feedback: Option<Arc<State>>,
}

impl MetadataOnly {
    /// Creates the strategy with `options`.
    #[must_use]
    pub fn new(options: impl Into<TruncationOptions>) -> Self {
        let mut options = options.into();
        // Nothing is ever cut here, so no reason may say that cutting alone is off.
        options.smart_truncation.enabled |= options.metadata_only.enabled;
        Self { options, feedback: None }
    }

    /// Uses the thresholds and weights that were learned from feedback, if there are any.
    #[must_use]
    pub fn with_feedback(mut self, feedback: Arc<State>) -> Self {
        self.feedback = Some(feedback);
        self
    }
}

impl Strategy for MetadataOnly {
    fn name(&self) -> &str {
        "metadata-only"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let feedback = self.feedback.as_deref();
        let forms = Forms::new(input, &self.options, feedback);
        let undecided = Undecided::of(&forms, &weighted(input.context, None, feedback));
        let (mut draft, room) = Draft::new(&forms, &undecided, room);
        let Undecided { items, order, .. } = undecided;
        let mut shown: Vec<Option<Vec<Form>>> =
            items.iter().map(|item| Some(by_threshold(&forms, item))).collect();
        let mut total: Tokens = shown.iter().flatten().map(|forms| cost(forms)).sum();
        // Each round takes one step down, the least relevant item first, until everything fits.
        for level in [Some(Level::Gist), Some(Level::Reference), None] {
            for &place in order.iter().rev() {
                if total <= room {
                    break;
                }
                let (Some(item), Some(now)) = (items.get(place), shown.get_mut(place)) else { continue };
                let before = now.as_deref().map_or(Tokens::ZERO, cost);
                *now = now.take().zip(level).map(|(now, level)| lower(&forms, item, now, level));
                total = total.saturating_sub(before) + now.as_deref().map_or(Tokens::ZERO, cost);
            }
        }
        // A large block that stepped down may leave room for smaller ones to step up again, the most relevant first.
        for &place in &order {
            let (Some(item), Some(now)) = (items.get(place), shown.get_mut(place)) else { continue };
            let before = now.as_deref().map_or(Tokens::ZERO, cost);
            let best = by_threshold(&forms, item);
            if cost(&best) > before && total.saturating_sub(before) + cost(&best) <= room {
                total = total.saturating_sub(before) + cost(&best);
                *now = Some(best);
            }
        }
        for (item, shown) in items.iter().zip(shown) {
            draft.set_all(item, shown.unwrap_or_default());
        }
        Ok(draft.finish(self.name()))
    }
}

/// The members that are below the threshold by their metadata, the others whole.
fn by_threshold(forms: &Forms<'_, '_>, item: &RankedGroup) -> Vec<Form> {
    let form = |&n: &usize| {
        let below = forms.below_threshold(n).is_some();
        let gist = below.then(|| forms.described(n, Level::Gist)).flatten();
        gist.unwrap_or_else(|| forms.whole(n))
    };
    item.members.iter().map(form).collect()
}

/// The members at `level` if that costs less than their form `now`.
fn lower(forms: &Forms<'_, '_>, item: &RankedGroup, now: Vec<Form>, level: Level) -> Vec<Form> {
    let lowered = item.members.iter().zip(now).map(|(&n, now)| match forms.described(n, level) {
        Some(next) if next.cost < now.cost => next,
        _ => now,
    });
    lowered.collect()
}
