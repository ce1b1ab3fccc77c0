//! Tool outputs that are shortened where they are.

use contextfit_excerpt::{excerpt, focus, share};
use contextfit_kernel::{
    Action, ByteRange, Hold, Measured, MeasuredBlock, Piece, Reason, Role, Tokens, Turn, Values,
};
use contextfit_text::{Speakers, Spoken, share_of};

use crate::{
    draft::{Draft, ExchangeForm},
    reading::question,
};

/// The minimum tokens of a cut output. If it were shorter, a line in the record would say more.
pub(crate) const SHORTEST_CUT_TOKENS: usize = 32;

/// Exchange `n` with its outputs cut to at most `cap` tokens each and all else whole; `None` if none is longer.
fn shorten_to(draft: &Draft<'_>, outputs: &[bool], n: usize, cap: Tokens) -> Option<Vec<(Action, Reason)>> {
    let members = &draft.exchanges.get(n)?.members;
    let is_long = |&at: &usize| {
        outputs.at(at)
            && draft.input.blocks.get(at).is_some_and(|block| block.tokens() > cap && is_source(block))
    };
    let form = |at| match is_long(at) {
        true => Some(cut(draft, draft.input.blocks.get(*at)?, cap).0),
        false => Some((Action::Keep, Reason::Fits)),
    };
    members.iter().any(is_long).then(|| members.iter().filter_map(form).collect())
}

/// The maximum tokens of each output if everything not shown yet must fit, with all other text whole; `None` if they
/// are too few. Linear.
pub(crate) fn common_cap(draft: &Draft<'_>, outputs: &[bool]) -> Option<Tokens> {
    let lengths: Vec<Tokens> = draft.open().flat_map(|n| draft.output_lengths(n, outputs)).collect();
    let whole: Tokens = draft.open().map(|n| draft.cost(n)).sum();
    let fixed = whole.saturating_sub(lengths.iter().copied().sum());
    // Nothing is left out, so the tokens set aside for a record are free.
    let left = draft.left + draft.input.omission + draft.records();
    cap(&lengths, left.checked_sub(fixed)?)
}

/// Shows everything not shown yet, with each output in at most `cap` tokens. Linear.
pub(crate) fn shorten_all(draft: &mut Draft<'_>, outputs: &[bool], cap: Tokens) {
    for n in draft.open().collect::<Vec<_>>() {
        let form = match shorten_to(draft, outputs, n, cap) {
            Some(forms) => ExchangeForm::As(forms),
            None => ExchangeForm::Kept(Reason::Fits),
        };
        draft.set(n, form);
    }
}

/// The maximum tokens of each text if all of them must fit in `room` and the shorter ones stay whole; `None` if they
/// are too few.
fn cap(lengths: &[Tokens], room: Tokens) -> Option<Tokens> {
    let share = share(lengths.iter().copied(), room);
    (share != Tokens::MAX && share.get() >= SHORTEST_CUT_TOKENS).then_some(share)
}

/// Exchange `n`, which must be shown, in about `room` tokens, and the tokens it takes. Every text longer than its share
/// is cut, however short it becomes.
pub(crate) fn cut_to(draft: &Draft<'_>, n: usize, room: Tokens) -> Option<(Vec<(Action, Reason)>, Tokens)> {
    let members = &draft.exchanges.get(n)?.members;
    let blocks: Vec<&MeasuredBlock<'_>> =
        members.iter().filter_map(|&at| draft.input.blocks.get(at)).collect();
    let lengths: Vec<Tokens> = blocks.iter().map(|block| block.tokens()).collect();
    let fixed: Tokens = blocks.iter().map(|block| block.framing()).sum();
    let room = room.saturating_sub(fixed);
    let cap = cap(&lengths, room).unwrap_or(Tokens::new(room.get() / lengths.len().max(1)));
    let mut taken = Tokens::ZERO;
    let forms = blocks.iter().map(|block| {
        let whole = ((Action::Keep, Reason::Shown), block.framing() + block.tokens());
        let cut = (block.tokens() > cap && is_source(block)).then(|| cut(draft, block, cap));
        // A marker may be longer than the text it replaces.
        let (form, cost) = cut.filter(|(_, cost)| *cost < whole.1).unwrap_or(whole);
        taken += cost;
        form
    });
    Some((forms.collect(), taken))
}

