//! Whole numbers, as applications send them.
//!
//! Many languages have only one kind of number, so `1200.0` is accepted like `1200`. A number that is negative,
//! fractional or implausibly large is refused with a message that says what was expected.

use std::fmt;

use contextfit_kernel::Tokens;
use serde::{
    Deserialize as _, Deserializer,
    de::{Error, Unexpected, Visitor},
};

/// The largest accepted number: no text has 10^12 tokens or lines.
const LARGEST: u64 = 1_000_000_000_000;

/// Reads a number of tokens; `null` means absent.
pub(crate) fn tokens<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Tokens>, D::Error> {
    deserializer.deserialize_option(Whole("tokens")).map(|number| number.map(Tokens::new))
}

/// Reads a line number; `null` means absent.
pub(crate) fn line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    deserializer.deserialize_option(Whole("lines"))
}

/// Reads an id: a string, or a number read as its digits. `null` means absent.
pub(crate) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Option::<serde_json::Value>::deserialize(deserializer)? {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(serde_json::Value::String(id)) => Ok(Some(id)),
        Some(serde_json::Value::Number(id)) => Ok(Some(id.to_string())),
        Some(_) => Err(D::Error::custom("expected an id, a string or a number")),
    }
}

/// Reads a list of ids, or a single one. `null` means absent.
pub(crate) fn ids<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let id = |value| match value {
        serde_json::Value::String(id) => Ok(id),
        serde_json::Value::Number(id) => Ok(id.to_string()),
        _ => Err(D::Error::custom("expected ids, each a string or a number")),
    };
    match Option::<serde_json::Value>::deserialize(deserializer)? {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(serde_json::Value::Array(ids)) => ids.into_iter().map(id).collect::<Result<_, _>>().map(Some),
        Some(one) => Ok(Some(vec![id(one)?])),
    }
}

/// Visits a whole number of the named unit.
struct Whole(&'static str);

impl Whole {
    fn checked<E: Error>(&self, number: u64, found: Unexpected<'_>) -> Result<Option<usize>, E> {
        let believed = (number <= LARGEST).then(|| usize::try_from(number).ok()).flatten();
        believed.map(Some).ok_or_else(|| E::invalid_value(found, self))
    }
}

impl<'de> Visitor<'de> for Whole {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number of {} from 0 to {LARGEST}", self.0)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        self.checked(number, Unexpected::Unsigned(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "the number is whole and in range where it is cast; the limit is far below 2^53"
    )]
    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        let found = Unexpected::Float(number);
        if number.fract() == 0.0 && (0.0..=LARGEST as f64).contains(&number) {
            return self.checked(number as u64, found);
        }
        Err(E::invalid_value(found, &self))
    }
}
