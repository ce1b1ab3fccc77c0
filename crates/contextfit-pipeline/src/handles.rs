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

/// The position of the handle in `marker`: before the closing bracket or quote.
fn place(marker: &str) -> Option<usize> {
    marker.rfind([']', '"'])
}

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
        check("// ... 12 lines\n", "// ... 12 lines\n");
    }
}
