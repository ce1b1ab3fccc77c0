//! The rules that comments in the sources name, how many lines each has, and a copy of the sources in which each has a
//! switch.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use ignore::WalkBuilder;
use proc_macro2::{LexError, TokenStream, TokenTree};
use regex::Regex;
use syn::{Expr, File, Ident, ImplItem, Item, Signature, Type, Visibility, parse_str, spanned::Spanned};

use crate::{
    say::Result,
    workspace::{self, slashes},
};

/// The environment variable with the names of the rules that are off, separated by commas.
pub(crate) const OFF: &str = "ABLATE_OFF";

/// The environment variable with the file to which each rule adds its name when it is first consulted.
pub(crate) const CONSULTED: &str = "ABLATE_CONSULTED";

/// A comment that means to name a rule, whatever is wrong with it.
static COMMENT: LazyLock<std::result::Result<Regex, regex::Error>> =
    LazyLock::new(|| Regex::new(r"^(?<code>.*?)(?<sign>//[/!]*\s*(?i:ablate)(?::|\s|$))(?<rest>.*)$"));

/// A rule that can be switched off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    /// Its name, `family.rule`.
    pub name: String,
    /// The file of its comment, relative to the root.
    pub file: String,
    /// The line of its comment, from 1.
    pub line: usize,
    /// How many lines would go with it: see [`count`].
    pub lines: usize,
}

/// The rules of the file at `path` with this `text`, and the text in which each has a switch. Lines keep their numbers.
///
/// # Errors
/// The comments that cannot be read, each with its line and what to do.
pub(crate) fn switched(path: &str, text: &str) -> Result<(String, Vec<Rule>)> {
    let comment = COMMENT.as_ref().map_err(ToString::to_string)?;
    let (mut lines, mut named, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let found = comment.captures(line);
        let part =
            |name: &str| found.as_ref().and_then(|found| found.name(name)).map_or("", |part| part.as_str());
        if found.is_none() {
            lines.push(line.to_owned());
            continue;
        }
        match switch(part("code"), part("sign"), part("rest")) {
            Ok((name, line)) => {
                named.push((name.to_owned(), number, part("code").trim().is_empty()));
                lines.push(line);
            }
            Err(fault) => faults.push(format!("{path}:{number}: {fault}")),
        }
    }
    if !faults.is_empty() {
        return Err(faults.join("\n").into());
    }
    if named.is_empty() {
        return Ok((text.to_owned(), Vec::new()));
    }
    let text = lines.join("\n") + "\n";
    let file = syn::parse_file(&text).map_err(|error| {
        format!(
            "{path}:{}: not Rust once each rule has a switch: {error}; a comment on its own line goes before a \
             statement, one at the end of a line after the whole expression",
            error.span().start().line
        )
    })?;
    let constant = named.iter().find(|(_, line, _)| is_constant(&file, *line));
    if let Some((name, line, _)) = constant {
        return Err(format!(
            "{path}:{line}: {name} is in a constant or a const fn, where nothing can be switched; move the comment to \
             where the value is used"
        )
        .into());
    }
    let tokens = text.parse().map_err(|error: LexError| format!("{path}: {error}"))?;
    let rule = |(name, line, leaves): (String, usize, bool)| {
        let lines = count(&file, &tokens, line, leaves);
        Rule { name, file: path.to_owned(), line, lines }
    };
    Ok((text, named.into_iter().map(rule).collect()))
}

