//! Slots: what only one value holds for at a time.

use std::sync::LazyLock;

use super::{
    pattern::Matcher,
    token::{Token, tokens},
};

/// A slot: how a sentence that fills it reads, and what fills it.
#[derive(Debug)]
pub(super) struct Slot {
    /// Patterns, with `;` between them. None: a value is enough.
    patterns: &'static str,
    value: Value,
}

/// What a slot is filled with.
#[derive(Debug)]
enum Value {
    /// One of these words.
    Of(&'static str),
    /// Whatever follows the pattern.
    Rest,
    /// Numbers and days: the other words say what for.
    Amount,
}

/// The slots, each known by its place here.
const SLOTS: &[Slot] = &[
    // What to call somebody.
    Slot {
        patterns: "call|address me|us; my name is; i go by; refer to me as; nenn|nenne|nennen mich; appelle|appelez moi; \
                   llamame; chiamami; me chame; noem me|mij; зови|зовите|называй|называйте меня; 叫 我; 称 呼 我",
        value: Value::Rest,
    },
    // The language of answers.
    Slot {
        patterns: "answer|reply|respond|write|speak|talk|communicate|switch|back|answers|replies|responses|messages|conversation|everything .. in|to; \
                   antworte|antworten|schreib|schreibe|sprich .. auf|in; reponds|repondez|ecris|ecrivez|parle|parlez .. en; responde|responda|escribe|escriba|habla .. en; \
                   rispondi|scrivi|parla .. in; responda|responde|escreva .. em; antwoord|schrijf|spreek .. in; отвечай|отвечайте|пиши|пишите .. на|по",
        value: Value::Of(
            "english german french spanish italian portuguese dutch russian chinese mandarin japanese korean polish \
                 swedish danish norwegian finnish turkish arabic hindi greek czech hungarian hebrew ukrainian \
                 deutsch englisch franzosisch spanisch italienisch anglais allemand francais espagnol italien espanol ingles \
                 aleman frances italiano inglese tedesco francese spagnolo portugues engels duits frans spaans nederlands \
                 английском русском немецком французском испанском английски русски немецки французски",
        ),
    },
    // Units of measure.
    Slot {
        patterns: "",
        value: Value::Of(
            "metric imperial kilometres kilometers miles celsius fahrenheit kilograms pounds metres meters feet",
        ),
    },
    // Money that may be spent.
    Slot {
        patterns: "budget; spend .. than|<num>; pay .. than|<num>; cost .. than|<num>; spending limit|cap; budget|obergrenze; plafond; presupuesto; orcamento; бюджет; 预 算; 予 算",
        value: Value::Amount,
    },
    // When it is due.
    Slot {
        patterns: "deadline; due on|by|date; no later than; frist; abgabe; date limite; echeance; fecha limite; plazo; scadenza; prazo; срок; 截 止; 締 切",
        value: Value::Amount,
    },
    // How long answers are.
    Slot {
        patterns: "<num> words|sentences|paragraphs|lines|characters|bullets; keep .. short|brief|concise|long|detailed; \
                   be brief|concise|detailed|thorough|verbose; short|brief|concise|long|longer|shorter|detailed answers|replies|responses; \
                   answers|replies|responses .. short|brief|concise|long|longer|shorter|detailed",
        value: Value::Amount,
    },
    // How they sound.
    Slot {
        patterns: "",
        value: Value::Of("formal informal casual formally informally casually formell locker siezen duzen"),
    },
    // How they are laid out.
    Slot {
        patterns: "",
        value: Value::Of("bullets bullet prose paragraphs table tables json yaml xml csv markdown html"),
    },
    // Indentation, quotes, seats, cabins, diets, schemes of colour.
    Slot { patterns: "indent; indentation; tabs; spaces", value: Value::Of("tabs spaces") },
    Slot { patterns: "quotes", value: Value::Of("single double") },
    Slot { patterns: "seat|seats; prefer|want .. aisle|window", value: Value::Of("aisle window middle") },
    Slot {
        patterns: "class|cabin; economy; fly business|first",
        value: Value::Of("economy business first premium"),
    },
    Slot {
        patterns: "i|am|is|are .. vegetarian|vegan|pescatarian|omnivore",
        value: Value::Of("vegetarian vegan pescatarian omnivore"),
    },
    Slot { patterns: "mode|theme|background", value: Value::Of("dark light") },
    Slot { patterns: "", value: Value::Of("british american") },
    // Addresses, numbers, zones of the speaker.
    Slot { patterns: "time zone; timezone; times .. in", value: Value::Rest },
    Slot { patterns: "my|our email; my|our e mail", value: Value::Rest },
    Slot { patterns: "my|our phone|cell|mobile|number", value: Value::Rest },
    Slot { patterns: "my pronouns", value: Value::Rest },
    Slot {
        patterns: "currency; prices|amounts|costs .. in",
        value: Value::Of("euros euro dollars dollar pounds usd eur gbp yen jpy chf francs"),
    },
];

#[derive(Debug)]
struct Known {
    matcher: Matcher,
    /// The slot of each pattern.
    slots: Vec<usize>,
    values: Vec<Vec<String>>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let mut known = Known { matcher: Matcher::default(), slots: Vec::new(), values: Vec::new() };
    for (n, slot) in SLOTS.iter().enumerate() {
        for pattern in slot.patterns.split(';').map(str::trim).filter(|pattern| !pattern.is_empty()) {
            known.matcher.add(pattern);
            known.slots.push(n);
        }
        let values = if let Value::Of(values) = slot.value { values } else { "" };
        known.values.push(tokens(values).into_iter().map(|token| token.text.into_owned()).collect());
    }
    known
});

