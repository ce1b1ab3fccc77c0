//! The quoted strings in a text.

/// The marks that open a quotation, and those that close it.
const MARKS: [(char, char); 7] =
    [('"', '"'), ('`', '`'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('\'', '\'')];

/// The strings of at most `longest` bytes that are quoted within a line of `text`, in order: the opening mark, and the
/// text between the marks. A mark that is never closed, as in `5"`, opens nothing. Linear in the length of `text`,
/// times `longest` for marks that are not closed.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::quotations;
///
/// let quoted: Vec<_> = quotations(r#"It's "the \"best\"", not “good”."#, 80).collect();
/// assert_eq!(quoted, [('"', r#"the \"best\""#), ('“', "good")]);
/// ```
pub fn quotations(text: &str, longest: usize) -> impl Iterator<Item = (char, &str)> {
    text.lines().flat_map(move |line| {
        let (mut rest, mut before) = (line, ' ');
        std::iter::from_fn(move || {
            loop {
                let (at, open) =
                    rest.char_indices().find(|(_, c)| MARKS.iter().any(|(open, _)| open == c))?;
                before = rest.get(..at).and_then(|head| head.chars().next_back()).unwrap_or(before);
                // An apostrophe is not a quotation mark.
                let is_apostrophe = open == '\'' && before.is_alphanumeric();
                before = open;
                rest = rest.get(at + open.len_utf8()..)?;
                if let Some((quote, after)) = closed(rest, open, longest).filter(|_| !is_apostrophe) {
                    rest = after;
                    return Some((open, quote));
                }
            }
        })
    })
}

/// The quotation after its `open` mark, with which `text` begins, and the text after it.
fn closed(text: &str, open: char, longest: usize) -> Option<(&str, &str)> {
    let close = MARKS.iter().find(|(mark, _)| *mark == open)?.1;
    let mut escaped = false;
    let (end, _) = text.char_indices().take_while(|(at, _)| *at <= longest).find(|(_, c)| {
        let is_end = *c == close && !escaped;
        escaped = *c == '\\' && !escaped && matches!(open, '"' | '\'');
        is_end
    })?;
    let (quote, after) = (text.get(..end)?, text.get(end + close.len_utf8()..)?);
    let apostrophe = open == '\'' && after.starts_with(char::is_alphanumeric);
    (!apostrophe).then_some((quote, after))
}
