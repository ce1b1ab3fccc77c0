//! Documents that a strategy for code left out.

use std::sync::{Arc, OnceLock};

use contextfit_excerpt::{LEAST, focus};
use contextfit_kernel::{
    Action, ByteRange, Context, Error, Measured, MeasuredBlock, Plan, Planner, Strategy, Tokens,
};
use contextfit_text::{Language, Shape};

use crate::subset::{Subset, taken};

/// A document with at least this share of the focus of the closest one answers the query: half of its score.
const ANSWERS: f64 = 0.25;

/// Plans with one strategy, and shows sentences of the documents that it left out in the room that it left.
///
/// Only documents close to the query are shown; code is planned once. The cost is that of both strategies.
pub(crate) struct Leftovers {
    pub(crate) code: Arc<dyn Strategy>,
    pub(crate) prose: Arc<dyn Strategy>,
}

impl Strategy for Leftovers {
    fn name(&self) -> &str {
        self.code.name()
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.planner(input)(room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let planner = self.code.planner(input);
        let documents = OnceLock::new();
        Box::new(move |room| {
            let plan = planner(room)?;
            let spare = room.saturating_sub(taken(input, &plan.steps)).saturating_sub(input.omission);
            if spare < LEAST {
                return Ok(plan);
            }
            let is_left = |n: &usize| plan.steps.get(*n).is_some_and(|step| step.action == Action::Drop);
            let documents: &Vec<usize> = documents.get_or_init(|| self::documents(input));
            let places: Vec<usize> = documents.iter().copied().filter(is_left).collect();
            if places.is_empty() { Ok(plan) } else { self.filled(input, plan, places, spare) }
        })
    }

    fn cuts_within_lines(&self, context: &Context) -> bool {
        self.code.cuts_within_lines(context)
    }
}

impl Leftovers {
    /// `plan` with the documents at `places` in the room that is to spare.
    fn filled(
        &self,
        input: &Measured<'_>,
        mut plan: Plan,
        places: Vec<usize>,
        spare: Tokens,
    ) -> Result<Plan, Error> {
        let left = Subset::of(input.context, places);
        let shown = self.prose.plan(&left.measured(input), spare)?;
        if shown.steps.iter().all(|step| step.action == Action::Drop) {
            return Ok(plan);
        }
        plan.strategy = format!("{} + {}", plan.strategy, shown.strategy);
        for (n, step) in left.places.into_iter().zip(shown.steps) {
            plan.steps.get_mut(n).into_iter().for_each(|place| *place = step.clone());
        }
        Ok(plan)
    }
}

/// The documents that answer the query, compared with the closest of them.
fn documents(input: &Measured<'_>) -> Vec<usize> {
    let query = input.context.query.as_deref().unwrap_or_default();
    let is_prose = |block: &MeasuredBlock<'_>| {
        Language::of_measured(block).is_none_or(|language| language.shape == Shape::Prose)
    };
    let documents: Vec<_> = input.blocks.iter().enumerate().filter(|(_, block)| is_prose(block)).collect();
    let texts: Vec<_> =
        documents.iter().map(|(_, block)| (*block, ByteRange::whole(&block.block().text))).collect();
    let close = focus(&texts, query).into_iter().map(|focus| focus.into_iter().fold(0.0, f64::max));
    let close: Vec<f64> = close.collect();
    let best = close.iter().copied().fold(0.0, f64::max);
    let answers = documents.iter().zip(close).filter(|(_, close)| *close > 0.0 && *close >= ANSWERS * best);
    answers.map(|((n, _), _)| *n).collect()
}

#[cfg(test)]
mod tests {
    use contextfit_bm25::SentenceSelection;
    use contextfit_kernel::{Block, Budget, Passage};
    use contextfit_outline::Outlining;
    use contextfit_pipeline::Pipeline;
    use contextfit_testkit::check_strategy;
    use contextfit_text::CharsPer;

    use super::*;

    fn leftovers() -> Leftovers {
        Leftovers { code: Arc::new(Outlining::new()), prose: Arc::new(SentenceSelection::default()) }
    }

    #[test]
    fn conformance() {
        check_strategy(Arc::new(leftovers()));
    }

    /// The code that answers is whole, and of a long document the sentence that answers; another one stays out.
    #[test]
    fn a_document_beside_code() {
        let code = "def charge(order):\n    key = order.id\n    return post(key)\n\n\ndef vat(cents):\n    return cents\n";
        let noise = "Gulls cry over the roofs of the town all day. ".repeat(40);
        let book = format!(
            "# Payments\n\n{noise}If the key lacks the attempt, an order is charged once more. {noise}"
        );
        let blocks = [("a.py", code), ("b.md", &book), ("c.md", &noise)].map(|(path, text)| {
            let passage = Passage { path: Some(path.into()), ..Passage::default() };
            Block::passage(path, passage, text)
        });
        let context = Context::new(blocks.to_vec()).with_query("why is the key of an order charged twice");
        let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(leftovers());
        let text = pipeline.fit(&context, &Budget::new(130)).unwrap().text;
        assert!(text.contains("key = order.id") && text.contains("lacks the attempt"), "{text}");
        assert!(!text.contains("c.md"), "{text}");
    }
}
