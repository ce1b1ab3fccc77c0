//! The semantic strategy: what is said again and again is shown once.

use std::{fmt, sync::Arc};

use contextfit_kernel::{Action, Error, Level, Measured, Plan, Planner, Reason, Scorer, Strategy, Tokens};
use foldhash::{HashSet, HashSetExt};
use serde::{Deserialize, Serialize};

use crate::{
    anchors,
    draft::{Draft, Form},
    hierarchical::{Reading, keep_relevant, share},
    instructions::Instruction,
    lines::{self, Worth},
    repetition::{Cluster, clusters},
    values::{Kind, values},
    vectors::TurnVectors,
};

/// So many merged turns are named; of more the number is told.
const NAMED: usize = 8;

/// What the room is spent on. Shares are of what pinned turns leave, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SemanticOptions {
    /// How near turns must be to be merged: the cosine of their vectors. Models differ; this is for words alone and for
    /// models whose unrelated texts are far apart.
    pub similarity: f64,
    /// The share for the newest turns, whole, where no query says what is asked.
    pub recent: f64,
    /// The share for the turns that have most to do with the query, whole.
    pub relevant: f64,
    /// The most that earlier summaries and lines take.
    pub earlier: f64,
    /// The most that standing instructions take.
    pub instructions: f64,
    /// How strong the cues of a standing instruction must be.
    pub least_strength: f64,
    /// What a place in a line is given for.
    pub worth: Worth,
}

impl Default for SemanticOptions {
    fn default() -> Self {
        Self {
            similarity: 0.85,
            recent: 0.5,
            relevant: 0.8,
            earlier: 0.4,
            instructions: 0.3,
            least_strength: 0.5,
            worth: Worth::default(),
        }
    }
}

/// Merges turns that say the same, then keeps what has most to do with the request (seed 003).
///
/// Of turns that say the same the newest is shown whole; where the oldest stood, a line names all that were merged into it,
/// with the values in which they differ. Only what the same speaker says is merged, never a call of a tool or its
/// result, and a standing instruction only with the very same words. A turn is compared with the 64 of its speaker that come
/// after it, and with equal texts at any distance.
///
/// Vectors come from an embedding model, asked beforehand ([`TurnVectors::add`]); without one they are made of the words.
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
    /// The strategy with its usual options and vectors made of words; `scorer` says what turns have to do with the request.
    #[must_use]
    pub fn new(scorer: Arc<dyn Scorer>) -> Self {
        Self { options: SemanticOptions::default(), scorer, vectors: None }
    }

    /// The same strategy with other options.
    #[must_use]
    pub const fn with_options(mut self, options: SemanticOptions) -> Self {
        self.options = options;
        self
    }

    /// The same strategy with the vectors of an embedding model. A turn that it has none of is merged with equal texts alone.
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
        let reading = Reading::new(input, &*self.scorer);
        Ok(self.plan_on(&reading, &self.clusters(&reading), room))
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let reading = Reading::new(input, &*self.scorer);
        let clusters = self.clusters(&reading);
        Box::new(move |room| Ok(self.plan_on(&reading, &clusters, room)))
    }
}

impl SemanticCompressor {
    fn clusters(&self, reading: &Reading<'_>) -> Vec<Cluster> {
        clusters(reading, self.vectors.as_deref(), self.options.similarity, self.options.least_strength)
    }

