//! Choosing a strategy by the kinds of blocks and whether there is a query.

use std::{fmt, sync::Arc};

use contextfit_kernel::{
    ByteRange, Context, Error, Measured, MeasuredBlock, Plan, Planner, Strategy, TextKind, Tokens,
};
use contextfit_text::{GIANT_LINE, Language, are_lines_longer, kind_of};

/// Plans with the first strategy whose rule accepts the context.
///
/// Each block is classified on its own: one of code among a hundred of prose is code. The plan carries the name of the
/// strategy that made it.
#[derive(Clone)]
pub struct Dispatch {
    rules: Vec<Rule>,
    otherwise: Arc<dyn Strategy>,
}

/// A strategy, and the contexts it accepts.
#[derive(Clone)]
struct Rule {
    takes: Arc<dyn Fn(&Traits) -> bool + Send + Sync>,
    strategy: Arc<dyn Strategy>,
}

/// The facts on which the choice of a strategy depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Traits {
    /// Whether the context is a conversation. The kinds of its blocks are then not looked at.
    pub is_conversation: bool,
    /// Whether there is a query.
    pub is_asked: bool,
    /// How many blocks are code in a known language.
    pub code: usize,
    /// Whether a retriever gave any block a score.
    pub is_scored: bool,
    /// Whether there are blocks, but no prose and no code with an outline. Code in no known language has none, nor has
    /// code in giant lines.
    pub is_cut_by_lines: bool,
    /// Whether at least one in eight blocks is [machine output](TextKind::is_output), and others are not: less is part
    /// of a repository. False if there is a query and code outnumbers output: all files are then ranked together.
    pub is_mixed: bool,
}

/// A context with at least one block of machine output in this many is mixed.
const MIXED: usize = 8;

impl fmt::Debug for Dispatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules: Vec<_> = self.rules.iter().map(|rule| &rule.strategy).collect();
        f.debug_struct("Dispatch").field("rules", &rules).field("otherwise", &self.otherwise).finish()
    }
}

impl Traits {
    /// The traits of `input`. Constant time per block.
    #[must_use]
    pub fn of(input: &Measured<'_>) -> Self {
        let whole = |block: &MeasuredBlock<'_>| kind_of(block, ByteRange::whole(&block.block().text));
        Self::by(input.context, &input.blocks.iter().map(whole).collect::<Vec<_>>())
    }

    /// The traits of `context`, whose blocks are of these `kinds`.
    fn by(context: &Context, kinds: &[TextKind]) -> Self {
        let mut traits = Self { is_asked: context.is_asked(), ..Self::default() };
        if context.layout.framing.is_some() {
            return Self { is_conversation: true, ..traits };
        }
        let (mut outputs, mut lines) = (0, 0);
        for (block, kind) in context.blocks.iter().zip(kinds) {
            let is_code = *kind == TextKind::Code && Language::of_block(block).is_some();
            let is_bundle = is_code && are_lines_longer(&block.text, GIANT_LINE);
            traits.code += usize::from(is_code);
            traits.is_scored |= block.as_passage().is_some_and(|passage| passage.score.is_some());
            outputs += usize::from(kind.is_output());
            lines += usize::from(is_bundle || !is_code && *kind != TextKind::Prose);
        }
        let all = context.blocks.len();
        let is_repository = traits.is_asked && traits.code > outputs;
        Self {
            is_cut_by_lines: all > 0 && lines == all, // ablate: auto.output => false
            is_mixed: !is_repository && (1..all).contains(&outputs) && outputs * MIXED >= all, // ablate: auto.by-kind => false
            ..traits
        }
    }
}

impl Dispatch {
    /// Uses `otherwise` for contexts that no rule accepts.
    #[must_use]
    pub fn new(otherwise: impl Strategy + 'static) -> Self {
        Self { rules: Vec::new(), otherwise: Arc::new(otherwise) }
    }

