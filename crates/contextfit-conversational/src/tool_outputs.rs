//! The gentlest strategy: only outputs of tools are cut.

use contextfit_kernel::{Error, Measured, Plan, Strategy, Tokens};

use crate::{
    draft::Draft,
    outputs::{LEAST, common_cap, shorten_all},
    reading::Said,
};

/// Keeps every word that was said, and cuts the longest outputs of tools to one length, so that the conversation fits. What is
/// left of an output is a structured excerpt. Does not fit where the words alone are too many, or where outputs would become
/// too short to be of use: a stage for a [`HybridCompressor`](crate::HybridCompressor). Linear in the length of the
/// conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolOutputCompressor;

impl Strategy for ToolOutputCompressor {
    fn name(&self) -> &str {
        "tool-outputs"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let said = Said::new(&input.blocks, false);
        let mut draft = Draft::new(input, room, &said);
        let cap = common_cap(&draft, said.printed()).unwrap_or(Tokens::new(LEAST));
        shorten_all(&mut draft, said.printed(), cap);
        Ok(draft.finish(self.name()))
    }
}
