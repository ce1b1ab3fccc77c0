//! The facts about a language that cutting depends on: whether it is code, its comments, the words of declarations.

use std::{collections::HashMap, path::Path, sync::LazyLock};

use contextfit_kernel::{Block, MeasuredBlock, TextKind};
use foldhash::fast::FixedState;

/// The places at which a text may be cut: lines, sentences, or elements of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Cut at lines.
    Code,
    /// Cut at sentences; a line is a paragraph or part of one.
    Prose,
    /// JSON is cut between members and elements, whether or not they are on separate lines; anything else is cut at
    /// lines, and within lines that nobody wrote by hand.
    Json,
}

impl Shape {
    /// The shape of a text of this `kind`.
    #[must_use]
    pub const fn of_kind(kind: TextKind) -> Self {
        match kind {
            TextKind::Json => Self::Json,
            TextKind::Prose => Self::Prose,
            _ => Self::Code,
        }
    }
}

/// A language, as far as it matters for cutting.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Language {
    /// The usual name, in lowercase.
    pub name: &'static str,
    /// Other names and file extensions, in lowercase.
    pub aliases: &'static [&'static str],
    /// Code or prose.
    pub shape: Shape,
    /// The text that opens a comment with a marker; empty if the language has no comments.
    pub comment_open: &'static str,
    /// The text that closes such a comment; empty for comments that end with the line.
    pub comment_close: &'static str,
    /// Words that begin a declaration.
    pub declares: &'static [&'static str],
    /// Words that may come before those of `declares`, such as a visibility.
    pub modifiers: &'static [&'static str],
    /// The [`mark`]s of all these words, by which most lines are ruled out as declarations. All bits if functions need
    /// no keyword.
    marks: u128,
}

/// One bit for the first two bytes of a word.
const fn mark(first: u8, second: u8) -> u128 {
    1 << ((first as u32 * 7 + second as u32 * 3) % 128)
}

/// The marks of `words`.
const fn marks(mut words: &[&str]) -> u128 {
    let mut marks = 0;
    while let Some((word, rest)) = words.split_first() {
        if let [first, second, ..] = word.as_bytes() {
            marks |= mark(*first, *second);
        }
        words = rest;
    }
    marks
}

/// Declares the table, one language per entry.
macro_rules! languages {
    ($($name:literal $aliases:tt $shape:ident $open:literal $close:literal $declares:tt $modifiers:tt;)*) => {
        &[$(Language {
            name: $name, aliases: &$aliases, shape: Shape::$shape, comment_open: $open, comment_close: $close,
            declares: &$declares, modifiers: &$modifiers,
            marks: if matches!($name.as_bytes(), b"c" | b"cpp") { u128::MAX } else { marks(&$declares) | marks(&$modifiers) },
        },)*]
    };
}

