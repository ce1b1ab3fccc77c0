//! Outputs of tools by themselves: does an excerpt keep what everybody must know, and what was asked for?

use contextfit_kernel::{Block, CompressionResult, Context, Passage, TokenCounter};
use serde::Deserialize;

use crate::{
    EvalError, Gold, Input, Item, Kept,
    folder::{Folder, Line, flattened, some},
    item::Places,
    outputs::{Fact, places},
};

#[derive(Deserialize)]
struct CaseLine {
    id: String,
    question: String,
    text: String,
    facts: Vec<LabelledFact>,
}

#[derive(Deserialize)]
struct LabelledFact {
    kind: Need,
    #[serde(flatten)]
    fact: Fact,
}

/// Who needs a fact.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
enum Need {
    /// Every reader.
    #[serde(rename = "S")]
    Everyone,
    /// Whoever asks the question.
    #[serde(rename = "Q")]
    Asker,
}

/// Whether the cases of a folder are texts by themselves, not requests.
pub(crate) fn is_text(folder: &Folder) -> Result<bool, EvalError> {
    Ok(folder.first("cases").is_some_and(|case| case.get("text").is_some()))
}

/// The cases of a folder, each as up to two items: without the question, and with it (`ID asked`).
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    Ok(flattened(folder.items("cases", folder.read("cases")?, items_of)?))
}

/// The items of one case; on error, the field and a message.
fn items_of(case: CaseLine) -> Result<Vec<Item>, (String, String)> {
    some("facts", &case.facts)?;
    for (n, fact) in case.facts.iter().enumerate() {
        some(&format!("facts[{n}].must"), &fact.fact.must)?;
    }
    let context = Context::new(vec![Block::passage(&case.id, Passage::default(), case.text)]);
    let (own, asked): (Vec<_>, Vec<_>) = case.facts.into_iter().partition(|fact| fact.kind == Need::Everyone);
    let asking = context.clone().with_query(case.question);
    let pairs = [(case.id.clone(), context, own), (format!("{} asked", case.id), asking, asked)];
    let item = |(id, context, facts): (String, Context, Vec<LabelledFact>)| {
        let facts = Facts(facts.into_iter().map(|fact| fact.fact).collect());
        Item { id, input: Input::Passages(context), gold: Box::new(facts) }
    };
    Ok(pairs.into_iter().filter(|(.., facts)| !facts.is_empty()).map(item).collect())
}

/// The facts that must stand in what is shown.
pub(crate) struct Facts(Vec<Fact>);

impl Facts {
    /// One for each of these strings.
    pub(crate) fn of_words(words: Vec<String>) -> Self {
        Self(words.into_iter().map(Fact::of).collect())
    }
}

impl Gold for Facts {
    fn places(&self, text: &str) -> Vec<Places> {
        places(&self.0, text)
    }

    fn judge(&self, _: &Context, result: Option<&CompressionResult>, _: &dyn TokenCounter) -> Kept {
        let Some(result) = result else { return Kept::default() };
        let kept = self.0.iter().filter(|fact| fact.stands_in(&result.text)).count();
        Kept::of(kept, self.0.len())
    }
}
