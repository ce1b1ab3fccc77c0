//! The outline of code without a grammar, by indentation, brackets and declaring words.

use contextfit_kernel::{ByteRange, Values};
use contextfit_text::Language;

use crate::{ItemKind, Outline, OutlineItem, lines::Lines};

/// Words that declare something with members.
const TYPES: &str = "actor class defmodule enum extension impl interface message mixin module namespace object package \
    protocol record service struct trait type union";

/// The outline in which every line starts an item. Deeper-indented lines below it are its parts, and a line at its own
/// indentation that opens or closes a bracket belongs to it too, as do the comment and the annotations just before it.
/// Linear.
pub(crate) fn outline(lines: &Lines<'_>, language: &Language) -> Outline {
    let mut reading = Reading { items: Vec::new(), open: Vec::new(), preface: None, end: 0 };
    let mut in_comment = false;
    for row in 0..lines.len() {
        let line = lines.trimmed(row);
        if line.is_empty() {
            continue;
        }
        let is_comment = in_comment || starts_comment(line, language);
        if is_comment {
            let opener = if in_comment { 0 } else { 2 };
            let is_block = in_comment || line.starts_with("/*");
            in_comment = is_block && !line.get(opener..).is_some_and(|rest| rest.contains("*/"));
        }
        reading.read(row, line, lines.indentation(row), is_comment);
    }
    reading.close(|_| true);
    reading.outline(lines, language)
}

/// Whether `line` starts a comment.
fn starts_comment(line: &str, language: &Language) -> bool {
    let open = language.comment_open;
    !open.is_empty() && line.starts_with(open) || open == "//" && line.starts_with("/*")
}

/// Whether `line` says something about the item after it: `@Override`, `[Obsolete]`, `#[test]`.
fn is_annotation(line: &str) -> bool {
    let is_attribute = |open: &str| line.starts_with(open) && line.ends_with(']');
    line.starts_with('@') || is_attribute("[") || is_attribute("#[")
}

/// Whether `line` only opens or closes a bracket of the line above it.
fn continues(line: &str) -> bool {
    line.starts_with(['{', '}', ')', ']']) || line == "end" || line.starts_with("end ")
}

/// An item under construction, in rows.
struct LineItem {
    parent: Option<usize>,
    from: usize,
    /// The row that says what it is; `None` for a comment.
    head: Option<usize>,
    end: usize,
}

/// Comments and annotations that belong to the next item, if that follows at the same indentation.
struct Preface {
    item: usize,
    depth: usize,
    /// The row after the comments.
    comment: usize,
}

struct Reading {
    items: Vec<LineItem>,
    /// Items that may continue, the outermost first, and their indentation.
    open: Vec<(usize, usize)>,
    preface: Option<Preface>,
    /// The row after the last one that was read.
    end: usize,
}

impl Reading {
    fn read(&mut self, row: usize, line: &str, depth: usize, is_comment: bool) {
        let known =
            self.preface.take().filter(|known| self.end == row && (known.depth == depth || is_comment));
        if let Some(mut preface) = known {
            self.end = row + 1;
            let of_comments = is_comment && preface.comment == row;
            preface.comment += usize::from(of_comments);
            let (item, comment) = (preface.item, preface.comment);
            if is_comment || is_annotation(line) {
                self.preface = Some(preface);
                return;
            }
            let Some(held) = self.items.get_mut(item) else { return };
            held.head = Some(row);
            let (from, parent) = (held.from, Some(item));
            self.items.extend((from < comment).then_some(LineItem {
                parent,
                from,
                head: None,
                end: comment,
            }));
            return;
        }
        self.close(|indentation| indentation > depth);
        let is_above = self.open.last().is_some_and(|(_, indentation)| *indentation == depth);
        if is_above && continues(line) && !is_comment {
            self.end = row + 1;
            return;
        }
        self.close(|indentation| indentation == depth);
        self.end = row + 1;
        let parent = self.open.last().map(|&(item, _)| item);
        let item = self.items.len();
        let is_preface = is_comment || is_annotation(line);
        self.items.push(LineItem { parent, from: row, head: (!is_comment).then_some(row), end: row });
        self.open.push((item, depth));
        let comment = row + usize::from(is_comment);
        self.preface = is_preface.then_some(Preface { item, depth, comment });
    }

    /// Ends the innermost items with such an indentation.
    fn close(&mut self, ends: impl Fn(usize) -> bool) {
        while let Some((item, _)) = self.open.pop_if(|(_, indentation)| ends(*indentation)) {
            self.items.change(item, |item| item.end = self.end);
        }
    }

