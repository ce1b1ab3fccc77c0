//! The description of a chunk: its first comment.

/// The number of lines from the start that are searched for a comment.
const SEARCHED: usize = 40;

/// The maximum length of a description in characters. Longer ones are cut between words.
const DESCRIPTION_CHARS: usize = 100;

/// Signs that open, continue or close a comment, longest first.
const SIGNS: [&str; 15] =
    ["\"\"\"", "'''", "<!--", "-->", "///", "//!", "/**", "//", "/*", "*/", "--", "##", "#", "*", ";;"];

/// The first sentence or line of the first comment in `text`. `None` if there is no comment or it is not informative.
/// Only the first 40 lines are examined.
pub(crate) fn description(text: &str) -> Option<String> {
    text.lines().take(SEARCHED).find_map(|line| {
        let line = line.trim_ascii_start();
        // Most lines are not comments, which their first byte shows.
        if !matches!(line.as_bytes(), [b'"' | b'\'' | b'<' | b'/' | b'*' | b'-' | b'#' | b';', ..]) {
            return None;
        }
        let line = line.trim_ascii_end();
        let comment = SIGNS.iter().any(|sign| line.starts_with(sign));
        // Attributes and directives look like comments in other languages.
        if !comment || line.starts_with("#[") || line.starts_with("#!") || line.starts_with("#include") {
            return None;
        }
        let words = strip(line);
        (informs(words) && !is_licence(words)).then(|| shorten(words))
    })
}

/// The start of `text`: the first sentence of its first informative line, or as many words of it as fit. `None` if none
/// of the first 40 lines is informative.
pub(crate) fn beginning(text: &str) -> Option<String> {
    text.lines()
        .take(SEARCHED)
        .map(|line| strip(line.trim().trim_start_matches("- ")))
        .find(|words| informs(words))
        .map(shorten)
}

/// Whether `words` are more than a name.
fn informs(words: &str) -> bool {
    words.chars().filter(|c| c.is_alphabetic()).count() >= 8 && words.contains(' ')
}

/// `line` without the comment signs around its words.
fn strip(mut line: &str) -> &str {
    while let Some(rest) = SIGNS.iter().find_map(|sign| line.strip_prefix(sign)) {
        line = rest.trim_start();
    }
    while let Some(rest) = ["\"\"\"", "'''", "*/", "-->"].iter().find_map(|sign| line.strip_suffix(sign)) {
        line = rest.trim_end();
    }
    line
}

/// Whether `words` are from a licence header or a notice, which come first in many files but do not describe them.
fn is_licence(words: &str) -> bool {
    let lower = words.to_ascii_lowercase();
    ["copyright", "licen", "spdx", "all rights reserved", "eslint", "generated"]
        .iter()
        .any(|word| lower.contains(word))
}

/// The first sentence of `words`, or as many words of it as fit.
fn shorten(words: &str) -> String {
    let sentence = words.split_inclusive(". ").next().unwrap_or(words).trim_end();
    if sentence.chars().count() <= DESCRIPTION_CHARS {
        return sentence.to_owned();
    }
    let mut short = String::new();
    for word in sentence.split_whitespace() {
        if short.chars().count() + word.chars().count() + 5 > DESCRIPTION_CHARS {
            break;
        }
        short.push_str(word);
        short.push(' ');
    }
    short + "..."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        assert_eq!(description(text).as_deref(), expect, "{text:?}");
    }

    #[test]
    fn first_comment() {
        check("/// Parses a file name. Then more.\nfn parse() {}", Some("Parses a file name."));
        check("def f():\n    \"\"\"Loads the user table.\"\"\"\n", Some("Loads the user table."));
        check("/**\n * Sends one message.\n */", Some("Sends one message."));
        check("// Copyright 2024 The Authors\n// Turns rows into columns\n", Some("Turns rows into columns"));
        check("<!-- The page of all users -->", Some("The page of all users"));
        check("#include <stdio.h>\n#[derive(Debug)]\nint main() {}", None);
        check("// -----\nlet x = 1;", None);
        check("", None);
    }

    #[test]
    fn first_words() {
        assert_eq!(beginning("\n- Use the new key. Then more.\n").as_deref(), Some("Use the new key."));
        assert_eq!(beginning("x\n{}\n"), None);
    }

    #[test]
    fn long_comments_end_at_a_word() {
        let long = format!("// {}", "слово ".repeat(60));
        let short = description(&long).unwrap();
        assert!(short.chars().count() <= DESCRIPTION_CHARS && short.ends_with("слово ..."), "{short}");
    }
}
