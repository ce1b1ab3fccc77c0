//! Texts that the scanners of some grammars cannot handle.
//!
//! A scanner serializes its state into 1,024 bytes. Most stop before they overflow, but those of YAML (0.7.2), Python
//! (0.25.0) and Ruby (0.23.1) do not in all cases, and abort the process. Such texts, which nobody writes by hand, are
//! not given to them.

/// The maximum levels of indentation; YAML has room for 253.
const LEVELS: usize = 100;

/// The maximum rows and columns; YAML counts them in signed 16-bit integers.
const MAX_ROWS_AND_COLUMNS: usize = 32_000;

/// The maximum bytes of the word that ends a here-document; Ruby stores its length in one byte.
const LONGEST_HEREDOC_WORD_BYTES: usize = 100;

/// The maximum number of here-documents that start on one line.
const MAX_HEREDOCS_OF_LINE: usize = 8;

/// Whether the grammar called `grammar` can safely read `text`. Linear.
pub(crate) fn readable(grammar: &str, text: &str) -> bool {
    match grammar {
        "yaml" => {
            text.lines().count() <= MAX_ROWS_AND_COLUMNS
                && text.lines().all(|line| line.len() <= MAX_ROWS_AND_COLUMNS)
                && shallow(text)
        }
        "python" | "scala" => shallow(text),
        "ruby" => text.lines().all(few_documents),
        _ => true,
    }
}

/// Whether lines are nested at most [`LEVELS`] deep. A list item inside a line (`- - x`) also counts as a level.
fn shallow(text: &str) -> bool {
    // A level takes a column, and most texts have fewer columns than that before the first letter of any line.
    let is_open = |byte: &u8| matches!(byte, b' ' | b'\t' | b'-' | b'?' | b':');
    let mut starts = text.lines().filter_map(|line| line.as_bytes().get(..LEVELS));
    if !starts.any(|start| start.iter().all(is_open)) {
        return true;
    }
    let mut open: Vec<usize> = Vec::new();
    text.lines().all(|line| {
        let starts = line.bytes().enumerate().filter(|(_, byte)| !matches!(byte, b' ' | b'\t'));
        let mut column_before = None;
        for (column, byte) in starts.take(LEVELS + 1) {
            while open
                .pop_if(|above| *above >= column && column_before.is_none_or(|before| *above > before))
                .is_some()
            {}
            open.push(column);
            column_before = Some(column);
            if !matches!(byte, b'-' | b'?' | b':') {
                break;
            }
        }
        open.len() <= LEVELS
    })
}

/// Whether `line` has at most [`MAX_HEREDOCS_OF_LINE`] starts of here-documents, all with short words.
fn few_documents(line: &str) -> bool {
    let mut openers = line.split("<<").skip(1);
    let words = openers.clone().count() <= MAX_HEREDOCS_OF_LINE;
    let word_length =
        |behind: &str| behind.bytes().take_while(|byte| !matches!(byte, b' ' | b'\t' | b',' | b')')).count();
    words && openers.all(|behind| word_length(behind) <= LONGEST_HEREDOC_WORD_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(grammar: &str, text: &str, expect: bool) {
        assert_eq!(readable(grammar, text), expect, "{grammar}: {:?}", text.get(..40.min(text.len())));
    }

    #[test]
    fn what_people_write_is_readable() {
        check("yaml", "a:\n  - b: 1\n    c:\n      - - d\n", true);
        check("python", &"def f():\n    if x:\n        pass\n".repeat(1_000), true);
        check("ruby", "x = <<~A + <<~B\n  a\nA\n  b\nB\nlist << item << other\n", true);
        check("json", &"[".repeat(1_000), true);
    }

    #[test]
    fn what_would_end_the_process_is_not() {
        let nested =
            |levels: usize| -> String { (0..levels).map(|n| format!("{}a:\n", " ".repeat(n))).collect() };
        for grammar in ["yaml", "python"] {
            check(grammar, &nested(LEVELS), true);
            check(grammar, &nested(LEVELS + 1), false);
            check(grammar, &nested(300), false);
        }
        check("yaml", &"- ".repeat(300), false);
        check("yaml", &"a: 1\n".repeat(40_000), false);
        check("ruby", &format!("x = <<~{}\n", "A".repeat(300)), false);
        check("ruby", &"<<A, ".repeat(100), false);
    }
}
