//! Contexts of several kinds, planned kind by kind.

use std::sync::Arc;

use contextfit_excerpt::focus;
use contextfit_kernel::{
    ByteRange, Context, Error, Measured, MeasuredBlock, Plan, Planner, Step, Strategy, TextKind, Tokens,
    Values,
};
use contextfit_text::{float, kind_of};

/// Plans machine output and the other blocks, which rank each other, each with the strategy for its kind, in a part of
/// the room.
///
/// Without a query, or if nothing matches it, the parts are equal. Otherwise they are as close to the query as the
/// closest line of each kind is: a third to a half for machine output, if both match. What one kind does not need goes
/// to the other. A group is planned as its first block is. The plan carries the names of both strategies (`outline +
/// excerpt`). The cost is that of both, and a copy of the blocks.
#[derive(Clone)]
pub(crate) struct ByKind {
    pub(crate) others: Arc<dyn Strategy>,
    pub(crate) output: Arc<dyn Strategy>,
}

impl Strategy for ByKind {
    fn name(&self) -> &str {
        self.others.name()
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.planner(input)(room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let sides = self.sides(input);
        let weights = weights(input, &sides);
        Box::new(move |room| plan(input, &sides, &weights, room))
    }

    fn cuts_within_lines(&self, context: &Context, kinds: &[TextKind]) -> bool {
        self.output.cuts_within_lines(context, kinds)
    }
}

impl ByKind {
    /// The blocks of each kind that occurs.
    fn sides<'s>(&'s self, input: &Measured<'_>) -> Vec<Side<'s>> {
        let strategies = [&self.others, &self.output];
        let mut places = strategies.map(|_| Vec::new());
        let whole = |block: &MeasuredBlock<'_>| kind_of(block, ByteRange::whole(&block.block().text));
        for group in input.context.groups() {
            let first = group.first().and_then(|&n| input.blocks.get(n));
            let kind = usize::from(first.is_some_and(|block| whole(block).is_output()));
            places.change(kind, |places| places.extend(&group));
        }
        places.iter_mut().for_each(|places| places.sort_unstable());
        let sides = strategies.into_iter().zip(places).filter(|(_, places)| !places.is_empty());
        sides.map(|(strategy, places)| Side::of(input.context, strategy.as_ref(), places)).collect()
    }
}

/// The blocks of one kind.
struct Side<'s> {
    strategy: &'s dyn Strategy,
    /// Their indices in the whole context, ascending.
    places: Vec<usize>,
    /// They alone.
    context: Context,
}

impl<'s> Side<'s> {
    fn of(whole: &Context, strategy: &'s dyn Strategy, places: Vec<usize>) -> Self {
        let blocks = places.iter().filter_map(|&n| whole.blocks.get(n)).cloned().collect();
        let mut context = Context::new(blocks).with_layout(whole.layout.clone());
        (context.query, context.omitted) = (whole.query.clone(), whole.omitted);
        Self { strategy, places, context }
    }

    /// The blocks, as measured in the whole context.
    fn measured<'a>(&'a self, input: &Measured<'a>) -> Measured<'a> {
        let blocks: Vec<_> = self.places.iter().filter_map(|&n| input.blocks.get(n)).cloned().collect();
        let tokens = blocks.iter().map(|block| block.framing() + block.tokens()).sum();
        Measured::new(&self.context, input.counter, blocks, tokens)
            .with_omission(input.omission)
            .with_record(input.record)
    }
}

/// What one kind has of the room.
struct Share<'a> {
    planner: Planner<'a>,
    measured: &'a Measured<'a>,
    places: &'a [usize],
    weight: f64,
    plan: Plan,
    taken: Tokens,
}

impl Share<'_> {
    fn plan(&mut self, room: Tokens) -> Result<(), Error> {
        self.plan = (self.planner)(room)?;
        self.taken = taken(self.measured, &self.plan.steps);
        Ok(())
    }
}

