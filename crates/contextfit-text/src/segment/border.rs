//! Borders of paragraphs, items and quotes within a gap.

use super::lines::{Kind, kind};

/// The maximum length, in bytes, of a mark that is repeated after a gap.
const MARK: usize = 12;

/// The mark (`> `, `- `, an indent) of the line that contains byte `to`, if another paragraph, item or quote begins
/// between byte `from` and there; `None` if `text` continues in the one that it was in at `from`. Linear in the length
/// of the gap.
pub(crate) fn border(text: &str, from: usize, to: usize) -> Option<&str> {
    let line_of = |at: usize| text.get(..at).and_then(|text| text.rfind('\n')).map_or(0, |feed| feed + 1);
    let (start, last) = (line_of(from), line_of(to));
    let end = text.get(to..)?.find('\n').map_or(text.len(), |feed| to + feed + 1);
    let (mut mark, mut at) = (None, start);
    // Nothing is known about the text before a gap that begins with its line.
    let mut before = (start == from).then_some(Kind::Blank);
    for line in text.get(start..end)?.split_inclusive('\n') {
        let kind = kind(line);
        let begins = match (kind, before) {
            (Kind::Quote(depth, text), Some(Kind::Quote(same, _))) => {
                depth != same
                    || line.get(text..).is_some_and(|text| matches!(super::lines::kind(text), Kind::Item(_)))
            }
            (
                Kind::Plain,
                Some(Kind::Blank | Kind::Heading | Kind::Rule | Kind::Row | Kind::Fence(_) | Kind::Quote(..)),
            ) => true,
            (Kind::Plain, _) => false,
            _ => true,
        };
        if begins && (at > from || start == from) && at <= last {
            // An item may begin on the line after its mark.
            mark = Some(line.get(..marked(line, kind)).unwrap_or_default().trim_end_matches(['\n', '\r']));
        }
        before = match kind {
            // An empty line within a quote.
            Kind::Quote(_, text) if line.get(text..).is_none_or(|text| text.trim().is_empty()) => {
                Some(Kind::Blank)
            }
            // A line that continues an item or a quote.
            Kind::Plain if !begins => before,
            _ => Some(kind),
        };
        at += line.len();
    }
    mark.map(|mark| if mark.len() > MARK { mark.trim_start() } else { mark })
        .filter(|mark| mark.len() <= MARK)
}

/// The number of bytes of `line`, which is of this kind, before its text.
fn marked(line: &str, of: Kind) -> usize {
    let text = match of {
        Kind::Item(text) | Kind::Quote(_, text) => text,
        _ => line.len() - line.trim_start().len(),
    };
    match (of, line.get(text..).map(kind)) {
        (Kind::Quote(..), Some(Kind::Item(item))) => text + item,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gap is from the first bar to the second one.
    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        let (from, to) = (text.find('|').unwrap(), text.rfind('|').unwrap() - 1);
        assert_eq!(border(&text.replace('|', ""), from, to), expect, "{text}");
    }

    #[test]
    fn gaps_within_a_paragraph_have_none() {
        check("One.| Two.| Three.", None);
        check("One.| Two\ngoes on.| Three.", None);
        check("- One.| Two\n  goes on.| Three.", None);
        check("> One.| Two\n> goes on.| Three.", None);
        check("One\n|goes on. Two.| Three.", Some(""));
    }

    #[test]
    fn another_one_begins() {
        check("One.| Two.\n\nThree.| Four.", Some(""));
        check("One.| Two.\n- Three.| Four.", Some("- "));
        check("- One.| Two.\n2. Three.\n  Four.| Five.", Some("2. "));
        check("- One.|\n- Two.\n\nThree.| Four.", Some(""));
        check("One.| She wrote:\n> Two.| Three.", Some("> "));
        check("> One.| Two.\n>> Three.| Four.", Some(">> "));
        check("> One.| Two.\n>\n> Three.| Four.", Some("> "));
        check("> One.| Two.\n> - Three.| Four.", Some("> - "));
        check("> One.| Two.\n\nThree.| Four.", Some(""));
        check("One.| Two.\n## Three\nFour.| Five.", Some(""));
        check("|# One\n- Two.| Three.", Some("- "));
        check("|# One\n- \nTwo.| Three.", Some("- "));
        check("One.| Two.\n\n     Three.| Four.", Some("     "));
    }
}
