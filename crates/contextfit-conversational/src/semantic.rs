//! The semantic strategy: of turns that say the same, one is shown.

use std::sync::Arc;

use contextfit_kernel::{
    Action, Entry, Error, Hold, Label, Measured, Plan, Planner, Reason, Role, Scorer, Strategy, Tokens,
    Values, Voice,
};
use contextfit_text::share_of;
use foldhash::{HashMap, HashMapExt};
use serde::{Deserialize, Serialize};

use crate::{
    HierarchicalOptions,
    draft::{Draft, ExchangeForm, exchanges},
    hierarchical::quote,
    outputs::start,
    reading::Reading,
    record::RecordDraft,
    vectors::{TurnVectors, is_speech, lexical},
};

/// The approximate tokens of an entry that refers to a repetition, and the share of the room set aside for such
/// entries.
const NOTE_TOKENS: usize = 12;
const NOTES_SHARE: f64 = 0.1;

/// Which turns are merged, and how the room is spent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SemanticOptions {
    /// The minimum similarity of turns that are merged: the cosine of their vectors. Models differ; the default suits
    /// vectors of words, and models that place unrelated texts far apart.
    pub similarity: f64,
    /// How the remaining turns are shown.
    pub turns: HierarchicalOptions,
}

impl Default for SemanticOptions {
    fn default() -> Self {
        Self { similarity: 0.85, turns: HierarchicalOptions::default() }
    }
}

/// Merges turns that say the same, then keeps those most relevant to the request, as in MoFA.
///
/// The newest of these turns represents all of them, and an entry of the record notes that the oldest was repeated, and
/// where. Only turns of the same speaker are merged, never a tool call or its result. A turn with a name or a number
/// that the newest lacks is not merged either, and a standing rule only with the same words. Without a model, the newest
/// has all words of the others in their order. A turn is compared with the 64 later turns of its speaker that are
/// nearest, and with equal texts at any distance.
///
/// Vectors come from an embedding model that is called beforehand ([`TurnVectors::add`]); without one, they are built
/// from the words.
///
/// ```
/// use std::sync::Arc;
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Context, Scorer};
/// #     pub use ::contextfit_conversational as chat;
/// #     pub use ::contextfit_kernel as kernel;
/// # }
/// use contextfit::{
///     Context, Scorer,
///     chat::{SemanticCompressor, TurnVectors},
///     kernel::{EmbeddingProvider, ProviderError},
/// };
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
#[derive(Debug, Clone)]
pub struct SemanticCompressor {
    options: SemanticOptions,
    scorer: Arc<dyn Scorer>,
    vectors: Option<Arc<TurnVectors>>,
}

impl SemanticCompressor {
    /// The strategy with its default options and vectors built from words; `scorer` rates the relevance of turns to the
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
        // Outside a conversation there is no record that could note a repetition.
        let clusters = match input.context.layout.framing {
            Some(_) => clusters(&reading, self.vectors.as_deref(), options.similarity, least),
            None => Vec::new(),
        };
        Box::new(move |room| Ok(self.plan_on(&reading, &clusters, room)))
    }
}

impl SemanticCompressor {
    fn plan_on(&self, reading: &Reading<'_>, clusters: &[Cluster], room: Tokens) -> Plan {
        let options = &self.options.turns;
        let mut draft = start(reading.input, room, &reading.speakers);
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

/// Notes which turn repeats the turns of a cluster: in the trace of each, and in an entry of the oldest if the newest
/// is shown or quoted and the entry fits.
fn note(draft: &mut Draft<'_>, record: &RecordDraft<'_, '_>, reading: &Reading<'_>, cluster: &Cluster) {
    let place =
        |draft: &Draft<'_>, n: usize| draft.exchanges.get(n).and_then(|it| it.members.first()).copied();
    let Some(newest) = place(draft, cluster.newest) else { return };
    let Some(by) = draft.block(newest).map(|block| block.id.clone()) else { return };
    let numbers = reading.input.context.numbers();
    let stands = draft.is_shown(cluster.newest) || record.quotes(cluster.newest);
    for (n, is_oldest) in
        cluster.others.iter().rev().zip(std::iter::once(true).chain(std::iter::repeat(false)))
    {
        let Some(at) = place(draft, *n) else { continue };
        let role = draft.block(at).and_then(|block| block.as_turn()).map_or(Role::User, |turn| turn.role);
        let label = Label::new(numbers.at(at), Voice::Again { role, at: numbers.at(newest) });
        let cost = draft.input.counter.count(&format!("{label}:"));
        let entry = Entry { label, lines: Vec::new() };
        let is_noted = is_oldest && stands && cost < draft.left;
        let action = if is_noted { Action::Record { entries: vec![entry] } } else { Action::Drop };
        if is_noted {
            draft.left = draft.left.saturating_sub(cost + Tokens::new(1));
        }
        draft.set(*n, ExchangeForm::As(vec![(action, Reason::SaidAgain { by: by.clone() })]));
    }
}

/// The number of later turns that a turn is compared with, nearest first; equal texts are found at any distance.
const COMPARED_TURNS: usize = 64;

/// Turns that say the same, as indices of exchanges.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cluster {
    /// The newest, which represents them all.
    pub(crate) newest: usize,
    /// The others, from newest to oldest.
    pub(crate) others: Vec<usize>,
}

/// A speaker: role and name.
type Speaker<'a> = (&'static str, Option<&'a str>);

/// A turn that may repeat another.
struct Said<'a> {
    exchange: usize,
    role: Role,
    name: Option<&'a str>,
    text: &'a str,
    /// Whether it contains a standing rule, so that only the same text can replace it.
    instructs: bool,
    /// The names in it: a newer turn that lacks one of them does not say the same.
    names: &'a [u32],
    may_go: bool,
}

