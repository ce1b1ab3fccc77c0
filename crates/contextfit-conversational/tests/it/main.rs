//! What the strategies for conversations promise.