    /// Adds a rule, tried after those before it: `strategy` for contexts accepted by `takes`.
    #[must_use]
    pub fn with_rule(
        mut self,
        takes: impl Fn(&Traits) -> bool + Send + Sync + 'static,
        strategy: impl Strategy + 'static,
    ) -> Self {
        self.rules.push(Rule { takes: Arc::new(takes), strategy: Arc::new(strategy) });
        self
    }

    /// The strategy for `input`.
    fn chosen(&self, input: &Measured<'_>) -> &dyn Strategy {
        self.rule(&Traits::of(input))
    }

    /// The strategy for contexts of these `traits`.
    fn rule(&self, traits: &Traits) -> &dyn Strategy {
        let rule = self.rules.iter().find(|rule| (rule.takes)(traits));
        rule.map_or(&self.otherwise, |rule| &rule.strategy)
    }
}

impl Strategy for Dispatch {
    fn name(&self) -> &str {
        "auto"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.chosen(input).plan(input, room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        self.chosen(input).planner(input)
    }

    fn planner_without<'a>(&'a self, input: &'a Measured<'a>, unanswered: &[bool]) -> Planner<'a> {
        self.chosen(input).planner_without(input, unanswered)
    }

    /// Asks the chosen strategy in a conversation, or if there is machine output; otherwise lines stay whole.
    fn cuts_within_lines(&self, context: &Context, kinds: &[TextKind]) -> bool {
        let traits = Traits::by(context, kinds);
        (traits.is_conversation || traits.is_cut_by_lines || traits.is_mixed)
            && self.rule(&traits).cuts_within_lines(context, kinds)
    }
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Action, Block, Reason, Step};
    use contextfit_pipeline::measure;
    use contextfit_text::CharsPer;

    use super::*;

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
        let block = |&(path, text): &(&str, &str)| Block::passage(path, path, text);
        let mut context = Context::new(texts.iter().map(block).collect());
        context.query = query.map(Into::into);
        let counter = CharsPer::new(1).unwrap();
        let strategy = Dispatch::new(Named("prose"))
            .with_rule(|traits| traits.is_cut_by_lines, Named("output"))
            .with_rule(|traits| traits.is_mixed, Named("mixed"))
            .with_rule(|traits| !traits.is_asked, Named("unasked"))
            .with_rule(|traits| traits.code > 0, Named("code"));
        assert_eq!(strategy.plan(&measure(&context, &counter), Tokens::ZERO).unwrap().strategy, expect);
    }

    #[test]
    fn by_what_the_blocks_are() {
        let (page, code) = (("a.md", "A sentence. Another one."), ("b.rs", "fn main() {}\nfn other() {}\n"));
        check(Some("what"), &[page], "prose");
        check(Some("what"), &[code], "code");
        check(Some("what"), &[page, page, code], "code");
        check(Some(" ?"), &[page], "unasked");
        check(None, &[code], "unasked");
        check(Some("what"), &[], "prose");
        let data = ("a.json", "{}");
        check(Some("what"), &[data], "output");
        check(None, &[data, ("run.log", "ready")], "output");
        check(Some("what"), &[data, code], "mixed");
        check(Some("what"), &[data, code, code], "code");
        check(None, &[data, code, code], "mixed");
    }

    /// Lists of files, settings and pinned versions beside source code are part of a repository; alone they are cut by
    /// lines.
    #[test]
    fn files_that_nobody_printed() {
        let code = ("b.rs", "fn main() {}\nfn other() {}\n");
        let list = ("MANIFEST.in", "include README.md LICENSE NOTICE\nrecursive-include tests *.py\n");
        let settings =
            ("ca.cnf", "[req]\ndefault_bits = 2048\nprompt = no\n\n[v3_ca]\nkeyUsage = digitalSignature\n");
        let pins = (
            "requirements.txt",
            "-e .[socks]\npytest>=2.8.0,<10\npytest-cov\nhttpbin~=0.10.0\ntrustme\nwheel\n",
        );
        check(Some("what"), &[code, list, settings, pins], "code");
        check(Some("what"), &[settings], "output");
    }
}
