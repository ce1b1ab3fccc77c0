//! What is fitted: passages or a file, a repository, or a conversation.

use std::{borrow::Cow, sync::Arc};

use contextfit_formats::{Conversation, Pins};
use contextfit_kernel::{CompressionResult, Context, TokenCounter, Tokens};
use contextfit_pipeline::measure;

use crate::Worktree;

/// What there is to choose from.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Input {
    /// Passages or a file, with the question as query.
    Passages(Context),
    /// The files of a repository, with the task as query.
    Repository(Worktree),
    /// A conversation, and what it shall still answer: a question, or what its last user said when absent. Instructions are
    /// pinned, and what the user said last must be shown.
    Conversation {
        /// The messages; shared by all items that ask about them.
        conversation: Arc<Conversation>,
        /// The question.
        query: Option<String>,
    },
}

impl Input {
    /// The context that is fitted. Linear in the size of a repository, and of a conversation, whose framing `counter` counts.
    #[must_use]
    pub fn context(&self, counter: &dyn TokenCounter) -> Cow<'_, Context> {
        match self {
            Self::Passages(context) => Cow::Borrowed(context),
            Self::Repository(worktree) => Cow::Owned(worktree.context()),
            Self::Conversation { conversation, query } => {
                let mut context = conversation.context(counter, &Pins::default());
                context.query.clone_from(query);
                Cow::Owned(context)
            }
        }
    }

    /// The tokens of `result`, counted again from what is sent: the text, or the messages with their framing. Its own
    /// figure is not looked at.
    pub(crate) fn recount(&self, result: &CompressionResult, counter: &dyn TokenCounter) -> Tokens {
        let Self::Conversation { conversation, .. } = self else { return counter.count(&result.text) };
        let sent = Conversation::parse_as(conversation.shortened(result), conversation.format());
        sent.map_or(Tokens::MAX, |sent| measure(&sent.context(counter, &Pins::none()), counter).tokens)
    }
}
