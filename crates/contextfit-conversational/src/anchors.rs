//! Earlier summaries: they stay as they are, and are shortened without asking anybody.

use contextfit_kernel::{Action, Level, MeasuredBlock, Piece, Reason, Tokens};
use contextfit_text::gap_marker;

use crate::{
    draft::{Draft, Form},
    hierarchical::{Reading, share},
    lines::is_ledger,
    relevance::exact,
    values::{Kind, values},
};

/// What is left of the share when summaries were shortened, so that they need not be again at once.
const SHORTENED: f64 = 2.0 / 3.0;

/// An earlier summary: the exchanges that it stands for, the first of which has its text.
struct Anchor {
    exchanges: Vec<usize>,
    cost: Tokens,
}

/// Keeps what earlier compressions left of turns: as it is where it takes no more than `limit`; else the newest as it is and
/// of those before it the half that matters most, as far as there is room. Linear-logarithmic.
pub(crate) fn hold(draft: &mut Draft<'_>, reading: &Reading<'_>, limit: Tokens) {
    let anchors = anchors(draft);
    let fits = anchors.iter().map(|anchor| anchor.cost).sum::<Tokens>() <= limit;
    let mut left = if fits { limit } else { share(limit, SHORTENED) };
    for (age, anchor) in anchors.iter().rev().enumerate() {
        let whole = fits || age == 0;
        let most = if whole { anchor.cost } else { share(anchor.cost, 0.5) };
        let taken = show(draft, reading, anchor, most.min(left));
        left = left.saturating_sub(taken);
        draft.left = draft.left.saturating_sub(taken);
    }
}

/// The earlier summaries and lines, in order. Exchanges without a text belong to what stands before them.
fn anchors(draft: &Draft<'_>) -> Vec<Anchor> {
    let layout = &draft.input.context.layout;
    let mut anchors: Vec<Anchor> = Vec::new();
    let mut before = false;
    for (n, exchange) in draft.exchanges.iter().enumerate() {
        let mut blocks = exchange.members.iter().filter_map(|&at| draft.block(at));
        let told = |block: &contextfit_kernel::Block| !block.level.shows_source() || is_ledger(block, layout);
        if !draft.is_open(n) || !blocks.clone().all(told) {
            before = false;
            continue;
        }
        let silent = blocks.all(|block| block.text.is_empty());
        match anchors.last_mut().filter(|_| before && silent) {
            Some(anchor) => anchor.exchanges.push(n),
            None => anchors.push(Anchor { exchanges: vec![n], cost: draft.cost(n) }),
        }
        before = true;
    }
    anchors
}

/// Shows an anchor in `room`: whole, in part or not at all; what it takes.
fn show(draft: &mut Draft<'_>, reading: &Reading<'_>, anchor: &Anchor, room: Tokens) -> Tokens {
    if anchor.cost <= room {
        anchor.exchanges.iter().for_each(|&n| draft.set(n, Form::Kept(Reason::Anchored)));
        return anchor.cost;
    }
    let first = anchor.exchanges.first().copied().unwrap_or_default();
    let members = draft.exchanges.get(first).map(|exchange| exchange.members.clone()).unwrap_or_default();
    let blocks: Vec<&MeasuredBlock<'_>> =
        members.iter().filter_map(|&at| draft.input.blocks.get(at)).collect();
    // One text most of the time; others share the room by what they take.
    let all: Tokens = blocks.iter().map(|block| block.tokens()).sum();
    let mut forms = Vec::with_capacity(members.len());
    let mut taken = Tokens::ZERO;
    for (block, &at) in blocks.iter().zip(&members) {
        let room = share(room, exact(block.tokens().get()) / exact(all.get().max(1)));
        let kept = extract(block, &important(reading, at), room);
        let shown = kept.iter().filter(|piece| matches!(piece, Piece::Source(_))).count();
        let of = block.units().len();
        let action = match (of, shown) {
            (0, _) => Action::Keep,
            (_, 0) => Action::Render { level: Level::Gist, text: String::new() },
            _ => Action::Cut { pieces: kept },
        };
        taken += match &action {
            Action::Cut { .. } => block.cost(&action, draft.input.counter),
            _ => Tokens::ZERO,
        };
        forms.push((action, Reason::NoRoomWhole { kept: shown, of }));
    }
    let gone = taken == Tokens::ZERO;
    // A ledger is a message of its own and cannot stand with lines; results stand by their calls.
    let mixed = forms.len() > 1 && blocks.iter().any(|block| block.block().level.shows_source());
    if gone || mixed {
        let needed = anchor.cost;
        for &n in &anchor.exchanges {
            let members = draft.exchanges.get(n).map_or(0, |exchange| exchange.members.len());
            draft.set(n, Form::As(vec![(Action::Drop, Reason::NoRoom { needed }); members]));
        }
        return Tokens::ZERO;
    }
    draft.set(first, Form::As(forms));
    anchor.exchanges.iter().skip(1).for_each(|&n| draft.set(n, Form::Kept(Reason::Anchored)));
    taken
}

/// The bytes of standing instructions in block `at`.
fn important(reading: &Reading<'_>, at: usize) -> Vec<(usize, usize)> {
    let here = reading.instructions.iter().filter(|found| found.block == at && found.stands());
    here.map(|found| (found.range.start(), found.range.end())).collect()
}

/// The units of `block` that matter most in about `room` tokens: the first, which says what it is; instructions; what holds
/// many identifiers. A marker in every gap.
fn extract(block: &MeasuredBlock<'_>, important: &[(usize, usize)], room: Tokens) -> Vec<Piece> {
    let worth = |n: usize| {
        let range = block.range(n, n + 1);
        let instructs = important.iter().any(|&(start, end)| start < range.end() && range.start() < end);
        let found = values(block.text(n, n + 1));
        let identifiers = found.iter().filter(|value| value.kind == Kind::Identifier).count().min(4);
        let worth = 0.5 + exact(identifiers) + if instructs { 8.0 } else { 0.0 };
        if n == 0 { f64::INFINITY } else { worth / exact(block.tokens_between(n, n + 1).get().max(1)) }
    };
    let mut ranked: Vec<(usize, f64)> = (0..block.units().len()).map(|n| (n, worth(n))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    // A marker takes about as much as this.
    let marker = Tokens::new(8);
    let mut left = room.saturating_sub(block.framing() + marker);
    let mut kept = vec![false; ranked.len()];
    for (n, _) in ranked {
        let cost = block.tokens_between(n, n + 1) + if n == 0 { Tokens::ZERO } else { marker };
        match left.checked_sub(cost) {
            Some(rest) => left = rest,
            // Without the line that says what it is, the others are nothing.
            None if n == 0 => return Vec::new(),
            None => continue,
        }
        kept.get_mut(n).into_iter().for_each(|kept| *kept = true);
    }
    if kept.iter().filter(|kept| **kept).count() < 2 {
        return Vec::new();
    }
    pieces(block, &kept)
}

/// The units that are kept, and markers for the others.
fn pieces(block: &MeasuredBlock<'_>, kept: &[bool]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for run in kept.chunk_by(|a, b| a == b) {
        let to = from + run.len();
        pieces.push(match run.first() {
            Some(true) => Piece::Source(block.range(from, to)),
            _ => Piece::Marker(gap_marker(block, None, from, to)),
        });
        from = to;
    }
    pieces
}