    fn plan_on(&self, reading: &Reading<'_>, clusters: &[Cluster], room: Tokens) -> Plan {
        let options = &self.options;
        let mut draft = Draft::new(reading.input, room);
        let limit = share(draft.left, options.earlier);
        anchors::hold(&mut draft, reading, limit);
        let notes: Vec<Vec<Form>> = clusters.iter().map(|cluster| notes(&draft, cluster)).collect();
        for (cluster, notes) in clusters.iter().zip(&notes) {
            cluster.others.iter().zip(notes).for_each(|(&n, note)| draft.set(n, note.clone()));
        }
        let most = share(draft.left, options.instructions);
        let strong = |found: &&Instruction| found.strength >= options.least_strength && found.stands();
        let pledged = lines::within(&draft, reading.instructions.iter().filter(strong), most);
        let free = draft.left.saturating_sub(lines::cost_of(&draft, &pledged).min(most));
        if reading.asked {
            keep_relevant(&mut draft, reading, share(free, options.relevant));
        } else {
            draft.keep_newest(share(free, options.recent), usize::MAX, &Reason::Recent);
        }
        for (cluster, notes) in clusters.iter().zip(&notes) {
            settle(&mut draft, cluster, notes);
        }
        lines::fill(&mut draft, &options.worth, reading, &pledged, most);
        let left = draft.left;
        draft.keep_newest(left, usize::MAX, &Reason::Recent);
        draft.finish("semantic")
    }
}

/// Takes the room for the note on a cluster; where the turn that stands for it is not shown, or the note saves nothing, its
/// turns go their own ways again.
fn settle(draft: &mut Draft<'_>, cluster: &Cluster, notes: &[Form]) {
    let stands = matches!(draft.form(cluster.newest), Some(Form::Kept(_)));
    let note = notes.last().and_then(|form| match form {
        Form::As(forms) => forms.first(),
        _ => None,
    });
    let text = note.map_or("", |(action, _)| match action {
        Action::Render { text, .. } => text,
        _ => "",
    });
    let needed = draft.input.counter.count(text) + Tokens::new(1) + draft.input.ledger;
    let saved: Tokens = cluster.others.iter().map(|&n| draft.cost(n)).sum();
    if stands && needed <= draft.left && needed < saved {
        draft.left = draft.left.saturating_sub(needed);
    } else {
        cluster.others.iter().for_each(|&n| draft.set(n, Form::Dropped));
    }
}

/// How the merged turns of a cluster are shown: the oldest by a line, the others not at all.
fn notes(draft: &Draft<'_>, cluster: &Cluster) -> Vec<Form> {
    let block = |n: usize| {
        draft.exchanges.get(n).and_then(|exchange| exchange.members.first()).and_then(|&at| draft.block(at))
    };
    let Some(newest) = block(cluster.newest) else { return Vec::new() };
    let merged: Vec<_> = cluster.others.iter().rev().filter_map(|&n| block(n)).collect();
    let turn = newest.as_turn();
    let who = turn.map_or("", |turn| turn.name.as_deref().unwrap_or_else(|| turn.role.name()));
    let ids: Vec<&str> = merged.iter().skip(1).take(NAMED).map(|block| block.id.as_str()).collect();
    let mut line = format!("{who}, {} times, shown at turn {}", merged.len() + 1, newest.id);
    if !ids.is_empty() {
        line.extend([", also turns ", &ids.join(", ")]);
    }
    if merged.len() > NAMED + 1 {
        line.extend([" and ", &(merged.len() - NAMED - 1).to_string(), " more"]);
    }
    let mut seen = HashSet::new();
    let mut others = Vec::new();
    for block in &merged {
        for value in values(&block.text) {
            let text = value.range.of(&block.text).unwrap_or_default();
            if value.kind != Kind::Word && !newest.text.contains(text) && seen.insert(text) {
                others.push(text);
            }
        }
    }
    if !others.is_empty() {
        line.extend([": ", &others.join(", ")]);
    }
    let mut text = Some(line);
    let reason = Reason::SaidAgain { by: newest.id.clone() };
    let mut form = |_| {
        let text = text.take().unwrap_or_default();
        Form::As(vec![(Action::Render { level: Level::Gist, text }, reason.clone())])
    };
    // The oldest comes last among the others.
    let mut forms: Vec<Form> = (0..cluster.others.len()).map(&mut form).collect();
    forms.reverse();
    forms
}
