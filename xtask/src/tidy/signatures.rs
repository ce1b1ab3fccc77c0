//! Types in public signatures: whoever depends on a crate can name all of them, and the document of the architecture
//! lists those of other projects.

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    ImplItem, Item, Path, PathArguments, TraitItem, UseTree, Visibility,
    spanned::Spanned,
    visit::{self, Visit},
};

use super::tree::{File, Finding, Tree};
use crate::workspace::{Kind, Package};

/// The document that lists the types of other projects.
const LIST: &str = "ARCHITECTURE.md";

/// A library that only its own program and `xtask` use.
const COMMAND_LINE: &str = "contextfit-cli";

/// The crates of the standard library.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];

/// A name of another crate: the crate, as sources write it, and the name in it.
type Foreign = (String, String);

/// Finds types of other crates in the public signatures of a library that does not export them, and types of other
/// projects that the list leaves out.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut listed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let is_for_others = |package: &&Package| package.has_library && package.name != COMMAND_LINE;
    for package in tree.workspace.members.iter().filter(is_for_others) {
        let Some(folder) = package.manifest.strip_suffix("Cargo.toml") else { continue };
        let sources = format!("{folder}src/");
        let mut found = Names::of(package);
        for file in tree.rust().filter(|file| file.path.starts_with(&sources)) {
            found.read(file);
        }
        for ((krate, name), (file, line)) in &found.signatures {
            if !krate.starts_with("contextfit") {
                listed.entry(krate.clone()).or_default().insert(name.clone());
            }
            let is_exported =
                found.whole.contains(krate) || found.exported.contains(&(krate.clone(), name.clone()));
            if !is_exported {
                let what = format!("`{krate}::{name}` is in a public signature of {}", package.name);
                let advice = format!("export it there: `pub use {krate}::{name}`, or the whole crate");
                findings.push(Finding::at(file, *line, what, advice));
            }
        }
    }
    let list = tree.file(LIST).map_or("", |file| file.text.as_str());
    for (krate, names) in listed {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let row = format!("| `{krate}` | {} |", names.join(", "));
        if !list.contains(&row) {
            let what = format!("the types of {krate} in public signatures are not listed as they are");
            findings.push(Finding::in_file(LIST, what, format!("the row is `{row}`")));
        }
    }
    findings
}

/// The names of other crates in one library.
#[derive(Debug, Default)]
struct Names {
    /// The crates that it depends on, as sources write them.
    crates: BTreeSet<String>,
    /// Those in public signatures, with the first place of each.
    signatures: BTreeMap<Foreign, (String, usize)>,
    /// Those that it exports.
    exported: BTreeSet<Foreign>,
    /// The crates that it exports as a whole.
    whole: BTreeSet<String>,
}

impl Names {
    fn of(package: &Package) -> Self {
        let normal = package.dependencies.iter().filter(|dependency| dependency.kind == Kind::Normal);
        let crates = normal.map(|dependency| dependency.name.replace('-', "_")).collect();
        Self { crates, ..Self::default() }
    }

    /// Adds the names in `file`. A file that does not parse has none: the compiler complains about it.
    fn read(&mut self, file: &File) {
        let items = syn::parse_file(&file.text).map(|file| file.items).unwrap_or_default();
        self.read_items(file, &items);
    }

