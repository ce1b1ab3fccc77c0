//! What is offered to the packer.

/// One way to take an item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// What it costs: tokens.
    pub weight: usize,
    /// What it is worth. A value that is negative or not a number counts as nothing.
    pub value: f64,
}

impl Choice {
    /// A choice.
    #[must_use]
    pub const fn new(weight: usize, value: f64) -> Self {
        Self { weight, value }
    }
}

/// Items, each with its choices. Leaving an item out is always possible, costs nothing and is worth nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Items {
    choices: Vec<Choice>,
    ends: Vec<usize>,
}

impl Items {
    /// No items yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an item with `choices`; their order is the numbering of the answer.
    pub fn push(&mut self, choices: impl IntoIterator<Item = Choice>) {
        self.choices.extend(choices);
        self.ends.push(self.choices.len());
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The choices of each item, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[Choice]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let choices = self.choices.get(start..end).unwrap_or_default();
            start = end;
            choices
        })
    }

    /// The choices of item `n`; none for an item that is not there.
    #[must_use]
    pub fn choices(&self, n: usize) -> &[Choice] {
        let start = n.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(n).and_then(|&end| self.choices.get(start..end)).unwrap_or_default()
    }
}
