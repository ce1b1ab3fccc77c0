//! The parts of a text that its grammar does not account for.

use tree_sitter::{Node, Tree};

/// The number of bytes of a text that its grammar does not account for. Linear, without recursion.
pub(crate) fn bytes(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut bytes = 0;
    loop {
        let node = cursor.node();
        if node.is_error() {
            bytes += node.byte_range().len();
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        bytes += usize::from(node.is_missing());
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return bytes;
            }
        }
    }
}

/// Whether a direct child of `node` is an error. Linear in its children.
pub(crate) fn stand_in(node: Node<'_>) -> bool {
    node.has_error() && node.children(&mut node.walk()).any(|child| child.is_error() || child.is_missing())
}
