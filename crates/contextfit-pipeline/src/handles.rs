//! Handles in markers, by which the omitted text can be restored.

use std::sync::Arc;

use contextfit_kernel::{Action, Block, Measured, Piece, Plan};

/// Returns the handle of a block's stored original, given the index of the block and the block; `None` if it has none.
pub(crate) type Handles = Arc<dyn Fn(usize, &Block) -> Option<String> + Send + Sync>;

/// Adds the handle of the original to the first marker of each block that `plan` cuts:
/// `[... 12 lines, restore 7f3a9c1b]`.
pub(crate) fn name_originals(plan: &mut Plan, input: &Measured<'_>, handles: &Handles) {
    for (index, (step, block)) in plan.steps.iter_mut().zip(&input.blocks).enumerate() {
        let Action::Cut { pieces } = &mut step.action else { continue };
        let mut markers = pieces.iter_mut().filter_map(|piece| match piece {
            Piece::Marker(marker) => Some(marker),
            _ => None,
        });
        if let Some((at, marker)) = markers.find_map(|marker| Some((place(marker)?, marker)))
            && let Some(handle) = handles(index, block.block())
        {
            marker.insert_str(at, &format!(", restore {handle}"));
            step.tokens = None;
        }
    }
}

/// The position of the handle in `marker`: before what closes it, a bracket, a quote or the end of a comment.
fn place(marker: &str) -> Option<usize> {
    marker.rfind([']', '"']).or_else(|| {
        let dots = marker.rfind("...")?;
        let line = marker.get(dots..)?.lines().next()?;
        let mut line = line.trim_end();
        while let Some(rest) = CLOSERS.into_iter().find_map(|closer| line.strip_suffix(closer)) {
            line = rest.trim_end();
        }
        Some(dots + line.len())
    })
}

/// What closes the comment of a marker, and the block that it stands in.
const CLOSERS: [&str; 5] = ["*/", "-->", "*)", "-}", "}"];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marker: &str, expect: &str) {
        let mut named = marker.to_owned();
        if let Some(at) = place(marker) {
            named.insert_str(at, ", restore 7f3a9c1b");
        }
        assert_eq!(named, expect);
    }

    #[test]
    fn markers() {
        check("[... 12 lines]\n", "[... 12 lines, restore 7f3a9c1b]\n");
        check(" [... 1 sentence]", " [... 1 sentence, restore 7f3a9c1b]");
        check("\"... 12 more\",", "\"... 12 more, restore 7f3a9c1b\",");
        check("\"...\":\"3 more\"", "\"...\":\"3 more, restore 7f3a9c1b\"");
        check("    // ... 12 lines: a, b?\n", "    // ... 12 lines: a, b?, restore 7f3a9c1b\n");
        check("{ /* ... 4 lines */ }\n", "{ /* ... 4 lines, restore 7f3a9c1b */ }\n");
        check("...  # ... 3 lines", "...  # ... 3 lines, restore 7f3a9c1b");
        check("- \n", "- \n");
    }
}