/// The languages. A name refers to the first one that has it as its name or as an alias.
static LANGUAGES: &[Language] = languages! {
    "typescript" ["ts", "tsx", "mts", "cts"] Code "//" ""
        ["function", "class", "interface", "type", "const", "let", "var", "enum", "namespace", "module"]
        ["export", "default", "declare", "abstract", "async", "public", "private", "protected", "static", "readonly", "get", "set"];
    "javascript" ["js", "jsx", "mjs", "cjs"] Code "//" ""
        ["function", "class", "const", "let", "var"]
        ["export", "default", "async", "static", "get", "set"];
    "python" ["py", "pyi", "pyw"] Code "#" "" ["def", "class", "type"] ["async"];
    "rust" ["rs"] Code "//" ""
        ["fn", "struct", "enum", "trait", "impl", "mod", "type", "const", "static", "union", "macro_rules"]
        ["pub", "async", "unsafe", "extern", "default"];
    "go" ["golang"] Code "//" "" ["func", "type", "const", "var", "package"] [];
    "java" [] Code "//" "" ["class", "interface", "enum", "record", "package"]
        ["public", "private", "protected", "static", "final", "abstract", "sealed", "strictfp", "native", "synchronized", "default"];
    "kotlin" ["kt", "kts"] Code "//" "" ["fun", "class", "interface", "object", "typealias", "val", "var", "package"]
        ["public", "private", "protected", "internal", "open", "override", "abstract", "data", "sealed", "suspend", "inline", "enum", "companion", "const"];
    "scala" ["sc"] Code "//" "" ["def", "class", "trait", "object", "type", "val", "var", "package", "enum"]
        ["private", "protected", "override", "final", "implicit", "lazy", "case", "sealed", "abstract"];
    "c" ["h"] Code "//" "" ["struct", "enum", "union", "typedef", "#define"] ["static", "extern", "inline", "const"];
    "cpp" ["c++", "cc", "cxx", "hpp", "hh", "hxx"] Code "//" ""
        ["class", "struct", "enum", "union", "namespace", "template", "typedef", "using", "#define"]
        ["static", "extern", "inline", "const", "constexpr", "virtual", "export"];
    "csharp" ["cs", "c#"] Code "//" "" ["class", "interface", "struct", "enum", "record", "namespace", "delegate"]
        ["public", "private", "protected", "internal", "static", "abstract", "sealed", "partial", "readonly", "async", "override", "virtual"];
    "swift" [] Code "//" "" ["func", "class", "struct", "enum", "protocol", "extension", "typealias", "let", "var", "init", "actor"]
        ["public", "private", "internal", "open", "fileprivate", "static", "final", "override", "mutating"];
    "php" [] Code "//" "" ["function", "class", "interface", "trait", "enum", "const", "namespace"]
        ["public", "private", "protected", "static", "abstract", "final", "readonly"];
    "ruby" ["rb", "rake", "gemspec"] Code "#" "" ["def", "class", "module"] ["private", "public", "protected"];
    "bash" ["sh", "zsh", "shell", "ksh"] Code "#" "" ["function", "export", "declare", "alias"] [];
    "lua" [] Code "--" "" ["function", "local"] [];
    "perl" ["pl", "pm"] Code "#" "" ["sub", "package"] [];
    "elixir" ["ex", "exs"] Code "#" "" ["def", "defp", "defmodule", "defmacro", "defstruct"] [];
    "haskell" ["hs"] Code "--" "" ["data", "type", "newtype", "class", "instance", "module"] [];
    "sql" [] Code "--" "" ["create", "alter", "CREATE", "ALTER"] [];
    "r" [] Code "#" "" [] [];
    "zig" [] Code "//" "" ["fn", "const", "var", "test"] ["pub", "export", "inline", "extern"];
    "dart" [] Code "//" "" ["class", "enum", "mixin", "extension", "typedef", "void"] ["abstract", "static", "final", "const"];
    "css" ["scss", "less", "sass"] Code "/*" " */" [] [];
    "html" ["htm", "xml", "svg", "vue", "svelte", "xhtml"] Code "<!--" " -->" [] [];
    "yaml" ["yml"] Code "#" "" [] [];
    "toml" [] Code "#" "" [] [];
    "ini" ["cfg", "conf", "properties", "env"] Code "#" "" [] [];
    "json" ["jsonc", "json5", "ndjson", "jsonl"] Code "//" "" [] [];
    "dockerfile" [] Code "#" "" [] [];
    "makefile" ["mk", "make"] Code "#" "" [] [];
    "cmake" [] Code "#" "" ["function", "macro"] [];
    "protobuf" ["proto"] Code "//" "" ["message", "service", "enum", "rpc"] [];
    "graphql" ["gql"] Code "#" "" ["type", "interface", "enum", "input", "union", "query", "mutation"] [];
    "assembly" ["asm", "s"] Code ";" "" [] [];
    "code" [] Code "//" ""
        ["function", "class", "interface", "type", "const", "let", "var", "enum", "namespace", "def", "fn", "func", "struct", "trait", "impl", "module"]
        ["export", "default", "pub", "public", "private", "protected", "static", "abstract", "async"];
    "diff" ["patch"] Code "#" "" [] [];
    "log" [] Code "" "" [] [];
    "csv" ["tsv"] Code "" "" [] [];
    "markdown" ["md", "mdx", "rst", "adoc", "org"] Prose "" "" [] [];
    "text" ["txt", "plain", "tex"] Prose "" "" [] [];
};

/// Whether a declaration can begin with `word` in any language.
pub(crate) fn begins_declaration(word: &str) -> bool {
    LANGUAGES.iter().any(|language| language.declares.contains(&word) || language.modifiers.contains(&word))
}

