//! Finds the position of a field in a document.
//!
//! The parsers of all formats report where a visitor fails. So a field is located by reading the document again with a
//! visitor that goes straight to the field and fails there.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// One step into a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Into the value under a key.
    Key(String),
    /// Into an element of a list.
    Index(usize),
}

/// The steps of a path of keys.
pub(crate) fn steps<K: ToString>(path: &[K]) -> Vec<Step> {
    path.iter().map(|key| Step::Key(key.to_string())).collect()
}

/// Removes the value at `path`; `false` if there is none.
pub(super) fn remove(value: &mut Value, path: &[Step]) -> bool {
    match path {
        [] => false,
        [Step::Key(key)] => value.as_object_mut().is_some_and(|map| map.shift_remove(key).is_some()),
        [Step::Index(index)] => {
            value.as_array_mut().filter(|list| *index < list.len()).map(|list| list.remove(*index)).is_some()
        }
        [Step::Key(key), rest @ ..] => value.get_mut(key).is_some_and(|value| remove(value, rest)),
        [Step::Index(index), rest @ ..] => value.get_mut(index).is_some_and(|value| remove(value, rest)),
    }
}

/// A visitor that follows a path to its end and fails there.
#[derive(Clone, Copy)]
pub(crate) struct Probe<'p> {
    pub(crate) path: &'p [Step],
}

impl<'de> DeserializeSeed<'de> for Probe<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Probe<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the field")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (wanted, rest) = match self.path.split_first() {
            Some((Step::Key(key), rest)) => (key, rest),
            _ => return Err(A::Error::custom("here")),
        };
        while let Some(key) = map.next_key_seed(KeyProbe { wanted, last: rest.is_empty() })? {
            if key == *wanted {
                return map.next_value_seed(Probe { path: rest });
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let (wanted, rest) = match self.path.split_first() {
            Some((Step::Index(index), rest)) => (*index, rest),
            _ => return Err(A::Error::custom("here")),
        };
        for _ in 0..wanted {
            seq.next_element::<IgnoredAny>()?;
        }
        seq.next_element_seed(Probe { path: rest })?;
        Ok(())
    }
}

/// Reads a key, and fails on the wanted one if the path ends with it.
struct KeyProbe<'p> {
    wanted: &'p str,
    last: bool,
}

impl<'de> DeserializeSeed<'de> for KeyProbe<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyProbe<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<String, E> {
        if self.last && key == self.wanted { Err(E::custom("here")) } else { Ok(key.to_owned()) }
    }
}

/// Line and column of byte `at`, both from 1; the column in characters.
pub(crate) fn line_and_column(text: &str, at: usize) -> Option<(usize, usize)> {
    let before = text.get(..at)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Some((line, column))
}
