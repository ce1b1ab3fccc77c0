//! Machine output among passages.

use contextfit_kernel::Block;
use contextfit_text::is_speech;

/// Whether `block` is machine output: [as its text looks](contextfit_excerpt::is_output), but what people say is none,
/// even if each line begins with a time. Linear in the length of the text.
pub(crate) fn is_output(block: &Block) -> bool {
    contextfit_excerpt::is_output(block) && !is_speech(&block.text)
}
