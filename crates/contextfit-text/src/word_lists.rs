//! Knowledge as data: lists of words and phrases, read from texts of sections.

use std::{
    collections::{HashMap, HashSet},
    sync::{LazyLock, OnceLock},
};

use foldhash::fast::FixedState;

/// What outputs of tools say: outcomes, errors, signs of success, frames of traces. `tools.txt` describes the lists.
pub static TOOLS: LazyLock<WordLists> = LazyLock::new(|| WordLists::new([include_str!("../tools.txt")]));

/// Lists of words and phrases by their names.
///
/// In the texts they are read from, `[name]` begins a list and `# ` a line of comment. Words are separated by white
/// space, and phrases by semicolons and line ends; quotation marks around a phrase keep the blanks at its ends.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::WordLists;
///
/// let lists = WordLists::new(["[greetings]\n# In lowercase.\nhello hi", "[partings]\nsee you; so long; \" bye\""]);
/// assert!(lists.list("greetings").has("hi"));
/// assert_eq!(lists.list("partings").phrases(), ["see you", "so long", " bye"]);
/// ```
#[derive(Debug, Default)]
pub struct WordLists {
    lists: HashMap<&'static str, WordList, FixedState>,
}

impl WordLists {
    /// Reads `texts`; lists of the same name are joined. Linear.
    #[must_use]
    pub fn new(texts: impl IntoIterator<Item = &'static str>) -> Self {
        Self::of(texts.into_iter().flat_map(lists_in))
    }

    /// Joins `lists`, each with its name and phrases.
    pub(crate) fn of(
        lists: impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)>,
    ) -> Self {
        let mut read = Self::default();
        for (name, phrases) in lists {
            read.lists.entry(name).or_default().phrases.extend(phrases);
        }
        read
    }

    /// The list `name`; if there is none, an empty one, and debug builds panic. Constant time.
    #[must_use]
    pub fn list(&self, name: &str) -> &WordList {
        static NONE: LazyLock<WordList> = LazyLock::new(WordList::default);
        let list = self.lists.get(name);
        debug_assert!(list.is_some(), "there is no list {name:?}");
        list.unwrap_or(&NONE)
    }
}

/// A list of words or phrases.
#[derive(Debug, Default)]
pub struct WordList {
    phrases: Vec<&'static str>,
    /// Made at the first question about a word: most lists of a text are never asked for.
    words: OnceLock<HashSet<&'static str, FixedState>>,
}

impl WordList {
    /// Its phrases in order.
    #[must_use]
    pub fn phrases(&self) -> &[&'static str] {
        &self.phrases
    }

    /// Whether `word` is one of its words, or of the words of its phrases. Constant time.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.set().contains(word)
    }

    /// Its words and those of its phrases, in no particular order.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.set().iter().copied()
    }

    fn set(&self) -> &HashSet<&'static str, FixedState> {
        self.words.get_or_init(|| self.phrases.iter().copied().flat_map(str::split_whitespace).collect())
    }
}

/// The lists in `text`, each with its name and phrases.
pub(crate) fn lists_in(
    text: &'static str,
) -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    let lists = text.split("\n[").enumerate().filter_map(|(n, list)| match n {
        0 => list.strip_prefix('['),
        _ => Some(list),
    });
    lists.filter_map(|list| list.split_once(']')).map(|(name, list)| (name, phrases(list)))
}

fn phrases(list: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = list.lines().filter(|line| !line.starts_with("# "));
    let phrases = lines.flat_map(|line| line.split(';')).map(str::trim).filter(|phrase| !phrase.is_empty());
    phrases.map(|phrase| phrase.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(phrase))
}

/// For each word of the list `name` in `texts`, the texts that have it there: one bit each, in order.
pub(crate) fn texts_by_word(
    name: &str,
    texts: impl IntoIterator<Item = &'static str>,
) -> HashMap<&'static str, u32, FixedState> {
    let mut by_word = HashMap::default();
    for (n, text) in texts.into_iter().enumerate() {
        let lists = lists_in(text).filter(|(list, _)| *list == name);
        let words = lists.flat_map(|(_, phrases)| phrases.flat_map(str::split_whitespace));
        words.for_each(|word| *by_word.entry(word).or_insert(0) |= 1 << n);
    }
    by_word
}
