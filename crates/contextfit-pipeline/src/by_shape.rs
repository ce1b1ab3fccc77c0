//! One strategy for prose, another for code, a third where nothing is asked.

use contextfit_kernel::{Error, Measured, Plan, Planner, Strategy, Tokens};
use contextfit_text::{Language, Shape};

/// Plans with one strategy where a query asks for something in prose, with another where it asks for code, and with a third
/// where there is no query: sentences answer questions, code is read by its structure, and without a query there is nothing
/// to look for.
///
/// A context is prose when at least half of its tokens stand in blocks of prose. The plan carries the name of the
/// strategy that made it.
#[derive(Debug, Clone)]
pub struct ByShape<P, C, U> {
    prose: P,
    code: C,
    unasked: U,
}

impl<P: Strategy, C: Strategy, U: Strategy> ByShape<P, C, U> {
    /// `prose` for queries to prose, `code` for those to code, `unasked` where there is no query.
    #[must_use]
    pub const fn new(prose: P, code: C, unasked: U) -> Self {
        Self { prose, code, unasked }
    }
}

impl<P: Strategy, C: Strategy, U: Strategy> Strategy for ByShape<P, C, U> {
    fn name(&self) -> &str {
        "auto"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.chosen(input).plan(input, room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        self.chosen(input).planner(input)
    }
}

impl<P: Strategy, C: Strategy, U: Strategy> ByShape<P, C, U> {
    /// The strategy for `input`.
    fn chosen(&self, input: &Measured<'_>) -> &dyn Strategy {
        let asks = input.context.query.as_deref().is_some_and(|query| !query.trim().is_empty());
        match (asks, asks && is_prose(input)) {
            (true, true) => &self.prose,
            (true, false) => &self.code,
            (false, _) => &self.unasked,
        }
    }
}

/// Whether at least half of the tokens of `input` are prose.
fn is_prose(input: &Measured<'_>) -> bool {
    let (mut prose, mut all) = (Tokens::ZERO, Tokens::ZERO);
    for measured in &input.blocks {
        let tokens = measured.tokens();
        all += tokens;
        if Language::of_measured(measured).is_none_or(|language| language.shape == Shape::Prose) {
            prose += tokens;
        }
    }
    prose.get() >= all.get().div_ceil(2)
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Action, Block, Context, Passage, Reason, Step};
    use contextfit_text::CharsPer;

    use super::*;
    use crate::measure;

    /// Drops everything, under a name.
    struct Named(&'static str);

    impl Strategy for Named {
        fn name(&self) -> &str {
            self.0
        }

        fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
            let step = |block: &Block| Step::new(&block.id, Action::Drop, Reason::Other("test".into()));
            Ok(Plan { strategy: self.0.into(), steps: input.context.blocks.iter().map(step).collect() })
        }
    }

    #[track_caller]
    fn check(query: Option<&str>, texts: &[(&str, &str)], expect: &str) {
        let block = |&(path, text): &(&str, &str)| {
            Block::passage(path, Passage { path: Some(path.into()), ..Passage::default() }, text)
        };
        let mut context = Context::new(texts.iter().map(block).collect());
        context.query = query.map(Into::into);
        let counter = CharsPer::new(1).unwrap();
        let strategy = ByShape::new(Named("prose"), Named("code"), Named("unasked"));
        assert_eq!(strategy.plan(&measure(&context, &counter), Tokens::ZERO).unwrap().strategy, expect);
    }

    #[test]
    fn prose_with_a_query() {
        let (page, code) = (("a.md", "A sentence. Another one."), ("b.rs", "fn main() {}\nfn other() {}\n"));
        check(Some("what"), &[page], "prose");
        check(Some("what"), &[code], "code");
        check(Some("what"), &[page, page, code], "prose");
        check(Some("what"), &[page, code, code], "code");
        check(Some(" "), &[page], "unasked");
        check(None, &[code], "unasked");
        check(Some("what"), &[], "prose");
    }
}
