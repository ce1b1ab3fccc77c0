//! The forms in which a block can be shown under the options.

use std::cell::OnceCell;

use crate::feedback::State;
use contextfit_kernel::{Action, Level, Measured, MeasuredBlock, Reason, Scorer, Tokens};
use contextfit_packing::Relation;
use contextfit_text::{NaturalLanguage, Needs};

use crate::{
    ScoreMode, TruncationOptions,
    extract::{Extract, Extractor},
    gist::{estimate, gist, reference},
};

/// The minimum tokens of an extract. A shorter one is too small to justify its header.
pub(crate) const SMALLEST_EXTRACT: Tokens = Tokens::new(24);

/// A form of a block: the action, its reason and its cost.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub(crate) action: Action,
    pub(crate) reason: Reason,
    pub(crate) cost: Tokens,
}

/// The total cost of `forms`.
pub(crate) fn cost(forms: &[Form]) -> Tokens {
    forms.iter().map(|form| form.cost).sum()
}

/// Makes the forms of an input's blocks.
pub(crate) struct Forms<'a, 'b> {
    pub(crate) input: &'b Measured<'a>,
    options: &'b TruncationOptions,
    below: Vec<Option<Reason>>,
    focus: Option<(&'b str, &'b dyn Scorer)>,
    /// The cost of each block's longest marker, computed on demand.
    markers: Vec<OnceCell<Tokens>>,
    /// The needs of each block's units, read on demand.
    needs: Vec<OnceCell<(Needs, Relation)>>,
}

/// How often a cut that turned out too long is made again, aiming lower by twice as much each time.
const CUT_ATTEMPTS: u32 = 4;

impl<'a, 'b> Forms<'a, 'b> {
    /// Creates the forms under `options`, with the thresholds of `feedback`.
    pub(crate) fn new(
        input: &'b Measured<'a>,
        options: &'b TruncationOptions,
        feedback: Option<&State>,
    ) -> Self {
        let below = options.describing().map_or_else(Vec::new, |describing| {
            let mode: ScoreMode = describing.score_mode;
            mode.below(input.context, describing.score_threshold, feedback)
        });
        let markers = vec![OnceCell::new(); input.blocks.len()];
        let needs = vec![OnceCell::new(); input.blocks.len()];
        Self { input, options, below, focus: None, markers, needs }
    }

    /// Makes cut blocks show the parts that `scorer` finds relevant to the query.
    pub(crate) fn with_focus(mut self, scorer: Option<&'b dyn Scorer>) -> Self {
        self.focus = self.input.context.query.as_deref().zip(scorer);
        self
    }

    /// The reason to show block `n` without its text, if the score threshold requires that.
    pub(crate) fn below_threshold(&self, n: usize) -> Option<&Reason> {
        self.below.get(n)?.as_ref()
    }

    /// The cost of block `n` shown whole.
    pub(crate) fn whole_cost(&self, n: usize) -> Tokens {
        self.block(n).map_or(Tokens::ZERO, |block| block.framing() + block.tokens())
    }

    /// The form that shows block `n` whole.
    pub(crate) fn whole(&self, n: usize) -> Form {
        Form { action: Action::Keep, reason: Reason::Fits, cost: self.whole_cost(n) }
    }

    /// Whether block `n` may be cut and consists of several parts.
    pub(crate) fn can_cut(&self, n: usize) -> bool {
        self.options.truncating().is_some()
            && self.block(n).is_some_and(|block| block.units().len() > 1 && block.tokens() > SMALLEST_EXTRACT)
    }

    /// The cost of block `n` without its text if the text can be cut, otherwise the cost of the whole block.
    pub(crate) fn fixed_cost(&self, n: usize) -> Tokens {
        let cut = self.block(n).filter(|_| self.can_cut(n));
        cut.map_or_else(|| self.whole_cost(n), MeasuredBlock::framing)
    }

    /// The cost of block `n` at `maxLength`, estimated from its share of the text; accurate enough for planning.
    pub(crate) fn cost_at_max_length(&self, n: usize) -> Tokens {
        let (Some(block), Some(options)) =
            (self.block(n).filter(|_| self.can_cut(n)), self.options.truncating())
        else {
            return self.whole_cost(n);
        };
        let (bytes, most) = (block.block().text.len(), options.max_length.get());
        if bytes <= most {
            return self.whole_cost(n);
        }
        let chars = block.block().text.chars().count();
        if chars <= most {
            return self.whole_cost(n);
        }
        block.framing() + Tokens::new(block.tokens().get().saturating_mul(most) / chars)
    }