    fn read_items(&mut self, file: &File, items: &[Item]) {
        let (mut imports, mut standard) = (BTreeMap::new(), BTreeSet::new());
        for item in items {
            let Item::Use(item) = item else { continue };
            let mut names = Vec::new();
            leaves(&item.tree, &mut Vec::new(), &mut names);
            for (path, alias) in names {
                let Some(krate) = path.first() else { continue };
                // Two things may share a name, like `Error` in std and the derive macro; one of std is never foreign.
                if STANDARD.contains(&krate.as_str()) {
                    standard.insert(alias);
                    continue;
                }
                if !self.crates.contains(krate) {
                    continue;
                }
                let foreign = (krate.clone(), path.last().cloned().unwrap_or_default());
                if matches!(item.vis, Visibility::Public(_)) {
                    match path.as_slice() {
                        [krate] => _ = self.whole.insert(krate.clone()),
                        [krate, star] if star == "*" => _ = self.whole.insert(krate.clone()),
                        _ => _ = self.exported.insert(foreign.clone()),
                    }
                }
                imports.insert(alias, foreign);
            }
        }
        imports.retain(|alias, _| !standard.contains(alias));
        for item in items {
            if let Item::Mod(module) = item
                && let Some((_, items)) = &module.content
            {
                self.read_items(file, items);
            }
            let mut signature = Signature { imports: &imports, crates: &self.crates, names: Vec::new() };
            signature.visit_public(item);
            for (foreign, line) in signature.names {
                self.signatures.entry(foreign).or_insert_with(|| (file.path.clone(), line));
            }
        }
    }
}

/// The paths that `tree` imports, each with the name that it gets. A glob ends in `*`.
fn leaves(tree: &UseTree, above: &mut Vec<String>, found: &mut Vec<(Vec<String>, String)>) {
    let mut leaf = |name: String, alias: String| {
        let own = (name != "self").then_some(name);
        found.push((above.iter().cloned().chain(own).collect(), alias));
    };
    match tree {
        UseTree::Path(path) => {
            above.push(path.ident.to_string());
            leaves(&path.tree, above, found);
            above.pop();
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            let alias = if name == "self" { above.last().cloned().unwrap_or_default() } else { name.clone() };
            leaf(name, alias);
        }
        UseTree::Rename(rename) => leaf(rename.ident.to_string(), rename.rename.to_string()),
        UseTree::Glob(_) => leaf("*".into(), "*".into()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, above, found)),
    }
}

/// Collects the names of other crates in what is public of an item, each with its line.
struct Signature<'a> {
    imports: &'a BTreeMap<String, Foreign>,
    crates: &'a BTreeSet<String>,
    names: Vec<(Foreign, usize)>,
}

