//! Lines of code so long that nobody wrote them: bundles, dumps.

use memchr::memchr_iter;

/// A line of more bytes than this is divided.
pub(super) const GIANT: usize = 2048;

/// A part of it has so many bytes at least, and ends behind the next statement or bracket,
const LEAST: usize = 64;
/// or from here on behind the next comma or space.
const MOST: usize = 256;

/// Adds where the parts of `line`, which begins at `start`, end, but for the last one. Linear.
pub(super) fn divide(line: &str, start: usize, ends: &mut Vec<usize>) {
    let mut last = 0;
    for (at, byte) in line.bytes().enumerate() {
        let ends_part = match byte {
            b';' | b'{' | b'}' => at - last >= LEAST,
            b',' | b' ' | b'\t' | b'>' => at - last >= MOST,
            _ => false,
        };
        // What is left may be its line feed alone.
        if ends_part && line.len() - at > LEAST {
            last = at + 1;
            ends.push(start + last);
        }
    }
}

/// Whether half of the bytes of `text` or more are in lines of more than `limit` bytes. Linear.
pub(super) fn are_lines_longer(text: &str, limit: usize) -> bool {
    let (mut start, mut long) = (0, 0);
    for end in memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        long += if end - start > limit { end - start } else { 0 };
        start = end + 1;
    }
    long > 0 && long * 2 >= text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &[usize]) {
        let mut ends = Vec::new();
        divide(line, 10, &mut ends);
        assert_eq!(ends.iter().map(|end| end - 10).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn parts() {
        let call = format!("f({});", "x".repeat(76));
        check(&call.repeat(3), &[80, 160]);
        check(&format!("{}\n", call.repeat(2)), &[80]);
        check(&"a,".repeat(300), &[258, 516]);
        check(&"x".repeat(1000), &[]);
        check("", &[]);
    }

    #[test]
    fn long_lines() {
        assert!(!are_lines_longer("", 3));
        assert!(!are_lines_longer("abc\nabc", 3));
        assert!(are_lines_longer("abcd", 3));
        assert!(are_lines_longer("abcde\nabc\n", 3));
        assert!(!are_lines_longer("abcd\nabc\nabc\n", 3));
    }
}
