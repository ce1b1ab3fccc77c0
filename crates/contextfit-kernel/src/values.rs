//! One value for each row, block, unit or term.

use std::{
    fmt,
    ops::{Deref, DerefMut, Index, IndexMut},
};

/// One value for each number from zero: for each row of a text, block of a context, term of a query.
///
/// Every number can be asked for. One beyond the last has the default value, and what is written there is lost: numbers
/// come from the same list as the values, so that this is a fault of the code that asks, not of its input, and must not
/// end the program. All else is as for a slice.
///
/// ```
/// use contextfit_kernel::Values;
///
/// let mut scores = Values::new(0.5, 3);
/// scores[2] += 1.0;
/// scores[7] += 1.0;
/// assert_eq!(*scores, [0.5, 0.5, 1.5]);
/// assert_eq!(scores[7], 0.0);
/// ```
#[derive(Clone, Default)]
pub struct Values<T> {
    values: Vec<T>,
    /// The value of every number beyond the last.
    beyond: T,
    /// Takes what is written beyond the last.
    lost: T,
}

impl<T: Clone + Default> Values<T> {
    /// `value` for each of `len` numbers. Linear.
    #[must_use]
    pub fn new(value: T, len: usize) -> Self {
        vec![value; len].into()
    }
}

impl<T> Values<T> {
    /// Adds the value of the next number. Constant time, amortized.
    pub fn push(&mut self, value: T) {
        self.values.push(value);
    }

    /// The values without total indexing.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }
}

impl<T> Index<usize> for Values<T> {
    type Output = T;

    fn index(&self, n: usize) -> &T {
        self.values.get(n).unwrap_or(&self.beyond)
    }
}

impl<T: Default> IndexMut<usize> for Values<T> {
    fn index_mut(&mut self, n: usize) -> &mut T {
        match self.values.get_mut(n) {
            Some(value) => value,
            None => {
                self.lost = T::default();
                &mut self.lost
            }
        }
    }
}

impl<T> Deref for Values<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.values
    }
}

impl<T> DerefMut for Values<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl<T: Default> From<Vec<T>> for Values<T> {
    fn from(values: Vec<T>) -> Self {
        Self { values, beyond: T::default(), lost: T::default() }
    }
}

impl<T: Default> FromIterator<T> for Values<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        values.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T> IntoIterator for Values<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter()
    }
}

impl<'v, T> IntoIterator for &'v Values<T> {
    type Item = &'v T;
    type IntoIter = std::slice::Iter<'v, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

impl<'v, T> IntoIterator for &'v mut Values<T> {
    type Item = &'v mut T;
    type IntoIter = std::slice::IterMut<'v, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter_mut()
    }
}

impl<T: PartialEq> PartialEq for Values<T> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl<T: fmt::Debug> fmt::Debug for Values<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_beyond_the_last_is_never_read() {
        let mut lists: Values<Vec<u8>> = [vec![1], vec![2]].into_iter().collect();
        lists[2].push(9);
        assert!(lists[2].is_empty() && lists[3].is_empty());
        lists[3].push(8);
        assert_eq!(lists[3], Vec::<u8>::new());
        lists[1].push(3);
        assert_eq!(*lists, [vec![1], vec![2, 3]]);
        assert_eq!(lists.get(2), None);
    }

    #[test]
    fn equal_values_are_equal() {
        let mut a = Values::new(1, 2);
        let b = Values::from(vec![1, 1]);
        a[5] = 7;
        assert_eq!(a, b);
    }
}
