//! How a plan begins: with what is pinned and what must be shown.

use contextfit_kernel::{Hold, Measured, Reason, Tokens};
use contextfit_text::share_of;

use crate::{
    draft::{Draft, ExchangeForm},
    outputs::cut_to,
    reading::question,
    said::Said,
};

/// The share of the room that results the model has not read yet may take whole, while there is something else to show.
const UNREAD_RESULTS_SHARE: f64 = 0.6;

/// A draft that keeps what is pinned, shows what must be shown, and nothing else. Linear.
pub(crate) fn start<'a>(input: &'a Measured<'a>, room: Tokens, said: &Said) -> Draft<'a> {
    let mut draft = Draft::new(input, room, question(input, said));
    show_held(&mut draft, said);
    draft
}

/// Shows what must be shown. The user's last words come first as long as they take at most half of the room, and are
/// cut only if nothing else makes room. The newest results are whole while they take at most [`UNREAD_RESULTS_SHARE`]
/// of the room or what everything else leaves, and excerpts beyond that.
fn show_held(draft: &mut Draft<'_>, said: &Said) {
    let all = 0..draft.exchanges.len();
    let free: Tokens = all.clone().filter(|&n| draft.hold(n) == Hold::Free).map(|n| draft.cost(n)).sum();
    let shown: Vec<usize> = all.rev().filter(|&n| draft.hold(n) == Hold::Shown).collect();
    let printed = |n: &usize| !draft.output_lengths(*n, said.printed()).is_empty();
    let (unread, mut words): (Vec<usize>, Vec<usize>) = shown.into_iter().partition(printed);
    let half = share_of(draft.left, 0.5);
    words.retain(|&n| draft.keep(n, half, Reason::Shown).is_none());
    let long: Tokens = words.iter().map(|&n| draft.cost(n)).sum();
    let left = draft.left.saturating_sub(long);
    let mut most = share_of(draft.left, UNREAD_RESULTS_SHARE).max(left.saturating_sub(free)).min(left);
    for n in unread {
        most = most.saturating_sub(keep_or_cut(draft, n, most));
    }
    for n in words {
        let room = draft.left;
        keep_or_cut(draft, n, room);
    }
}

/// Keeps exchange `n` whole if it fits in `room`, or cuts it. Returns its tokens.
fn keep_or_cut(draft: &mut Draft<'_>, n: usize, room: Tokens) -> Tokens {
    if let Some(cost) = draft.keep(n, room, Reason::Shown) {
        return cost;
    }
    let Some((forms, cost)) = cut_to(draft, n, room) else { return Tokens::ZERO };
    draft.replace(n, ExchangeForm::As(forms), cost);
    cost
}