/// Whether `block` is an original turn, not an entry of an earlier record, which is kept or dropped whole.
fn is_source(block: &MeasuredBlock<'_>) -> bool {
    block.block().level.shows_source()
}

/// The block cut to `room` tokens of text, each part to its share, and its cost. The user's own words come first.
fn cut(draft: &Draft<'_>, block: &MeasuredBlock<'_>, room: Tokens) -> ((Action, Reason), Tokens) {
    let plain = Turn::new(Role::Tool);
    let text = &block.block().text;
    let turn = block.block().as_turn().unwrap_or(&plain);
    let ranges: Vec<ByteRange> = turn.ranges(text).collect();
    let spoken = Spoken::in_message(block);
    let units = |range: &ByteRange| block.units_before(range.start())..block.units_before(range.end());
    let tokens = |range: &ByteRange| block.tokens_between(units(range).start, units(range).end);
    let closeness = |range: &ByteRange| -> Vec<f64> {
        let is_spoken = spoken.begins_in(*range);
        if let Some(question) = draft.question.filter(|_| !is_spoken) {
            return focus(&[(block, *range)], question).pop().unwrap_or_default();
        }
        units(range).map(|n| f64::from(u8::from(spoken.holds(block.range(n, n + 1))))).collect()
    };
    let lengths: Vec<Tokens> = ranges.iter().map(tokens).collect();
    let cap = cap(&lengths, room).unwrap_or(Tokens::new(room.get() / ranges.len().max(1)));
    let pieces: Vec<Piece> = ranges
        .iter()
        .zip(&lengths)
        .filter(|(range, _)| !range.is_empty())
        .flat_map(|(range, length)| match *length > cap {
            true => excerpt(block, *range, &closeness(range), cap, draft.input.counter),
            false => vec![Piece::Source(*range)],
        })
        .collect();
    let kept = pieces.iter().filter_map(Piece::range).map(|range| units(&range).len());
    let reason = Reason::NoRoomWhole { kept: kept.sum(), of: block.units().len() };
    let action = Action::Cut { pieces };
    let cost = block.cost(&action, draft.input.counter);
    ((action, reason), cost)
}

/// The share of the room that results the model has not read yet may take whole while there is something else to show.
const UNREAD_RESULTS_SHARE: f64 = 0.6;

/// A draft that keeps pinned exchanges and shows those that must be shown, and nothing else. Linear.
pub(crate) fn start<'a>(input: &'a Measured<'a>, room: Tokens, speakers: &Speakers) -> Draft<'a> {
    let mut draft = Draft::new(input, room, question(input, speakers));
    show_held(&mut draft, speakers);
    draft
}

/// Shows the exchanges that must be shown. The user's last words come first as long as they take at most half of the
/// room, and are cut only if cutting everything else is not enough. The newest results are whole as long as they take
/// at most [`UNREAD_RESULTS_SHARE`] of the room or fit next to everything else; beyond that they are excerpts.
fn show_held(draft: &mut Draft<'_>, speakers: &Speakers) {
    let all = 0..draft.exchanges.len();
    let free: Tokens = all.clone().filter(|&n| draft.hold(n) == Hold::Free).map(|n| draft.cost(n)).sum();
    let shown: Vec<usize> = all.rev().filter(|&n| draft.hold(n) == Hold::Shown).collect();
    let printed = |n: &usize| !draft.output_lengths(*n, speakers.printed()).is_empty();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lengths: &[usize], room: usize, expect: Option<usize>) {
        let lengths: Vec<Tokens> = lengths.iter().copied().map(Tokens::new).collect();
        assert_eq!(cap(&lengths, Tokens::new(room)), expect.map(Tokens::new));
    }

    #[test]
    fn caps() {
        check(&[], 100, None);
        check(&[10], 100, None);
        check(&[1000], 100, Some(100));
        check(&[1000, 10], 100, Some(90));
        check(&[1000, 500, 10], 100, Some(45));
        check(&[1000, 500], 40, None);
    }
}
