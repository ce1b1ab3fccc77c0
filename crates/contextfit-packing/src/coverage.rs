//! Selection of items that cover features within a capacity.

use crate::{Queue, Score};

/// Added to the cost of every item during selection, which favours longer items among those of similar coverage per
/// cost: they have fewer seams.
const SEAM_COST: f64 = 3.0;

/// An item with its cost and the features that it covers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CoverItem {
    /// The capacity that it takes.
    pub cost: usize,
    /// Its value in addition to that of the features.
    pub own: f64,
    /// The features it covers, as indices into the weights.
    pub features: Vec<u32>,
    /// The index of its holder. The first item taken of a holder also pays the cost of the holder.
    pub holder: usize,
    /// Other items of its holder without which it is not taken.
    pub needs: Vec<usize>,
}

/// A selection of items, each valued by the features that it covers and no other item has covered yet. It solves
/// budgeted maximum coverage with the greedy rule of Khuller, Moss and Naor (1999): always take the item that covers
/// the most per cost, evaluated lazily (Minoux 1978).
///
/// Deterministic: of equal items the later one is taken. O(n log n) in the number of items and features in practice,
/// because an item is evaluated again only after other items have covered part of it or its holder has been paid for.
///
/// ```
/// use contextfit_packing::{CoverItem, Coverage};
///
/// let item = |cost, features: &[u32]| CoverItem { cost, features: features.to_vec(), ..CoverItem::default() };
/// let items = vec![item(4, &[0]), item(5, &[0, 1]), item(4, &[2])];
/// let mut coverage = Coverage::new(vec![1.0; 3], vec![2], items);
/// assert_eq!(coverage.fill(11, 0.0), [(1, 7), (2, 4)]);
/// assert_eq!((0..3).filter(|&n| coverage.is_taken(n)).collect::<Vec<_>>(), [1, 2]);
/// ```
#[derive(Debug, Clone)]
pub struct Coverage {
    weights: Vec<f64>,
    holders: Vec<Holder>,
    items: Vec<CoverItem>,
    places: Vec<Place>,
}

/// The state of an item in the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Open,
    Taken,
    Out,
}

/// A container of items.
#[derive(Debug, Clone)]
struct Holder {
    cost: usize,
    items: Vec<usize>,
    is_paid: bool,
}

impl Coverage {
    /// Creates the selection from feature `weights`, the costs of `holders`, and `items`. Linear.
    #[must_use]
    pub fn new(weights: Vec<f64>, holders: Vec<usize>, items: Vec<CoverItem>) -> Self {
        let holder = |cost| Holder { cost, items: Vec::new(), is_paid: false };
        let mut holders: Vec<Holder> = holders.into_iter().map(holder).collect();
        for (n, item) in items.iter().enumerate() {
            holders.get_mut(item.holder).into_iter().for_each(|holder| holder.items.push(n));
        }
        let places = vec![Place::Open; items.len()];
        Self { weights, holders, items, places }
    }

    /// Whether item `n` is taken.
    #[must_use]
    pub fn is_taken(&self, n: usize) -> bool {
        self.places.get(n) == Some(&Place::Taken)
    }

    /// Excludes item `n` from the selection, and removes it if it was taken. The features it covered stay covered, and
    /// its holder stays paid for.
    pub fn leave_out(&mut self, n: usize) {
        self.put(n, Place::Out);
    }

    fn put(&mut self, n: usize, place: Place) {
        self.places.get_mut(n).into_iter().for_each(|known| *known = place);
    }

    /// The cost of taking item `n` now, including the items it needs, and its holder if no other item of the holder is
    /// taken.
    #[must_use]
    pub fn cost(&self, n: usize) -> usize {
        let holder = self.unpaid(n).map_or(0, |holder| holder.cost);
        self.with_needs(n).map(|item| item.cost).fold(holder, usize::saturating_add)
    }

    /// Item `n` and the items that it needs, as far as they are not taken.
    fn with_needs(&self, n: usize) -> impl Iterator<Item = &CoverItem> {
        let needs = self.items.get(n).into_iter().flat_map(|item| &item.needs);
        let open = needs.copied().chain([n]).filter(|&n| !self.is_taken(n));
        open.filter_map(|n| self.items.get(n))
    }

    /// The holder of item `n`, if none of its items has been taken.
    fn unpaid(&self, n: usize) -> Option<&Holder> {
        self.holders.get(self.items.get(n)?.holder).filter(|holder| !holder.is_paid)
    }

    /// The total cost of the items taken, including their holders. Linear.
    #[must_use]
    pub fn spent(&self) -> usize {
        let cost = |holder: &Holder| {
            let taken = holder.items.iter().filter(|n| self.is_taken(**n));
            let costs = taken.filter_map(|&n| self.items.get(n)).map(|item| item.cost);
            costs.reduce(usize::saturating_add).map_or(0, |cost| cost.saturating_add(holder.cost))
        };
        self.holders.iter().map(cost).fold(0, usize::saturating_add)
    }

    /// Marks feature `n` as covered by something outside the selection.
    pub fn cover(&mut self, n: u32) {
        self.weights.get_mut(n as usize).into_iter().for_each(|weight| *weight = 0.0);
    }

    /// Takes item `n`, whatever its value, unless it is already taken. Returns the capacity used.
    pub fn take(&mut self, n: usize) -> usize {
        let Some(item) = self.open(n) else { return 0 };
        let (cost, holder) = (self.cost(n), item.holder);
        let together: Vec<usize> = item.needs.iter().copied().chain([n]).collect();
        for n in together {
            for &feature in self.items.get(n).map_or(&[][..], |item| &item.features) {
                self.weights.get_mut(feature as usize).into_iter().for_each(|weight| *weight = 0.0);
            }
            self.put(n, Place::Taken);
        }
        self.holders.get_mut(holder).into_iter().for_each(|holder| holder.is_paid = true);
        cost
    }

