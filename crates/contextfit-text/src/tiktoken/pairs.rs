//! Pairs of bytes: what a vocabulary says of two bytes that stand side by side, which spares most merging in text that
//! no token was made for.

use bpe_openai::byte_pair_encoding::BytePairEncoding;

/// Two bytes side by side, as a vocabulary knows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pair {
    /// In no token: every piece can be divided between them.
    Apart,
    /// In some token, and none themselves.
    Inside,
    /// A token, with which merging can begin.
    Token,
}

/// What a vocabulary says of every pair of bytes.
pub(super) struct Pairs {
    /// The pair of the bytes `a` and `b` at `256 a + b`.
    pairs: Vec<Pair>,
}

impl Pairs {
    /// The pairs of the vocabulary of `encoding`. Linear in its length, some milliseconds.
    pub(super) fn of(encoding: &BytePairEncoding) -> Self {
        let mut pairs = vec![Pair::Apart; 1 << 16];
        for token in (0u32..).take(encoding.num_tokens()).map(|token| encoding.token_bytes(token)) {
            for pair in token.windows(2) {
                if let Some(known) = pairs.get_mut(index(pair)) {
                    *known = match (token.len(), *known) {
                        (2, _) | (_, Pair::Token) => Pair::Token,
                        _ => Pair::Inside,
                    };
                }
            }
        }
        Self { pairs }
    }

    /// The tokens of `piece`, which is one of the pattern's, in the vocabulary of `encoding`, whose pairs these are.
    ///
    /// No token reaches across a pair that is in none, and bytes of which no two are a token are never merged: what is
    /// between such pairs is merged only where merging can begin.
    pub(super) fn count(&self, piece: &[u8], encoding: &BytePairEncoding) -> usize {
        let joined = |pair: &[u8]| self.of_bytes(pair) != Pair::Apart;
        let merges = |part: &[u8]| part.windows(2).any(|pair| self.of_bytes(pair) == Pair::Token);
        let tokens = |part: &[u8]| if merges(part) { encoding.count(part) } else { part.len() };
        piece.chunk_by(|a, b| joined(&[*a, *b])).map(tokens).sum()
    }

    fn of_bytes(&self, pair: &[u8]) -> Pair {
        self.pairs.get(index(pair)).copied().unwrap_or(Pair::Token)
    }
}

/// Where two bytes stand in a table of all pairs.
fn index(pair: &[u8]) -> usize {
    pair.iter().fold(0, |index, byte| index << 8 | usize::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(piece: &[u8]) {
        for tokenizer in [bpe_openai::o200k_base(), bpe_openai::cl100k_base()] {
            let counted = Pairs::of(&tokenizer.bpe).count(piece, &tokenizer.bpe);
            assert_eq!(counted, tokenizer.bpe.count(piece), "{piece:?}");
        }
    }

    #[test]
    fn pieces_are_counted_as_by_merging_alone() {
        check(b"");
        check(b"a");
        check(b"understanding");
        check(" \u{928}\u{92e}\u{938}\u{94d}\u{924}\u{947}".as_bytes());
        check("\u{10FFFF}x\u{F0000}\u{1F600}\u{E0041}".as_bytes());
        check(&(0..=255).collect::<Vec<u8>>());
        let mut number = 1u32;
        let mut bytes = || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            number.to_be_bytes()[0]
        };
        check(&(0..4_000).map(|_| bytes()).collect::<Vec<u8>>());
        check(&(0..4_000).map(|_| 0x80 | bytes() & 0x3F).collect::<Vec<u8>>());
    }
}
