//! Lengths and positions in a text, as types that cannot be confused.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign},
};

use serde::{Deserialize, Serialize};

/// Declares a type of length. Arithmetic saturates: sums do not overflow, and differences are not negative.
macro_rules! length {
    ($(#[$doc:meta])* $name:ident, $unit:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(usize);

        impl $name {
            /// Zero length.
            pub const ZERO: Self = Self(0);

            /// The largest representable length.
            pub const MAX: Self = Self(usize::MAX);

            #[doc = concat!("A length of `n` ", $unit, ".")]
            #[must_use]
            pub const fn new(n: usize) -> Self {
                Self(n)
            }

            /// The length as a plain number.
            #[must_use]
            pub const fn get(self) -> usize {
                self.0
            }

            /// The difference, or zero if `other` is larger.
            #[must_use]
            pub const fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }

            /// The difference, or `None` if `other` is larger.
            #[must_use]
            pub fn checked_sub(self, other: Self) -> Option<Self> {
                self.0.checked_sub(other.0).map(Self)
            }
        }

        impl From<usize> for $name {
            fn from(n: usize) -> Self {
                Self(n)
            }
        }

        impl Add for $name {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                Self(self.0.saturating_add(other.0))
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(lengths: I) -> Self {
                lengths.fold(Self::ZERO, Add::add)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

length! {
    /// A number of tokens, as counted by a [`TokenCounter`](crate::TokenCounter).
    ///
    /// Arithmetic saturates at both ends.
    ///
    /// ```
    /// # use contextfit_kernel as contextfit;
    /// use contextfit::Tokens;
    ///
    /// assert_eq!(Tokens::new(3) + Tokens::new(4), Tokens::new(7));
    /// assert_eq!(Tokens::new(3).saturating_sub(Tokens::new(4)), Tokens::ZERO);
    /// ```
    Tokens, "tokens"
}

length! {
    /// A number of characters (Unicode scalar values), the unit of `maxLength` in KB Labs Mind.
    Chars, "characters"
}

/// A half-open range of bytes in an original text, serialized as `[start, end]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "(usize, usize)", into = "(usize, usize)")]
pub struct ByteRange {
    start: usize,
    end: usize,
}

impl ByteRange {
    /// Creates the range `start..end`; `None` if `end` is before `start`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Option<Self> {
        if start <= end { Some(Self { start, end }) } else { None }
    }

    /// The whole of `text`.
    #[must_use]
    pub const fn whole(text: &str) -> Self {
        Self { start: 0, end: text.len() }
    }

    /// The first byte.
    #[must_use]
    pub const fn start(self) -> usize {
        self.start
    }

    /// One past the last byte.
    #[must_use]
    pub const fn end(self) -> usize {
        self.end
    }

    /// The number of bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the range is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `byte` is in the range.
    #[must_use]
    pub const fn contains(self, byte: usize) -> bool {
        self.start <= byte && byte < self.end
    }

    /// The range without the white space at both ends of its slice of `text`; `None` if nothing is left, if the range
    /// exceeds the text, or if it splits a character.
    #[must_use]
    pub fn trimmed(self, text: &str) -> Option<Self> {
        let inside = self.of(text)?;
        let start = self.start + inside.len() - inside.trim_start().len();
        Self::new(start, start + inside.trim().len()).filter(|range| !range.is_empty())
    }

    /// The slice of `text`, or `None` if the range exceeds the text or splits a character.
    #[must_use]
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}

impl TryFrom<(usize, usize)> for ByteRange {
    type Error = &'static str;

    fn try_from((start, end): (usize, usize)) -> Result<Self, Self::Error> {
        Self::new(start, end).ok_or("a byte range ends before it starts")
    }
}

impl From<ByteRange> for (usize, usize) {
    fn from(range: ByteRange) -> Self {
        (range.start, range.end)
    }
}
