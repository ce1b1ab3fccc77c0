//! The tokens of images.

use base64::{Engine as _, prelude::BASE64_STANDARD_NO_PAD};

/// The maximum tokens of an image for an OpenAI model, whatever its size. Source: OpenAI, "Images and vision",
/// calculating costs.
///
/// - Models that tile images charge a base per image plus a fee per tile of 512 × 512, after scaling the image to fit
///   2048 × 2048 and its shorter side to 768: at most 8 tiles. 85 and 170 tokens for gpt-4o and gpt-4.1, 2833 and 5667
///   for gpt-4o-mini, less for others. A request that names no model is counted this way.
/// - Small models since gpt-4.1 use patches of 32 × 32, at most 1536 of 2.46 tokens or 2500 of 1.2 to 1.5.
/// - Large models since gpt-5.2 use at most 2500 patches of 1.2 tokens, and 10 000 with the detail `original`.
pub(super) fn openai(model: &str, detail: Option<&str>) -> usize {
    const TILED: &[&str] = &["gpt-4", "o1", "o3", "gpt-5-2025", "gpt-5.1", "computer-use"];
    let low = detail == Some("low");
    if model.contains("4o-mini") {
        return if low { 2_833 } else { 2_833 + 8 * 5_667 };
    }
    if model.contains("mini") || model.contains("nano") {
        return 3_779;
    }
    if model.is_empty() || model == "gpt-5" || TILED.iter().any(|name| model.contains(name)) {
        return if low { 85 } else { 85 + 8 * 170 };
    }
    if detail == Some("original") { 12_000 } else { 3_000 }
}

/// The tokens of an image for Claude: one per patch of 28 × 28, which is never less than width × height / 784. Larger
/// images are scaled down to 1600 tokens, or to 4784 since Claude Opus 4.7. Source: Anthropic, "Vision", image costs.
/// The size is read only from PNG data; without it, the maximum is assumed.
pub(super) fn anthropic(model: &str, data: &str) -> usize {
    const SMALLER: &[&str] =
        &["claude-3", "sonnet-4", "haiku-4", "opus-4-0", "opus-4-1", "opus-4-2", "opus-4-5", "opus-4-6"];
    let most = if SMALLER.iter().any(|name| model.contains(name)) { 1_600 } else { 4_784 };
    let patches = |(width, height): (usize, usize)| width.div_ceil(28).saturating_mul(height.div_ceil(28));
    png_size(data).map_or(most, |size| patches(size).min(most))
}

/// The width and height from the header of a PNG in base64.
fn png_size(data: &str) -> Option<(usize, usize)> {
    // 24 bytes: the signature, the length and name of the first chunk, the width and the height.
    let header = BASE64_STANDARD_NO_PAD.decode(data.as_bytes().get(..32)?).ok()?;
    let number = |at: usize| {
        let bytes = header.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    };
    (header.get(..8)? == b"\x89PNG\r\n\x1a\n").then_some(())?;
    Some((number(16)?, number(20)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_png() {
        // A header of 1092 × 1092: 39 × 39 patches.
        assert_eq!(anthropic("", "iVBORw0KGgoAAAANSUhEUgAABEQAAAREAAA"), 1_521);
        assert_eq!(anthropic("claude-sonnet-4-5", "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD"), 1_600);
        assert_eq!(anthropic("claude-opus-4-20250514", ""), 1_600);
        assert_eq!(anthropic("claude-opus-4-8", "äöü"), 4_784);
    }

    #[test]
    fn the_most_of_a_model() {
        assert_eq!(openai("gpt-4o", Some("low")), 85);
        assert_eq!(openai("", None), 1_445);
        assert_eq!(openai("gpt-4o-mini", Some("high")), 48_169);
        assert_eq!(openai("gpt-5-mini", None), 3_779);
        assert_eq!(openai("gpt-5.4", Some("original")), 12_000);
    }
}
