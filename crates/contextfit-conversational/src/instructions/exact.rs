//! Values that are of use to the letter alone: addresses, paths, numbers of accounts, codes.

/// How a sentence brings such a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exact {
    /// It is named.
    Named,
    /// It is said what it is: `the code is X4T-88`, `code: X4T-88`.
    Said,
}

/// Words behind which a value is said.
const SAYS: &[&str] = &["is", "are", "was", "to", "at", "on", "under", "in", "lives"];

/// Digits of a number that nobody remembers: no year, no price.
const DIGITS: usize = 6;

/// The exact value of `sentence`, said where one of several is. Linear.
pub(super) fn exact(sentence: &str) -> Option<Exact> {
    let mut best = None;
    let mut before = "";
    for word in sentence.split_whitespace() {
        let value = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '~' | '+'));
        // The groups of a telephone number are one.
        let continues = is_digits(value) && is_digits(before.trim_start_matches('+'));
        if is_exact(value) || continues && digits(value) + digits(before) >= DIGITS {
            if before.ends_with(':') || SAYS.contains(&before) || continues {
                return Some(Exact::Said);
            }
            best = Some(Exact::Named);
        }
        before = word;
    }
    best
}

/// Whether nobody could guess a letter of `word`.
fn is_exact(word: &str) -> bool {
    let digits = digits(word);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let upper = word.chars().any(char::is_uppercase);
    let parts = |sign: char| word.split(sign).filter(|part| !part.is_empty()).count();
    match () {
        () if word.contains('@') => letters > 2 && parts('@') == 2 && word.contains('.'),
        // A path, and no choice: `and/or`.
        () if word.contains('/') => {
            letters > 2 && (parts('/') > 2 || word.starts_with(['/', '~']) || word.contains('.'))
        }
        () if word.contains('_') => letters > 2,
        // An account, an address of a machine; no price.
        () if letters == 0 => {
            parts('.') == 4 || digits >= DIGITS && !word.contains([',', '.', '$', '€', '£'])
        }
        // A code, and no `3rd`, `80s`, `10am`, `top-10`.
        () if digits > 0 => {
            let decade = word.strip_suffix('s').is_some_and(is_digits);
            upper && digits + letters >= 4 || digits >= 4 && !decade || parts('-') > 2
        }
        // A file.
        () => word.rsplit_once('.').is_some_and(|(name, ending)| {
            name.len() > 1
                && (2..=4).contains(&ending.len())
                && ending.bytes().all(|byte| byte.is_ascii_lowercase())
        }),
    }
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn digits(word: &str) -> usize {
    word.bytes().filter(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expect: Option<Exact>) {
        assert_eq!(exact(sentence), expect, "{sentence:?}");
    }

    #[test]
    fn values_to_the_letter() {
        check("The code of the gate is K7-4419.", Some(Exact::Said));
        check("Ticket: OPS-311", Some(Exact::Said));
        check("It lives under /srv/data/raw now.", Some(Exact::Said));
        check("Mail lena.k@example.org about it.", Some(Exact::Named));
        check("Ring +49 30 5512 8890 first.", Some(Exact::Said));
        check("Look into build_all.sh and config.yaml", Some(Exact::Named));
    }

    #[test]
    fn ordinary_words() {
        for sentence in [
            "On the 3rd we met at 10am, in the 80s style.",
            "Yes and/or no, he/she said.",
            "In 2023 it cost $1,250, or 1,250.50 with tax.",
            "I watched TV with the LGBTQ group, e.g. on Friday.",
            "Well-known and top-10 things. It was 4x4.",
            "",
        ] {
            check(sentence, None);
        }
    }
}
