//! The invariants of entries in a record.

use contextfit_kernel::{Block, ByteRange, Entry, Label, Level, Quote, QuoteSource, Role, Turn, Voice};
use contextfit_text::{Shape, unit_ends};

/// 7: every entry names its turn, its speaker and its tool, and quotes whole units of one part of its turn.
#[track_caller]
pub(crate) fn check_entries(block: &Block, number: usize, entries: &[Entry]) {
    let turn = block.as_turn().expect("only turns are quoted");
    for entry in entries {
        let Entry { label, lines } = entry;
        assert_eq!(label.number, number, "7: the number of its turn");
        let of_attachments = |quote: &Quote| matches!(quote.source, QuoteSource::Attachments { .. });
        let is_attached = matches!(label.voice, Voice::Attached { .. });
        assert!(
            lines.iter().flatten().all(|quote| of_attachments(quote) == is_attached),
            "7: a text as a picture"
        );
        let mut sources: Vec<(QuoteSource, usize)> = Vec::new();
        for quote in lines.iter().flatten() {
            let tool = check_quote(block, turn, quote, &mut sources);
            match &label.voice {
                Voice::Called { tool: called } => assert_eq!(Some(called), tool.as_ref(), "7: the tool"),
                Voice::Said { name: Some(name), .. } | Voice::Attached { name: Some(name), .. } => {
                    let names = [tool, turn.name.clone()];
                    let plain = |name: String| Label::new(1, Voice::Called { tool: name }).to_string();
                    let is_own = names.into_iter().flatten().any(|own| plain(own).ends_with(name));
                    assert!(is_own, "7: {name:?} is neither the speaker nor the tool");
                }
                _ => {}
            }
        }
        sources.dedup();
        assert!(sources.len() < 2, "7: {:?} quotes several parts", entry.text(block));
        match &label.voice {
            Voice::Said { role, .. } | Voice::Attached { role, .. } | Voice::Again { role, .. } => {
                assert_eq!(*role, turn.role, "7: the speaker");
            }
            Voice::Pasted => assert_eq!(turn.role, Role::User, "7: the one who pasted it"),
            // Of an earlier entry, the name may remain.
            Voice::Called { .. } | Voice::Calls { .. } if block.level < Level::Extract => {
                assert!(lines.is_empty());
            }
            Voice::Called { .. } | Voice::Calls { .. } => {
                assert!(!turn.calls.is_empty(), "7: an entry of a call, but no call");
            }
            Voice::Summary { .. } => panic!("7: a summary is not an entry of a turn"),
        }
        let is_earlier = block.level < Level::Extract;
        assert!(!is_earlier || lines.is_empty(), "7: an entry of an earlier record is quoted again");
    }
}

/// 7: a quote is a run of whole units. Notes the part that it is from in `sources`, and returns the part's tool, or the
/// one that is called.
#[track_caller]
fn check_quote(
    block: &Block,
    turn: &Turn,
    quote: &Quote,
    sources: &mut Vec<(QuoteSource, usize)>,
) -> Option<String> {
    let (source, whole, tool) = match quote.source {
        QuoteSource::Attachments { from, .. } => {
            sources.push((QuoteSource::Text, usize::MAX));
            return turn.attachments[from].tool.clone();
        }
        QuoteSource::Arguments(n) => {
            let call = &turn.calls[n];
            (quote.source, ByteRange::whole(&call.arguments), Some(call.name.clone()))
        }
        QuoteSource::Text => {
            let (part, tool) = turn.text_around(&block.text, quote.range).expect("7: a quote is of one part");
            (quote.source, part, tool.map(str::to_owned))
        }
    };
    sources.push((source, whole.start()));
    let all = source.of(block).expect("7: the quoted text exists");
    let text = quote.range.of(all).expect("7: a quote has whole characters");
    let has_no_arguments = matches!(source, QuoteSource::Arguments(_)) && all.trim().is_empty();
    assert!(!text.trim().is_empty() || has_no_arguments, "7: an empty quote");
    let before = all[whole.start()..quote.range.start()].trim_end();
    let after = all[quote.range.end()..whole.end()].trim_start();
    let in_json = before.is_empty() && after.is_empty()
        || (before.ends_with(['{', '[', ',', ':', '"']) || before.ends_with("\\n"))
            && (after.is_empty() || after.starts_with(['}', ']', ',', '"', '\\']));
    assert!(
        in_json || is_whole(all, turn, quote.range),
        "7: {text:?} is not a run of whole units of {all:?}"
    );
    tool
}

/// Whether `range` begins and ends at the borders of lines or sentences of `source`, ignoring white space.
fn is_whole(source: &str, turn: &Turn, range: ByteRange) -> bool {
    let mut borders: Vec<usize> = vec![0];
    for part in turn.ranges(source) {
        let text = part.of(source).expect("parts are text");
        for shape in [Shape::Code, Shape::Prose, Shape::Json] {
            borders.extend(unit_ends(text, shape).into_iter().map(|end| part.start() + end));
        }
        borders.push(part.start());
    }
    let blank = |from: usize, to: usize| source[from..to].trim().is_empty();
    let starts = borders.iter().any(|&at| at <= range.start() && blank(at, range.start()));
    let ends = borders
        .iter()
        .any(|&at| if at < range.end() { blank(at, range.end()) } else { blank(range.end(), at) });
    starts && ends
}
