//! How to pack.

/// How hard to look for the best packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mode {
    /// Item by item in their order, each at the most valuable choice that fits into what is left. Linear.
    InTurn,
    /// Steps up the items' convex hulls, from the steepest to the flattest, as long as they fit; then what still fits.
    /// Linear on average, linear-logarithmic in the choices that fit into what the steps leave.
    Greedy,
    /// The best packing, proven, or the best that was found and a bound on what may be missing. Linear on average, and
    /// at most so much work more as [`Packer::with_effort`](crate::Packer::with_effort) says.
    #[default]
    Optimal,
}
