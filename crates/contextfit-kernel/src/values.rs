//! One value for each of many places.

/// Access to one value per row, block or term. A place outside of the list has the default value, so callers that count
/// rows of several lists need not prove that all are equally long.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel as kernel; }
/// use contextfit::kernel::Values;
///
/// let mut scores = vec![0.5, 1.0];
/// scores.change(1, |score| *score *= 2.0);
/// scores.set(7, 1.0);
/// assert_eq!((scores.at(1), scores.at(7)), (2.0, 0.0));
/// ```
pub trait Values<T> {
    /// The value at `n`, or the default.
    #[must_use]
    fn at(&self, n: usize) -> T
    where
        T: Copy + Default;

    /// Replaces the value at `n`, if there is one.
    fn set(&mut self, n: usize, value: T);

    /// Changes the value at `n`, if there is one.
    fn change(&mut self, n: usize, change: impl FnOnce(&mut T));
}

impl<T> Values<T> for [T] {
    fn at(&self, n: usize) -> T
    where
        T: Copy + Default,
    {
        self.get(n).copied().unwrap_or_default()
    }

    fn set(&mut self, n: usize, value: T) {
        self.change(n, |place| *place = value);
    }

    fn change(&mut self, n: usize, change: impl FnOnce(&mut T)) {
        if let Some(place) = self.get_mut(n) {
            change(place);
        }
    }
}
