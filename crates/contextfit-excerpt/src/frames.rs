//! Frames of stack traces.

/// Whether `line` is the location of a frame as Go prints it, on the line after the function.
pub(crate) fn is_go_place(line: &str) -> bool {
    line.starts_with('\t') && line.contains(".go:")
}

/// Whether `line` is a frame of a stack trace and, if so, whether it belongs to the application itself.
pub(crate) fn frame(line: &str) -> Option<bool> {
    // ablate: excerpt.frames => None
    const OTHERS: &[&str] = &[
        "site-packages",
        "node_modules",
        "/rustc/",
        "__rustc::",
        ".cargo/registry",
        "/usr/lib",
        "<frozen",
        "node:internal",
        "java.base",
        "at java.",
        "at javax.",
        "at jdk.",
        "at sun.",
        "at org.junit",
        "at org.springframework",
        "/lib/python",
        "core::",
        "std::",
        "dist-packages",
        "/usr/local/go",
        "sysdeps/",
        "nptl/",
        "__libc_",
        "libsanitizer",
        " in malloc ",
        " in calloc ",
        " in realloc ",
        " in free ",
        " in operator new",
        "/gems/",
        "vendor/",
    ];
    let text = line.trim_start();
    let indented = text.len() < line.len();
    let numbered = || {
        let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
        behind.len() < text.len() && behind.starts_with(": ") && behind.contains("::")
    };
    let is_frame = (indented && (text.starts_with("at ") || text.starts_with("File \"") || numbered()))
        || is_go_place(line)
        || text.starts_with("#0 ")
        || (text.starts_with('#')
            && text.contains(" (")
            && (text.contains(") at ") || text.contains(") from ")))
        || text.contains(":in `")
        || text.contains(":in '")
        || (text.starts_with('#') && text.contains(" in ") && text.contains('('));
    is_frame.then(|| !OTHERS.iter().any(|other| line.contains(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames() {
        assert_eq!(frame("  File \"/app/x.py\", line 3, in main"), Some(true));
        assert_eq!(frame("  File \"/usr/lib/python3.9/json.py\", line 3, in loads"), Some(false));
        assert_eq!(frame("    at Object.<anonymous> (/app/x.js:1:2)"), Some(true));
        assert_eq!(frame("at noon"), None);
    }
}
