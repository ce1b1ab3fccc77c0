//! The input of an item: passages or a file, a repository, memories, or a conversation.

use std::{borrow::Cow, sync::Arc};

use contextfit_formats::{Conversation, Pins};
use contextfit_kernel::{
    Block, CompressionResult, Context, Layout, MemoryRecord, Noun, Passage, TokenCounter, Tokens,
};
use contextfit_pipeline::measure;

/// The input to shorten.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Input {
    /// Passages or a file, with the question as query.
    Passages(Context),
    /// The files of a repository, with the task as query.
    Repository(Worktree),
    /// Memories, with a question.
    Memories {
        /// The memories, in their order.
        memories: Vec<MemoryRecord>,
        /// The question.
        query: String,
    },
    /// A conversation, and what it must still answer: a question, or the last user message if there is none.
    /// Instructions are pinned, and the last user message must be shown.
    Conversation {
        /// The messages; shared by all items about them.
        conversation: Arc<Conversation>,
        /// The question.
        query: Option<String>,
    },
}

impl Input {
    /// The context to fit. Linear in the size of a repository or a conversation, whose framing `counter` counts.
    #[must_use]
    pub fn context(&self, counter: &dyn TokenCounter) -> Cow<'_, Context> {
        match self {
            Self::Passages(context) => Cow::Borrowed(context),
            Self::Repository(worktree) => Cow::Owned(worktree.context()),
            Self::Memories { memories, query } => {
                let block = |memory: &MemoryRecord| {
                    Block::passage(&memory.id, Passage::default(), memory.knowledge.clone())
                };
                let blocks = memories.iter().map(block).collect();
                Cow::Owned(Context::new(blocks).with_query(query.clone()))
            }
            Self::Conversation { conversation, query } => {
                let mut context = conversation.context(counter, &Pins::default());
                context.query.clone_from(query);
                Cow::Owned(context)
            }
        }
    }

    /// The tokens of `result`, recounted from what is sent: the text, or the messages with their framing. The result's
    /// own figure is ignored.
    pub(crate) fn recount(&self, result: &CompressionResult, counter: &dyn TokenCounter) -> Tokens {
        let Self::Conversation { conversation, .. } = self else { return counter.count(&result.text) };
        let sent = Conversation::parse_as(conversation.shortened(result), conversation.format());
        sent.map_or(Tokens::MAX, |sent| measure(&sent.context(counter, &Pins::none()), counter).tokens)
    }
}

/// A repository's files before a commit, and the task. Texts are shared between items.
#[derive(Debug, Clone)]
pub struct Worktree {
    /// Path and text, in the order of the paths.
    pub(crate) files: Vec<(String, Arc<str>)>,
    pub(crate) task: String,
}

impl Worktree {
    /// The context that `contextfit files` builds from the files. Linear in their length.
    pub(crate) fn context(&self) -> Context {
        let block =
            |(path, text): &(String, Arc<str>)| Block::passage(path, Passage::at(path.clone()), &**text);
        let layout = Layout::default().with_omission(Noun::new("file", "files"));
        Context::new(self.files.iter().map(block).collect()).with_query(&self.task).with_layout(layout)
    }
}