impl Language {
    /// The language called `name`: its name, an alias, or its usual file extension, in any case.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_text as text; }
    /// use contextfit::text::Language;
    ///
    /// assert_eq!(Language::named("TS").map(|language| language.name), Some("typescript"));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        static BY_NAME: LazyLock<HashMap<&str, &Language, FixedState>> = LazyLock::new(|| {
            // A name refers to the first language that has it, which is inserted last.
            let names = |language: &'static Language| {
                language.aliases.iter().chain([&language.name]).map(move |name| (*name, language))
            };
            LANGUAGES.iter().rev().flat_map(names).collect()
        });
        BY_NAME.get(name).copied().or_else(|| BY_NAME.get(name.to_ascii_lowercase().as_str()).copied())
    }

    /// The language of the file at `path`, by its extension or, without one, by its name.
    #[must_use]
    pub fn of_path(path: &str) -> Option<&'static Self> {
        let path = Path::new(path);
        let name = path.extension().or_else(|| path.file_name())?;
        Self::named(name.to_str()?)
    }

    /// The language of the script `text`, by the interpreter in its first line (`#!/usr/bin/env python3`).
    #[must_use]
    pub fn of_shebang(text: &str) -> Option<&'static Self> {
        let line = text.strip_prefix("#!")?.lines().next()?;
        let mut words =
            line.split(['/', ' ', '\t']).filter(|word| !word.is_empty() && !word.starts_with('-'));
        let is_name = |word: &&str| !matches!(*word, "usr" | "bin" | "local" | "opt" | "env");
        let name = words.find(is_name)?.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        Self::named(if name == "node" { "javascript" } else { name })
    }

    /// The language of `block`: the declared one, else by its path, else by its first line. `None` if it is unknown;
    /// then the text is treated as prose.
    #[must_use]
    pub fn of_block(block: &Block) -> Option<&'static Self> {
        let passage = block.as_passage();
        let named = passage.and_then(|passage| passage.language.as_deref()).and_then(Self::named);
        let by_path = || passage.and_then(|passage| passage.path.as_deref()).and_then(Self::of_path);
        named.or_else(by_path).or_else(|| Self::of_shebang(&block.text))
    }

    /// The language of a block, as by [`of_block`](Self::of_block). If the block was measured with its language, its
    /// text is not read. Constant time.
    #[must_use]
    pub fn of_measured(measured: &MeasuredBlock<'_>) -> Option<&'static Self> {
        measured.language().map_or_else(|| Self::of_block(measured.block()), Self::named)
    }

    /// The marker for a gap: the text `missing` in a comment of the language, or in brackets if it has none.
    #[must_use]
    pub fn marker(language: Option<&Self>, missing: &str) -> String {
        match language {
            Some(Self { comment_open, comment_close, .. }) if !comment_open.is_empty() => {
                [comment_open, " ... ", missing, comment_close].concat()
            }
            _ => ["[... ", missing, "]"].concat(),
        }
    }

    /// The signs that open and close a comment within a line, in languages that also have comments up to the end of the
    /// line.
    #[must_use]
    pub fn comment_within(&self) -> Option<(&'static str, &'static str)> {
        (self.comment_open == "//" && !matches!(self.name, "zig" | "json")).then_some(("/*", "*/"))
    }

    /// Whether `line` begins a declaration: modifiers, if any, and then a declaring word, each as a whole word.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_text as text; }
    /// use contextfit::text::Language;
    ///
    /// let typescript = Language::named("typescript").unwrap();
    /// assert!(typescript.declares("export async function load() {"));
    /// assert!(!typescript.declares("  constructor(private x: number) {"));
    /// ```
    #[must_use]
    pub fn declares(&self, line: &str) -> bool {
        let mut rest = line.trim_ascii_start();
        if !self.may_declare(rest.as_bytes()) {
            return false;
        }
        loop {
            let in_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'#' | 0x80..);
            let end = rest.bytes().position(|byte| !in_word(byte)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            if self.declares.contains(&word) {
                // In `type: "x"` and `let = 1`, the word is a name.
                return !behind.trim_ascii_start().starts_with([':', '=', '.', ',', ')', ';']);
            }
            if !self.modifiers.contains(&word) {
                return self.declares_function(line, rest);
            }
            let behind = behind.trim_start();
            // `pub(crate)` and `extern "C"` have an argument.
            rest = match behind.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
                Some((_, after)) => after.trim_start(),
                None => match behind.strip_prefix('"').and_then(|inner| inner.split_once('"')) {
                    Some((_, after)) => after.trim_start(),
                    None => behind,
                },
            };
        }
    }

    /// Whether a line may begin a declaration, judged by its first two bytes after white space; if not, it certainly
    /// does not [declare](Self::declares) anything. Constant time.
    #[must_use]
    pub const fn may_declare(&self, visible: &[u8]) -> bool {
        match visible {
            [first, second, ..] => self.marks & mark(*first, *second) != 0,
            _ => false,
        }
    }

    /// Whether `line`, of which `rest` follows the modifiers, begins a function without a keyword: after modifiers, a
    /// method (`public int size() {`); in C and C++, any unindented line with a parameter list that is not a statement.
    fn declares_function(&self, line: &str, rest: &str) -> bool {
        let modified = rest.len() < line.trim_ascii_start().len();
        (modified || self.declares_unindented(line))
            && rest.contains('(')
            && !line.trim_ascii_end().ends_with(';')
    }

    /// Whether `line` may begin a function in C or C++, where functions are unindented.
    fn declares_unindented(&self, line: &str) -> bool {
        matches!(self.name, "c" | "cpp") && line.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}
