//! The end of a conversation.

use contextfit_kernel::Role;

use super::cuts::{Cuts, whole};

/// Keeps the newest messages until one does not fit.
pub(super) fn choose(cuts: &mut Cuts<'_, '_>) {
    let from = start_within(cuts);
    keep_from(cuts, from);
}

/// Keeps the newest messages that fit, starting with a user message.
pub(super) fn choose_from_a_person(cuts: &mut Cuts<'_, '_>) {
    let start = start_within(cuts);
    let is_users = |n: &usize| {
        let block = cuts.input().blocks.get(*n).map(contextfit_kernel::MeasuredBlock::block);
        block.and_then(|block| block.as_turn()).is_some_and(|turn| turn.role == Role::User)
    };
    let all = cuts.input().blocks.len();
    let from = (start..all).find(is_users).unwrap_or(all);
    keep_from(cuts, from);
}

/// The first message of the longest tail that fits; the room for what must be kept is already deducted.
fn start_within(cuts: &Cuts<'_, '_>) -> usize {
    let mut left = cuts.left;
    let mut start = cuts.input().blocks.len();
    for (n, block) in cuts.open().into_iter().rev() {
        let Some(rest) = left.checked_sub(whole(block)) else { return start };
        (left, start) = (rest, n);
    }
    0
}

fn keep_from(cuts: &mut Cuts<'_, '_>, from: usize) {
    for (n, block) in cuts.open().into_iter().filter(|(n, _)| *n >= from) {
        cuts.left = cuts.left.saturating_sub(whole(block));
        cuts.keep(n, 0..block.units().len());
    }
}
