//! What speaks for a row: features that are read from its text, with weights fitted to labelled outputs.

use contextfit_kernel::{ByteRange, Values};
use foldhash::HashMap;

use crate::{
    rows::Rows,
    signals::Signal,
    templates::Templates,
    weights::{BASE, QUESTION, WEIGHTS},
    worth::{FOCUS, Sheet},
};

/// Declares the features and their names in one order.
macro_rules! features {
    ($($feature:ident $name:literal,)*) => {
        /// A feature of a row.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Feature {
            $(#[doc = $name] $feature,)*
        }

        /// The names of the features of a row, in order. docs/excerpts.md says what they are.
        pub const ROW_FEATURES: [&str; WEIGHTS.len()] = [$($name,)*];
    };
}

features! {
    Error "error",
    Warning "warning",
    Total "total",
    Repeated "repeated",
    RepeatedError "repeated error",
    RareTemplate "rare template",
    RareWords "rare words",
    RarestWord "rarest word",
    OddCell "odd cell",
    Start "start",
    FarFromEnd "far from the end",
    AfterBlank "after a blank line",
    Length "length",
    Number "number",
    Explains "explains an error",
    Compared "side of a comparison",
    Exception "exception",
    OwnFrame "frame of the application",
    LaterFile "later file",
    Commit "first or last commit",
    Subject "subject of a commit",
    FileName "name of a file",
    HunkHeader "header of a hunk",
    Changed "changed line",
    NearAnswer "near an answer",
    Value "value of JSON",
    Depth "depth",
    LaterInList "later in a list",
    EndOfList "end of a list",
    LineOfString "line of a string",
    Code "code or date",
    RareValue "rare value",
    Variety "variety of the key",
    Single "single value of its key",
    Element "element of a list",
}

impl Feature {
    /// The feature of a text with this `signal`.
    pub(crate) const fn of_signal(signal: Signal) -> Option<Self> {
        match signal {
            Signal::Error => Some(Self::Error),
            Signal::Warning => Some(Self::Warning),
            Signal::Total => Some(Self::Total),
            Signal::Nothing => None,
        }
    }

    /// Whether it reports an error or warns.
    pub(crate) const fn is_alarm(self) -> bool {
        matches!(self, Self::Error | Self::Warning)
    }

    /// The weight of the feature.
    pub(crate) fn weight(self) -> f32 {
        WEIGHTS.at(self as usize)
    }
}

/// The features of a row, to fit their weights: see [`row_features`](crate::row_features()).
#[derive(Debug, Clone, PartialEq)]
pub struct RowFeatures {
    /// The bytes of the row in its block.
    pub range: ByteRange,
    /// How close the row is to the query, from 0 to 1.
    pub focus: f32,
    /// The values of [`ROW_FEATURES`]; none for a row without content, and for one that is shown with others only.
    pub values: Option<[f32; WEIGHTS.len()]>,
}

/// Rows at most this far from one that answers the query are near it.
const NEAR_ROWS: usize = 4;

/// The usual length of a line, in tokens.
const LINE_TOKENS: f32 = 12.0;

/// The feature of a length in tokens.
pub(crate) fn length(tokens: usize) -> f32 {
    (tokens.max(1) as f32 / LINE_TOKENS).ln()
}

/// The most and the least that the weighted sum of the features counts for: less than a [header](crate::worth::HEAD).
const MAX_EVIDENCE: f32 = 6.0;

/// The features of rows or values, and their weighted sums.
pub(crate) struct Notes {
    sums: Vec<f32>,
    /// The features, if they are to be written down.
    values: Vec<[f32; WEIGHTS.len()]>,
}

impl Notes {
    /// Notes about `all` rows or values.
    pub(crate) fn new(all: usize) -> Self {
        Self { sums: vec![0.0; all], values: Vec::new() }
    }

