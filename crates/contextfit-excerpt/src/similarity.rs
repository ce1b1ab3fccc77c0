//! Which lines are alike: the same but for numbers, names and places.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

/// Tokens of a line that are looked at.
const TOKENS: usize = 24;

/// The shape of a line: a hash for each of its tokens, variable ones folded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pattern {
    tokens: Vec<u64>,
    /// Of all tokens.
    pub(crate) hash: u64,
}

impl Pattern {
    /// Makes this the pattern of `line`. Linear in its first tokens; the memory is used again.
    ///
    /// A token of digits, one that a digit, a slash, a backslash, a dot or a double colon stands in, and one of more than 40
    /// bytes are variable: they are all the same.
    pub(crate) fn read(&mut self, line: &str) {
        self.tokens.clear();
        let divides = |c: char| {
            c.is_whitespace() || matches!(c, ',' | '=' | '(' | ')' | '[' | ']' | '"' | '\'' | '<' | '>' | ';')
        };
        let tokens = line.split(divides).filter(|token| !token.is_empty()).take(TOKENS);
        self.tokens.extend(tokens.map(|token| if is_variable(token) { 0 } else { hash(token.as_bytes()) }));
        let mut all = FixedState::default().build_hasher();
        for token in &self.tokens {
            all.write_u64(*token);
        }
        self.hash = all.finish();
    }

    /// Whether the two lines have the same tokens but for one behind the first, and there are any.
    pub(crate) fn resembles(&self, other: &Self) -> bool {
        let (mine, others) = (&self.tokens, &other.tokens);
        if self.hash == other.hash {
            return true;
        }
        let differ = || mine.iter().zip(others).filter(|(a, b)| a != b).count();
        mine.len() == others.len() && mine.len() > 1 && mine.first() == others.first() && differ() == 1
    }
}

fn is_variable(token: &str) -> bool {
    let inner = token.trim_end_matches(['.', ':']);
    token.len() > 40
        || inner.bytes().any(|byte| matches!(byte, b'0'..=b'9' | b'/' | b'\\' | b'.' | b'_'))
        || inner.contains("::")
}

fn hash(bytes: &[u8]) -> u64 {
    // Zero stands for what is variable.
    FixedState::default().hash_one(bytes).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(left: &str, right: &str, resemble: bool) {
        let (mut a, mut b) = (Pattern::default(), Pattern::default());
        a.read(left);
        b.read(right);
        assert_eq!(a.resembles(&b), resemble, "{left} / {right}");
    }

    #[test]
    fn likeness() {
        check("test a::b ... ok", "test c::d_e ... ok", true);
        check("   Compiling serde v1.0.2", "   Compiling libc v0.2.1", true);
        check(
            "2024-05-01 12:00:00 INFO request 17 took 3ms",
            "2024-05-02 12:00:01 INFO request 18 took 30ms",
            true,
        );
        check("2024-05-01 12:00:00 INFO request", "2024-05-01 12:00:00 ERROR request 3", false);
        check("open /a/b", "close /a/b", false);
        check("open", "close", false);
        check("", "", true);
    }
}
