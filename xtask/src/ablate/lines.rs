//! How many lines a rule has.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

use proc_macro2::{TokenStream, TokenTree};
use syn::{File, Ident, ImplItem, Item, Signature, Type, Visibility, spanned::Spanned};

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
pub(crate) fn is_constant(file: &File, line: usize) -> bool {
    let mut items = Items::default();
    file.items.iter().for_each(|item| items.add(item));
    items.constants.iter().any(|lines| lines.contains(&line))
}

/// The lines that the rule on `line` has in `file`, whose tokens are `tokens`: those of its function if it `leaves` the
/// function, or else the line, and the private items that only these use, and so on. Tests do not count. What a rule
/// has in other files is not known.
pub(crate) fn count(file: &File, tokens: &TokenStream, line: usize, leaves: bool) -> usize {
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

    /// The lines of the rule on the line that contains `RULE`.
    #[track_caller]
    fn check(text: &str, leaves: bool, expect: usize) {
        let line = 1 + text.lines().position(|line| line.contains("RULE")).unwrap();
        let (file, tokens) = (syn::parse_file(text).unwrap(), text.parse().unwrap());
        assert_eq!(count(&file, &tokens, line, leaves), expect);
    }

    #[test]
    fn a_rule_has_its_function_and_what_only_it_uses() {
        check("fn a() {\n    g(); // RULE\n}\nfn g() {}\n", true, 4);
        check("fn a() {\n    g(); // RULE\n}\nfn g() {}\nfn h() { g() }\n", true, 3);
        check("fn a() {\n    g(); // RULE\n}\npub(crate) fn g() {}\n", true, 3);
        check("fn a() {\n    g(); // RULE\n}\n/// Says.\nfn g() { K; }\nconst K: u8 = 1;\n", true, 6);
        check(
            "impl A {\n    fn a(&self) {\n        // RULE\n        self.b(); }\n    fn b(&self) {}\n}\n",
            true,
            4,
        );
        check("fn a() {\n    S; // RULE\n}\nstruct S;\nimpl S {\n}\n", true, 6);
        check("fn a() {\n    g(); // RULE\n}\nfn g() {}\nmod tests {\n    fn t() { g() }\n}\n", true, 4);
    }

    #[test]
    fn or_its_line() {
        check("fn a() {\n    let x = 1; // RULE\n    x\n}\n", false, 1);
        check("fn a() {\n    let x = K; // RULE\n    x\n}\nconst K: u8 = 1;\n", false, 2);
    }
}
