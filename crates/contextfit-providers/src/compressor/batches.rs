//! Which chunks share a call.

use contextfit_kernel::Tokens;

/// The limits of one call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub chunks: usize,
    pub input: Tokens,
    pub output: Tokens,
}

/// Groups neighbours into batches, each within `room` or a single chunk, and returns the number of chunks in each.
/// `sizes` holds the tokens of each chunk before and after.
pub(super) fn batches(sizes: &[(Tokens, Tokens)], room: Room) -> Vec<usize> {
    let mut batches = Vec::new();
    let (mut count, mut input, mut output) = (0, Tokens::ZERO, Tokens::ZERO);
    for &(before, after) in sizes {
        let full = count >= room.chunks || input + before > room.input || output + after > room.output;
        if count > 0 && full {
            batches.push(count);
            (count, input, output) = (0, Tokens::ZERO, Tokens::ZERO);
        }
        count += 1;
        input += before;
        output += after;
    }
    batches.extend((count > 0).then_some(count));
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sizes: &[(usize, usize)], expect: &[usize]) {
        let room = Room { chunks: 3, input: Tokens::new(100), output: Tokens::new(30) };
        let sizes: Vec<_> = sizes.iter().map(|(i, o)| (Tokens::new(*i), Tokens::new(*o))).collect();
        assert_eq!(batches(&sizes, room), expect);
    }

    #[test]
    fn batches_keep_all_limits() {
        check(&[], &[]);
        check(&[(10, 3); 7], &[3, 3, 1]);
        check(&[(60, 3), (40, 3), (1, 1)], &[2, 1]);
        check(&[(10, 20), (10, 20)], &[1, 1]);
        check(&[(10, 3), (500, 150), (10, 3)], &[1, 1, 1]);
    }
}
