//! Packing modes.

/// How hard to look for the best packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum PackingMode {
    /// Item by item in order, each with the most valuable choice that fits into the remaining room. Linear.
    InTurn,
    /// Steps up the items' convex hulls, from the steepest to the flattest, as long as they fit; then every other
    /// choice that still fits. Linear on average, O(n log n) in the choices that fit into the room left by the steps.
    Greedy,
    /// The best packing, proven optimal; or the best one found, with a bound on how much better the optimum can be.
    /// Linear on average, plus at most the work allowed by [`Packer::with_effort`](crate::Packer::with_effort).
    #[default]
    Optimal,
}
