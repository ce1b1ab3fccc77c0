//! How a plan begins: with what is pinned and what must be shown.

use contextfit_kernel::{Hold, Measured, Reason, Tokens};
use contextfit_text::share_of;

use crate::{
    draft::{Draft, Form},
    outputs::cut_to,
    reading::question,
    said::Said,
};

/// The share of the room that results the model has not read yet may take whole, while there is something else to show.
const UNREAD: f64 = 0.6;

/// A draft that keeps what is pinned, shows what must be shown, and nothing else. Linear.
pub(crate) fn start<'a>(input: &'a Measured<'a>, room: Tokens, said: &Said) -> Draft<'a> {
    let mut draft = Draft::new(input, room, question(input, said));
    show_held(&mut draft, said);
    draft
}

/// Shows what must be shown. The newest results are whole while they take at most [`UNREAD`] of the room or what
/// everything else leaves, and excerpts beyond that. The user's last words are cut only if nothing else makes room.
fn show_held(draft: &mut Draft<'_>, said: &Said) {
    let all = 0..draft.exchanges.len();
    let free: Tokens = all.clone().filter(|&n| draft.hold(n) == Hold::Free).map(|n| draft.cost(n)).sum();
    let shown: Vec<usize> = all.rev().filter(|&n| draft.hold(n) == Hold::Shown).collect();
    let printed = |n: &usize| !draft.output_lengths(*n, said.printed()).is_empty();
    let (unread, words): (Vec<usize>, Vec<usize>) = shown.into_iter().partition(printed);
    let said_last: Tokens = words.iter().map(|&n| draft.cost(n)).sum();
    let left = draft.left.saturating_sub(said_last);
    let mut most = share_of(draft.left, UNREAD).max(left.saturating_sub(free)).min(left);
    let unread = unread.into_iter().map(|n| (n, true));
    for (n, is_unread) in unread.chain(words.into_iter().map(|n| (n, false))) {
        let room = if is_unread { most } else { draft.left };
        let taken = draft.keep(n, room, Reason::Shown).or_else(|| {
            let (forms, cost) = cut_to(draft, n, room)?;
            draft.spend(n, cost);
            draft.set(n, Form::As(forms));
            Some(cost)
        });
        most = most.saturating_sub(taken.unwrap_or_default());
    }
}
