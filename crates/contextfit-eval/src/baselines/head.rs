//! The start of the context.

use super::cuts::{Cuts, whole};

/// Keeps blocks until one does not fit, and the start of that one.
pub(super) fn choose(cuts: &mut Cuts<'_, '_>) {
    for (n, block) in cuts.open() {
        if let Some(left) = cuts.left.checked_sub(whole(block)) {
            cuts.left = left;
            cuts.keep(n, 0..block.units().len());
            continue;
        }
        if let kept @ 1.. = cuts.head_within(block, cuts.left) {
            cuts.keep(n, 0..kept);
        }
        return;
    }
}
