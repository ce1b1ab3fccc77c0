//! Judges whether a model's answer can replace a text.

mod claims;
mod figures;
mod form;
mod language;
mod refusal;
mod source;
mod statements;

use std::sync::Arc;

use contextfit_kernel::{Completion, CompletionRequest, Scorer, Tokens, Unfit};

use self::{
    source::SourceText,
    statements::{Statements, quoted},
};
use crate::NaturalLanguage;

/// The minimum share of an answer's content words that must be in the source, and in scripts without spaces
/// ([`LEAST_PAIRS`]) that of its pairs of characters. Nine in ten meeting summaries written by people share more than
/// twice as much; an answer about something else seldom shares more than a quarter.
const LEAST_SHARED: f64 = 0.35;
const LEAST_PAIRS: f64 = 0.2;

/// A sentence with at least this many content words is an addition if the source has less than [`LEAST_OF_SENTENCE`] of
/// them.
const JUDGED_SENTENCE_WORDS: usize = 7;
const LEAST_OF_SENTENCE: f64 = 0.2;

/// An answer that shares fewer words than this with a source of at least [`JUDGED_SOURCE_WORDS`] words is unrelated.
const LEAST_WORDS: usize = 3;
const JUDGED_SOURCE_WORDS: usize = 60;

/// The minimum length of an answer is this fraction of the requested length, but at most [`ENOUGH_TOKENS`] tokens: one
/// full sentence is a summary.
const LEAST_LENGTH_FRACTION: usize = 20;
const ENOUGH_TOKENS: usize = 24;

/// The bytes per token by which lengths are estimated: with exact counts, the verdict would depend on the tokenizer.
const BYTES: usize = 4;

/// Cosines of an embedding model, minus what all parts have in common. An answer at least this near to a part of its
/// source may use other words; one that is less than [`FAR_COSINE`] near to every part is about something else.
const NEAR_COSINE: f64 = 0.5;
const FAR_COSINE: f64 = 0.1;

/// The approximate number of parts of the source with which an embedding model compares the answer.
const MAX_COMPARED_PARTS: usize = 64;

/// Judges a model's answers against the texts they are to replace, by comparing the two; no model is asked.
///
/// It rejects answers that are cut off or stop in the middle of a sentence, refuse, repeat themselves, are in another
/// language than the source, or have only a fraction of the requested length; those with numbers, identifiers, names or
/// quotations that the source does not have; and those that share too few words with it. With the scorer of an
/// embedding model, it permits other words for the same thing, and rejects the same words for another thing.
///
/// It cannot detect an answer that combines the source's own words wrongly.
///
/// Pure and deterministic. Linear in the length of both texts, apart from the scorer.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::Tokens;
/// #     pub use ::contextfit_kernel as kernel;
/// #     pub use ::contextfit_text as text;
/// # }
/// use contextfit::{Tokens, kernel::Unfit, text::Judge};
///
/// let source = "The user asked for a refund of 120 euros for order A-7731. The agent promised it by Friday.";
/// let judge = Judge::new();
/// assert_eq!(judge.check(source, "A refund of 120 euros for order A-7731 is promised by Friday.", Tokens::new(30)), Ok(()));
/// assert_eq!(
///     judge.check(source, "A refund of 450 euros for order A-7731 is promised by Friday.", Tokens::new(30)),
///     Err(Unfit::Number { number: "450".into() }),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct Judge {
    scorer: Option<Arc<dyn Scorer>>,
}

impl Judge {
    /// A judge that compares words only.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the judge consider nearness as well; `scorer` is that of an embedding model.
    #[must_use]
    pub fn with_nearness(mut self, scorer: Arc<dyn Scorer>) -> Self {
        self.scorer = Some(scorer);
        self
    }

    /// Checks whether `completion` answers `request`. If the request names no source, every answer passes.
    ///
    /// # Errors
    /// [`Unfit`], the first reason found.
    pub fn completion(&self, request: &CompletionRequest, completion: &Completion) -> Result<(), Unfit> {
        let Some(source) = request.source.and_then(|range| range.of(&request.input)) else { return Ok(()) };
        if completion.truncated {
            return Err(Unfit::CutOff);
        }
        self.check(source, &completion.text, request.max_tokens)
    }

    /// Checks whether `answer` can replace `source`, if about `asked` tokens were requested.
    ///
    /// # Errors
    /// [`Unfit`], the first reason found.
    pub fn check(&self, source: &str, answer: &str, asked: Tokens) -> Result<(), Unfit> {
        let statements = Statements::read(answer);
        language::check(source, answer)?;
        let source_text = source;
        let source = SourceText::read(source, NaturalLanguage::of_texts(answer.lines()));
        refusal::check(&statements, &source)?;
        is_long_enough(source_text, answer, asked)?;
        form::is_varied(&statements, &source)?;
        form::is_finished(&statements)?;
        claims::quotes(&statements, &source)?;
        figures::check(&statements, &source)?;
        claims::names(&statements, &source)?;
        self.is_related(&statements, source_text, &source)
    }

    /// Whether the answer is about the subject of its source.
    fn is_related(&self, statements: &Statements<'_>, text: &str, source: &SourceText) -> Result<(), Unfit> {
        let (all, dense) = source.shared(statements.bodies());
        let least = if dense { LEAST_PAIRS } else { LEAST_SHARED };
        let apart =
            |shared: usize, words: usize, text: &str| Unfit::Unrelated { shared, words, text: quoted(text) };
        let near = self.nearness(statements.text, text);
        let is_far = all.shared < LEAST_WORDS && source.len() >= JUDGED_SOURCE_WORDS || all.share() < least;
        if is_far && near.is_none_or(|near| near < NEAR_COSINE) {
            return Err(apart(all.shared, all.words, statements.text));
        }
        if let Some(near) = near.filter(|near| *near < FAR_COSINE) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
            return Err(Unfit::Far { percent: (near * 100.0).round() as u8 });
        }
        if near.is_some_and(|near| near >= NEAR_COSINE) {
            return Ok(());
        }
        let added = statements.sentences().find_map(|sentence| {
            let (found, _) = source.shared([sentence]);
            (found.words >= JUDGED_SENTENCE_WORDS && found.share() < LEAST_OF_SENTENCE)
                .then_some((found, sentence))
        });
        added.map_or(Ok(()), |(found, sentence)| Err(apart(found.shared, found.words, sentence)))
    }

    /// The nearness of the answer to the nearest part of its source; `None` without an embedding model.
    fn nearness(&self, answer: &str, source: &str) -> Option<f64> {
        let scorer = self.scorer.as_ref()?;
        let size = (source.len() / MAX_COMPARED_PARTS).max(400);
        let mut parts = Vec::new();
        let mut rest = source;
        while !rest.is_empty() {
            let at = rest.ceil_char_boundary(size.min(rest.len()));
            let (part, behind) = rest.split_at(at);
            parts.push(part);
            rest = behind;
        }
        scorer.score(answer, &parts).into_iter().max_by(f64::total_cmp)
    }
}

/// Whether the answer is long enough for the requested length, or for the source's if that is shorter.
fn is_long_enough(source: &str, answer: &str, asked: Tokens) -> Result<(), Unfit> {
    let tokens = |text: &str| text.trim().len().div_ceil(BYTES);
    let (has, wanted) = (tokens(answer), asked.get().min(tokens(source)));
    match has < (wanted / LEAST_LENGTH_FRACTION).min(ENOUGH_TOKENS) {
        true => Err(Unfit::TooShort { tokens: has, asked: asked.get() }),
        false => Ok(()),
    }
}