/// The name in the comment `sign` + `rest` after `code`, and the line with a switch.
fn switch<'l>(code: &str, sign: &str, rest: &'l str) -> std::result::Result<(&'l str, String), String> {
    let (name, value) =
        rest.split_once("=>").map_or((rest, None), |(name, value)| (name, Some(value.trim())));
    let (name, value) = (name.trim(), value.unwrap_or_default());
    if sign != "// ablate:" {
        return Err(format!("expected `// ablate: family.rule => VALUE`, found `{sign}{rest}`"));
    }
    if !is_name(name) {
        return Err(format!(
            "`{name}` names no rule; expected family.rule in lower-case letters, digits, - and _, then => VALUE"
        ));
    }
    if !value.is_empty() && parse_str::<Expr>(value).is_err() {
        return Err(format!("`{value}` is no expression; write what {name} gives when it is off"));
    }
    let is_off = is_off(name);
    if code.trim().is_empty() {
        return Ok((name, format!("{code}if {is_off} {{ return {value}; }}")));
    }
    if value.is_empty() {
        return Err(format!(
            "{name} has no value; write what the line gives without it: `// ablate: {name} => VALUE`"
        ));
    }
    let (before, expression, after) = expression(code).ok_or_else(|| {
        format!(
            "no whole expression before {name}; expected `name: EXPR,`, `PATTERN => EXPR,`, `let name = EXPR;` or \
             `EXPR,` on the line, or the comment on its own line"
        )
    })?;
    Ok((name, format!("{before}if {is_off} {{ {value} }} else {{ {expression} }}{after}")))
}

fn is_name(name: &str) -> bool {
    let of_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    name.contains('.') && name.split('.').all(|part| !part.is_empty() && part.bytes().all(of_name))
}

/// What `code` says before its expression, the expression, and what closes it.
fn expression(code: &str) -> Option<(&str, &str, &str)> {
    let code = code.trim_end();
    let (body, after) = code.split_at(code.strip_suffix([',', ';']).unwrap_or(code).len());
    let indent = body.len() - body.trim_start().len();
    let starts = [" => ", " = ", ": "].into_iter().filter_map(|sign| Some(body.find(sign)? + sign.len()));
    let splits = starts.chain([indent]).filter_map(|start| body.split_at_checked(start));
    let (before, expression) = splits.into_iter().find(|(_, rest)| parse_str::<Expr>(rest).is_ok())?;
    Some((before, expression, after))
}

/// Whether the rule is off, as an expression that needs nothing but the standard library.
fn is_off(name: &str) -> String {
    format!(
        "{{ static OFF: ::std::sync::OnceLock<bool> = ::std::sync::OnceLock::new(); *OFF.get_or_init(|| {{ \
         if let Some(file) = ::std::env::var_os(\"{CONSULTED}\") {{ \
         let file = ::std::fs::OpenOptions::new().append(true).create(true).open(file); \
         let _ = file.and_then(|mut file| ::std::io::Write::write_all(&mut file, b\"{name}\\n\")); }} \
         ::std::env::var(\"{OFF}\").is_ok_and(|off| off.split(',').any(|off| off == \"{name}\")) }}) }}"
    )
}

/// The files of the workspace, and the rules that their comments name.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The content by path, with a switch for each rule.
    files: BTreeMap<PathBuf, Vec<u8>>,
    /// The rules by file and line.
    pub rules: Vec<Rule>,
}

