//! The strategy that cuts every block of machine output to its share of the room.

use contextfit_kernel::{
    Action, ByteRange, Context, Error, Hold, Measured, MeasuredBlock, Piece, Plan, Planner, Reason, Step,
    Strategy, TextKind, Tokens,
};

use crate::{
    excerpt::excerpt,
    focus::focus,
    shares::{SHORTEST_PART_TOKENS, demand, rooms},
};

/// The maximum number of attempts to cut an excerpt with line numbers, which are not counted when it is cut.
const NUMBERING_ATTEMPTS: usize = 3;

/// Shows the most important parts of every block, chosen as [`excerpt`](crate::excerpt) describes.
///
/// The room is shared evenly: short blocks stay whole, and the others get the same number of tokens each. With a query,
/// each block first gets what its answers need, and the rest is shared. If a share would be less than 48 tokens, the
/// blocks that answer the query least are left out: those with the lowest sum of [`focus`](crate::focus) over their
/// units, then those with the lowest retriever score, then the last ones. Linear in the length of the texts, apart from
/// sorting.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Block, Budget, Context, Passage, Tokens};
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_text::counter;
/// #     pub use ::contextfit_excerpt as search;
/// # }
/// use contextfit::{Block, Budget, Context, Passage, Pipeline, Tokens, counter, search::Excerpts};
///
/// let ready = "12:00:01 INFO ready\n".repeat(40);
/// let log = [&ready, "12:00:09 ERROR disk full\n", &ready].concat();
/// let context = Context::new(vec![Block::passage("log", Passage::default(), log)]);
/// let pipeline = Pipeline::new(counter("chars/4")?).with_strategy(Excerpts);
/// let result = pipeline.fit(&context, &Budget::new(Tokens::new(60)))?;
/// assert!(result.text.contains("ERROR disk full"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Excerpts;

impl Strategy for Excerpts {
    fn name(&self) -> &str {
        "excerpt"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.planner(input)(room)
    }

    fn cuts_within_lines(&self, _: &Context, _: &[TextKind]) -> bool {
        true
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let query = input.context.query.as_deref().unwrap_or_default();
        let parts: Vec<_> =
            input.blocks.iter().map(|block| (block, ByteRange::whole(&block.block().text))).collect();
        let focus = focus(&parts, query);
        let items = items(input, &focus);
        Box::new(move |room| {
            let mut items: Vec<&BlockGroup> = items.iter().collect();
            loop {
                let mut steps: Vec<Step> = input.blocks.iter().map(left_out).collect();
                let (chosen, room) = chosen(input, &items, room);
                let Some(empty) = show(input, &focus, &chosen, room, &mut steps) else {
                    return Ok(Plan { strategy: self.name().into(), steps });
                };
                // Its room is for others.
                items.retain(|item| !item.members.contains(&empty));
            }
        })
    }
}

/// Blocks that are shown together: a single block, or the members of a group.
struct BlockGroup {
    /// The indices of the blocks in the context.
    members: Vec<usize>,
    hold: Hold,
    /// The sum of the focus on their units.
    answers: f64,
    /// The highest retriever score of the blocks.
    score: f64,
    /// The minimum tokens that they take.
    least: Tokens,
}

/// The groups of `input`, those with the firmest holds first, then by focus and score.
fn items(input: &Measured<'_>, focus: &[Vec<f64>]) -> Vec<BlockGroup> {
    let holds = input.context.holds();
    let item = |members: Vec<usize>| {
        let hold = members.first().and_then(|&n| holds.get(n)).copied().unwrap_or_default();
        let (answers, score) = (0.0, f64::NEG_INFINITY);
        let mut item = BlockGroup { members, hold, answers, score, least: Tokens::ZERO };
        for (measured, focus) in item.members.iter().filter_map(|&n| input.blocks.get(n).zip(focus.get(n))) {
            let passage = measured.block().as_passage();
            let score = passage.and_then(|passage| passage.score).filter(|score| score.is_finite());
            let least = if can_cut(measured, hold) {
                SHORTEST_PART_TOKENS.min(measured.tokens())
            } else {
                measured.tokens()
            };
            item.answers += focus.iter().sum::<f64>();
            item.score = item.score.max(score.unwrap_or(f64::NEG_INFINITY));
            item.least += measured.framing() + least;
        }
        item
    };
    let mut items: Vec<BlockGroup> = input.context.groups().into_iter().map(item).collect();
    items.sort_by(|a, b| {
        let worth = b.answers.total_cmp(&a.answers).then(b.score.total_cmp(&a.score));
        b.hold.cmp(&a.hold).then(worth)
    });
    items
}

/// Whether parts of a block may be shown: it is not pinned, and its text is still the source.
fn can_cut(block: &MeasuredBlock<'_>, hold: Hold) -> bool {
    hold != Hold::Pinned && block.block().level.shows_source()
}

