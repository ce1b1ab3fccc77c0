//! The input of the packer.

use std::{borrow::Cow, iter::zip};

/// One way to take an item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Its cost in tokens.
    pub weight: usize,
    /// Its value. Negative, infinite and NaN values count as zero.
    pub value: f64,
}

impl Choice {
    /// Creates a choice.
    #[must_use]
    pub const fn new(weight: usize, value: f64) -> Self {
        Self { weight, value }
    }

    /// The choice with its effective value.
    fn counted(self) -> Self {
        let counts = self.value > 0.0 && self.value.is_finite();
        Self { value: if counts { self.value } else { 0.0 }, ..self }
    }
}

/// Combines the choices of members that move together into those of one item: choice `n` takes choice `n` of every
/// member. The result has only as many choices as every member has. Linear in the number of choices.
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

/// Items, each with its choices.
///
/// Leaving an item out costs nothing and has no value; one choice of a [required](Items::push_required) item is always
/// taken. [Similar](Items::set_alike) items are worth less together than separately.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Items {
    choices: Vec<Choice>,
    ends: Vec<usize>,
    required: Vec<bool>,
    alike: Vec<Alike>,
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

/// Items with nearly the same content.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Alike {
    pub(crate) members: Vec<usize>,
    /// The share of its value, from 0 to 1, that every member but one loses.
    pub(crate) discount: f64,
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

    /// Adds an item of which one of `choices` must be taken. To set a minimum, leave lower choices out; to pin an item,
    /// offer a single choice. An item without choices is still left out.
    pub fn push_required(&mut self, choices: impl IntoIterator<Item = Choice>) {
        self.add(choices, true);
    }

    fn add(&mut self, choices: impl IntoIterator<Item = Choice>, required: bool) {
        self.choices.extend(choices.into_iter().map(Choice::counted));
        self.ends.push(self.choices.len());
        self.required.push(required);
    }

    /// Declares that `members` have nearly the same content: of those taken, the most valuable counts in full, and
    /// every other one loses the share `discount` (0 to 1) of its value.
    ///
    /// Only the four members whose best choices are most valuable (the first of equal ones) compete to count in full;
    /// further members of a larger set always count at the discount. Within that rule, results are as exact as without
    /// sets. An item belongs to the first set that names it.
    pub fn set_alike(&mut self, members: impl IntoIterator<Item = usize>, discount: f64) {
        let discount = if discount.is_nan() { 0.0 } else { discount.clamp(0.0, 1.0) };
        self.alike.push(Alike { members: members.into_iter().collect(), discount });
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
        let start = n.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(n).and_then(|&end| self.choices.get(start..end)).unwrap_or_default()
    }

    /// Whether one of the choices of item `n` must be taken.
    #[must_use]
    pub fn is_required(&self, n: usize) -> bool {
        self.required.get(n).copied().unwrap_or(false)
    }

    pub(crate) fn alike(&self) -> &[Alike] {
        &self.alike
    }

    /// The choice of item `n` when nothing is spent on it: none, or for a required item the lightest; of equal ones the
    /// most valuable, then the first.
    pub(crate) fn base(&self, n: usize) -> Option<usize> {
        if !self.is_required(n) {
            return None;
        }
        let mut base: Option<(usize, Choice)> = None;
        for (number, &choice) in self.choices(n).iter().enumerate() {
            let better = base.is_none_or(|(_, base)| {
                choice.weight < base.weight || choice.weight == base.weight && choice.value > base.value
            });
            if better {
                base = Some((number, choice));
            }
        }
        base.map(|(number, _)| number)
    }

    /// The choice `taken` of item `n`; weight and value are zero if nothing is taken.
    pub(crate) fn at(&self, n: usize, taken: Option<usize>) -> Choice {
        taken.and_then(|number| self.choices(n).get(number)).copied().unwrap_or(Choice::new(0, 0.0))
    }
}
