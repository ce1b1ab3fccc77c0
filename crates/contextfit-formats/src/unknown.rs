//! Messages for unknown names, with the nearest known name.

/// The minimum similarity, from 0 to 1, at which a known name is suggested.
const LIKE: f64 = 0.7;

/// Rephrases a serde `message` about an unknown key or value in plain words: the name, the nearest known one, and all
/// known ones. `None` for any other message.
///
/// ```
/// # mod contextfit { pub use ::contextfit_formats as formats; }
/// use contextfit::formats::unknown_name;
///
/// let message = "unknown field `txet`, expected `id` or `text`";
/// let told = r#"unknown key "txet", did you mean "text"? (known: id, text)"#;
/// assert_eq!(unknown_name(message).as_deref(), Some(told));
/// assert_eq!(unknown_name("missing field `text`"), None);
/// ```
#[must_use]
pub fn unknown_name(message: &str) -> Option<String> {
    let key = message.strip_prefix("unknown field `").map(|rest| ("key", rest));
    let (what, rest) =
        key.or_else(|| message.strip_prefix("unknown variant `").map(|rest| ("value", rest)))?;
    // The wrong name may contain anything; the known ones contain no quotes.
    let (wrong, known) = rest.rsplit_once("`, expected ")?;
    let mut known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    // Serde lists two spellings of one key, such as `startLine` and `start_line`, next to each other.
    known.dedup_by_key(|name| name.replace('_', "").to_lowercase());
    Some(unknown(what, wrong, &known))
}

/// The message for `wrong`, a `what` that is not among `known`.
pub(crate) fn unknown(what: &str, wrong: &str, known: &[&str]) -> String {
    let meant = known
        .iter()
        .map(|name| (strsim::jaro_winkler(&wrong.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > LIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| format!(", did you mean {name:?}?"))
        .unwrap_or_default();
    format!("unknown {what} {wrong:?}{meant} (known: {})", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expect: Option<&str>) {
        assert_eq!(unknown_name(message).as_deref(), expect);
    }

    #[test]
    fn the_nearest_name_is_told() {
        check(
            "unknown field `start_line`, expected one of `text`, `startLine`, `endLine`",
            Some(r#"unknown key "start_line", did you mean "startLine"? (known: text, startLine, endLine)"#),
        );
        check(
            "unknown variant `HIHG`, expected one of `low`, `high`, `critical`",
            Some(r#"unknown value "HIHG", did you mean "high"? (known: low, high, critical)"#),
        );
        check(
            "unknown field `star_line`, expected one of `text`, `startLine`, `start_line`, `endLine`, `end_line`",
            Some(r#"unknown key "star_line", did you mean "startLine"? (known: text, startLine, endLine)"#),
        );
        check("unknown field `zz`, expected `text`", Some(r#"unknown key "zz" (known: text)"#));
        check(
            "unknown field `a`, expected `b`, expected `text`",
            Some(r#"unknown key "a`, expected `b" (known: text)"#),
        );
    }

    #[test]
    fn other_messages_are_left_alone() {
        for message in ["", "missing field `text`", "unknown field `a`, there are no fields", "unknown field"]
        {
            check(message, None);
        }
    }
}
