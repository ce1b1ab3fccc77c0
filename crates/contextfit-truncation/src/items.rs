//! The units of decision: single blocks and groups of blocks.

use contextfit_kernel::{Action, Hold, Plan, Reason, Step, Tokens, Values};
use contextfit_text::keep_shown;

use crate::forms::{Form, Forms};

/// Blocks that are kept, shortened or dropped together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RankedGroup {
    /// Their indices in the context.
    pub(crate) members: Vec<usize>,
    /// The relevance of the most relevant member.
    pub(crate) relevance: f64,
}

/// The decisions that are open for an input, independent of the room.
pub(crate) struct Undecided {
    /// The items, in the order of their first members.
    pub(crate) items: Vec<RankedGroup>,
    /// Their indices, the most relevant first. Equally relevant items stay in order.
    pub(crate) order: Vec<usize>,
    /// The indices of the pinned blocks.
    kept: Vec<usize>,
    /// The tokens of all blocks in their shortest forms.
    shortest: Tokens,
}

impl Undecided {
    /// Collects the undecided items of the input that `forms` are for. O(n log n) in the number of blocks.
    pub(crate) fn of(forms: &Forms<'_, '_>, relevance: &[f64]) -> Self {
        let input = forms.input;
        let shortest = (0..input.blocks.len()).map(|n| forms.shortest_cost(n)).sum();
        let holds = input.context.holds();
        let is_pinned = |n: &usize| holds.get(*n) == Some(&Hold::Pinned);
        let groups = input.context.groups().into_iter();
        let (kept, open): (Vec<_>, Vec<_>) = groups.partition(|members| members.iter().any(is_pinned));
        let item = |members: Vec<usize>| {
            let relevances = members.iter().map(|&n| relevance.at(n));
            RankedGroup { relevance: relevances.reduce(f64::max).unwrap_or_default(), members }
        };
        let items: Vec<RankedGroup> = open.into_iter().map(item).collect();
        let mut order: Vec<(usize, f64)> = items.iter().map(|item| item.relevance).enumerate().collect();
        order.sort_by(|(_, left), (_, right)| right.total_cmp(left));
        let order = order.into_iter().map(|(place, _)| place).collect();
        Self { items, order, kept: kept.concat(), shortest }
    }
}

/// A plan under construction. Blocks without a form are dropped.
pub(crate) struct Draft<'f, 'a, 'b> {
    forms: &'f Forms<'a, 'b>,
    steps: Vec<Option<Form>>,
    room: Tokens,
    /// The tokens of the line about omitted blocks, if it may be needed; zero if they are already reserved.
    pub(crate) marker: Tokens,
}

impl<'f, 'a, 'b> Draft<'f, 'a, 'b> {
    /// Creates a plan that keeps the pinned blocks and drops the others. Also returns the room left for the `undecided`
    /// items. Linear in the number of blocks.
    pub(crate) fn new(forms: &'f Forms<'a, 'b>, undecided: &Undecided, room: Tokens) -> (Self, Tokens) {
        let input = forms.input;
        // If every block can be shown in some form, the line about omitted blocks may not be needed.
        let all_shown = input.context.omitted == 0 && undecided.shortest <= room;
        let mut left = if all_shown { room } else { room.saturating_sub(input.omission) };
        let marker = if all_shown { input.omission } else { Tokens::ZERO };
        let mut steps = vec![None; input.blocks.len()];
        for &n in &undecided.kept {
            let cost = forms.whole_cost(n);
            left = left.saturating_sub(cost);
            steps.set(n, Some(Form { action: Action::Keep, reason: Reason::Pinned, cost }));
        }
        (Self { forms, steps, room, marker }, left)
    }

    /// Sets the form of each member of `item`. Members without a form stay dropped.
    pub(crate) fn set_all(&mut self, item: &RankedGroup, forms: Vec<Form>) {
        for (&n, form) in item.members.iter().zip(forms) {
            self.steps.set(n, Some(form));
        }
    }

    /// The finished plan. Blocks that must be shown keep at least their first units or a marker.
    pub(crate) fn finish(self, strategy: &str) -> Plan {
        let Self { forms, steps, room, .. } = self;
        let steps = forms.input.blocks.iter().zip(steps).enumerate().map(|(n, (measured, decided))| {
            let left_out =
                || Form { action: Action::Drop, reason: forms.why_without_text(n), cost: Tokens::ZERO };
            let Form { action, reason, cost } = decided.unwrap_or_else(left_out);
            Step::new(&measured.block().id, action, reason).with_tokens(cost)
        });
        let mut plan = Plan { strategy: strategy.into(), steps: steps.collect() };
        keep_shown(&mut plan, forms.input, room);
        plan
    }
}
