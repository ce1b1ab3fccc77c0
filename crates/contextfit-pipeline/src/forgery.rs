//! Texts that imitate the headers of other blocks.

use std::collections::HashMap;

use contextfit_kernel::{Block, Context};
use contextfit_text::Fence;

use crate::numbering::Numbering;

/// How the header of a block with a path starts.
const FIELD: &str = "File: ";

/// Line breaks, as any reader of the context may see them.
const BREAKS: &[char] = &['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// By index of the block, the lines to put around a text so that nothing in it is taken for a header.
pub(crate) fn fences(context: &Context) -> HashMap<usize, (String, String)> {
    let forging: Vec<usize> =
        (0..).zip(&context.blocks).filter(|(_, block)| forges(block, context)).map(|(n, _)| n).collect();
    if forging.is_empty() {
        return HashMap::new();
    }
    let texts: Vec<&str> = context.blocks.iter().map(|block| block.text.as_str()).collect();
    let fence = Fence::around(&texts);
    forging.into_iter().map(|n| (n, (fence.open(n + 1), fence.close(n + 1)))).collect()
}

/// Whether the text of `block` could be taken for a separate block.
fn forges(block: &Block, context: &Context) -> bool {
    let layout = &context.layout;
    // A line after its number does not start a header.
    let headed = layout.headers && block.level.shows_source() && Numbering::of(block, layout).is_none();
    headed && has_header(&block.text, &layout.separator)
}

/// Whether a line of `text` imitates the path of a header: near the start, where one may follow (a title can come
/// first), or anywhere below a line like the separator, since the text in between may be cut.
fn has_header(text: &str, separator: &str) -> bool {
    if !text.contains(FIELD) {
        return false;
    }
    let (mut above, mut separated) = (0, false);
    for line in text.split(BREAKS) {
        if line.starts_with(FIELD) && (separated || above <= 1) {
            return true;
        }
        separated |= line.trim() == separator;
        above += usize::from(!line.trim().is_empty());
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: bool) {
        assert_eq!(has_header(text, "---"), expect, "{text:?}");
    }

    #[test]
    fn headers_in_texts() {
        check("", false);
        check("a\n---\nb\n", false);
        check("---\nFile: a\n\nb\n", true);
        check("a\n---\nFile: b\n", true);
        check("a\r\n--- \r\n\r\nFile: b\r\n", true);
        check("a\n---\nTitle\nFile: b\n", true);
        check("a\n---\nb\nc\nd\nFile: e\n", true);
        check("File: a\n", true);
        check("\n\nFile: a\n", true);
        check("Title\nFile: a\n", true);
        check("a\u{2028}---\u{2028}File: b", true);
        check("a\nb\nFile: c\n", false);
        check("a\n---\n    File: b\n", false);
        check("a\n---\n// File: b\n", false);
        check("a\n----\nFile: b\n", false);
    }
}
