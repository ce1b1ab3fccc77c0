//! The originals of what is not shown whole, and the handles that name them.

use std::borrow::Cow;

use contextfit_formats::AnswerBlock;
use contextfit_kernel::Level;
use contextfit_pipeline::Pipeline;

/// A text to store, so that its handle can be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Original {
    /// The index of the answer's block whose text it is; `None` for a text that several chunks were joined into, which
    /// markers name.
    pub block: Option<usize>,
    /// The bytes, in the encoding in which they came.
    pub bytes: Vec<u8>,
}

/// `pipeline` with markers that hold the short handle of each block's original.
pub(crate) fn with_handles(pipeline: Pipeline, handles: impl Iterator<Item = Option<String>>) -> Pipeline {
    // A model may have shortened the texts of the blocks by then; ids need not be unique.
    let handles: Vec<Option<String>> = handles.collect();
    pipeline.with_handles(move |index, _| handles.get(index).cloned().flatten())
}

/// The originals of every one of `blocks` that is not shown whole, as `original` gives it for its index.
pub fn originals<'t>(
    blocks: &[AnswerBlock],
    original: impl Fn(usize) -> Option<Cow<'t, [u8]>>,
) -> Vec<Original> {
    let shortened = blocks.iter().enumerate().filter(|(_, block)| block.level != Some(Level::Full));
    let texts = shortened.filter_map(|(at, _)| Some((at, original(at).filter(|text| !text.is_empty())?)));
    texts.map(|(at, text)| Original { block: Some(at), bytes: text.into_owned() }).collect()
}