    fn outline(self, lines: &Lines<'_>, language: &Language) -> Outline {
        let mut has_parts = vec![false; self.items.len()];
        for item in self.items.iter().filter(|item| item.head.is_some()) {
            let parent = item.parent.and_then(|parent| has_parts.get_mut(parent));
            parent.into_iter().for_each(|has| *has = true);
        }
        let mut outline = Outline::default();
        for (item, has_parts) in self.items.iter().zip(has_parts) {
            let above = item
                .parent
                .and_then(|parent| outline.items.get(parent))
                .map(|above: &OutlineItem| above.kind);
            let head = item.head.map_or("", |head| lines.trimmed(head));
            let (kind, name) = match item.head {
                None => (ItemKind::Comment, ""),
                Some(_) => defined(head, language, above, has_parts),
            };
            let start = item.head.map_or(0, |head| lines.first(head));
            let at = (name.as_ptr() as usize).wrapping_sub(head.as_ptr() as usize);
            let name = ByteRange::new(start + at, start + at + name.len()).filter(|_| !name.is_empty());
            let range = ByteRange::new(lines.start(item.from), lines.start(item.end));
            let range = range.unwrap_or_else(|| ByteRange::whole(""));
            outline.items.push(OutlineItem { kind, parent: item.parent, range, name, required: false });
        }
        outline
    }
}

/// What the line `head` defines inside something of kind `above`, and its name; empty if it has none.
fn defined<'t>(
    head: &'t str,
    language: &Language,
    above: Option<ItemKind>,
    has_parts: bool,
) -> (ItemKind, &'t str) {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let is_type = |word: &&str| TYPES.split(' ').any(|known| known == *word);
    let declares = language.declares(head);
    let (before, _) = head.split_once(['=', '{']).unwrap_or((head, ""));
    let words: Vec<&str> = before.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let of_type = words.iter().position(is_type).filter(|_| declares);
    if let Some(place) = of_type {
        return (ItemKind::Type, words.at(place + 1));
    }
    let called = before.split_once('(').map(|(called, _)| called.trim_end());
    let name = called.and_then(|called| called.rsplit(|c| !is_word(c)).next()).unwrap_or_default();
    let name = if language.declares.contains(&name) { "" } else { name };
    let is_method = has_parts
        && !name.is_empty()
        && match above {
            Some(ItemKind::Type) => true,
            // After the type that it returns.
            None => called.is_some_and(|called| called.contains([' ', '\t'])),
            Some(_) => false,
        };
    if !name.is_empty() && declares || is_method {
        (ItemKind::Function, name)
    } else if declares && has_parts {
        (ItemKind::Function, words.last().copied().unwrap_or_default())
    } else {
        (ItemKind::Other, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definitions and comments of a text, indented by nesting.
    #[track_caller]
    fn check(language: &str, text: &str, expect: &str) {
        let outline = outline(&Lines::new(text), Language::named(language).unwrap());
        let mut found = String::new();
        for item in outline.items.iter().filter(|item| item.kind != ItemKind::Other) {
            let above = std::iter::successors(item.parent, |&n| outline.items[n].parent);
            let name = item.name.and_then(|name| name.of(text)).unwrap_or_default();
            let lines = item.range.of(text).unwrap().lines().count();
            found.push_str(&format!("{}{:?} {name} {lines}\n", " ".repeat(above.count()), item.kind));
        }
        assert_eq!(found, expect, "{language}");
    }

    #[test]
    fn members_stay_apart() {
        check(
            "csharp",
            "namespace Shop\n{\n    /// Orders.\n    [Serializable]\n    public class Orders\n    {\n        int n;\n\n\
             \x20       public Orders(IStore store)\n        {\n            n = 1;\n        }\n\n        // Adds.\n\
             \x20       public bool Add(Order order)\n        {\n            if (n > 1)\n            {\n                n++;\n\
             \x20           }\n            else\n            {\n                n--;\n            }\n        }\n    }\n}\n",
            "Type Shop 27\n Type Orders 24\n  Comment  1\n  Function Orders 4\n  Function Add 12\n   Comment  1\n",
        );
        check(
            "dart",
            "/* The\n   orders. */\nclass Orders {\n  final n = f(1);\n\n  Future<bool> add(\n    Order order,\n  ) async {\n\
             \x20   return true;\n  }\n}\n\nvoid main() {\n  print(1);\n}\nif (x) {\n  y();\n}\n",
            "Type Orders 11\n Comment  2\n Function add 5\nFunction main 3\n",
        );
        check(
            "kotlin",
            "class Orders(val store: Store) {\n    val total get() = 1\n    @Deprecated\n    suspend fun add(o: Order): Boolean {\n\
             \x20       return true\n    }\n}\n",
            "Type Orders 7\n Function get 1\n Function add 4\n",
        );
        check("php", "// only a comment\n\nfunction add() {\n}\n", "Comment  1\nFunction add 2\n");
        check("lua", "", "");
    }
}
