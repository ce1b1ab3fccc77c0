//! Explanations of sentence scores.

use std::fmt;

use serde::Serialize;

/// A figure in the score of a sentence, and the figures of which it is the sum.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The name of a term or of a part of the score.
    pub name: String,
    /// The figure.
    pub value: f64,
    /// The figures that add up to it; empty if there are none.
    pub parts: Vec<Self>,
}

impl Explanation {
    /// Creates a figure that is the sum of `parts`.
    #[must_use]
    pub fn sum(name: impl Into<String>, parts: Vec<Self>) -> Self {
        // An empty sum is -0.0.
        let value = parts.iter().map(|part| part.value).sum::<f64>() + 0.0;
        Self { name: name.into(), value, parts }
    }

    /// Creates a figure without parts.
    #[must_use]
    pub fn leaf(name: impl Into<String>, value: f64) -> Self {
        Self { name: name.into(), value, parts: Vec::new() }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        writeln!(f, "{:indent$}{:.3} {}", "", self.value, self.name, indent = depth * 2)?;
        self.parts.iter().try_for_each(|part| part.write(f, depth + 1))
    }
}

/// Writes the tree, one figure per line, with parts indented.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_a_line() {
        let inner =
            Explanation::sum("inner", vec![Explanation::leaf("a", 0.5), Explanation::leaf("b", 0.25)]);
        let tree = Explanation::sum("all", vec![inner, Explanation::sum("none", Vec::new())]);
        assert_eq!(tree.to_string(), "0.750 all\n  0.750 inner\n    0.500 a\n    0.250 b\n  0.000 none\n");
    }
}
