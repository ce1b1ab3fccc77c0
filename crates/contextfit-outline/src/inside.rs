//! Languages embedded in others: fences in Markdown, scripts and styles in HTML.

use contextfit_kernel::ByteRange;
use contextfit_text::{Language, Shape};

use crate::{Body, Inside, Item, Outline};

/// `outline` of `text` with embedded code outlined in its own language. Linear; languages embedded in embedded code are
/// left as they are.
pub(crate) fn with_code_inside(mut outline: Outline, text: &str, language: &Language) -> Outline {
    let regions = match language.name {
        "markdown" => fences(text),
        "html" => elements(text),
        _ => Vec::new(),
    };
    // Each region shifts only what comes after it, so go from last to first.
    for region in regions.into_iter().rev() {
        if let Some(inner) = region.range.of(text).and_then(|text| Outline::parsed(text, region.language)) {
            nest(&mut outline, &region, inner);
        }
    }
    outline.inside.reverse();
    outline
}

/// The contents of fenced blocks whose language is known to be code.
fn fences(text: &str) -> Vec<Inside> {
    let mut found = Vec::new();
    // The open fence, its language, and where its content starts.
    let mut open: Option<(&str, Option<&'static Language>, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let behind = line.trim_start_matches(['`', '~']);
        let fence = line.strip_suffix(behind).unwrap_or_default();
        if fence.len() < 3 {
            continue;
        }
        match open {
            None => {
                let info =
                    behind.split(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '-')).next();
                let language =
                    info.and_then(Language::named).filter(|language| language.shape == Shape::Code);
                open = Some((fence, language, at));
            }
            Some((opener, language, from)) if fence.starts_with(opener) && behind.trim().is_empty() => {
                found.extend(inside(from, start, language));
                open = None;
            }
            Some(_) => {}
        }
    }
    found
}

/// The contents of `script` and `style` elements whose tags are on lines of their own.
fn elements(text: &str) -> Vec<Inside> {
    let mut found = Vec::new();
    let mut open: Option<(&str, Option<&'static Language>, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim();
        match open {
            None => open = opened(trimmed).map(|(closer, language)| (closer, language, at)),
            Some((closer, language, from)) if trimmed.starts_with(closer) => {
                found.extend(inside(from, start, language));
                open = None;
            }
            Some(_) => {}
        }
    }
    found
}

/// The element that a line opens, as its closing tag, and the language of its content.
fn opened(line: &str) -> Option<(&'static str, Option<&'static Language>)> {
    let tag = line.strip_suffix('>')?;
    if tag.contains("</") || tag.ends_with('/') {
        return None;
    }
    let attribute = |name: &str| {
        let value = tag.split_once(name)?.1.trim_start_matches(['=', '"', '\'']);
        value.split(['"', '\'', ' ', '>']).next()
    };
    if tag.starts_with("<script") {
        let stated = attribute("lang=").or_else(|| attribute("type="));
        let named =
            stated.map(|stated| stated.trim_start_matches("text/").trim_start_matches("application/"));
        return Some((
            "</script",
            Language::named(named.filter(|name| *name != "module").unwrap_or("javascript")),
        ));
    }
    tag.starts_with("<style").then(|| ("</style", Language::named("css")))
}

fn inside(from: usize, to: usize, language: Option<&'static Language>) -> Option<Inside> {
    let range = ByteRange::new(from, to).filter(|range| !range.is_empty())?;
    Some(Inside { range, language: language? })
}

/// Replaces the items of `outline` within `region` by `inner`, the outline of that region.
fn nest(outline: &mut Outline, region: &Inside, inner: Outline) {
    let (start, end) = (region.range.start(), region.range.end());
    let first = outline.items.partition_point(|item| item.range.start() < start);
    let behind = outline.items.partition_point(|item| item.range.start() < end);
    let Some((before, rest)) = outline.items.split_at_checked(first) else { return };
    let Some((replaced, after)) = rest.split_at_checked(behind - first) else { return };
    let cuts = |item: &Item| item.range.end() > start && item.range.end() < end;
    if before.iter().any(cuts) || replaced.iter().any(|item| item.range.end() > end) {
        return;
    }
    let holder = before.iter().rposition(|item| item.range.end() >= end);
    let moved =
        |range: ByteRange| ByteRange::new(range.start() + start, range.end() + start).unwrap_or(range);
    let parent = |parent: Option<usize>| parent.map(|parent| parent + first).or(holder);
    let shift = |n: usize| if n < behind { n } else { n - (behind - first) + inner.items.len() };
    let inner_items = inner.items.iter().map(|item| Item {
        parent: parent(item.parent),
        range: moved(item.range),
        name: item.name.map(moved),
        ..*item
    });
    let after = after.iter().map(|item| Item { parent: item.parent.map(shift), ..*item });
    let items: Vec<Item> = before.iter().copied().chain(inner_items).chain(after).collect();
    for body in &mut outline.bodies {
        body.parent = body.parent.map(shift);
    }
    let bodies = inner.bodies.iter();
    outline.bodies.extend(bodies.map(|body| Body {
        parent: parent(body.parent),
        range: moved(body.range),
        ..*body
    }));
    outline.items = items;
    outline.inside.push(*region);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: &str, text: &str, expect: &[&str]) {
        let outline = Outline::of(text, Language::named(language).unwrap());
        let names = outline.items.iter().filter(|item| item.kind.defines());
        let names: Vec<&str> = names.filter_map(|item| item.name?.of(text)).collect();
        assert_eq!(names, expect);
        for item in &outline.items {
            let outer = item.parent.map_or(ByteRange::whole(text), |parent| outline.items[parent].range);
            assert!(outer.start() <= item.range.start() && item.range.end() <= outer.end(), "{item:?}");
        }
        assert!(outline.items.is_sorted_by_key(|item| item.range.start()));
    }

    #[test]
    #[cfg(all(feature = "markdown", feature = "rust", feature = "python"))]
    fn fences_are_outlined_by_their_language() {
        let text = "# A\n\ntext\n\n```rust\nfn one() {\n    two();\n}\n```\n\n## B\n\n~~~python\ndef three():\n    pass\n~~~\n\n```text\nfn no() {\n}\n```\n";
        check("markdown", text, &["one", "B", "three"]);
    }

    #[test]
    #[cfg(feature = "javascript")]
    fn scripts_are_outlined_as_such() {
        let text = "<html>\n  <body>\n    <p>x</p>\n  </body>\n  <script>\n    function one() {\n      two();\n    }\n  </script>\n</html>\n";
        check("html", text, &["one"]);
    }
}
