//! Many items: the remaining gap.

use contextfit_packing::{Choice, Items, Packer, PackingMode};

/// Marsaglia's xorshift: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % end
    }
}

/// How the choices of an item are generated.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// Four levels, like those of memories.
    Levels,
    /// Values unrelated to weights.
    Unrelated,
    /// Values equal to the weights: every packing that fills the room is equally good.
    Subset,
    /// Values slightly above the weights.
    Strong,
}

fn items(shape: Shape, n: usize, random: &mut Random) -> Items {
    let mut items = Items::new();
    for _ in 0..n {
        let worth = random.below(1_000) as f64 / 500.0 + 0.1;
        let levels = [(6, 0.05), (45, 0.4), (180, 0.8), (700, 1.0)];
        let choices: Vec<Choice> = match shape {
            Shape::Levels => levels.map(|(w, v)| Choice::new(w + random.below(w), worth * v)).into(),
            Shape::Unrelated => {
                (0..4).map(|_| Choice::new(1 + random.below(900), random.below(900) as f64)).collect()
            }
            Shape::Subset => {
                (0..4).map(|_| 1 + random.below(900)).map(|w| Choice::new(w, w as f64)).collect()
            }
            Shape::Strong => {
                (0..4).map(|_| 1 + random.below(900)).map(|w| Choice::new(w, w as f64 + 90.0)).collect()
            }
        };
        items.push(choices);
    }
    items
}

/// Checks the largest gap over budgets from tight to ample.
#[track_caller]
fn check(shape: Shape, n: usize) {
    let mut random = Random(88_172_645_463_325_252);
    for capacity in [n / 10, n, n * 5, n * 20, n * 60, n * 200, n * 600] {
        let items = items(shape, n, &mut random);
        let packing = Packer::new(&items, PackingMode::Optimal).pack(capacity).unwrap();
        assert!(packing.gap() < 0.001, "{shape:?} {n} in {capacity}: gap {}", packing.gap());
        assert!(packing.weight <= capacity);
    }
}

#[test]
fn from_a_thousand_items_on_the_gap_is_under_a_thousandth() {
    for shape in [Shape::Levels, Shape::Unrelated, Shape::Subset, Shape::Strong] {
        for n in [1_000, 3_000, 20_000] {
            check(shape, n);
        }
    }
}
