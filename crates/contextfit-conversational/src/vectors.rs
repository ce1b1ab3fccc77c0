//! The vectors by which turns are compared.

use std::fmt;

use contextfit_kernel::{Block, Context, EmbeddingProvider, ProviderError, Values};
use contextfit_text::{Analyzer, float};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// The number of texts in one request to an embedding model.
const BATCH: usize = 64;

/// The dimension of a lexical vector.
const DIMENSION: usize = 256;

/// The vectors of turns, obtained from an embedding model beforehand, because strategies plan synchronously and models
/// are called asynchronously.
///
/// A text is embedded once, however often it is added. Failures are not remembered.
#[derive(Clone, PartialEq, Default)]
pub struct TurnVectors {
    model: String,
    known: HashMap<String, Vec<f32>>,
}

/// Says how many vectors there are, and of which model.
impl fmt::Debug for TurnVectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnVectors").field("model", &self.model).field("len", &self.len()).finish()
    }
}

impl TurnVectors {
    /// An empty set of vectors.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of texts with a vector.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there are no vectors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Adds the turns of `context` that have no vector yet, 64 per request. Vectors of another model are discarded.
    ///
    /// # Errors
    /// Errors of the provider, or a non-retryable [`ProviderError`] if it returns the wrong number of vectors. Vectors
    /// from earlier requests are kept.
    pub async fn add(
        &mut self,
        provider: &dyn EmbeddingProvider,
        context: &Context,
    ) -> Result<(), ProviderError> {
        if self.model != provider.model() {
            self.known.clear();
            provider.model().clone_into(&mut self.model);
        }
        let mut seen = HashSet::new();
        let speech = context.blocks.iter().filter(|block| is_speech(block)).map(|block| block.text.as_str());
        let new: Vec<&str> =
            speech.filter(|text| !self.known.contains_key(*text) && seen.insert(*text)).collect();
        for texts in new.chunks(BATCH) {
            let vectors = provider.embed(texts).await?;
            if vectors.len() != texts.len() {
                let what = format!("{} vectors for {} texts", vectors.len(), texts.len());
                return Err(ProviderError::new(provider.model(), false, what));
            }
            let unit = vectors.into_iter().map(to_unit);
            self.known.extend(texts.iter().map(|text| (*text).to_owned()).zip(unit));
        }
        Ok(())
    }

    /// The vector of `text`, of unit length or zero.
    pub(crate) fn of(&self, text: &str) -> Option<&[f32]> {
        self.known.get(text).map(Vec::as_slice)
    }
}

/// Whether a block is a turn in which someone speaks without calling a tool.
pub(crate) fn is_speech(block: &Block) -> bool {
    let turn = block.as_turn().filter(|turn| {
        let speaks = !turn.role.instructs() && turn.role != contextfit_kernel::Role::Tool;
        speaks && turn.calls.is_empty() && turn.parts.iter().all(|part| part.tool.is_none())
    });
    turn.is_some() && block.level.shows_source() && !block.text.trim().is_empty()
}

/// Vectors of `texts`, of unit length, built from their words alone. Each word is weighted by the square root of its
/// count and the logarithm of its rarity among all texts, at an index and with a sign given by its hash (Weinberger et
/// al. 2009, feature hashing). They detect repetitions in nearly the same words, but not paraphrases. Linear in the
/// length of the texts.
pub(crate) fn lexical(texts: &[&str]) -> Vec<Vec<f32>> {
    let analyzer = Analyzer::new(None);
    let mut spread: HashMap<u64, usize> = HashMap::new();
    let counted: Vec<HashMap<u64, usize>> = texts
        .iter()
        .map(|text| {
            let mut counts = HashMap::new();
            for term in analyzer.terms(text) {
                *counts.entry(fnv1a(term.as_ref())).or_insert(0) += 1;
            }
            counts.keys().for_each(|&hash| *spread.entry(hash).or_insert(0) += 1);
            counts
        })
        .collect();
    let vector = |counts: HashMap<u64, usize>| {
        // A fixed order gives the same sums of floats on every machine.
        let mut counts: Vec<(u64, usize)> = counts.into_iter().collect();
        counts.sort_unstable();
        let mut vector = vec![0.0_f64; DIMENSION];
        for (hash, count) in counts {
            let rare = (1.0 + float(texts.len()) / float(spread.get(&hash).copied().unwrap_or(1))).ln();
            let weight = float(count).sqrt() * rare;
            let place = usize::try_from((hash >> 1) % DIMENSION as u64).unwrap_or_default();
            let signed = if hash.is_multiple_of(2) { weight } else { -weight };
            vector.change(place, |x| *x += signed);
        }
        #[expect(clippy::cast_possible_truncation, reason = "a vector needs no more")]
        to_unit(vector.into_iter().map(|x| x as f32).collect())
    };
    counted.into_iter().map(vector).collect()
}

/// The vector scaled to unit length; zero if its length is zero or it contains a non-finite value.
fn to_unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    #[expect(clippy::cast_possible_truncation, reason = "a factor of a vector of that precision")]
    let factor = if length.is_finite() && length > 0.0 { (1.0 / length) as f32 } else { 0.0 };
    vector.iter_mut().for_each(|x| *x = if factor > 0.0 { *x * factor } else { 0.0 });
    vector
}

/// FNV-1a, <http://www.isthe.com/chongo/tech/comp/fnv/>: the same on every machine.
fn fnv1a(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
