//! The items of the packer and their choices.

use std::{borrow::Cow, iter::zip, ops::Range};

/// One way to take an item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The weight, such as a number of tokens.
    pub weight: usize,
    /// The value. Negative, infinite and NaN values count as zero.
    pub value: f64,
}

impl Choice {
    /// Creates a choice.
    #[must_use]
    pub const fn new(weight: usize, value: f64) -> Self {
        Self { weight, value }
    }

    /// The choice with its effective value: finite and not negative.
    fn counted(self) -> Self {
        let counts = self.value > 0.0 && self.value.is_finite();
        Self { value: if counts { self.value } else { 0.0 }, ..self }
    }
}

/// Combines the choices of several members into those of one item, so that they are taken together: choice `n` takes
/// choice `n` of every member. The result has as many choices as the member with the fewest. Linear in the number of
/// choices.
///
/// ```
/// use contextfit_packing::{Choice, together};
///
/// let (call, result) = ([Choice::new(2, 1.0), Choice::new(9, 2.0)], [Choice::new(5, 3.0)]);
/// assert_eq!(together(&[&call, &result]), [Choice::new(7, 4.0)]);
/// ```
#[must_use]
pub fn together(members: &[&[Choice]]) -> Vec<Choice> {
    let [first, rest @ ..] = members else { return Vec::new() };
    let mut sums = first.to_vec();
    for member in rest {
        sums.truncate(member.len());
        for (sum, choice) in zip(&mut sums, *member) {
            *sum = Choice::new(
                sum.weight.saturating_add(choice.weight),
                sum.counted().value + choice.counted().value,
            );
        }
    }
    sums
}

/// The weight of a choice that fits no capacity.
const NEVER: usize = usize::MAX;

/// Items, each with its choices.
///
/// An item that is left out has no weight and no value. Of a [required](Items::push_required) item, one choice is
/// always taken.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Items {
    choices: Vec<Choice>,
    ends: Vec<usize>,
    required: Vec<bool>,
}

impl From<Items> for Cow<'_, Items> {
    fn from(items: Items) -> Self {
        Self::Owned(items)
    }
}

impl<'i> From<&'i Items> for Cow<'i, Items> {
    fn from(items: &'i Items) -> Self {
        Self::Borrowed(items)
    }
}

impl Items {
    /// Creates an empty list of items.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an item with `choices`; [`Packing::chosen`](crate::Packing::chosen) refers to them by index.
    pub fn push(&mut self, choices: impl IntoIterator<Item = Choice>) {
        self.add(choices, false);
    }

    /// Adds an item of which one of `choices` must be taken. A minimum is set by omitting lower choices, and an item is
    /// pinned by offering a single choice. An item without choices is left out.
    pub fn push_required(&mut self, choices: impl IntoIterator<Item = Choice>) {
        self.add(choices, true);
    }

    fn add(&mut self, choices: impl IntoIterator<Item = Choice>, required: bool) {
        self.choices.extend(choices.into_iter().map(Choice::counted));
        self.ends.push(self.choices.len());
        self.required.push(required);
    }

    /// Requires choice number `least` of item `n` or a later one. Its earlier choices can no longer be taken.
    pub fn require(&mut self, n: usize, least: usize) {
        let range = self.range(n);
        let before = self.choices.get_mut(range).unwrap_or_default().iter_mut().take(least);
        before.for_each(|choice| *choice = Choice::new(NEVER, 0.0));
        self.required.get_mut(n).into_iter().for_each(|required| *required = true);
    }

    /// [Requires](Self::require) each of `wishes`, pairs of an item and its least choice, in order, if it fits into
    /// `capacity` in addition to what is already required. Linear in the number of choices.
    ///
    /// ```
    /// use contextfit_packing::{Choice, Items};
    ///
    /// let mut items = Items::new();
    /// items.push([Choice::new(3, 1.0), Choice::new(9, 4.0)]);
    /// items.push_required([Choice::new(2, 1.0), Choice::new(5, 2.0)]);
    /// items.require_in_turn([(1, 1), (0, 1), (0, 0)], 10);
    /// assert_eq!([0, 1].map(|n| items.is_required(n)), [true, true]);
    /// assert_eq!(items.min_weight(), 8);
    /// ```
    pub fn require_in_turn(&mut self, wishes: impl IntoIterator<Item = (usize, usize)>, capacity: usize) {
        let mut taken = self.min_weight();
        for (n, least) in wishes {
            let own = self.at(n, self.base(n)).weight;
            let wished = self.choices(n).iter().skip(least).map(|choice| choice.weight).min();
            let with = wished.map(|wished| taken.saturating_sub(own).saturating_add(wished));
            if let Some(with) = with.filter(|with| *with <= capacity) {
                self.require(n, least);
                taken = with;
            }
        }
    }

    /// The least weight of the required items.
    #[must_use]
    pub fn min_weight(&self) -> usize {
        let required = (0..self.len()).filter(|&n| self.is_required(n));
        required.map(|n| self.at(n, self.base(n)).weight).fold(0, usize::saturating_add)
    }

    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The choices of each item, in order, with their effective values.
    pub fn iter(&self) -> impl Iterator<Item = &[Choice]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let choices = self.choices.get(start..end).unwrap_or_default();
            start = end;
            choices
        })
    }

    /// The choices of item `n`; empty if there is no such item.
    #[must_use]
    pub fn choices(&self, n: usize) -> &[Choice] {
        self.choices.get(self.range(n)).unwrap_or_default()
    }

    fn range(&self, n: usize) -> Range<usize> {
        let end = |n: usize| self.ends.get(n).copied().unwrap_or(self.choices.len());
        n.checked_sub(1).map_or(0, end)..end(n)
    }

    /// Whether one of the choices of item `n` must be taken.
    #[must_use]
    pub fn is_required(&self, n: usize) -> bool {
        self.required.get(n).copied().unwrap_or(false)
    }

    /// The choice of item `n` before anything is spent on it: none, or for a required item the lightest; of equal ones
    /// the most valuable, then the first.
    pub(crate) fn base(&self, n: usize) -> Option<usize> {
        if !self.is_required(n) {
            return None;
        }
        let choices = self.choices(n).iter().enumerate();
        let base = choices.min_by(|(_, a), (_, b)| a.weight.cmp(&b.weight).then(b.value.total_cmp(&a.value)));
        base.map(|(number, _)| number)
    }

    /// The total value of the choices `taken`.
    pub(crate) fn value(&self, taken: &[Option<usize>]) -> f64 {
        taken.iter().enumerate().map(|(n, &taken)| self.at(n, taken).value).sum()
    }

    /// The choice `taken` of item `n`; without one, weight and value are zero.
    pub(crate) fn at(&self, n: usize, taken: Option<usize>) -> Choice {
        taken.and_then(|number| self.choices(n).get(number)).copied().unwrap_or(Choice::new(0, 0.0))
    }
}
