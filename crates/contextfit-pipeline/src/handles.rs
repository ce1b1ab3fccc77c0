//! Handles in markers, by which the omitted text can be restored.

use std::sync::Arc;

use contextfit_kernel::{Action, Block, Measured, Piece, Plan};
use contextfit_text::Language;

/// Returns the handle of a block's stored original, given the index of the block and the block; `None` if it has none.
pub(crate) type Handles = Arc<dyn Fn(usize, &Block) -> Option<String> + Send + Sync>;

/// Adds the handle of the original to the first marker of each block that `plan` cuts:
/// `[... 12 lines, restore 7f3a9c1b]`.
pub(crate) fn name_originals(plan: &mut Plan, input: &Measured<'_>, handles: &Handles) {
    for (index, (step, block)) in plan.steps.iter_mut().zip(&input.blocks).enumerate() {
        let Action::Cut { pieces } = &mut step.action else { continue };
        let language = Language::of_measured(block);
        let mut markers = pieces.iter_mut().filter_map(|piece| match piece {
            Piece::Marker(marker) => Some(marker),
            _ => None,
        });
        if let Some((at, marker)) = markers.find_map(|marker| Some((place(marker, language)?, marker)))
            && let Some(handle) = handles(index, block.block())
        {
            marker.insert_str(at, &format!(", restore {handle}"));
            step.tokens = None;
        }
    }
}

/// The position of the handle in `marker`: before the bracket or quote that closes it, or at the end of its comment in
/// `language`.
fn place(marker: &str, language: Option<&Language>) -> Option<usize> {
    let dots = marker.rfind("...")?;
    let (before, behind) = marker.split_at(dots);
    if before.ends_with(['[', '"']) {
        return marker.rfind([']', '"']);
    }
    let line = behind.lines().next()?;
    let closers = language.into_iter().flat_map(|language| {
        let within = language.comment_within().map(|(_, close)| close);
        [Some(language.comment_close.trim()), within].into_iter().flatten()
    });
    let end = closers.filter(|close| !close.is_empty()).find_map(|close| line.find(close));
    Some(dots + line.get(..end.unwrap_or(line.len()))?.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: &str, marker: &str, expect: &str) {
        let mut named = marker.to_owned();
        if let Some(at) = place(marker, Language::named(language)) {
            named.insert_str(at, ", restore 7f3a9c1b");
        }
        assert_eq!(named, expect);
    }

    #[test]
    fn markers() {
        check("text", "[... 12 lines]\n", "[... 12 lines, restore 7f3a9c1b]\n");
        check("text", " [... 1 sentence]", " [... 1 sentence, restore 7f3a9c1b]");
        check("json", "\"... 12 more\",", "\"... 12 more, restore 7f3a9c1b\",");
        check("json", "\"...\":\"3 more\"", "\"...\":\"3 more, restore 7f3a9c1b\"");
        check("rust", "    // ... 12 lines: a\n", "    // ... 12 lines: a, restore 7f3a9c1b\n");
        check("ruby", "# ... 9 lines: b?, []\n", "# ... 9 lines: b?, [], restore 7f3a9c1b\n");
        check("rust", "{ /* ... 4 lines */ }\n", "{ /* ... 4 lines, restore 7f3a9c1b */ }\n");
        check("css", "/* ... 4 lines */\n", "/* ... 4 lines, restore 7f3a9c1b */\n");
        check("python", "...  # ... 3 lines", "...  # ... 3 lines, restore 7f3a9c1b");
        check("text", "- \n", "- \n");
    }
}