/// The clusters of turns that are similar to the newest of each, with at least `similarity`. Only messages of the
/// assistant or a person are compared, each with those of the same speaker; tool calls and their results never are. A
/// turn with a rule of `min_strength` matches only the same words, and a turn never matches one that lacks one of its
/// names. Linear in the length of the conversation.
fn clusters(
    reading: &Reading<'_>,
    vectors: Option<&TurnVectors>,
    similarity: f64,
    min_strength: f64,
) -> Vec<Cluster> {
    let said = said(reading.input, reading, min_strength);
    let texts: Vec<&str> = said.iter().map(|said| said.text).collect();
    let own = lexical(&texts);
    let vector = |n: usize| {
        let text = texts.at(n);
        let asked = vectors.and_then(|vectors| vectors.of(text));
        asked.or_else(|| own.get(n).filter(|_| vectors.is_none()).map(Vec::as_slice)).unwrap_or_default()
    };
    let mut clusters: Vec<Cluster> = Vec::new();
    // For each speaker, the turns that begin clusters, and their clusters.
    let mut leaders: HashMap<Speaker<'_>, Vec<(usize, usize)>> = HashMap::new();
    let mut same: HashMap<(Speaker<'_>, String), usize> = HashMap::new();
    for (n, turn) in said.iter().enumerate().rev() {
        let speaker: Speaker<'_> = (turn.role.name(), turn.name);
        let text = in_one_line(turn.text);
        let key = (speaker, text);
        let leaders = leaders.entry(speaker).or_default();
        let near = || {
            let near = leaders.iter().rev().take(COMPARED_TURNS).filter(|(leader, _)| {
                said.get(*leader).is_some_and(|leader| {
                    !leader.instructs && turn.names.iter().all(|name| leader.names.contains(name))
                })
            });
            let scored = near.map(|&(leader, cluster)| (cosine(vector(leader), vector(n)), leader, cluster));
            // The same words can say the opposite in another order.
            let says = |leader: usize| vectors.is_some() || is_within(turn.text, texts.at(leader));
            let alike = scored.filter(|(score, leader, _)| *score >= similarity && says(*leader));
            alike.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(.., cluster)| cluster)
        };
        let found = same.get(&key).copied().or_else(|| if turn.instructs { None } else { near() });
        match found.filter(|_| turn.may_go).and_then(|cluster| clusters.get_mut(cluster)) {
            Some(cluster) => cluster.others.push(turn.exchange),
            None => {
                same.entry(key).or_insert(clusters.len());
                leaders.push((n, clusters.len()));
                clusters.push(Cluster { newest: turn.exchange, others: Vec::new() });
            }
        }
    }
    clusters.retain(|cluster| !cluster.others.is_empty());
    clusters
}

/// The turns that can be compared, in the order of the conversation.
fn said<'a>(input: &Measured<'a>, reading: &'a Reading<'_>, min_strength: f64) -> Vec<Said<'a>> {
    let mut instructs = vec![false; input.blocks.len()];
    let rules =
        reading.units.all.iter().zip(&reading.rules).filter(|(_, strength)| **strength >= min_strength);
    for (unit, _) in rules {
        instructs.set(reading.block_of(unit), true);
    }
    let exchanges = exchanges(input);
    let turn = |(n, exchange): (usize, &crate::draft::Exchange)| {
        let [at] = exchange.members.as_slice() else { return None };
        let block = input.blocks.get(*at)?.block();
        let spoken = is_speech(block) && block.group.is_none() && !reading.speakers.is_printed(*at);
        let turn = block.as_turn().filter(|_| spoken)?;
        Some(Said {
            exchange: n,
            role: turn.role,
            name: turn.name.as_deref(),
            text: &block.text,
            instructs: instructs.at(*at),
            names: reading.names_of.get(*at).map(Vec::as_slice).unwrap_or_default(),
            may_go: exchange.hold == Hold::Free,
        })
    };
    exchanges.iter().enumerate().filter_map(turn).collect()
}

/// Whether the words of `older`, and its signs that stand alone, occur in `newer` in the same order. Case and the
/// punctuation that ends a word make no difference, except for question marks. Linear.
fn is_within(older: &str, newer: &str) -> bool {
    let words = |text: &str| {
        let words =
            text.split_whitespace().map(|word| word.trim_matches(['.', ',', ';', ':', '!', '"', '(', ')']));
        words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect::<Vec<_>>()
    };
    let mut rest = words(newer).into_iter();
    words(older).iter().all(|word| rest.any(|other| other == *word))
}

/// The cosine of two vectors of unit length; zero if their dimensions differ.
fn cosine(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    let dot: f64 = a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
    dot.clamp(0.0, 1.0)
}

/// The text on one line, with each run of whitespace as one space.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
