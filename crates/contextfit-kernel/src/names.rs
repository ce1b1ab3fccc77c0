//! Enums whose variants have names.

use thiserror::Error;

/// The error for a name that is not one of the known names.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown {what} {name:?}; known: {}", known.join(", "))]
#[non_exhaustive]
pub struct UnknownName {
    /// The kind of thing that it should name, such as `role`.
    pub what: &'static str,
    /// The name.
    pub name: String,
    /// The known names.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    /// Creates the error for `name`, which should be the name of a `what` but is not one of `known`.
    #[must_use]
    pub fn new(what: &'static str, name: &str, known: impl Into<Vec<&'static str>>) -> Self {
        Self { what, name: name.to_owned(), known: known.into() }
    }
}

/// Adds `ALL`, `name`, [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr), whose error is
/// [`UnknownName`], to an enum without fields.
///
/// ```
/// # use contextfit_kernel as contextfit;
/// use contextfit::Role;
///
/// assert_eq!("user".parse(), Ok(Role::User));
/// assert_eq!(Role::ALL.map(Role::name).join(" "), "system developer user assistant tool other");
/// let error = "usr".parse::<Role>().unwrap_err();
/// assert_eq!((error.what, error.name.as_str(), error.known.len()), ("role", "usr", 6));
/// ```
#[macro_export]
macro_rules! names {
    ($enum:ident, $what:literal: $($variant:ident => $name:literal),+ $(,)?) => {
        impl $enum {
            /// All of them.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name, as JSON and configurations spell it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl ::std::fmt::Display for $enum {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $enum {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let unknown = || $crate::UnknownName::new($what, name, Self::ALL.map(Self::name));
                Self::ALL.into_iter().find(|one| one.name() == name).ok_or_else(unknown)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use std::{fmt::Debug, str::FromStr};

    use serde::Serialize;

    use crate::{Hold, Importance, Medium, Role, TextKind, UnknownName};

    #[track_caller]
    fn check<T: FromStr<Err = UnknownName> + PartialEq + Debug + Copy>(
        all: &[T],
        name: fn(T) -> &'static str,
    ) {
        for one in all {
            assert_eq!(name(*one).parse(), Ok(*one));
        }
        assert_eq!("Yes".parse::<T>().unwrap_err().known.len(), all.len());
    }

    #[track_caller]
    fn check_json<T>(all: &[T], name: fn(T) -> &'static str)
    where
        T: FromStr<Err = UnknownName> + PartialEq + Debug + Copy + Serialize,
    {
        check(all, name);
        for one in all {
            assert_eq!(serde_json::to_value(one).unwrap(), name(*one));
        }
    }

    #[test]
    fn names_are_read_and_are_those_of_json() {
        check_json(&Role::ALL, Role::name);
        check_json(&Hold::ALL, Hold::name);
        check_json(&Medium::ALL, Medium::name);
        check_json(&Importance::ALL, Importance::name);
        check(&TextKind::ALL, TextKind::name);
        let error = "usr".parse::<Role>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown role \"usr\"; known: system, developer, user, assistant, tool, other"
        );
    }
}
