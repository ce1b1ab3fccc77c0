//! Cuts every tool output to the same length.

use contextfit_kernel::{MeasuredBlock, Role, Tokens};

use super::{
    cuts::{Cuts, whole},
    newest,
};

/// Cuts every output to its first N tokens, for the largest N with which all messages fit; if there is none, keeps the
/// newest messages.
pub(super) fn choose(cuts: &mut Cuts<'_, '_>) {
    let outputs = outputs(cuts);
    let blocks = cuts.open();
    let shown = |cuts: &Cuts<'_, '_>, n: usize, block: &MeasuredBlock<'_>, most: Tokens| {
        let long = outputs.get(n) == Some(&true) && block.tokens() > most;
        if long { cuts.head_within(block, block.framing() + most) } else { block.units().len() }
    };
    let fits = |most: usize| {
        let cost = |(n, block): &(usize, &MeasuredBlock<'_>)| {
            let units = shown(cuts, *n, block, Tokens::new(most));
            if units == block.units().len() {
                return whole(block);
            }
            block.framing() + block.tokens_through(units) + cuts.marker_cost(block)
        };
        blocks.iter().map(cost).sum::<Tokens>() <= cuts.left
    };
    if !fits(0) {
        return newest::choose(cuts);
    }
    let longest = blocks.iter().map(|(_, block)| block.tokens().get()).max().unwrap_or_default();
    // The largest that fits is in `fitting..over`.
    let (mut fitting, mut over) = (0, longest.saturating_add(1));
    while over - fitting > 1 {
        let middle = fitting.midpoint(over);
        *(if fits(middle) { &mut fitting } else { &mut over }) = middle;
    }
    for (n, block) in &blocks {
        let units = shown(cuts, *n, block, Tokens::new(fitting));
        cuts.keep(*n, 0..units);
    }
}

/// For each message, whether it is a tool output in one part. In a run whose agent has no tool messages, user messages
/// after the first are outputs: what its commands print.
fn outputs(cuts: &Cuts<'_, '_>) -> Vec<bool> {
    let turns = || cuts.input().blocks.iter().map(|block| block.block().as_turn());
    let has = |role: Role| turns().flatten().any(|turn| turn.role == role);
    let role = if has(Role::Tool) { Role::Tool } else { Role::User };
    let mut seen = 0;
    let is_output = |turn: Option<&contextfit_kernel::Turn>| {
        let Some(turn) = turn.filter(|turn| turn.role == role) else { return false };
        seen += 1;
        (role == Role::Tool || seen > 1) && turn.parts.len() < 2
    };
    turns().map(is_output).collect()
}
