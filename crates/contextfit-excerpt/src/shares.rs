//! How texts share a room.

use contextfit_kernel::Tokens;

/// The most tokens that each text may have so that texts of these `lengths` together take at most `room`: the shorter
/// ones stay whole, the others get equal shares. [`Tokens::MAX`] if all fit. Linearithmic.
#[must_use]
pub fn share(lengths: impl IntoIterator<Item = Tokens>, room: Tokens) -> Tokens {
    let mut sorted: Vec<Tokens> = lengths.into_iter().collect();
    sorted.sort_unstable();
    let (mut room, mut rest) = (room.get(), sorted.len());
    for length in sorted {
        let share = room / rest;
        if length.get() > share {
            return Tokens::new(share);
        }
        room -= length.get();
        rest -= 1;
    }
    Tokens::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lengths: &[usize], room: usize, expect: usize) {
        assert_eq!(share(lengths.iter().copied().map(Tokens::new), Tokens::new(room)).get(), expect);
    }

    #[test]
    fn short_ones_stay_whole() {
        check(&[], 100, usize::MAX);
        check(&[10], 100, usize::MAX);
        check(&[1000], 100, 100);
        check(&[1000, 10], 100, 90);
        check(&[1000, 10, 500], 100, 45);
        check(&[5, 5], 0, 0);
    }
}
