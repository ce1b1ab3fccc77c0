//! Realistic outputs, each at a quarter of its tokens and at a tenth.

use contextfit_text::{CharsPer, text_kind};

use super::shown;

#[test]
fn outputs() {
    insta::glob!("../inputs", "*.txt", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        // The first line is the query; it is not part of the output.
        let (asked, text) = text.split_once('\n').unwrap();
        let asked: Vec<&str> = asked.split('|').filter(|word| !word.is_empty()).collect();
        let counter = CharsPer::new(4).unwrap();
        let all = text.len() / 4;
        let at = |share: usize| shown(text, &asked, all / share, &counter);
        let (quarter, tenth) = (at(4), at(10));
        insta::assert_snapshot!(format!(
            "{:?}, {all} tokens, asked: {asked:?}\n==== a quarter\n{quarter}\n==== a tenth\n{tenth}",
            text_kind(text)
        ));
    });
}
