//! One line, read once.

use std::sync::LazyLock;

use crate::{NaturalLanguage, TOOLS, language::begins_declaration};

/// A line of a sample, with what its bytes are.
#[derive(Debug, Default)]
pub(super) struct SampleLine<'t> {
    /// The line without white space at its end, and also without that at its beginning.
    pub(super) text: &'t str,
    pub(super) body: &'t str,
    /// The whole line up to its end, of which a long one is read in part.
    pub(super) whole: &'t str,
    /// Bytes of white space at its beginning.
    pub(super) indent: usize,
    /// The first word.
    pub(super) first: &'t str,
    /// What comes before a colon with a blank or nothing behind it, or before an equals sign; and that sign.
    pub(super) key: Option<(&'t str, char)>,
    /// Characters of its body; letters of ASCII, other letters, digits, signs, capitals of ASCII.
    pub(super) chars: usize,
    pub(super) letters: usize,
    pub(super) wide: usize,
    pub(super) digits: usize,
    pub(super) signs: usize,
    pub(super) uppercase: usize,
    pub(super) commas: usize,
    pub(super) bars: usize,
    pub(super) quotes: usize,
    /// Runs of two blanks or more, or a tab.
    pub(super) gaps: usize,
    /// Words between white space; those of letters with nothing but a stop behind them; stop words of any language;
    /// those of three capitals or more; those that are numbers, and those that are hexadecimal.
    pub(super) words: usize,
    pub(super) plain: usize,
    pub(super) stop_words: usize,
    pub(super) capitals: usize,
    pub(super) numbers: usize,
    pub(super) hex: usize,
    /// Whether a word says how something ended, or that it went wrong.
    pub(super) has_outcome: bool,
    pub(super) has_finding: bool,
    pub(super) has_time: bool,
    /// Whether a bracket follows a letter.
    pub(super) has_call: bool,
    /// The number that the line begins with, as listings print it.
    pub(super) number: Option<u64>,
    /// The classes of its first words.
    pub(super) look: [char; LOOK],
}

/// A time is looked for in this many bytes.
const STAMP_WITHIN_BYTES: usize = 40;

/// Words that say how something ended, and that something went wrong.
static OUTCOMES: LazyLock<Vec<&str>> = LazyLock::new(|| TOOLS.list("outcomes").words().collect());
static FINDINGS: LazyLock<Vec<&str>> = LazyLock::new(|| TOOLS.list("findings").words().collect());

/// This many words make the look of a line.
const LOOK: usize = 3;

impl<'t> SampleLine<'t> {
    /// Reads the first `width` bytes of `line`.
    pub(super) fn read(line: &'t str, width: usize) -> Self {
        let whole = line.trim_end();
        let text = whole.get(..whole.floor_char_boundary(width)).unwrap_or(whole).trim_end();
        let body = text.trim_start();
        let mut read = Self { text, body, whole, indent: text.len() - body.len(), ..Self::default() };
        read.read_chars();
        read.read_words();
        let start = body.as_bytes().get(..body.len().min(STAMP_WITHIN_BYTES)).unwrap_or_default();
        read.has_time = start.windows(5).enumerate().any(|(at, part)| {
            let before = at.checked_sub(1).and_then(|before| start.get(before));
            matches!(part, [a, b, b':', c, d] if [a, b, c, d].into_iter().all(u8::is_ascii_digit))
                && before.is_none_or(|byte| !byte.is_ascii_digit())
        });
        read.number = number(body);
        read.first = body.split_whitespace().next().unwrap_or_default();
        read.key = key(body);
        read
    }

    fn read_chars(&mut self) {
        let mut before = '\0';
        let mut blanks = 0;
        for c in self.body.chars() {
            self.chars += 1;
            self.gaps += usize::from(c != ' ' && blanks > 1 || c == '\t');
            blanks = if c == ' ' { blanks + 1 } else { 0 };
            match c {
                'a'..='z' => self.letters += 1,
                'A'..='Z' => (self.letters, self.uppercase) = (self.letters + 1, self.uppercase + 1),
                '0'..='9' => self.digits += 1,
                ' ' | '\t' => {}
                ',' => (self.signs, self.commas) = (self.signs + 1, self.commas + 1),
                '|' => (self.signs, self.bars) = (self.signs + 1, self.bars + 1),
                '"' | '\'' | '`' => (self.signs, self.quotes) = (self.signs + 1, self.quotes + 1),
                c if c.is_ascii() => self.signs += 1,
                c => self.wide += usize::from(c.is_alphabetic()),
            }
            self.has_call |= c == '(' && (before.is_alphanumeric() || before == '_');
            before = c;
        }
    }