    /// Item `n`, unless it or one that it needs can no longer be taken.
    fn open(&self, n: usize) -> Option<&CoverItem> {
        let item = self.items.get(n).filter(|_| self.places.get(n) == Some(&Place::Open))?;
        let can_be_met = |n: &usize| matches!(self.places.get(*n), Some(Place::Open | Place::Taken));
        item.needs.iter().all(can_be_met).then_some(item)
    }

    /// Takes the items of highest value per cost while they fit into `capacity` and their value exceeds `min_rate` per
    /// unit of cost. Returns the items taken, each with its cost, which includes that of its holder for the first item
    /// of a holder.
    pub fn fill(&mut self, capacity: usize, min_rate: f64) -> Vec<(usize, usize)> {
        let mut taken = Vec::new();
        let mut left = capacity;
        // Of equal items the later one is taken.
        let mut queue: Queue<(Score, usize)> =
            (0..self.items.len()).filter_map(|n| Some((self.rate(n)?, n))).collect();
        while let Some((rate, item)) = queue.pop() {
            if rate.0 <= min_rate {
                break;
            }
            let Some(now) = self.rate(item) else { continue };
            // Other items may have covered part of it since it was queued.
            if now < rate {
                queue.put_back((now, item));
                continue;
            }
            if self.cost(item) > left {
                continue;
            }
            // For others of its holder, what has been paid for makes the cost smaller.
            let is_first = self.unpaid(item).is_some() || self.with_needs(item).nth(1).is_some();
            let holder = self.items.get(item).and_then(|item| self.holders.get(item.holder));
            let others = holder.filter(|_| is_first).map_or_else(Vec::new, |holder| holder.items.clone());
            let cost = self.take(item);
            left -= cost;
            taken.push((item, cost));
            others
                .into_iter()
                .filter_map(|n| Some((self.rate(n)?, n)))
                .for_each(|entry| queue.put_back(entry));
        }
        taken
    }

    /// The value per cost of item `n` in the current state; `None` if it can no longer be taken.
    fn rate(&self, n: usize) -> Option<Score> {
        self.open(n)?;
        let weight = |feature: &u32| self.weights.get(*feature as usize);
        let value = |item: &CoverItem| item.own + item.features.iter().filter_map(weight).sum::<f64>();
        let rate = self.with_needs(n).map(value).sum::<f64>() / (SEAM_COST + self.cost(n) as f64);
        (rate > 0.0).then_some(Score(rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which items (cost, own value, features, holder) are taken within `capacity`. `holders` has the cost of
    /// each holder.
    #[track_caller]
    fn check(items: &[(usize, f64, &[u32], usize)], holders: &[usize], capacity: usize, expect: &[usize]) {
        let item = |&(cost, own, features, holder): &(usize, f64, &[u32], usize)| CoverItem {
            cost,
            own,
            features: features.to_vec(),
            holder,
            needs: Vec::new(),
        };
        let all: Vec<CoverItem> = items.iter().map(item).collect();
        let mut coverage = Coverage::new(vec![1.0; 8], holders.to_vec(), all);
        let spent: usize = coverage.fill(capacity, 0.0).iter().map(|(_, cost)| cost).sum();
        let taken: Vec<usize> = (0..items.len()).filter(|&n| coverage.is_taken(n)).collect();
        assert_eq!(taken, expect);
        let mut opened: Vec<usize> = taken.iter().map(|&n| items[n].3).collect();
        opened.sort_unstable();
        opened.dedup();
        let own: usize = taken.iter().map(|&n| items[n].0).sum();
        let paid: usize = opened.iter().filter_map(|&holder| holders.get(holder)).sum();
        assert_eq!(spent, own + paid);
        assert_eq!(spent, coverage.spent().max(own));
        assert!(spent <= capacity);
    }

    #[test]
    fn what_covers_most_for_its_cost() {
        check(&[], &[], 10, &[]);
        check(&[(3, 0.0, &[0], 0), (3, 0.0, &[0], 0)], &[0], 10, &[1]);
        check(&[(3, 0.0, &[0], 0), (4, 0.0, &[0, 1, 2], 0)], &[0], 10, &[1]);
        check(&[(3, 0.5, &[0], 0), (4, 0.0, &[0, 1, 2], 0)], &[0], 10, &[0, 1]);
        check(&[(9, 0.0, &[0], 0), (3, 0.0, &[1], 0)], &[0], 8, &[1]);
        check(&[(3, 0.0, &[], 0)], &[0], 8, &[]);
        check(&[(3, 0.0, &[0], 7)], &[], 3, &[0]);
    }

    #[test]
    fn items_with_what_they_need() {
        let item =
            |cost, own, needs: &[usize]| CoverItem { cost, own, needs: needs.into(), ..CoverItem::default() };
        let coverage = || {
            Coverage::new(
                Vec::new(),
                vec![1],
                vec![item(2, 0.0, &[]), item(3, 9.0, &[0]), item(3, 8.0, &[0])],
            )
        };
        let mut all = coverage();
        assert_eq!((all.cost(1), all.fill(9, 0.0)), (6, vec![(1, 6), (2, 3)]));
        assert!((0..3).all(|n| all.is_taken(n)) && all.spent() == 9);
        let mut none = coverage();
        none.leave_out(0);
        assert_eq!((none.take(1), none.fill(9, 0.0)), (0, vec![]));
    }

    #[test]
    fn the_first_pays_for_its_holder() {
        check(&[(3, 0.5, &[0], 0), (3, 0.0, &[1], 0), (3, 0.0, &[2], 1)], &[6, 6], 12, &[0, 1]);
    }
}
