//! What a mail holds besides what it says itself: older mails that it quotes, and the signature.

/// A mail has at least two of these headers among its first lines.
const HEADERS: [&str; 8] = ["from:", "to:", "subject:", "date:", "von:", "an:", "betreff:", "datum:"];

/// How many lines are looked at for headers.
const HEAD: usize = 12;

/// How a line that announces a quoted mail says who wrote it.
const WROTE: [&str; 7] = ["wrote", "schrieb", "écrit", "escribió", "scritto", "escreveu", "schreef"];

/// Words of the line above a whole mail that is quoted.
const ORIGINAL: [&str; 4] = ["original", "forwarded", "ursprüngliche", "weitergeleitete"];

/// For each unit of `text` (they end at `ends`), whether it is quoted from an older mail or part of the signature;
/// empty if `text` is no mail, or has nothing of the kind.
///
/// Quoted lines begin with `>`, or are below a line such as `-----Original Message-----`. A signature is below a line
/// `--`, up to a quoted line. A mail has headers, or a line such as `On Monday Ann wrote:`. Linear in the length of the
/// text.
///
/// ```
/// use contextfit_text::{Shape, mail_asides, unit_ends};
///
/// let mail = "It comes on Friday.\n\nOn Monday Ann wrote:\n> It comes on Tuesday.\n";
/// assert_eq!(mail_asides(mail, &unit_ends(mail, Shape::Prose)), [false, true, true]);
/// ```
#[must_use]
pub fn mail_asides(text: &str, ends: &[usize]) -> Vec<bool> {
    if !["\n>", "\n--"].into_iter().any(|mark| text.contains(mark)) || !is_mail(text) {
        return Vec::new();
    }
    let (mut is_quoted, mut is_signature) = (false, false);
    let mut is_aside = |unit: &str| {
        let line = unit.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        is_quoted |= announces_original(line);
        is_signature = (is_signature || line == "--") && !line.starts_with('>');
        is_quoted || is_signature || line.starts_with('>') || announces_quote(line)
    };
    let mut asides: Vec<bool> = Vec::with_capacity(ends.len());
    let mut start = 0;
    for &end in ends {
        // What begins within a line is part of the unit before it.
        let is_first = text.get(..start).is_none_or(|before| before.is_empty() || before.ends_with('\n'));
        let unit = text.get(start..end).unwrap_or_default();
        asides.push(if is_first { is_aside(unit) } else { asides.last().copied().unwrap_or(false) });
        start = end;
    }
    asides
}

fn is_mail(text: &str) -> bool {
    let is_header = |line: &str| {
        let start = line.get(..line.floor_char_boundary(9)).unwrap_or(line).to_ascii_lowercase();
        HEADERS.iter().any(|header| start.starts_with(header))
    };
    text.lines().take(HEAD).filter(|line| is_header(line)).count() >= 2
        || text.lines().any(|line| announces_quote(line) || announces_original(line))
}

/// Whether `line` is one such as `On Monday Ann wrote:`.
fn announces_quote(line: &str) -> bool {
    let line = line.trim();
    line.ends_with(':') && line.split(|c: char| !c.is_alphabetic()).any(|word| WROTE.contains(&word))
}

/// Whether `line` is one such as `-----Original Message-----`.
fn announces_original(line: &str) -> bool {
    let inner = line.trim().strip_prefix("-----").and_then(|line| line.strip_suffix("-----"));
    inner.is_some_and(|inner| ORIGINAL.iter().any(|word| inner.to_lowercase().contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, unit_ends};

    /// `expect` has a letter for each unit: `a` for an aside.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let asides = mail_asides(text, &unit_ends(text, Shape::Prose));
        let told: String = asides.iter().map(|aside| if *aside { 'a' } else { '.' }).collect();
        assert_eq!(told, expect, "{text}");
    }

    #[test]
    fn quotes_and_signatures() {
        let head = "From: Ann\nSubject: Date\n\n";
        check(&format!("{head}It is Friday. Not Tuesday.\n\n> It is Tuesday. Fine?\n"), "....aa");
        check(&format!("{head}It is Friday.\n\n-- \nAnn\nBridge Ltd.\n\n> It is Tuesday.\n"), "...aaaa");
        check("It is Friday.\n\nAm 13.10. schrieb Bo:\n\n> It is Tuesday.\n", ".aa");
        check("It is Friday.\n\n-----Original Message-----\nIt is Tuesday. Fine?\n", ".aaa");
    }

    #[test]
    fn other_texts() {
        check("A note.\n\n> It is Tuesday.\n", "");
        check("Run it.\n\n--\nEnd.\n", "");
        check("From: Ann\nSubject: Date\n\nIt is Friday.\n", "");
        check("-----BEGIN CERTIFICATE-----\nAn\n-----END CERTIFICATE-----\n", "");
    }
}
