//! What plans show of a conversation, by the values of its reading.

use contextfit_kernel::{Action, ByteRange, Hold, Piece, Plan, QuoteSource, Role, Tokens, Voice};
use contextfit_text::float;

use crate::{
    reading::{Reading, signal},
    units::{TurnUnit, UnitForm},
};

/// The rooms to share out instead of `room`: each of a plan's shares is then of less, and what that leaves is filled. They
/// are numbers of a few binary digits down to half of `room`, the largest first: whatever the room is, those tried for
/// a little less are tried for it too.
pub(crate) fn shares(room: Tokens) -> impl Iterator<Item = Tokens> {
    let step = (room.get() / ROOM_STEPS).checked_ilog2().map_or(1, |digits| 1 << digits);
    let first = room.get() / step * step;
    let less = (0..=ROOM_STEPS / 2).map_while(move |n| first.checked_sub(n * step)).map(Tokens::new);
    std::iter::once(room).chain(less.filter(move |less| *less < room))
}

const ROOM_STEPS: usize = 16;

/// How much `plan` shows of what comes first, in bytes of whole units. Linear.
pub(crate) fn worth(plan: &Plan, reading: &Reading<'_>) -> f64 {
    let holds = reading.input.context.holds();
    let views: Vec<View> = plan.steps.iter().map(|step| View::of(&step.action)).collect();
    let shows = |unit: &TurnUnit| views.get(reading.block_of(unit)).is_some_and(|view| view.shows(unit));
    let units = reading.units.all.iter().enumerate().filter(|(_, unit)| shows(unit));
    units.map(|(n, unit)| first(n, unit, reading, &holds) * float(unit.quote.range.len())).sum()
}

/// How much unit `n` comes first: the user's words, and standing rules by their strength; then errors and totals by the
/// strength of their signals; then results that the model has not read.
fn first(n: usize, unit: &TurnUnit, reading: &Reading<'_>, holds: &[Hold]) -> f64 {
    let voice = reading.units.holders.get(unit.holder).map(|holder| &holder.label.voice);
    let is_unread = holds.get(reading.block_of(unit)) == Some(&Hold::Shown); // ablate: chat.shown-unread => false
    let first = match unit.form {
        UnitForm::Words => 1.0, // ablate: chat.shown-words => 0.0
        UnitForm::Entry if matches!(voice, Some(Voice::Said { role: Role::User, .. })) => 1.0,
        UnitForm::Line(score) => SIGNALS * signal(score), // ablate: chat.shown-signals => 0.0
        _ => reading.rules.get(n).copied().unwrap_or_default(),
    };
    if is_unread { first.max(UNREAD_RESULTS_SCORE) } else { first }
}

/// What a byte of an error or a total is worth, and one of a result that the model has not read, to one of the user's
/// words.
const SIGNALS: f64 = 1.0 / 8.0;
const UNREAD_RESULTS_SCORE: f64 = 1.0 / 32.0;

/// What is seen of a block.
enum View {
    Nothing,
    Whole,
    /// These ranges of its text, and its calls.
    Cut(Vec<ByteRange>),
    /// These ranges of its text and its calls.
    Quoted(Vec<(QuoteSource, ByteRange)>),
}

impl View {
    fn of(action: &Action) -> Self {
        match action {
            Action::Keep => Self::Whole,
            Action::Cut { pieces } => Self::Cut(pieces.iter().filter_map(Piece::range).collect()),
            Action::Record { entries } => {
                let quotes = entries.iter().flat_map(|entry| entry.lines.iter().flatten());
                let mut quotes: Vec<_> = quotes.map(|quote| (quote.source, quote.range)).collect();
                quotes.sort_by_key(|(source, range)| (*source, range.start()));
                Self::Quoted(quotes)
            }
            _ => Self::Nothing,
        }
    }

    /// Whether all of `unit` is seen.
    fn shows(&self, unit: &TurnUnit) -> bool {
        let (source, range) = (unit.quote.source, unit.quote.range);
        match self {
            Self::Nothing => false,
            Self::Whole => true,
            Self::Cut(_) if source != QuoteSource::Text => true,
            Self::Cut(ranges) => {
                let after = ranges.partition_point(|shown| shown.start() <= range.start());
                after
                    .checked_sub(1)
                    .and_then(|at| ranges.get(at))
                    .is_some_and(|shown| range.end() <= shown.end())
            }
            Self::Quoted(quotes) => {
                let after =
                    quotes.partition_point(|(of, shown)| (*of, shown.start()) <= (source, range.start()));
                let before = after.checked_sub(1).and_then(|at| quotes.get(at));
                before.is_some_and(|(of, shown)| *of == source && range.end() <= shown.end())
            }
        }
    }
}
