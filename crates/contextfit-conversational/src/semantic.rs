//! The semantic strategy: repetitions are shown once.

use std::{fmt, sync::Arc};

use contextfit_kernel::{
    Action, Entry, Error, Label, Measured, Plan, Planner, Reason, Role, Scorer, Strategy, Tokens, Voice,
};
use contextfit_text::share_of;
use serde::{Deserialize, Serialize};

use crate::{
    HierarchicalOptions,
    draft::{Draft, ExchangeForm},
    held::start,
    hierarchical::quote,
    reading::Reading,
    record::RecordDraft,
    repetition::{Cluster, clusters},
    vectors::TurnVectors,
};

/// The approximate tokens of an entry that refers to a repetition, and the share of the room set aside for such
/// entries.
const NOTE_TOKENS: usize = 12;
const NOTES_SHARE: f64 = 0.1;

/// What is merged, and how the room is spent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SemanticOptions {
    /// How similar turns must be to be merged: the cosine of their vectors. Models differ; the default suits vectors of
    /// words, and models whose unrelated texts are far apart.
    pub similarity: f64,
    /// How the remaining turns are shown.
    pub turns: HierarchicalOptions,
}

impl Default for SemanticOptions {
    fn default() -> Self {
        Self { similarity: 0.85, turns: HierarchicalOptions::default() }
    }
}

/// Merges turns that say the same, then keeps the most relevant to the request, as in MoFA.
///
/// Of turns that say the same, the newest represents all, and an entry of the record notes where the oldest was
/// repeated. Only turns of the same speaker are merged, never a tool call or its result, never a turn with a name or a
/// number that the newest lacks, and a standing rule only with the same words. A turn is compared with the 64 of its
/// speaker that come after it, and with equal texts at any distance.
///
/// Vectors come from an embedding model, called beforehand ([`TurnVectors::add`]); without one they are built from the
/// words.
///
/// ```
/// use std::sync::Arc;
/// use contextfit_conversational::{SemanticCompressor, TurnVectors};
/// use contextfit_kernel::{Context, EmbeddingProvider, ProviderError, Scorer};
///
/// async fn strategy(
///     model: &dyn EmbeddingProvider,
///     context: &Context,
///     scorer: Arc<dyn Scorer>,
/// ) -> Result<SemanticCompressor, ProviderError> {
///     let mut vectors = TurnVectors::new();
///     vectors.add(model, context).await?;
///     Ok(SemanticCompressor::new(scorer).with_vectors(Arc::new(vectors)))
/// }
/// ```
#[derive(Clone)]
pub struct SemanticCompressor {
    options: SemanticOptions,
    scorer: Arc<dyn Scorer>,
    vectors: Option<Arc<TurnVectors>>,
}

impl SemanticCompressor {
    /// The strategy with its default options and vectors of words; `scorer` rates the relevance of turns to the
    /// request.
    #[must_use]
    pub fn new(scorer: Arc<dyn Scorer>) -> Self {
        Self { options: SemanticOptions::default(), scorer, vectors: None }
    }

    /// Sets the options.
    #[must_use]
    pub const fn with_options(mut self, options: SemanticOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets the vectors of an embedding model. A turn without a vector is merged only with equal texts.
    #[must_use]
    pub fn with_vectors(mut self, vectors: Arc<TurnVectors>) -> Self {
        self.vectors = Some(vectors);
        self
    }
}

impl fmt::Debug for SemanticCompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SemanticCompressor")
            .field("options", &self.options)
            .field("vectors", &self.vectors.as_ref().map(|vectors| vectors.len()))
            .finish_non_exhaustive()
    }
}

impl Strategy for SemanticCompressor {
    fn name(&self) -> &str {
        "semantic"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.planner(input)(room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let options = &self.options;
        let reading = Reading::new(input, &*self.scorer, &options.turns.worth);
        let least = options.turns.min_strength;
        let clusters = clusters(&reading, self.vectors.as_deref(), options.similarity, least);
        Box::new(move |room| Ok(self.plan_on(&reading, &clusters, room)))
    }
}

impl SemanticCompressor {
    fn plan_on(&self, reading: &Reading<'_>, clusters: &[Cluster], room: Tokens) -> Plan {
        let options = &self.options.turns;
        let mut draft = start(reading.input, room, &reading.said);
        let again: Vec<usize> = clusters.iter().flat_map(|cluster| cluster.others.iter().copied()).collect();
        for &n in &again {
            let members = draft.exchanges.get(n).map_or(0, |exchange| exchange.members.len());
            draft.set(
                n,
                ExchangeForm::As(vec![(Action::Drop, Reason::NoRoom { needed: Tokens::ZERO }); members]),
            );
        }
        options.newest(&mut draft, reading);
        let mut record = RecordDraft::new(&draft, reading);
        let notes =
            Tokens::new(clusters.len().saturating_mul(NOTE_TOKENS)).min(share_of(draft.left, NOTES_SHARE));
        draft.left = draft.left.saturating_sub(notes);
        options.quote_first(&mut draft, &mut record, reading);
        quote(&mut draft, &mut record);
        draft.left += notes;
        for cluster in clusters {
            note(&mut draft, &record, reading, cluster);
        }
        record.write(&mut draft);
        draft.finish("semantic")
    }
}

/// Notes for the turns of a cluster which one repeats them: in the trace of each, and in an entry of the oldest if the
/// newest is shown or quoted and the entry fits.
fn note(draft: &mut Draft<'_>, record: &RecordDraft<'_, '_>, reading: &Reading<'_>, cluster: &Cluster) {
    let place =
        |draft: &Draft<'_>, n: usize| draft.exchanges.get(n).and_then(|it| it.members.first()).copied();
    let Some(newest) = place(draft, cluster.newest) else { return };
    let Some(by) = draft.block(newest).map(|block| block.id.clone()) else { return };
    let numbers = reading.input.context.numbers();
    let number = |at: usize| numbers.get(at).copied().unwrap_or_default();
    let stands = draft.is_shown(cluster.newest) || record.quotes(cluster.newest);
    for (n, is_oldest) in
        cluster.others.iter().rev().zip(std::iter::once(true).chain(std::iter::repeat(false)))
    {
        let Some(at) = place(draft, *n) else { continue };
        let role = draft.block(at).and_then(|block| block.as_turn()).map_or(Role::User, |turn| turn.role);
        let label = Label::new(number(at), Voice::Again { role, at: number(newest) });
        let entry = Entry { label, lines: Vec::new() };
        let cost =
            draft.block(at).map_or(Tokens::ZERO, |block| draft.input.counter.count(&entry.text(block)));
        let is_noted = is_oldest && stands && cost < draft.left;
        let action = if is_noted { Action::Record { entries: vec![entry] } } else { Action::Drop };
        if is_noted {
            draft.left = draft.left.saturating_sub(cost + Tokens::new(1));
        }
        draft.set(*n, ExchangeForm::As(vec![(action, Reason::SaidAgain { by: by.clone() })]));
    }
}
