//! What images take.

/// Tokens of an image for an OpenAI model at the most: its size is not looked at.
///
/// Models that cut images into tiles take a base for the image and as much again for each tile of 512 × 512 that is left
/// once it has been fitted into 2048 × 2048 and its shorter side into 768: 8 tiles at the most. 85 and 170 tokens for
/// gpt-4o and gpt-4.1, 2833 and 5667 for gpt-4o-mini, less for later ones. Other small models cover it with at most 1536
/// patches of 32 × 32, each 2.46 tokens at the most. Source: OpenAI, "Images and vision", calculating costs.
pub(super) fn openai(model: &str, detail: Option<&str>) -> usize {
    let low = detail == Some("low");
    if model.contains("4o-mini") {
        return if low { 2_833 } else { 2_833 + 8 * 5_667 };
    }
    if model.contains("mini") || model.contains("nano") {
        return 3_779;
    }
    if low { 85 } else { 85 + 8 * 170 }
}

/// Tokens of an image for Claude: width × height / 750, at most 1600; larger ones are scaled down to that. Source:
/// Anthropic, "Vision", image costs. Without a size, which only the data of a PNG tells here, the most.
pub(super) fn anthropic(data: &str) -> usize {
    const MOST: usize = 1_600;
    png_size(data).map_or(MOST, |(width, height)| width.saturating_mul(height).div_ceil(750).min(MOST))
}

/// Width and height from the header of a PNG in base64.
fn png_size(data: &str) -> Option<(usize, usize)> {
    // 24 bytes: signature, length and name of the first chunk, width, height.
    let header = decode(data.as_bytes().get(..32)?)?;
    let number = |at: usize| {
        let bytes = header.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    };
    (header.get(..8)? == b"\x89PNG\r\n\x1a\n").then_some(())?;
    Some((number(16)?, number(20)?))
}

/// Bytes of unpadded base64.
fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let value = |symbol: u8| match symbol {
        b'A'..=b'Z' => Some(symbol - b'A'),
        b'a'..=b'z' => Some(symbol - b'a' + 26),
        b'0'..=b'9' => Some(symbol - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for four in text.chunks_exact(4) {
        let bits =
            four.iter().try_fold(0_u32, |bits, &symbol| Some(bits << 6 | u32::from(value(symbol)?)))?;
        bytes.extend(bits.to_be_bytes().into_iter().skip(1));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_png() {
        // A header of 1092 × 1092, the example of the page.
        assert_eq!(anthropic("iVBORw0KGgoAAAANSUhEUgAABEQAAAREAAA"), 1_590);
        assert_eq!(anthropic("/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD"), 1_600);
        assert_eq!(anthropic("äöü"), 1_600);
        assert_eq!(openai("gpt-4o", Some("low")), 85);
        assert_eq!(openai("gpt-4o", None), 1_445);
    }
}