/// A slot that a sentence fills.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Filled {
    /// Its place among the slots.
    pub(super) slot: usize,
    /// For each token whether it names the slot or fills it.
    pub(super) covers: Vec<bool>,
}

impl Filled {
    fn cover(&mut self, tokens: impl IntoIterator<Item = usize>) {
        for token in tokens {
            if let Some(covers) = self.covers.get_mut(token) {
                *covers = true;
            }
        }
    }
}

/// The slots that the sentence of `tokens` fills. Linear; each slot once.
pub(super) fn slots(tokens: &[Token<'_>]) -> Vec<Filled> {
    let mut filled: Vec<Filled> = Vec::new();
    let initial = vec![true; tokens.len()];
    let empty = |slot| Filled { slot, covers: vec![false; tokens.len()] };
    KNOWN.matcher.find(tokens, &initial, |found| {
        let Some(&slot) = KNOWN.slots.get(found.pattern) else { return };
        let takes_rest = SLOTS.get(slot).is_some_and(|slot| matches!(slot.value, Value::Rest));
        match filled.iter_mut().find(|known| known.slot == slot) {
            // All that follows the first one is covered.
            Some(_) if takes_rest => {}
            Some(known) => known.cover(found.start..found.end),
            None => {
                let mut new = empty(slot);
                new.cover(found.start..if takes_rest { tokens.len() } else { found.end });
                filled.push(new);
            }
        }
    });
    for (slot, values) in KNOWN.values.iter().enumerate().filter(|(_, values)| !values.is_empty()) {
        let fills =
            tokens.iter().enumerate().filter(|(_, token)| values.iter().any(|value| token.text == *value));
        let fills: Vec<usize> = fills.map(|(at, _)| at).collect();
        let named = filled.iter().position(|known| known.slot == slot);
        let needs_name = SLOTS.get(slot).is_some_and(|slot| !slot.patterns.is_empty());
        match named.and_then(|place| filled.get_mut(place)) {
            // A set that is closed must be filled from it.
            Some(_) if fills.is_empty() => filled.retain(|known| known.slot != slot),
            Some(known) => known.cover(fills),
            None if needs_name || fills.is_empty() => {}
            None => {
                let mut new = empty(slot);
                new.cover(fills);
                filled.push(new);
            }
        }
    }
    filled
}
