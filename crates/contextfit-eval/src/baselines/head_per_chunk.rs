//! The start of each block.

use contextfit_kernel::Tokens;

use super::cuts::{Cuts, whole};

/// Keeps the start of every block, within an equal share of the room left by the blocks before it.
pub(super) fn choose(cuts: &mut Cuts<'_, '_>) {
    let blocks = cuts.open();
    for (done, (n, block)) in blocks.iter().enumerate() {
        let share = Tokens::new(cuts.left.get() / (blocks.len() - done));
        let units = block.units().len();
        if whole(block) <= share {
            cuts.keep(*n, 0..units);
            cuts.left = cuts.left.saturating_sub(whole(block));
        } else if let kept @ 1.. = cuts.head_within(block, share) {
            cuts.keep(*n, 0..kept);
            let cost = block.framing() + block.tokens_through(kept) + cuts.marker_cost(block);
            cuts.left = cuts.left.saturating_sub(cost);
        }
    }
}
