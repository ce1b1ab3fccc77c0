//! A basket of things to buy.

use std::collections::HashMap;

/// The most that fits in.
const LIMIT: usize = 40;

/// What is in the basket.
#[derive(Debug, Default)]
pub struct Basket {
    /// How many of each.
    counts: HashMap<String, usize>,
    /// Whether it is paid for.
    paid: bool,
}

impl Basket {
    /// An empty basket.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts `n` more of `thing` in.
    ///
    /// # Errors
    /// When there is no room.
    pub fn add(
        &mut self,
        thing: &str,
        n: usize,
    ) -> Result<(), Full> {
        if self.total() + n > LIMIT {
            return Err(Full);
        }
        let count = self.counts.entry(thing.to_owned());
        *count.or_default() += n;
        self.paid = false;
        Ok(())
    }

    /// How many things there are.
    pub fn total(&self) -> usize {
        let mut total = 0;
        for count in self.counts.values() {
            total += count;
        }
        total
    }
}

/// There is no room.
pub struct Full;
