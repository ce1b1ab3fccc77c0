//! Rates what a plan shows of a conversation, by the scores of its reading.

use contextfit_kernel::{Action, ByteRange, Hold, Piece, Plan, QuoteSource, Role, Tokens, Values, Voice};
use contextfit_text::float;

use crate::{
    reading::{Reading, signal},
    units::{TurnUnit, UnitForm},
};

/// The rooms of which shares are tried: `room`, then smaller ones down to half of it, the largest first. The shares of
/// a smaller room are smaller, and the room they leave is filled. The smaller rooms are numbers of a few binary digits,
/// so that those tried for a slightly smaller `room` are tried for it too.
pub(crate) fn shares(room: Tokens) -> impl Iterator<Item = Tokens> {
    let step = (room.get() / ROOM_STEPS).checked_ilog2().map_or(1, |digits| 1 << digits);
    let first = room.get() / step * step;
    let less = (0..=ROOM_STEPS / 2).map_while(move |n| first.checked_sub(n * step)).map(Tokens::new);
    std::iter::once(room).chain(less.filter(move |less| *less < room))
}

const ROOM_STEPS: usize = 16;

/// The score of all that `plan` shows: the bytes of whole units, each weighted by [`first`]. Linear.
pub(crate) fn worth(plan: &Plan, reading: &Reading<'_>) -> f64 {
    let holds = reading.input.context.holds();
    let views: Vec<View> = plan.steps.iter().map(|step| View::of(&step.action)).collect();
    let shows = |unit: &TurnUnit| views.get(reading.block_of(unit)).is_some_and(|view| view.shows(unit));
    let units = reading.units.all.iter().enumerate().filter(|(_, unit)| shows(unit));
    units.map(|(n, unit)| first(n, unit, reading, &holds) * float(unit.quote.range.len())).sum()
}

/// The weight of unit `n`: 1 for the user's words, its strength for a standing rule, less for errors and totals by the
/// strength of their signals, and least for other results that the model has not read.
fn first(n: usize, unit: &TurnUnit, reading: &Reading<'_>, holds: &[Hold]) -> f64 {
    let voice = reading.units.holders.get(unit.holder).map(|holder| &holder.label.voice);
    let is_unread = holds.get(reading.block_of(unit)) == Some(&Hold::Shown); // ablate: chat.shown-unread => false
    let first = match unit.form {
        UnitForm::Words => 1.0, // ablate: chat.shown-words => 0.0
        UnitForm::Entry if matches!(voice, Some(Voice::Said { role: Role::User, .. })) => 1.0,
        UnitForm::Line(score) => SIGNALS * signal(score), // ablate: chat.shown-signals => 0.0
        _ => reading.rules.at(n),
    };
    if is_unread { first.max(UNREAD_RESULTS_SCORE) } else { first }
}

/// The weight of an error or a total, and that of a result that the model has not read, where the user's words have 1.
const SIGNALS: f64 = 1.0 / 8.0;
const UNREAD_RESULTS_SCORE: f64 = 1.0 / 32.0;

/// The visible part of a block.
enum View {
    Nothing,
    Whole,
    /// These ranges of its text, and all of its calls.
    Cut(Vec<ByteRange>),
    /// These ranges of its text and its calls, in order.
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

    /// Whether all of `unit` is visible.
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
