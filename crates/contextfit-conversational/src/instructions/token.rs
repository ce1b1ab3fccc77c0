//! Tokens of a sentence: what cues are stated in.

use std::borrow::Cow;

use contextfit_text::Analyzer;

use super::words::is_number;

/// A word of a sentence as cues see it: lower case, without accents, contractions written out.
///
/// A currency sign is a word, and so is each character of Chinese and Japanese.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    /// The folded word.
    pub(super) text: Cow<'a, str>,
    /// As it stands in the sentence.
    pub(super) source: &'a str,
    /// Whether a comma, a stop, a bracket, a dash or the start of the sentence stands before it.
    pub(super) opens: bool,
    /// Whether a colon follows.
    pub(super) colon: bool,
    /// Whether it stands within quotation marks.
    pub(super) quoted: bool,
}

impl Token<'_> {
    /// Whether it is a word of capitals alone.
    pub(super) fn shouts(&self) -> bool {
        let mut letters = 0;
        self.source.chars().all(|c| {
            letters += usize::from(c.is_uppercase());
            c.is_uppercase() || !c.is_alphabetic()
        }) && letters > 1
    }

    /// Whether it has a digit or is a currency sign.
    pub(super) fn is_number(&self) -> bool {
        self.text.starts_with(is_currency) || self.text.contains(|c: char| c.is_numeric())
    }

    /// Whether it is a number, in digits or in words.
    pub(super) fn is_numeral(&self) -> bool {
        self.is_number() || is_number(&self.text)
    }

    /// Whether it begins with a capital that does not come from where it stands: the name of something.
    pub(super) fn is_name(&self) -> bool {
        self.is_capitalised() && !self.opens && self.source.len() > 1
    }

    /// Whether it begins with a capital.
    pub(super) fn is_capitalised(&self) -> bool {
        self.source.starts_with(char::is_uppercase)
    }
}

/// The tokens of `sentence`. Linear.
pub(super) fn tokens(sentence: &str) -> Vec<Token<'_>> {
    let mut reader = Reader { found: Vec::with_capacity(sentence.len() / 5), opens: true, quote: None };
    let mut rest = sentence;
    while let Some(c) = rest.chars().next() {
        let len = match c {
            _ if is_dense(c) || is_currency(c) => c.len_utf8(),
            _ if is_word(c) => word_len(rest),
            _ => {
                reader.mark(c, rest);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
                continue;
            }
        };
        let (word, behind) = rest.split_at_checked(len).unwrap_or((rest, ""));
        reader.word(word);
        rest = behind;
    }
    reader.found
}

/// Bytes of a quotation within a sentence, at most.
const LONGEST_QUOTE: usize = 1000;

struct Reader<'a> {
    found: Vec<Token<'a>>,
    opens: bool,
    /// The mark that closes the quotation.
    quote: Option<char>,
}

impl<'a> Reader<'a> {
    /// Takes a mark that is no part of a word.
    fn mark(&mut self, c: char, rest: &str) {
        match c {
            _ if self.quote == Some(c) => self.quote = None,
            '"' | '“' | '«' | '„' | '「' | '`' if self.quote.is_none() => {
                let close = match c {
                    '“' => '”',
                    '«' => '»',
                    '„' => '“',
                    '「' => '」',
                    same => same,
                };
                let behind = rest.get(c.len_utf8()..).unwrap_or_default();
                let near = behind.get(..behind.floor_char_boundary(LONGEST_QUOTE)).unwrap_or_default();
                // A mark that is never closed quotes nothing.
                self.quote = near.contains(close).then_some(close);
            }
            ':' | '：' => {
                self.opens = true;
                if let Some(last) = self.found.last_mut() {
                    last.colon = true;
                }
            }
            ',' | ';' | '.' | '!' | '?' | '(' | ')' | '[' | ']' | '–' | '—' | '…' | '、' | '，' | '。'
            | '；' | '！' | '？' | '（' | '）' | '\n' => self.opens = true,
            _ => {}
        }
    }

