//! The files of a repository at one commit, as an input.

use std::sync::Arc;

use contextfit_kernel::{Block, Context, Layout, Noun, Passage};

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
        let block = |(path, text): &(String, Arc<str>)| {
            Block::passage(path, Passage { path: Some(path.clone()), ..Passage::default() }, &**text)
        };
        let layout = Layout { omission: Some(Noun::new("file", "files")), ..Layout::default() };
        Context::new(self.files.iter().map(block).collect()).with_query(&self.task).with_layout(layout)
    }
}