    /// Block `n` cut to `maxLength`. `None` if it is short enough or cannot be cut.
    pub(crate) fn at_max_length(&self, n: usize) -> Option<Form> {
        let options = self.options.truncating()?;
        let block = self.block(n)?;
        // A text has at least as many bytes as characters.
        if block.block().text.len() <= options.max_length.get() {
            return None;
        }
        let needs = self.needs(n)?;
        let extract =
            Extractor::new(block, needs, options.preserve_structure).to_chars(options.max_length)?;
        self.cut(block, extract, |kept, of| Reason::TooLong { kept, of })
    }

    /// As much of block `n` as costs at most `room`: the whole block or a cut. `None` if nothing of it fits.
    pub(crate) fn within(&self, n: usize, room: Tokens) -> Option<Form> {
        if self.whole_cost(n) <= room {
            return Some(self.whole(n));
        }
        let options = self.options.truncating()?;
        let block = self.block(n).filter(|_| self.can_cut(n))?;
        let body = room.saturating_sub(block.framing());
        if body < SMALLEST_EXTRACT {
            return None;
        }
        let extractor =
            Extractor::new(block, self.needs(n)?, options.preserve_structure).with_focus(self.focus);
        let count = || self.input.counter.count(&extractor.longest_marker());
        let marker = *self.markers.get(n)?.get_or_init(count);
        let (mut aim, mut extract) = (body, extractor.to_tokens(body, marker)?);
        // A marker that repeats the start of its line can be longer than the longest marker planned for, and another cut
        // has other seams.
        for attempt in 0..CUT_ATTEMPTS {
            let over = block.cost(&extract.action, self.input.counter).saturating_sub(room);
            if over == Tokens::ZERO {
                break;
            }
            aim = aim.saturating_sub(Tokens::new(over.get() << attempt));
            extract = extractor.to_tokens(aim, marker)?;
        }
        self.cut(block, extract, |kept, of| Reason::NoRoomWhole { kept, of })
    }

    /// Block `n` without its text, at level 1 or 0, if that is allowed and costs less than the whole block.
    pub(crate) fn described(&self, n: usize, level: Level) -> Option<Form> {
        self.options.describing()?;
        let block = self.block(n)?;
        let text = if level == Level::Reference { reference(block.block()) } else { gist(block.block()) };
        let action = Action::Render { level, text };
        let cost = block.cost(&action, self.input.counter);
        (cost < self.whole_cost(n)).then(|| Form { action, reason: self.why_without_text(n), cost })
    }

    /// The estimated cost of [`described`](Self::described), by the length of its content, for planning.
    pub(crate) fn described_cost(&self, n: usize, level: Level) -> Option<Tokens> {
        self.options.describing()?;
        let cost = estimate(self.block(n)?.block(), level);
        (cost < self.whole_cost(n)).then_some(cost)
    }

    /// The estimated cost of block `n` in its shortest form that is not dropped, for planning.
    pub(crate) fn shortest_cost(&self, n: usize) -> Tokens {
        self.described_cost(n, Level::Reference).unwrap_or_else(|| self.whole_cost(n))
    }

    /// The reason to show block `n` without its text: it scores below the threshold, or there is no room for its text.
    pub(crate) fn why_without_text(&self, n: usize) -> Reason {
        let no_room = || {
            let needed = self.whole_cost(n);
            match self.options.off() {
                Some(option) => Reason::NotShortened { needed, option: option.into() },
                None => Reason::NoRoom { needed },
            }
        };
        self.below_threshold(n).cloned().unwrap_or_else(no_room)
    }

    fn cut(
        &self,
        block: &MeasuredBlock<'_>,
        extract: Extract,
        reason: fn(usize, usize) -> Reason,
    ) -> Option<Form> {
        let whole = block.framing() + block.tokens();
        let reason = match extract.action {
            Action::Keep => Reason::Fits,
            _ => reason(extract.kept, block.units().len()),
        };
        let cost = block.cost(&extract.action, self.input.counter);
        // A cut is not used if its markers cost more than it saves.
        (cost < whole || extract.action == Action::Keep).then_some(Form {
            action: extract.action,
            reason,
            cost,
        })
    }

    /// The needs of the units of block `n`. Units of code and data have none.
    fn needs(&self, n: usize) -> Option<&(Needs, Relation)> {
        let (block, needs) = (self.block(n)?, self.needs.get(n)?);
        let language = || NaturalLanguage::of_texts([block.block().text.as_str()]);
        Some(needs.get_or_init(|| {
            let needs = Needs::of_measured(block, language());
            let relation = needs.edges(0).collect();
            (needs, relation)
        }))
    }

    fn block(&self, n: usize) -> Option<&'b MeasuredBlock<'a>> {
        self.input.blocks.get(n)
    }
}