    /// Whether there are no rows or values.
    pub(crate) const fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// Itself, and keeps the features.
    pub(crate) fn writing_down(mut self) -> Self {
        self.values = vec![[0.0; WEIGHTS.len()]; self.sums.len()];
        self
    }

    /// Adds the `value` of a feature of the row or value `n`.
    pub(crate) fn note(&mut self, n: usize, feature: Feature, value: f32) {
        self.sums.change(n, |sum| *sum += feature.weight() * value);
        if let Some(noted) = self.values.get_mut(n).and_then(|values| values.get_mut(feature as usize)) {
            *noted += value;
        }
    }

    /// The score of each row or value by its features. With a query, it is less than that of an answer.
    pub(crate) fn scores(&self, has_query: bool) -> impl Iterator<Item = f32> + '_ {
        let (power, less) = if has_query { QUESTION } else { (1.0, BASE) };
        self.sums.iter().map(move |sum| (sum * power - less).clamp(-MAX_EVIDENCE, MAX_EVIDENCE).exp())
    }

    /// The features of the row or value `n`, if they were written down and any is not zero.
    pub(crate) fn values(&self, n: usize) -> Option<[f32; WEIGHTS.len()]> {
        self.values.get(n).copied().filter(|values| values.iter().any(|value| *value != 0.0))
    }
}

/// The features of rows of every kind, which are read in order.
pub(crate) struct Evidence<'r, 'a, 'b> {
    rows: &'r Rows<'a, 'b>,
    templates: Templates,
    /// How often each template has occurred so far, errors apart from others.
    seen: HashMap<(u32, Signal), u32>,
    after_blank: bool,
}

impl<'r, 'a, 'b> Evidence<'r, 'a, 'b> {
    /// The evidence for `rows`, none of which is read yet. Linear in their length.
    pub(crate) fn of(rows: &'r Rows<'a, 'b>) -> Self {
        Self { rows, templates: Templates::of(rows), seen: HashMap::default(), after_blank: false }
    }

    /// Reads a blank row.
    pub(crate) const fn blank(&mut self) {
        self.after_blank = true;
    }

    /// Notes the features of row `n` that rows of every kind have.
    pub(crate) fn note(&mut self, n: usize, signal: Signal, sheet: &mut Sheet) {
        let (rows, templates) = (self.rows, &self.templates);
        // A failing test is no more usual for all the tests that pass.
        let before = self.seen.entry((templates.at(n), signal)).or_default();
        let repeated = (1.0 + *before as f32).ln();
        if signal == Signal::Error {
            sheet.alarm(n, *before);
            sheet.note(n, Feature::RepeatedError, repeated);
        }
        *before += 1;
        sheet.note(n, Feature::Repeated, repeated);
        if let Some(feature) = Feature::of_signal(signal) {
            sheet.note(n, feature, 1.0);
        }
        let (mean, most) = templates.rarity_of_words(n);
        sheet.note(n, Feature::RareTemplate, templates.rarity(n));
        sheet.note(n, Feature::RareWords, mean);
        sheet.note(n, Feature::RarestWord, most);
        sheet.note(n, Feature::Start, 1.0 / (1.0 + n as f32));
        sheet.note(n, Feature::FarFromEnd, ((rows.len() - n) as f32).ln());
        if std::mem::take(&mut self.after_blank) && n > 0 {
            sheet.note(n, Feature::AfterBlank, 1.0);
        }
        sheet.note(n, Feature::Length, length(rows.tokens(n, n + 1)));
        if rows.body(n).contains(|c: char| c.is_ascii_digit()) {
            sheet.note(n, Feature::Number, 1.0);
        }
        if sheet.has_focus() {
            let near = n.saturating_sub(NEAR_ROWS)..n + NEAR_ROWS + 1;
            let closest = near.map(|n| sheet.focus(n)).fold(0.0, f32::max);
            sheet.note(n, Feature::NearAnswer, (1.0 + FOCUS * closest).ln());
        }
    }
}
