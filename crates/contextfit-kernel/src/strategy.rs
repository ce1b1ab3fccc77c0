//! Strategies decide what happens to each block.

use std::sync::Arc;

use crate::{Context, Error, Measured, Plan, TextKind, Tokens};

/// Decides what happens to each block of a context that is larger than its budget.
///
/// Planning is pure: no I/O, no clock, no randomness. The same input gives the same plan on every machine.
///
/// Every implementation must guarantee, and callers may assume:
/// - The plan has one step per block, in order. The blocks of a group are either all shown, each at its own level, or
///   all dropped. In a conversation, either all of them are messages or none is; blocks that are not messages are
///   quoted in a record or dropped.
/// - The plan respects [`Context::holds`](crate::Context::holds): pinned blocks are kept unchanged, shown blocks are
///   kept or cut.
/// - A cut consists of whole units in ascending order, with a marker in every gap.
/// - The plan aims at `room` tokens for the whole text. It may miss: the executor counts the text and asks again with
///   less room if it is too long. With less room the plan must become smaller, down to the pinned blocks and the
///   minimum of the shown ones. Only a strategy that another one follows may stop before that.
/// - Planning takes O(n) or O(n log n) time in the size of the context and never panics, whatever the blocks contain.
pub trait Strategy: Send + Sync {
    /// The name that users select it by and see in results.
    fn name(&self) -> &str;

    /// Returns the plan for `input` at `room` tokens.
    ///
    /// # Errors
    /// Any error that prevents planning; the executor reports it in the trace and tries the next strategy.
    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error>;

    /// Returns a planner for one input that can be called with several rooms, so that work that does not depend on the
    /// room is done once. It makes the same plans as [`plan`](Self::plan).
    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        Box::new(move |room| self.plan(input, room))
    }

    /// Returns a planner that requests no summaries of the blocks marked in `unanswered`, because a model gave no
    /// usable summary of them. The planner uses the room of these summaries for something else.
    fn planner_without<'a>(&'a self, input: &'a Measured<'a>, unanswered: &[bool]) -> Planner<'a> {
        let _ = unanswered;
        self.planner(input)
    }

    /// Whether `context` is to be measured with units inside overlong lines: between the members of JSON, and after the
    /// statements of a bundle. This is for strategies that show machine output; for others a line is kept or removed as
    /// a whole. `kinds` has the kind of each block.
    fn cuts_within_lines(&self, context: &Context, kinds: &[TextKind]) -> bool {
        let _ = (context, kinds);
        false
    }
}

/// Plans for one input, given the room in tokens.
pub type Planner<'a> = Box<dyn Fn(Tokens) -> Result<Plan, Error> + 'a>;

impl<T: Strategy + ?Sized> Strategy for Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        (**self).plan(input, room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        (**self).planner(input)
    }

    fn planner_without<'a>(&'a self, input: &'a Measured<'a>, unanswered: &[bool]) -> Planner<'a> {
        (**self).planner_without(input, unanswered)
    }

    fn cuts_within_lines(&self, context: &Context, kinds: &[TextKind]) -> bool {
        (**self).cuts_within_lines(context, kinds)
    }
}

impl<T: Strategy + ?Sized> Strategy for Box<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        (**self).plan(input, room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        (**self).planner(input)
    }

    fn planner_without<'a>(&'a self, input: &'a Measured<'a>, unanswered: &[bool]) -> Planner<'a> {
        (**self).planner_without(input, unanswered)
    }

    fn cuts_within_lines(&self, context: &Context, kinds: &[TextKind]) -> bool {
        (**self).cuts_within_lines(context, kinds)
    }
}
