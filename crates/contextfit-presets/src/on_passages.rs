//! Strategies that do not work on conversations.

use contextfit_kernel::{Context, Error, Measured, Plan, Planner, Strategy, TextKind, Tokens};

use crate::CompressionStrategy;

/// A strategy for passages, which fails on conversations: it knows nothing of messages, their parts, and the record.
pub(crate) struct OnPassages<S>(pub(crate) S);

impl<S: Strategy> OnPassages<S> {
    fn check(&self, context: &Context) -> Result<(), Error> {
        if context.layout.framing.is_none() {
            return Ok(());
        }
        let others = CompressionStrategy::CHAT.map(CompressionStrategy::name).join(", ");
        let message = format!("it works on passages, and this is a conversation; use one of {others}");
        Err(Error::strategy(self.0.name(), message))
    }
}

impl<S: Strategy> Strategy for OnPassages<S> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.check(input.context)?;
        self.0.plan(input, room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        match self.check(input.context) {
            Ok(()) => self.0.planner(input),
            Err(_) => Box::new(|room| self.plan(input, room)),
        }
    }

    fn cuts_within_lines(&self, context: &Context, kinds: &[TextKind]) -> bool {
        self.0.cuts_within_lines(context, kinds)
    }
}
