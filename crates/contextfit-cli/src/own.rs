//! Recognises what contextfit wrote, by its first bytes: the file of `--report`, and the page of `--html`.

/// The first value of a report, under the key `contextfit`.
pub(crate) const REPORT: &str = "report";

/// The bytes that suffice to recognise either.
pub(crate) const START: usize = 4 << 10;

/// The first bytes of every page.
const PAGE: &[u8] = b"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";

/// The title of every page.
const TITLE: &[u8] = b"\n<title>contextfit report</title>\n";

/// What contextfit wrote that starts with `bytes`; `None` if it did not write it.
pub(crate) fn written(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.get(..START).unwrap_or(bytes);
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    if start.starts_with(PAGE) && memchr::memmem::find(start, TITLE).is_some() {
        return Some("a page that contextfit wrote");
    }
    is_report(start).then_some("a report that contextfit wrote")
}

fn is_report(start: &[u8]) -> bool {
    if start.trim_ascii_start().first() != Some(&b'{') {
        return false;
    }
    let compact: Vec<u8> = start.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let compact = String::from_utf8_lossy(&compact);
    compact.starts_with(r#"{"contextfit":"report","version":""#) || is_early_report(&compact)
}

/// Whether it starts as reports did before they named contextfit: `version`, `tokenizer`, and a model or the budget.
fn is_early_report(compact: &str) -> bool {
    let version = compact.strip_prefix(r#"{"version":""#).and_then(|rest| rest.split_once('"'));
    let rest = version.and_then(|(_, rest)| rest.strip_prefix(r#","tokenizer":""#));
    let next = rest.and_then(|rest| rest.split_once(r#"",""#));
    next.is_some_and(|(_, next)| next.starts_with(r#"model":""#) || next.starts_with(r#"budget":{"limit":"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(start: &str, is_own: bool) {
        assert_eq!(written(format!("\u{feff}{start}").as_bytes()).is_some(), is_own, "{start} with a mark");
        assert_eq!(written(start.as_bytes()).is_some(), is_own, "{start}");
    }

    #[test]
    fn reports_are_recognised_as_they_are_and_were() {
        check("{\n  \"contextfit\": \"report\",\n  \"version\": \"0.1.0\",\n", true);
        check("{\"contextfit\":\"report\",\"version\":\"0.1.0\"}", true);
        check(
            "{\n  \"version\": \"0.1.0\",\n  \"tokenizer\": \"chars/4\",\n  \"budget\": {\n    \"limit\": 9",
            true,
        );
        check("{\n  \"version\": \"0.1.0\",\n  \"tokenizer\": \"a\",\n  \"model\": \"gpt-4o\",\n", true);
        check("", false);
        check("{\"contextfit\": \"0.1.0\"}", false);
        // Figures of `eval`, and the vocabulary of a tokenizer.
        check("{\n  \"version\": \"0.1.0\",\n  \"tokenizer\": \"o200k_base\",\n  \"interval\": 0.95", false);
        check("{\"version\": \"1.0\", \"truncation\": null", false);
        check(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Mine</title>\n",
            false,
        );
    }
}
