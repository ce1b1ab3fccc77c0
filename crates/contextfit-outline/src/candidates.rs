//! What can be shown, and how relevant each of it is to the query.

use std::ops::Range;

use contextfit_kernel::{Context, Scorer};

use crate::{ItemKind, page::Page};

/// A definition in this many others is not looked at by itself.
const DEEPEST: usize = 24;

/// Something that is shown or not by its own relevance.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) page: usize,
    pub(crate) part: usize,
    pub(crate) kind: ItemKind,
    /// Whether other definitions are inside.
    pub(crate) holds: bool,
    /// Tokens of all of it.
    pub(crate) tokens: usize,
    pub(crate) relevance: f64,
}

/// How fields count.
#[derive(Debug, Clone, Copy)]
pub struct Weights { pub name: f64, pub doc: f64, pub body: f64, pub path: f64, pub callee: f64, pub caller: f64, pub size: f64, pub holder: f64, pub share: f64, pub mention: f64 , pub doc_room: f64, pub sigcost: f64, pub bodycost: f64}

pub fn weights() -> Weights {
    let get = |name: &str, default: f64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    Weights { name: get("W_NAME", 1.0), doc: get("W_DOC", 0.5), body: get("W_BODY", 1.0), path: get("W_PATH", 0.2), callee: get("W_CALLEE", 0.0), caller: get("W_CALLER", 0.0), size: get("W_SIZE", 0.0), holder: get("W_HOLDER", 0.0), share: get("W_SHARE", 0.33), mention: get("W_MENTION", 0.0), doc_room: get("W_DOCROOM", 0.0), sigcost: get("W_SIGCOST", 0.0), bodycost: get("W_BODYCOST", 0.0) }
}

/// The texts of a candidate that are scored.
#[derive(Default)]
struct Fields {
    name: String,
    doc: String,
    body: String,
}

/// The candidates of all pages, in order.
pub(crate) fn candidates(pages: &[Page<'_, '_>], context: &Context, scorer: &dyn Scorer) -> Vec<Candidate> {
    let w = weights();
    let mut found = Vec::new();
    let mut fields: Vec<Fields> = Vec::new();
    for (n, page) in pages.iter().enumerate() {
        collect(n, page, &mut found, &mut fields);
    }
    if let Some(query) = context.query.as_deref() {
        let mut score = |weight: f64, text: fn(&Fields) -> &str| {
            let texts: Vec<&str> = fields.iter().map(text).collect();
            let scores = scorer.score(query, &texts);
            for (candidate, score) in found.iter_mut().zip(scores) {
                candidate.relevance += weight * score;
            }
        };
        score(w.name, |fields| &fields.name);
        score(w.doc, |fields| &fields.doc);
        score(w.body, |fields| &fields.body);
        let headers: Vec<String> = context.blocks.iter().map(|block| block.header()).collect();
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        let scores = scorer.score(query, &headers);
        for candidate in &mut found {
            candidate.relevance += w.path * scores.get(candidate.page).copied().unwrap_or_default();
        }
    }
    found
}

/// The candidates of one page.
fn collect(n: usize, page: &Page<'_, '_>, found: &mut Vec<Candidate>, fields: &mut Vec<Fields>) {
    // For each part: how many definitions it is in, whether one of them is a function, and whether it holds any.
    let mut depth = vec![0_usize; page.parts.len()];
    let mut in_function = vec![false; page.parts.len()];
    let mut holds = vec![false; page.parts.len()];
    for (at, part) in page.parts.iter().enumerate() {
        let Some(parent) = part.parent else { continue };
        let Some(above) = page.parts.get(parent) else { continue };
        let inside = depth.get(parent).copied().unwrap_or_default() + 1;
        let function = in_function.get(parent).copied().unwrap_or_default() || above.kind == ItemKind::Function;
        if let (Some(depth), Some(flag)) = (depth.get_mut(at), in_function.get_mut(at)) {
            (*depth, *flag) = (inside, function);
        }
    }
    for (at, part) in page.parts.iter().enumerate().rev() {
        let any = part.kind.defines() || holds.get(at).copied().unwrap_or_default();
        if let Some(above) = part.parent.and_then(|parent| holds.get_mut(parent)) {
            *above |= any;
        }
    }
    for (at, part) in page.parts.iter().enumerate() {
        let flag = |flags: &[bool]| flags.get(at).copied().unwrap_or_default();
        let too_deep = depth.get(at).is_none_or(|&depth| depth > DEEPEST);
        let defines = part.kind.defines();
        if too_deep || (!defines && (flag(&in_function) || flag(&holds))) {
            continue;
        }
        let holder = part.parent.and_then(|parent| page.parts.get(parent));
        if part.kind == ItemKind::Comment && holder.is_some_and(|holder| !holder.kind.defines()) {
            continue;
        }
        let text = |rows: &Range<usize>| page.text(rows);
        let doc: String = part.parts.iter().filter_map(|&n| page.parts.get(n)).filter(|p| p.kind == ItemKind::Comment).map(|p| text(&p.rows)).collect();
        let name = part.name.and_then(|name| name.of(&page.block.block().text)).unwrap_or_default();
        let body = if part.kind == ItemKind::Type && flag(&holds) {
            page.own_rows(at).map(|rows| text(&rows)).collect()
        } else {
            text(&part.rows).to_owned()
        };
        fields.push(Fields { name: name.to_owned(), doc, body });
        found.push(Candidate {
            page: n,
            part: at,
            kind: part.kind,
            holds: flag(&holds),
            tokens: page.tokens(&part.rows).get(),
            relevance: 0.0,
        });
    }
}
