//! The gentlest strategy: only outputs of tools are cut.

use contextfit_kernel::{Error, Measured, Plan, Reason, Strategy, Tokens};

use crate::{
    draft::{Draft, Form},
    outputs::{LEAST, cap, shorten_to},
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
        let outputs = said.printed();
        let open: Vec<usize> = (0..draft.exchanges.len()).filter(|&n| draft.is_open(n)).collect();
        let lengths: Vec<Tokens> = open.iter().flat_map(|&n| draft.output_lengths(n, outputs)).collect();
        let whole: Tokens = open.iter().map(|&n| draft.cost(n)).sum();
        let fixed = whole.saturating_sub(lengths.iter().copied().sum());
        // Nothing is left out, so that no record has to say so.
        let left = draft.left + input.omission + draft.records();
        let cap = cap(&lengths, left.saturating_sub(fixed)).unwrap_or(Tokens::new(LEAST));
        for n in open {
            let form = match shorten_to(&draft, outputs, n, cap) {
                Some((forms, _)) => Form::As(forms),
                None => Form::Kept(Reason::Fits),
            };
            draft.set(n, form);
        }
        Ok(draft.finish(self.name()))
    }
}