impl Signature<'_> {
    fn visit_public(&mut self, item: &Item) {
        let is_public = |vis: &Visibility| matches!(vis, Visibility::Public(_));
        match item {
            Item::Fn(item) if is_public(&item.vis) => self.visit_signature(&item.sig),
            Item::Const(item) if is_public(&item.vis) => self.visit_type(&item.ty),
            Item::Static(item) if is_public(&item.vis) => self.visit_type(&item.ty),
            Item::Type(item) if is_public(&item.vis) => self.visit_type(&item.ty),
            Item::Struct(item) if is_public(&item.vis) => {
                self.visit_generics(&item.generics);
                let public = item.fields.iter().filter(|field| is_public(&field.vis));
                public.for_each(|field| self.visit_type(&field.ty));
            }
            Item::Enum(item) if is_public(&item.vis) => {
                self.visit_generics(&item.generics);
                item.variants.iter().for_each(|variant| self.visit_fields(&variant.fields));
            }
            Item::Trait(item) if is_public(&item.vis) => {
                self.visit_generics(&item.generics);
                item.supertraits.iter().for_each(|bound| self.visit_type_param_bound(bound));
                for item in &item.items {
                    match item {
                        TraitItem::Fn(item) => self.visit_signature(&item.sig),
                        TraitItem::Type(item) => self.visit_trait_item_type(item),
                        _ => {}
                    }
                }
            }
            Item::Impl(item) => {
                for of in &item.items {
                    match of {
                        ImplItem::Fn(of) if is_public(&of.vis) => self.visit_signature(&of.sig),
                        ImplItem::Const(of) if is_public(&of.vis) => self.visit_type(&of.ty),
                        _ => {}
                    }
                }
                // What an implementation of `From` converts is a signature too.
                let last = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
                if let Some(PathArguments::AngleBracketed(arguments)) = last.map(|last| &last.arguments) {
                    arguments.args.iter().for_each(|argument| self.visit_generic_argument(argument));
                }
            }
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Signature<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let found = match segments.as_slice() {
            [krate, .., name] if self.crates.contains(krate) => Some((krate.clone(), name.clone())),
            [first, rest @ ..] => self.imports.get(first).map(|(krate, name)| match rest.last() {
                // `header::HeaderName`, with `header` imported.
                Some(last) if first.starts_with(char::is_lowercase) => (krate.clone(), last.clone()),
                _ => (krate.clone(), name.clone()),
            }),
            [] => None,
        };
        if let Some(foreign) = found {
            self.names.push((foreign, path.span().start().line));
        }
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        tidy::tree::tests::{check_findings, tree},
        workspace::Dependency,
    };

    /// Checks the findings in a library with this source that depends on `serde_json` and `contextfit-kernel`.
    #[track_caller]
    fn check_source(source: &str, list: &str, expect: &[&str]) {
        let mut tree = tree(&[("crates/a/src/lib.rs", source), (LIST, list)]);
        let on = |name: &str| Dependency { name: name.into(), kind: Kind::Normal };
        tree.workspace.members.push(Package {
            name: "contextfit-a".into(),
            manifest: "crates/a/Cargo.toml".into(),
            has_library: true,
            dependencies: vec![on("contextfit-kernel"), on("serde_json")],
            ..Package::default()
        });
        check_findings(&check(&tree), expect);
    }

    #[test]
    fn what_is_not_exported_is_found() {
        let source = "use contextfit_kernel::{Block, Tokens};\n\
                      pub struct A { pub block: Vec<Block>, other: Tokens }\n";
        let found = "crates/a/src/lib.rs:2: `contextfit_kernel::Block` is in a public signature of contextfit-a; \
                     export it there: `pub use contextfit_kernel::Block`, or the whole crate";
        check_source(source, "", &[found]);
        check_source(&format!("pub use contextfit_kernel::Block;\n{source}"), "", &[]);
        check_source(&format!("pub use contextfit_kernel as kernel;\n{source}"), "", &[]);
        check_source("fn own(_: contextfit_kernel::Block) {}", "", &[]);
        check_source("use std::error::Error;\nuse serde_json::Error;\npub fn a(_: &dyn Error) {}", "", &[]);
    }

    #[test]
    fn every_place_of_a_signature_counts() {
        let check = |source: &str| {
            let export = "pub use contextfit_kernel::Other;\nuse contextfit_kernel::T;\n";
            let found = "crates/a/src/lib.rs:3: `contextfit_kernel::T` is in a public signature of contextfit-a; \
                         export it there: `pub use contextfit_kernel::T`, or the whole crate";
            check_source(&format!("{export}{source}"), "", &[found]);
        };
        check("pub fn f<X: T>(x: X) {}");
        check("pub fn f() -> impl Iterator<Item = T> {}");
        check("pub enum E { A { t: T } }");
        check("pub trait A: T {}");
        check("pub trait A { fn f(&self, t: &T); }");
        check("impl A { pub fn f(&self, t: &T) {} }");
        check("impl From<T> for A {}");
        check("pub type A = Option<T>;");
        check("pub const A: T = T;");
        check("pub mod a { pub fn f(t: contextfit_kernel::T) {} }");
    }

    #[test]
    fn what_other_projects_bring_is_listed() {
        let source =
            "pub use serde_json;\npub fn f(value: serde_json::Value) -> serde_json::value::RawValue {}";
        let row = "| `serde_json` | `RawValue`, `Value` |";
        let found = format!(
            "ARCHITECTURE.md: the types of serde_json in public signatures are not listed as they are; the row is `{row}`"
        );
        check_source(source, "", &[&found]);
        check_source(source, row, &[]);
    }
}
