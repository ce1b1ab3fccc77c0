//! What surrounds the words of a record: numbers and roles, gap markers, keys, counts.

use crate::python::is_space;

/// The speakers of entries.
const ROLES: [&str; 6] = ["user", "assistant", "tool", "system", "developer", "summary"];

/// `line` without the label of an entry, such as `#12 assistant called read: `, or an arrow.
pub(crate) fn unlabelled(line: &str) -> &str {
    let line = line.trim_start_matches(is_space);
    let line = line.strip_prefix(['>', '*', '•', '-']).and_then(past_space).unwrap_or(line);
    let line = line.strip_prefix('#').and_then(past_digits).and_then(past_space).unwrap_or(line);
    let said = past_role(line).or_else(|| line.strip_prefix("->")).or_else(|| line.strip_prefix('→'));
    said.map_or(line, past_one_space)
}

/// `line` without the one name before it, such as `called read: `.
pub(crate) fn uncalled(line: &str) -> &str {
    let named = line.trim_start_matches(is_space);
    let named = named.strip_prefix("called ").unwrap_or(named);
    match named.trim_start_matches(is_word).strip_prefix(':') {
        Some(said) if !named.starts_with(':') => past_one_space(said),
        _ => line,
    }
}

/// Key and value of `"key": value`, with or without the quotation marks around the key.
pub(crate) fn leaf(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix('"').unwrap_or(line);
    let end = rest.find(|c| !is_word(c) && !" .-".contains(c))?;
    let (key, rest) = rest.split_at_checked(end)?;
    let value = rest.strip_prefix('"').unwrap_or(rest).strip_prefix(": ")?;
    ((1..=40).contains(&key.chars().count()) && !value.is_empty()).then_some((key, value))
}

/// Whether `line` is only a gap marker, such as `[... 12 lines left out]`.
pub(crate) fn is_mark(line: &str) -> bool {
    past_mark(line.trim_matches(is_space)) == Some("")
}

/// `line` without gap markers.
pub(crate) fn unmarked(line: &str) -> String {
    without(line, past_mark, "")
}

/// The number of words in `text`, not counting counts (`x3`, `(×12)`), arrows and punctuation.
pub(crate) fn words(text: &str) -> usize {
    without(text, past_noise, " ").split(is_space).filter(|word| !word.is_empty()).count()
}

/// `text` with `put` in place of everything whose end `past` finds.
fn without(text: &str, past: fn(&str) -> Option<&str>, put: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(c) = rest.chars().next() {
        rest = match past(rest) {
            Some(behind) => {
                kept.push_str(put);
                behind
            }
            None => {
                kept.push(c);
                rest.get(c.len_utf8()..).unwrap_or_default()
            }
        };
    }
    kept
}

fn past_role(text: &str) -> Option<&str> {
    let named = ROLES.iter().find_map(|role| text.strip_prefix(role))?;
    let (name, said) = named.split_once(':')?;
    (!named.starts_with(is_word) && name.chars().count() <= 40).then_some(said)
}

fn past_mark(text: &str) -> Option<&str> {
    let dots = text.strip_prefix('[')?;
    let gap = dots.strip_prefix("...").or_else(|| dots.strip_prefix('…'))?.strip_prefix(' ')?;
    let (what, behind) = past_digits(gap)?.strip_prefix(' ')?.split_once(']')?;
    (what.chars().count() <= 80).then_some(behind)
}

fn past_noise(text: &str) -> Option<&str> {
    let signs = ['→', '`', '\'', '"', ':', ',', '{', '}', '(', ')', '[', ']', '='];
    past_count(text).or_else(|| text.strip_prefix("->")).or_else(|| text.strip_prefix(signs))
}

fn past_count(text: &str) -> Option<&str> {
    let times = text.strip_prefix('(').unwrap_or(text).strip_prefix(['x', '×'])?;
    let behind = past_digits(past_one_space(times))?;
    Some(behind.strip_prefix(')').unwrap_or(behind))
}

fn past_digits(text: &str) -> Option<&str> {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (behind.len() < text.len()).then_some(behind)
}

fn past_space(text: &str) -> Option<&str> {
    let behind = text.trim_start_matches(is_space);
    (behind.len() < text.len()).then_some(behind)
}

fn past_one_space(text: &str) -> &str {
    text.strip_prefix(is_space).unwrap_or(text)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_taken_off() {
        for (line, label, name) in [
            ("#12 user: Stop it.", "Stop it.", "Stop it."),
            ("  #3 assistant called edit x2: a.rs", "a.rs", "a.rs"),
            ("#4 tool read: line 1", "line 1", "line 1"),
            ("#4 developer: Be brief.", "Be brief.", "Be brief."),
            ("- > said", "> said", "> said"),
            ("-> done", "done", "done"),
            ("user-made: x", "x", "x"),
            ("users: x", "users: x", "x"),
            ("#x user: y", "#x user: y", "#x user: y"),
            ("called read: a.rs", "called read: a.rs", "a.rs"),
            ("error in: a.rs", "error in: a.rs", "error in: a.rs"),
            (": x", ": x", ": x"),
        ] {
            assert_eq!((unlabelled(line), uncalled(unlabelled(line))), (label, name), "{line:?}");
        }
        let long = format!("user {}: x", "n".repeat(40));
        assert_eq!(unlabelled(&long), long);
    }

    #[test]
    fn leaves_of_json() {
        for (line, expect) in [
            ("\"total\": 412.50", Some(("total", "412.50"))),
            ("user id: a, b", Some(("user id", "a, b"))),
            ("total:412", None),
            ("a/b: c", None),
            ("\"\": c", None),
            ("total: ", None),
            ("total", None),
        ] {
            assert_eq!(leaf(line), expect, "{line:?}");
        }
    }

    #[test]
    fn marks_of_gaps() {
        for (line, expect) in [
            ("[... 12 lines left out]", ""),
            (" [… 3 turns]", " "),
            ("a [... 1 b] c [... d] [x", "a  c [... d] [x"),
            ("[... 12]", "[... 12]"),
        ] {
            assert_eq!(unmarked(line), expect, "{line:?}");
            assert_eq!(is_mark(line), expect.trim().is_empty(), "{line:?}");
        }
    }

    #[test]
    fn counts_arrows_and_punctuation_are_no_words() {
        for (text, expect) in
            [("", 0), ("(x3) -> ok", 1), ("{\"a\": b} ×12 → c", 3), ("max 3 x", 2), ("x y", 2)]
        {
            assert_eq!(words(text), expect, "{text:?}");
        }
    }
}