/// The blocks to show with their holds, best first, and the room available for them.
fn chosen(input: &Measured<'_>, items: &[&BlockGroup], room: Tokens) -> (Vec<(usize, Hold)>, Tokens) {
    let all: Tokens = items.iter().map(|item| item.least).sum();
    // If no block is left out, no line reports how many are.
    let is_whole = input.context.omitted == 0 && all <= room;
    let room = if is_whole { room } else { room.saturating_sub(input.omission) };
    let mut left = room;
    let fits = |item: &&&BlockGroup| match left.checked_sub(item.least) {
        Some(rest) => {
            left = rest;
            true
        }
        // A held item is always shown, however short.
        None => item.hold != Hold::Free,
    };
    let mut inside: Vec<&BlockGroup> = items.iter().filter(fits).copied().collect();
    if inside.is_empty() {
        // A short part of the best block is better than nothing.
        let has_room = |item: &&&BlockGroup| match item.members[..] {
            [only] => input.blocks.get(only).is_some_and(|block| block.framing() < room),
            _ => false,
        };
        inside.extend(items.first().filter(has_room));
    }
    let members = |item: &BlockGroup| item.members.iter().map(|&n| (n, item.hold)).collect::<Vec<_>>();
    (inside.into_iter().flat_map(members).collect(), room)
}

/// Shows the `chosen` blocks in `room`. Returns the last one whose share is too small for a word of it: a marker alone
/// says less than the line that reports how many blocks are left out. But groups are not split.
fn show(
    input: &Measured<'_>,
    focus: &[Vec<f64>],
    chosen: &[(usize, Hold)],
    room: Tokens,
    steps: &mut [Step],
) -> Option<usize> {
    let blocks = || chosen.iter().filter_map(|&(n, hold)| Some((n, hold, input.blocks.get(n)?)));
    let fixed = |(_, hold, block): &(usize, Hold, &MeasuredBlock<'_>)| match can_cut(block, *hold) {
        true => block.framing(),
        false => block.framing() + block.tokens(),
    };
    let room = room.saturating_sub(blocks().map(|block| fixed(&block)).sum());
    let unmatched = input.context.is_asked() && focus.iter().flatten().all(|share| *share <= 0.0);
    let asks = input.context.is_asked() && !unmatched;
    let focus = |n: usize| focus.get(n).map_or(&[][..], Vec::as_slice);
    let cuttable = blocks().filter(|(_, hold, block)| can_cut(block, *hold));
    let demanded = |n: usize, block| if asks { demand(block, focus(n)) } else { Tokens::ZERO };
    let texts: Vec<_> = cuttable.map(|(n, _, block)| (block.tokens(), demanded(n, block))).collect();
    let rooms = rooms(&texts, room);
    let mut spare = room.saturating_sub(rooms.iter().copied().sum());
    let mut rooms = rooms.into_iter();
    let mut empty = None;
    for (n, hold, block) in blocks() {
        let share = if can_cut(block, hold) { rooms.next().unwrap_or_default() } else { block.tokens() };
        let cut = block.tokens() > share;
        let shown = cut.then(|| cut_to(input, block, focus(n), share + spare)).flatten();
        let Some(step) = steps.get_mut(n) else { continue };
        let is_alone = hold == Hold::Free && block.block().group.is_none();
        if is_alone && shown.as_ref().is_some_and(|(pieces, _)| !says(block, pieces)) {
            empty = Some(n);
            continue;
        }
        let taken = shown.as_ref().map_or(block.tokens(), |(_, taken)| *taken);
        if cut {
            // The tokens of its share that one block does not use go to the next.
            spare = (share + spare).saturating_sub(taken);
        }
        (step.action, step.reason) = match shown {
            Some((pieces, _)) => {
                let (kept, of) = (kept(block, &pieces), block.units().len());
                let reason = match unmatched {
                    true => Reason::Unmatched { kept, of },
                    false => Reason::NoRoomWhole { kept, of },
                };
                (Action::Cut { pieces }, reason)
            }
            None if hold == Hold::Pinned => (Action::Keep, Reason::Pinned),
            None => (Action::Keep, Reason::Fits),
        };
        step.tokens = Some(block.framing() + taken);
    }
    empty
}

/// The excerpt of a block in `room` and its tokens; `None` if it would not be shorter than the whole.
fn cut_to(
    input: &Measured<'_>,
    block: &MeasuredBlock<'_>,
    focus: &[f64],
    room: Tokens,
) -> Option<(Vec<Piece>, Tokens)> {
    let whole = ByteRange::whole(&block.block().text);
    let mut aim = room;
    let mut attempts = if input.context.layout.line_numbers { NUMBERING_ATTEMPTS } else { 1 };
    loop {
        let action = Action::Cut { pieces: excerpt(block, whole, focus, aim, input.counter) };
        let taken = block.cost(&action, input.counter).saturating_sub(block.framing());
        attempts -= 1;
        if let Action::Cut { pieces } = action
            && (taken <= room || attempts == 0)
        {
            return (taken < block.tokens()).then_some((pieces, taken));
        }
        aim = aim.saturating_sub(taken.saturating_sub(room));
    }
}

/// Whether `pieces` show any word of `block`.
fn says(block: &MeasuredBlock<'_>, pieces: &[Piece]) -> bool {
    let text = &block.block().text;
    pieces
        .iter()
        .filter_map(Piece::range)
        .filter_map(|range| range.of(text))
        .any(|text| text.contains(char::is_alphanumeric))
}

/// The number of units that `pieces` show.
fn kept(block: &MeasuredBlock<'_>, pieces: &[Piece]) -> usize {
    let ranges = pieces.iter().filter_map(Piece::range);
    ranges.map(|range| block.units_before(range.end()) - block.units_before(range.start())).sum()
}

/// The step for a block that does not fit.
fn left_out(block: &MeasuredBlock<'_>) -> Step {
    let needed = block.framing() + block.tokens();
    Step::new(&block.block().id, Action::Drop, Reason::NoRoom { needed }).with_tokens(Tokens::ZERO)
}
