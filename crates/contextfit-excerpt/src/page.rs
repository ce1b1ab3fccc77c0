//! HTML pages: where their rows end.

/// Whether `text` begins as a page and not as other markup.
pub(crate) fn is_html(text: &str) -> bool {
    // ablate: excerpt.pages => false
    let start: String = text.trim_start().chars().take(64).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Whether `text` has a tag that begins or ends a block of text.
pub(crate) fn has_block_tag(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let tag = text.get(at + 1..).unwrap_or_default().trim_start_matches('/');
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        !name.is_empty() && BLOCKS.split_whitespace().any(|block| block.eq_ignore_ascii_case(name))
    })
}

/// Elements that are blocks of text.
const BLOCKS: &str = "address article aside blockquote body br dd div dl dt footer form h1 h2 h3 h4 h5 h6 head header hr \
                      html li link main meta nav ol option p pre script section style table tbody td th thead title tr ul";