    fn word(&mut self, word: &'a str) {
        let word = word.trim_end_matches(APOSTROPHES);
        let (word, ending) = word.rsplit_once(APOSTROPHES).unwrap_or((word, ""));
        let word = word.trim_start_matches(APOSTROPHES);
        let ending = match ending {
            "t" | "T" => {
                let stem = word.strip_suffix(['n', 'N']).unwrap_or(word);
                let stem = match stem {
                    "wo" | "Wo" | "WO" => "will",
                    "ca" | "Ca" | "CA" => "can",
                    "sha" => "shall",
                    stem => stem,
                };
                match word {
                    // Spelt apart in transcripts: `don 't`.
                    "" => self.complete(),
                    _ => self.push(stem, word),
                }
                self.push("not", ending);
                return;
            }
            "m" | "M" => "am",
            "re" | "RE" => "are",
            "ve" | "VE" => "have",
            "ll" | "LL" => "will",
            "d" | "D" => "would",
            "s" | "S" if is_let(word) => "us",
            "s" | "S" => "is",
            ending => ending,
        };
        match word {
            "cannot" | "Cannot" | "CANNOT" => {
                self.push("can", word);
                self.push("not", word);
            }
            "dont" | "Dont" | "DONT" => {
                self.push("do", word);
                self.push("not", word);
            }
            _ => {
                // An elided article or pronoun: `l'adresse`, `n'utilise`.
                self.push(word, word);
                self.push(ending, ending);
            }
        }
    }

    /// Takes the `n` off a `don` whose `'t` follows.
    fn complete(&mut self) {
        if let Some(last) = self.found.last_mut() {
            last.text = match last.text.as_ref() {
                "don" => "do".into(),
                "won" => "will".into(),
                "can" => "can".into(),
                other => other.strip_suffix('n').unwrap_or(other).to_owned().into(),
            };
        }
    }

    fn push(&mut self, word: &'a str, source: &'a str) {
        if word.is_empty() {
            return;
        }
        let text = if word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            Cow::Borrowed(word)
        } else {
            Analyzer::new(None).term(word).unwrap_or(Cow::Borrowed(word))
        };
        let quoted = self.quote.is_some();
        self.found.push(Token { text, source, opens: self.opens, colon: false, quoted });
        self.opens = false;
    }
}

const APOSTROPHES: [char; 2] = ['\'', '’'];

fn is_let(word: &str) -> bool {
    word.eq_ignore_ascii_case("let")
}

/// Whether `c` is a part of words. Hyphens, slashes and stops part them.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || APOSTROPHES.contains(&c) || matches!(c, '\u{300}'..='\u{36f}')
}

/// The length of the word that `text` begins with.
fn word_len(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let goes_on = match c {
            // Within a number.
            '.' | ',' => {
                let digit = |c: char| c.is_ascii_digit();
                at > 0
                    && text.get(..at).is_some_and(|before| before.ends_with(digit))
                    && chars.peek().is_some_and(|&(_, next)| digit(next))
            }
            c => is_word(c) && !is_dense(c),
        };
        if !goes_on {
            return at;
        }
    }
    text.len()
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '%')
}

/// Whether `c` is a character of Chinese or Japanese.
const fn is_dense(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30fa}' | 'ー'..='ヿ' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expect: &str) {
        let found: Vec<_> = tokens(sentence).iter().map(|token| token.text.to_string()).collect();
        assert_eq!(found.join(" "), expect);
    }

    #[test]
    fn folded() {
        check("", "");
        check("Don't, I won’t; he can't!", "do not i will not he can not");
        check("I don 't think it 's so", "i do not think it is so");
        check("Let's go: I'd say 1,200.50 $", "let us go i would say 1,200.50 $");
        check("N’utilise jamais l'été", "n utilise jamais l ete");
        check("请不要用表格", "请 不 要 用 表 格");
        check("Verwende bitte Maße", "verwende bitte maße");
        check("' '' 'a' '", "a");
    }

    #[test]
    fn marked() {
        let found = tokens("NOTE: say \"never again\", please");
        let flags: Vec<_> =
            found.iter().map(|token| (token.opens, token.colon, token.quoted, token.shouts())).collect();
        assert_eq!(flags[0], (true, true, false, true));
        assert_eq!(flags[1], (true, false, false, false));
        assert_eq!(flags[2], (false, false, true, false));
        assert_eq!(flags[4], (true, false, false, false));
    }
}
