//! JSON records with the same keys, as tables.

use std::iter::Peekable;

use super::json::{ends_with_feed, tokens};
use crate::is_json;

/// Nobody counts further to find the name of a value.
const COLUMNS: usize = 24;

/// JSON with every array of records that have the same keys in the same order as
/// `{"columns":[...],"rows":[[...],...]}`, and JSON lines of such records as a line `{"columns":[...]}` and one line
/// per record, where that is shorter; without blanks.
pub(super) fn as_tables(text: &str) -> Option<String> {
    // A text that already has `columns` could not be distinguished from a table.
    if !is_json(text) || tokens(text).any(|token| token == "\"columns\"") {
        return None;
    }
    let mut tokens = tokens(text).peekable();
    let mut values = Vec::new();
    while tokens.peek().is_some() {
        values.push(value(&mut tokens)?);
    }
    let lines = |values: &[Value<'_>]| values.iter().map(Value::text).collect::<Vec<_>>().join("\n");
    let table = columns(&values).map(|columns| {
        let rows = values.iter().filter_map(Value::row).collect::<Vec<_>>().join("\n");
        format!("{{\"columns\":[{columns}]}}\n{rows}")
    });
    let mut shown = shorter(lines(&values), table);
    if ends_with_feed(text) {
        shown.push('\n');
    }
    (shown.len() < text.len()).then_some(shown)
}

/// A parsed value.
enum Value<'t> {
    Record(Vec<(&'t str, String)>),
    Other(String),
}

impl Value<'_> {
    /// The value without blanks.
    fn text(&self) -> String {
        match self {
            Self::Other(text) => text.clone(),
            Self::Record(members) => {
                let members: Vec<String> =
                    members.iter().map(|(key, value)| format!("{key}:{value}")).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    /// A record without its keys.
    fn row(&self) -> Option<String> {
        let Self::Record(members) = self else { return None };
        Some(format!("[{}]", members.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(",")))
    }

    fn keys(&self) -> Option<impl Iterator<Item = &str>> {
        let Self::Record(members) = self else { return None };
        Some(members.iter().map(|(key, _)| *key))
    }
}

/// Reads the next value.
fn value<'t>(tokens: &mut Peekable<impl Iterator<Item = &'t str>>) -> Option<Value<'t>> {
    match tokens.next()? {
        "{" => {
            let mut members = Vec::new();
            while let Some(key) = tokens.next().filter(|token| *token != "}") {
                if key == "," {
                    continue;
                }
                tokens.next_if_eq(&":")?;
                members.push((key, value(tokens)?.text()));
            }
            Some(Value::Record(members))
        }
        "[" => {
            let mut elements = Vec::new();
            while tokens.next_if_eq(&"]").is_none() {
                elements.push(value(tokens)?);
                tokens.next_if_eq(&",");
            }
            let plain = elements.iter().map(Value::text).collect::<Vec<_>>().join(",");
            let table = columns(&elements).map(|columns| {
                let rows = elements.iter().filter_map(Value::row).collect::<Vec<_>>().join(",");
                format!("{{\"columns\":[{columns}],\"rows\":[{rows}]}}")
            });
            Some(Value::Other(shorter(format!("[{plain}]"), table)))
        }
        scalar => Some(Value::Other(scalar.to_owned())),
    }
}

/// The keys of several records if all have the same keys in the same order.
fn columns(values: &[Value<'_>]) -> Option<String> {
    let (first, others) = values.split_first()?;
    let keys: Vec<&str> = first.keys()?.collect();
    let is_table = !others.is_empty()
        && (2..=COLUMNS).contains(&keys.len())
        && others.iter().all(|other| other.keys().is_some_and(|other| other.eq(keys.iter().copied())));
    is_table.then(|| keys.join(","))
}

fn shorter(plain: String, table: Option<String>) -> String {
    table.filter(|table| table.len() < plain.len()).unwrap_or(plain)
}

/// Whether `text` represents `source` and no other text.
pub(super) fn stands_for(text: &str, source: &str) -> bool {
    restored(text).is_some_and(|restored| tokens(&restored).eq(tokens(source)))
}

/// The JSON that the tables of `text` were made from, without blanks.
fn restored(text: &str) -> Option<String> {
    let mut tokens = tokens(text).peekable();
    let mut source = String::with_capacity(text.len() * 2);
    while tokens.peek().is_some() {
        restore(&mut tokens, &mut source)?;
        source.push('\n');
    }
    Some(source)
}

/// Reads the next value and writes what it was made from.
fn restore<'t>(tokens: &mut Peekable<impl Iterator<Item = &'t str>>, source: &mut String) -> Option<()> {
    let opening = tokens.next()?;
    source.push_str(opening);
    if !matches!(opening, "{" | "[") {
        return Some(());
    }
    if opening == "{" && tokens.next_if_eq(&"\"columns\"").is_some() {
        source.pop();
        let keys = columns_of(tokens)?;
        return if tokens.next_if_eq(&"}").is_some() {
            // Each line after it is a row.
            while tokens.peek().is_some() {
                record(tokens, &keys, source)?;
                source.push('\n');
            }
            Some(())
        } else {
            [",", "\"rows\"", ":", "["].iter().try_for_each(|token| tokens.next_if_eq(token).map(|_| ()))?;
            source.push('[');
            while tokens.next_if_eq(&"]").is_none() {
                record(tokens, &keys, source)?;
                source.extend(tokens.next_if_eq(&","));
            }
            source.push(']');
            tokens.next_if_eq(&"}").map(|_| ())
        };
    }
    loop {
        match *tokens.peek()? {
            token @ ("}" | "]") => {
                source.push_str(token);
                tokens.next();
                return Some(());
            }
            token @ ("," | ":") => {
                source.push_str(token);
                tokens.next();
            }
            _ => restore(tokens, source)?,
        }
    }
}

/// Reads the keys of a table.
fn columns_of<'t>(tokens: &mut Peekable<impl Iterator<Item = &'t str>>) -> Option<Vec<&'t str>> {
    [":", "["].iter().try_for_each(|token| tokens.next_if_eq(token).map(|_| ()))?;
    let keys = std::iter::from_fn(|| tokens.next().filter(|token| *token != "]"));
    Some(keys.filter(|key| *key != ",").collect())
}

/// Reads a row and writes the record it was made from.
fn record<'t>(
    tokens: &mut Peekable<impl Iterator<Item = &'t str>>,
    keys: &[&str],
    source: &mut String,
) -> Option<()> {
    tokens.next_if_eq(&"[")?;
    for (n, key) in keys.iter().enumerate() {
        source.push_str(if n == 0 { "{" } else { "," });
        source.push_str(key);
        source.push(':');
        restore(tokens, source)?;
        tokens.next_if_eq(if n + 1 == keys.len() { &"]" } else { &"," })?;
    }
    source.push('}');
    Some(())
}
