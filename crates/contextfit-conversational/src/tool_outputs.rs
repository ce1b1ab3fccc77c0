//! The gentlest strategy: only tool outputs are cut.

use contextfit_kernel::{Error, Measured, Plan, Strategy, Tokens};

use crate::{
    held::start,
    outputs::{SHORTEST_CUT_TOKENS, common_cap, shorten_all},
    said::Said,
};

/// Keeps everything that was said and cuts the longest tool outputs to a common length so that the conversation fits.
/// The remaining part of an output is a structured excerpt. The plan does not fit if the words alone are too many or
/// outputs would become too short to be useful, so this is a stage for a [`HybridCompressor`](crate::HybridCompressor).
/// Linear in the length of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolOutputs;

impl Strategy for ToolOutputs {
    fn name(&self) -> &str {
        "tool-outputs"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let said = Said::new(&input.blocks, false);
        let mut draft = start(input, room, &said);
        let cap = common_cap(&draft, said.printed()).unwrap_or(Tokens::new(SHORTEST_CUT_TOKENS));
        shorten_all(&mut draft, said.printed(), cap);
        Ok(draft.finish(self.name()))
    }
}