impl Sources {
    /// Reads the files below `root` that are not ignored.
    ///
    /// # Errors
    /// If a file cannot be read, a comment cannot be read, or two rules have the same name.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let (mut files, mut rules, mut faults) = (BTreeMap::new(), Vec::new(), Vec::new());
        for entry in workspace::files(root) {
            let entry = entry?;
            let path = entry.path().strip_prefix(root)?;
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            let mut content =
                fs::read(entry.path()).map_err(|error| format!("{}: {error}", path.display()))?;
            let name = slashes(path);
            if name.starts_with("crates/") && name.contains("/src/") && name.ends_with(".rs") {
                let text = String::from_utf8(content)?;
                let (text, found) = switched(&name, &text).unwrap_or_else(|fault| {
                    faults.push(fault.to_string());
                    (text, Vec::new())
                });
                content = text.into_bytes();
                rules.extend(found);
            }
            files.insert(path.to_owned(), content);
        }
        faults.extend(twice(&rules));
        if faults.is_empty() { Ok(Self { files, rules }) } else { Err(faults.join("\n").into()) }
    }

    /// Makes `folder` a copy. Files that are up to date are not touched, so that little has to be built again.
    ///
    /// # Errors
    /// If a file cannot be written or removed.
    pub(crate) fn copy_to(&self, folder: &Path) -> Result {
        for (path, content) in &self.files {
            let path = folder.join(path);
            if fs::read(&path).is_ok_and(|old| old == *content) {
                continue;
            }
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        for entry in WalkBuilder::new(folder).standard_filters(false).build() {
            let entry = entry?;
            let is_stale = !self.files.contains_key(entry.path().strip_prefix(folder)?);
            if is_stale && entry.file_type().is_some_and(|kind| kind.is_file()) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

/// The faults of those `rules` whose names are taken.
fn twice(rules: &[Rule]) -> Vec<String> {
    let (mut by_name, mut faults) = (BTreeMap::new(), Vec::new());
    for Rule { name, file, line, .. } in rules {
        let place = format!("{file}:{line}");
        if let Some(other) = by_name.insert(name, place.clone()) {
            faults.push(format!("{place}: {name} is at {other} too; choose another name"));
        }
    }
    faults
}

/// The named items of a file.
#[derive(Default)]
struct Items {
    /// The lines of each, a type with its implementations, and whether nothing outside of the file can use it.
    named: BTreeMap<String, (BTreeSet<usize>, bool)>,
    functions: Vec<RangeInclusive<usize>>,
    /// What is evaluated before the program runs.
    constants: Vec<RangeInclusive<usize>>,
}

/// Whether `line` of `file` is in a constant or a `const fn`, where nothing can be switched.
fn is_constant(file: &File, line: usize) -> bool {
    let mut items = Items::default();
    file.items.iter().for_each(|item| items.add(item));
    items.constants.iter().any(|lines| lines.contains(&line))
}

/// The lines that the rule on `line` has in `file`, whose tokens are `tokens`: those of its function if it `leaves` the
/// function, or else the line, and the private items that only these use, and so on. Tests do not count. What a rule
/// has in other files is not known.
fn count(file: &File, tokens: &TokenStream, line: usize, leaves: bool) -> usize {
    let mut items = Items::default();
    let is_test = |item: &&Item| matches!(item, Item::Mod(module) if module.ident == "tests");
    file.items.iter().for_each(|item| items.add(item));
    let tests: BTreeSet<usize> = file.items.iter().filter(is_test).flat_map(lines).collect();
    let mut used = Vec::new();
    uses(tokens.clone(), &mut used);
    used.retain(|(_, line)| !tests.contains(line));
    let function = items.functions.into_iter().find(|function| leaves && function.contains(&line));
    let mut own: BTreeSet<usize> = function.unwrap_or(line..=line).collect();
    items.named.retain(|_, (_, is_private)| *is_private);
    let is_own = |name: &str, lines: &BTreeSet<usize>, own: &BTreeSet<usize>| {
        let mut uses = used.iter().filter(|(used, line)| used == name && !lines.contains(line)).peekable();
        uses.peek().is_some() && uses.all(|(_, line)| own.contains(line))
    };
    while let Some((_, (lines, _))) =
        items.named.extract_if(.., |name, (lines, _)| is_own(name, lines, &own)).next()
    {
        own.extend(lines);
    }
    own.len()
}

impl Items {
    fn add(&mut self, item: &Item) {
        match item {
            Item::Fn(item) => self.add_function(&item.sig, Some(&item.vis), lines(item)),
            Item::Const(item) => {
                self.constants.push(lines(item));
                self.name(&item.ident, Some(&item.vis), lines(item));
            }
            Item::Static(item) => {
                self.constants.push(lines(item));
                self.name(&item.ident, Some(&item.vis), lines(item));
            }
            Item::Struct(item) => self.name(&item.ident, Some(&item.vis), lines(item)),
            Item::Enum(item) => self.name(&item.ident, Some(&item.vis), lines(item)),
            Item::Impl(implementation) => {
                if let Type::Path(of) = &*implementation.self_ty {
                    of.path.get_ident().into_iter().for_each(|of| self.name(of, None, lines(item)));
                }
                for item in &implementation.items {
                    if let ImplItem::Fn(item) = item {
                        let own = implementation.trait_.is_none().then_some(&item.vis);
                        self.add_function(&item.sig, own, lines(item));
                    }
                }
            }
            _ => {}
        }
    }

    fn add_function(
        &mut self,
        of: &Signature,
        visibility: Option<&Visibility>,
        lines: RangeInclusive<usize>,
    ) {
        self.functions.push(lines.clone());
        self.constants.extend(of.constness.as_ref().map(|_| lines.clone()));
        self.name(&of.ident, visibility, lines);
    }

    fn name(&mut self, name: &Ident, visibility: Option<&Visibility>, lines: RangeInclusive<usize>) {
        let (of_name, is_private) = self.named.entry(name.to_string()).or_default();
        of_name.extend(lines);
        *is_private |= matches!(visibility, Some(Visibility::Inherited));
    }
}

fn lines(of: &impl Spanned) -> RangeInclusive<usize> {
    let span = of.span();
    span.start().line..=span.end().line
}

/// Adds every identifier with its line to `used`.
fn uses(tokens: TokenStream, used: &mut Vec<(String, usize)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => uses(group.stream(), used),
            TokenTree::Ident(ident) => used.push((ident.to_string(), ident.span().start().line)),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `OFF` in place of every switch.
    #[track_caller]
    fn check(text: &str, expect: std::result::Result<&str, &str>) {
        let found = switched("a.rs", text).map_err(|error| error.to_string());
        let found = found.map(|(text, rules)| {
            rules.iter().fold(text, |text, rule| text.replace(&is_off(&rule.name), "OFF"))
        });
        assert_eq!(found.as_deref().map_err(String::as_str), expect);
    }

    /// The end of a line within a function.
    #[track_caller]
    fn check_line(line: &str, expect: &str) {
        check(&format!("fn f() {{\n    {line}\n}}\n"), Ok(&format!("fn f() {{\n    {expect}\n}}\n")));
    }

    #[track_caller]
    fn check_fault(line: &str, expect: &str) {
        check(&format!("fn f() {{\n    {line}\n}}\n"), Err(&format!("a.rs:2: {expect}")));
    }

    #[test]
    fn a_comment_on_its_own_line_leaves_the_function() {
        check_line("// ablate: a.b => Vec::new()", "if OFF { return Vec::new(); }");
        check_line("// ablate: a.b => ()", "if OFF { return (); }");
        check_line("// ablate: a.b", "if OFF { return ; }");
        check_line(
            "// Ablated things, and https://ablate.example/.",
            "// Ablated things, and https://ablate.example/.",
        );
    }

    #[test]
    fn a_comment_at_the_end_of_a_line_replaces_its_expression() {
        check_line("let x = 3.0; // ablate: a.b => 0.0", "let x = if OFF { 0.0 } else { 3.0 };");
        check_line(
            "let x: bool = a == b; // ablate: a.b => true",
            "let x: bool = if OFF { true } else { a == b };",
        );
        check_line(
            "f(A { // x\n b: 3, // ablate: a.b => 0\n })",
            "f(A { // x\n b: if OFF { 0 } else { 3 },\n })",
        );
        check_line(
            "match x {\n _ if a => g(), // ablate: a.b => h()\n }",
            "match x {\n _ if a => if OFF { h() } else { g() },\n }",
        );
        check_line("[\n A::b(c), // ablate: a.b => 0\n ]", "[\n if OFF { 0 } else { A::b(c) },\n ]");
        check_line("x * 2 // ablate: a.b => x", "if OFF { x } else { x * 2 }");
    }

    #[test]
    fn faults_say_what_to_do() {
        check_fault("//ablate: a.b", "expected `// ablate: family.rule => VALUE`, found `//ablate: a.b`");
        check_fault("// ablate a.b", "expected `// ablate: family.rule => VALUE`, found `// ablate a.b`");
        let expected = "expected family.rule in lower-case letters, digits, - and _, then => VALUE";
        for name in ["ab", "a.B", "a..b", "a b"] {
            check_fault(&format!("// ablate: {name} => 0"), &format!("`{name}` names no rule; {expected}"));
        }
        check_fault("// ablate: a.b => 0)", "`0)` is no expression; write what a.b gives when it is off");
        check_fault(
            "x: 3, // ablate: a.b",
            "a.b has no value; write what the line gives without it: `// ablate: a.b => VALUE`",
        );
        check_fault(
            "let x = f( // ablate: a.b => 0",
            "no whole expression before a.b; expected `name: EXPR,`, `PATTERN => EXPR,`, `let name = EXPR;` or `EXPR,` \
             on the line, or the comment on its own line",
        );
        let constant = "a.rs:2: a.b is in a constant or a const fn, where nothing can be switched; move the comment to where \
                        the value is used";
        check("const fn f() -> u8 {\n    // ablate: a.b => 0\n    1\n}\n", Err(constant));
        check("const A: [u8; 1] = [\n    1, // ablate: a.b => 0\n];\n", Err(constant));
        let found = switched("a.rs", "fn f() {\n    a\n        && b // ablate: a.b => true\n}\n");
        assert!(found.is_err_and(|error| error.to_string().starts_with("a.rs:3: not Rust once")));
    }

    #[test]
    fn the_comments_of_the_project_are_sound() {
        let sources = Sources::read(&workspace::root()).unwrap();
        assert!(sources.rules.iter().any(|rule| rule.name.starts_with("bm25.")));
    }

    #[test]
    fn a_name_is_used_once() {
        let rule = |file: &str, line| Rule { name: "a.b".into(), file: file.into(), line, lines: 1 };
        let expect = "y.rs:7: a.b is at x.rs:2 too; choose another name";
        assert_eq!(twice(&[rule("x.rs", 2), rule("y.rs", 7)]), [expect]);
        assert!(twice(&[rule("x.rs", 2)]).is_empty());
    }

    /// The lines of the rule on the line that contains `RULE`.
    #[track_caller]
    fn check_lines(text: &str, leaves: bool, expect: usize) {
        let line = 1 + text.lines().position(|line| line.contains("RULE")).unwrap();
        let (file, tokens) = (syn::parse_file(text).unwrap(), text.parse().unwrap());
        assert_eq!(count(&file, &tokens, line, leaves), expect);
    }

    #[test]
    fn a_rule_has_its_function_and_what_only_it_uses() {
        check_lines("fn a() {\n    g(); // RULE\n}\nfn g() {}\n", true, 4);
        check_lines("fn a() {\n    g(); // RULE\n}\nfn g() {}\nfn h() { g() }\n", true, 3);
        check_lines("fn a() {\n    g(); // RULE\n}\npub(crate) fn g() {}\n", true, 3);
        check_lines("fn a() {\n    g(); // RULE\n}\n/// Says.\nfn g() { K; }\nconst K: u8 = 1;\n", true, 6);
        check_lines(
            "impl A {\n    fn a(&self) {\n        // RULE\n        self.b(); }\n    fn b(&self) {}\n}\n",
            true,
            4,
        );
        check_lines("fn a() {\n    S; // RULE\n}\nstruct S;\nimpl S {\n}\n", true, 6);
        check_lines(
            "fn a() {\n    g(); // RULE\n}\nfn g() {}\nmod tests {\n    fn t() { g() }\n}\n",
            true,
            4,
        );
    }

    #[test]
    fn or_its_line() {
        check_lines("fn a() {\n    let x = 1; // RULE\n    x\n}\n", false, 1);
        check_lines("fn a() {\n    let x = K; // RULE\n    x\n}\nconst K: u8 = 1;\n", false, 2);
    }
}
