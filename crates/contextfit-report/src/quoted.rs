//! The quoted strings in a text.

/// Marks that open a quotation, and those that close it.
const MARKS: [(char, char); 5] = [('"', '"'), ('`', '`'), ('“', '”'), ('«', '»'), ('\'', '\'')];

/// The longest and shortest quotation that is a name for something, in bytes.
const LONGEST: usize = 120;
const SHORTEST: usize = 2;

/// Calls `found` with each string that is quoted within a line of `text`, in order, without its quotation marks. Linear
/// in its length.
pub(crate) fn quotations<'a>(text: &'a str, mut found: impl FnMut(&'a str)) {
    for line in text.lines() {
        let mut rest = line;
        let mut before = ' ';
        while let Some((at, open)) =
            rest.char_indices().find(|(_, c)| MARKS.iter().any(|(open, _)| open == c))
        {
            let behind = rest.get(at + open.len_utf8()..).unwrap_or_default();
            before = rest.get(..at).and_then(|head| head.chars().next_back()).unwrap_or(before);
            // An apostrophe is no quotation mark.
            let quote = if open == '\'' && before.is_alphanumeric() { None } else { closed(behind, open) };
            before = open;
            let Some((quote, after)) = quote else {
                rest = behind;
                continue;
            };
            rest = after;
            if (SHORTEST..=LONGEST).contains(&quote.len()) && quote.contains(char::is_alphanumeric) {
                found(quote);
            }
        }
    }
}

/// The quotation that `text` begins with after its `open` mark, and what comes after it.
fn closed(text: &str, open: char) -> Option<(&str, &str)> {
    let close = MARKS.iter().find(|(mark, _)| *mark == open)?.1;
    let mut escaped = false;
    // What is longer than any quotation is not searched to the end of the line, again for each of its marks.
    let near = text.get(..text.floor_char_boundary(4 * LONGEST)).unwrap_or(text);
    let (end, _) = near.char_indices().find(|(_, c)| {
        let is_end = *c == close && !escaped;
        escaped = *c == '\\' && !escaped && matches!(open, '"' | '\'');
        is_end
    })?;
    let (quote, after) = (text.get(..end)?, text.get(end + close.len_utf8()..)?);
    let apostrophe = open == '\'' && after.starts_with(char::is_alphanumeric);
    (!apostrophe).then_some((quote, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let mut found = Vec::new();
        quotations(text, |quote| found.push(quote));
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn what_is_quoted() {
        check(
            r#"say("hello \"you\"", 'it', `x y`) “no” «non»"#,
            &[r#"hello \"you\""#, "it", "x y", "no", "non"],
        );
        check("It's 5\" wide and doesn't fit 'a, 'b", &[]);
        check("fn f<'a>(x: &'a str) -> &'a str { \"yes\" }", &["yes"]);
        check("\"open\nclosed\" \"--\" \"\"", &[]);
        check("```rust\n`a` `bc`\n```", &["bc"]);
    }
}
