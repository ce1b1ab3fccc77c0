use contextfit_kernel::ByteRange;
pub(crate) fn spoken(text: &str) -> Vec<ByteRange> {
    vec![ByteRange::whole(text)]
}
pub(crate) fn is_printed(text: &str) -> bool {
    crate::draft::looks_printed(text)
}