    fn read_words(&mut self) {
        for word in self.body.split_whitespace() {
            self.words += 1;
            let bare = word.trim_matches(is_stop);
            let is_plain =
                !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'));
            self.plain += usize::from(is_plain);
            self.stop_words += usize::from(is_plain && NaturalLanguage::is_any_stop_word(bare));
            let capitals = bare.len() > 2 && bare.bytes().all(|byte| byte.is_ascii_uppercase());
            self.capitals += usize::from(capitals);
            let is_number = bare.starts_with(|c: char| c.is_ascii_digit())
                && bare
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'%' | b'-' | b'+'));
            self.numbers += usize::from(is_number);
            let head = bare.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let is_any = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(head));
            self.has_outcome |= is_any(&OUTCOMES);
            self.has_finding |= is_any(&FINDINGS) || head.ends_with("Error") || head.ends_with("Exception");
            self.hex += usize::from(bare.len() > 1 && is_hex(bare.trim_start_matches("0x")));
            if let Some(look) = self.look.get_mut(self.words - 1) {
                *look = match () {
                    () if is_number => '0',
                    () if capitals => 'A',
                    () if is_plain && bare.starts_with(char::is_uppercase) => 'X',
                    () if is_plain => 'x',
                    () if bare.is_empty() => word.chars().next().unwrap_or(' '),
                    () if bare.contains(':') => ':',
                    () if bare.contains(['/', '\\']) => '/',
                    () if bare.contains(|c: char| c.is_ascii_digit()) => 'n',
                    () => '_',
                };
            }
        }
    }

    /// Whether a number follows a path and a colon or a bracket: `a.rs:3`, `a.ts(3,14)`, `line 3`.
    pub(super) fn has_place(&self) -> bool {
        self.body.split_whitespace().any(|word| {
            let Some((path, rest)) = word.split_once([':', '(']) else { return false };
            path.contains(['.', '/'])
                && rest.starts_with(|c: char| c.is_ascii_digit())
                && !path.ends_with("http")
                && path.contains(|c: char| c.is_alphabetic())
        })
    }

    /// Whether one of the first words is the hash of a commit.
    pub(super) fn has_hash(&self) -> bool {
        let is_hash = |word: &str| {
            let is_short =
                (7..40).contains(&word.len()) && word.bytes().any(|byte| byte.is_ascii_lowercase());
            is_hex(word) && (word.len() == 40 || is_short)
        };
        self.words > 1 && self.body.split_whitespace().take(LOOK).any(is_hash)
    }

    /// Whether a path and the number of a line come before the text of that line, as `grep -n` prints it: `a.rs:3:  x`,
    /// `a.rs-4-y`.
    pub(super) fn quotes_line(&self) -> bool {
        let found = |sign: char| {
            let (path, rest) = self.body.split_once(sign)?;
            let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_path = path.contains(['/', '.']) && !path.contains(char::is_whitespace);
            let behind = text.strip_prefix(sign)?;
            let is_text = !behind.starts_with(|c: char| c.is_ascii_digit())
                && (!behind.starts_with(' ') || behind.starts_with("  "));
            Some(is_path && text.len() < rest.len() && is_text)
        };
        found(':') == Some(true) || found('-') == Some(true)
    }

    /// Whether the line begins with a word that begins a declaration in some language.
    pub(super) fn declares(&self) -> bool {
        let mut words = self.body.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '#');
        words.next().is_some_and(begins_declaration) && self.words > 1
    }
}

/// Whether `c` stands beside words: stops, quotes, brackets, emphasis.
const fn is_stop(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '"' | '\'' | '(' | ')' | '*' | '_')
        || matches!(c, '“' | '”' | '‘' | '’' | '„' | '«' | '»')
}

/// Whether `word` is hexadecimal, and not a number or a word.
pub(super) fn is_hex(word: &str) -> bool {
    word.len() > 1
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// What `body` has before a colon or an equals sign that stands for itself.
fn key(body: &str) -> Option<(&str, char)> {
    let at = body.find([':', '='])?;
    let (key, rest) = body.split_at_checked(at)?;
    let sign = rest.chars().next()?;
    let behind = rest.get(1..)?;
    let is_key = !key.is_empty()
        && key.len() < 40
        && key.split_whitespace().count() < 5
        && !key.contains(['(', '{', '"', '<', '/']);
    let stands = match sign {
        ':' => behind.is_empty() || behind.starts_with([' ', '\t']),
        _ => !behind.starts_with(['=', '>']),
    };
    (is_key && stands).then_some((key.trim(), sign))
}

/// The number that `body` begins with, if a sign that divides it from a line follows.
fn number(body: &str) -> Option<u64> {
    let behind = body.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = body.len() - behind.len();
    let divided = behind.starts_with(['\t', '|', '\u{2192}', ':'])
        || behind.starts_with("  ")
        || behind.starts_with(" | ");
    body.get(..digits).filter(|_| (1..=7).contains(&digits) && divided)?.parse().ok()
}
