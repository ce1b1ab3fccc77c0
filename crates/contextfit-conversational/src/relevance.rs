//! The relevance of each turn to the request.

use contextfit_kernel::{Block, Measured, MeasuredBlock, Scorer};
use contextfit_text::relevance_in_order;

/// The factor for turns of a speaker whom the request names.
const NAMED_SPEAKER_FACTOR: f64 = 1.5;

/// The relevance of each turn to `request`, if there is one: 1 for the best, never negative. Instructions neither have nor
/// lend any. Linear in the length of the turns.
pub(crate) fn relevance(input: &Measured<'_>, request: Option<&str>, scorer: &dyn Scorer) -> Vec<f64> {
    let Some(request) = request else { return Vec::new() };
    let instructs = |block: &Block| block.as_turn().is_some_and(|turn| turn.role.instructs());
    let blocks = input.blocks.iter().map(MeasuredBlock::block);
    let texts: Vec<&str> =
        blocks.map(|block| if instructs(block) { "" } else { block.text.as_str() }).collect();
    let mut relevance = relevance_in_order(request, &texts, scorer);
    for (score, named) in relevance.iter_mut().zip(named_speakers(input, request)) {
        *score *= if named { NAMED_SPEAKER_FACTOR } else { 1.0 };
    }
    let best = relevance.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    relevance.iter_mut().for_each(|score| *score /= best);
    relevance
}

/// For each turn, whether `request` names its speaker.
fn named_speakers(input: &Measured<'_>, request: &str) -> Vec<bool> {
    // ablate: chat.named-speakers => Vec::new()
    let asked = folded(request);
    let named = |name: &str| {
        let name = folded(name);
        !name.is_empty() && asked.windows(name.len()).any(|part| part == name.as_slice())
    };
    let name = |block: &Block| block.as_turn().and_then(|turn| turn.name.as_deref()).is_some_and(named);
    input.blocks.iter().map(|block| name(block.block())).collect()
}

/// The lowercase words of a text or a name; wire formats allow no spaces in names.
fn folded(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
