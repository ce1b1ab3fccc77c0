pub(crate) fn is_small_talk(_: &str) -> bool {
    false
}
