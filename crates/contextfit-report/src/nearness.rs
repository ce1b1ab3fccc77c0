//! How near the output is to each part of the input, by an embedding model.

use contextfit_kernel::{PartedText, Question, Scorer};
use contextfit_text::float;

use crate::compression::Compression;

/// The most parts of the input, and of the output, that are compared. More of them would change a mean by less than
/// models differ, and take longer by their product.
const MAX_PARTS: usize = 64;

/// The fewest bytes of a part: a few sentences.
const SHORTEST_PART_BYTES: usize = 400;

/// The mean, over parts of the input, of the score of the part of the output that is nearest to each, by `scorer`;
/// `None` if either is empty. Parts are of equal length and spread evenly, at most [`MAX_PARTS`] of them.
pub(crate) fn nearness(compression: &Compression<'_>, scorer: &dyn Scorer) -> Option<f64> {
    let blocks = compression.input().blocks.iter();
    let texts: Vec<&str> = blocks.map(|block| block.text.as_str()).collect();
    let (source, output) = (parts(&texts), parts(&[compression.text]));
    let runs: Vec<PartedText> = (0..output.len()).map(|n| PartedText::from(n..n + 1)).collect();
    let questions: Vec<Question<'_>> = source.iter().map(|query| Question { query, texts: &runs }).collect();
    let scores = scorer.score_parts(&output, &questions);
    let nearest = scores.into_iter().filter_map(|scores| scores.into_iter().max_by(f64::total_cmp));
    let nearest: Vec<f64> = nearest.collect();
    (!nearest.is_empty()).then(|| nearest.iter().sum::<f64>() / float(nearest.len()))
}

/// At most [`MAX_PARTS`] parts of `texts`, spread evenly, each within one text and ending where a word does.
fn parts<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let size = SHORTEST_PART_BYTES.max(bytes / MAX_PARTS / 4);
    let mut all: Vec<&'a str> = Vec::new();
    for text in texts {
        let mut rest = *text;
        while !rest.trim().is_empty() {
            let at = rest.ceil_char_boundary(size.min(rest.len()));
            let end = rest
                .get(at..)
                .and_then(|after| after.find(char::is_whitespace))
                .map_or(rest.len(), |to| at + to);
            let (part, after) = rest.split_at(end);
            all.push(part.trim());
            rest = after;
        }
    }
    let step = all.len().div_ceil(MAX_PARTS).max(1);
    all.into_iter().step_by(step).collect()
}