/// The plan for all `sides`: first each has its part of `room`, then what is left goes to the first that matches.
fn plan(input: &Measured<'_>, sides: &[Side<'_>], weights: &[f64], room: Tokens) -> Result<Plan, Error> {
    let measured: Vec<Measured<'_>> = sides.iter().map(|side| side.measured(input)).collect();
    let mut shares: Vec<Share<'_>> = Vec::with_capacity(sides.len());
    for ((side, measured), &weight) in sides.iter().zip(&measured).zip(weights) {
        let (planner, places) = (side.strategy.planner(measured), side.places.as_slice());
        let plan = Plan { strategy: String::new(), steps: Vec::new() };
        let mut share = Share { planner, measured, places, weight, plan, taken: Tokens::ZERO };
        share.plan(Tokens::new((float(room.get()) * weight) as usize))?;
        shares.push(share);
    }
    let names: Vec<String> = shares.iter().map(|share| share.plan.strategy.clone()).collect();
    shares.sort_by_key(|share| share.weight <= 0.0);
    for n in 0..shares.len() {
        let all: Tokens = shares.iter().map(|share| share.taken).sum();
        let spare = room.saturating_sub(all);
        if let Some(share) = shares.get_mut(n).filter(|_| spare > Tokens::ZERO) {
            share.plan(share.taken + spare)?;
        }
    }
    let steps = shares.into_iter().flat_map(|share| share.places.iter().copied().zip(share.plan.steps));
    let mut steps: Vec<(usize, Step)> = steps.collect();
    steps.sort_unstable_by_key(|(n, _)| *n);
    Ok(Plan { strategy: names.join(" + "), steps: steps.into_iter().map(|(_, step)| step).collect() })
}

/// A kind that matches the query has at least this part of the room, and machine output at most half: a question that
/// asks for everything that went wrong names none of it, and rows that fill a room answer nothing.
const LEAST_ROOM_SHARE: f64 = 1.0 / 3.0;

/// The parts of the room: for the others, then for machine output.
fn weights(input: &Measured<'_>, sides: &[Side<'_>]) -> Vec<f64> {
    let blocks = sides.iter().flat_map(|side| &side.places).filter_map(|&n| input.blocks.get(n));
    let texts: Vec<_> = blocks.map(|block| (block, ByteRange::whole(&block.block().text))).collect();
    let mut closest = focus(&texts, input.context.query.as_deref().unwrap_or_default()).into_iter();
    // The focus is the square of a share of scores.
    let best =
        |side: &Side<'_>| closest.by_ref().take(side.places.len()).flatten().fold(0.0, f64::max).sqrt();
    let [others, output] = sides.iter().map(best).collect::<Vec<f64>>()[..] else { return vec![1.0] };
    let weight = match (others > 0.0, output > 0.0) {
        (true, true) => (others / (others + output)).clamp(0.5, 1.0 - LEAST_ROOM_SHARE),
        (false, false) => 0.5,
        (others, _) => f64::from(u8::from(others)),
    };
    vec![weight, 1.0 - weight]
}

/// The tokens that the `steps` for the blocks of `input` take.
fn taken(input: &Measured<'_>, steps: &[Step]) -> Tokens {
    let cost = |(block, step): (&MeasuredBlock<'_>, &Step)| {
        step.tokens.unwrap_or_else(|| block.cost(&step.action, input.counter))
    };
    input.blocks.iter().zip(steps).map(cost).sum()
}

#[cfg(test)]
mod tests {
    use contextfit_bm25::SentenceSelection;
    use contextfit_excerpt::Excerpts;
    use contextfit_kernel::{Block, Budget, Passage};
    use contextfit_pipeline::Pipeline;
    use contextfit_testkit::check_strategy;
    use contextfit_text::CharsPer;

    use super::*;

    fn by_kind() -> ByKind {
        ByKind { others: Arc::new(SentenceSelection::default()), output: Arc::new(Excerpts) }
    }

    #[test]
    fn conformance() {
        check_strategy(Arc::new(by_kind()));
    }

    /// A log beside a document is neither dropped nor the only one shown, in their order.
    #[test]
    fn a_log_beside_a_document() {
        let steps: String =
            (0..60).map(|n| format!("12:00:{n:02} INFO step {n} of the import is done\n")).collect();
        let log = steps + "12:01:00 ERROR the import stopped: R-17 exists\n";
        let noise = "Gulls cry over the roofs of the town all day. ".repeat(40);
        let book = format!("{noise}If the import stopped because a number exists, call Bo. {noise}");
        let block = |path: &str, text: &str| {
            let passage = Passage::at(path);
            Block::passage(path, passage, text)
        };
        let blocks = [("b.log", log.as_str()), ("a.md", &book), ("c.log", "12:02:00 INFO ready\n")];
        let mut context = Context::new(blocks.iter().map(|(path, text)| block(path, text)).collect());
        let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(by_kind());
        for query in ["why was the import stopped", ""] {
            context.query = Some(query.into());
            let result = pipeline.fit(&context, &Budget::new(150)).unwrap();
            let places = ["R-17 exists", if query.is_empty() { "Gulls" } else { "call Bo" }, "ready"];
            let places = places.map(|text| result.text.find(text));
            assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}", result.text);
            assert!(result.metrics.tokens_after.get() > 100, "{}", result.text);
        }
    }
}
