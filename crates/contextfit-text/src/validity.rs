//! Sentences that say whether the text around them still holds.

use crate::words as words_of;

/// A longer sentence, in bytes, says more than that.
const LONG: usize = 200;

/// Whether `text` says that the text it belongs to no longer holds, or until when it does: `Withdrawn on 3 May 2026.`,
/// `**Status:** superseded by the policy of 2026`, `Gültig bis 31. Mai 2026`. Constant time.
pub(crate) fn states_validity(text: &str) -> bool {
    if text.len() > LONG || text.trim_start().starts_with('#') {
        return false;
    }
    let words: Vec<String> = words_of(text).map(str::to_lowercase).take(6).collect();
    let status = words
        .first()
        .is_some_and(|word| matches!(word.as_str(), "status" | "state" | "estado" | "statut" | "stato"));
    let words = words.get(usize::from(status)..).unwrap_or_default();
    let begins = |phrase: &str| {
        let mut words = words.iter();
        phrase.split(' ').all(|part| words.next().is_some_and(|word| word == part))
    };
    ENDED.iter().any(|phrase| begins(phrase)) || status && STATES.iter().any(|phrase| begins(phrase))
}

/// Beginnings of sentences about a text that has ended or will end.
const ENDED: [&str; 34] = [
    "withdrawn on",
    "withdrawn by",
    "withdrawn since",
    "withdrawn as of",
    "repealed on",
    "repealed by",
    "superseded by",
    "superseded on",
    "replaced by",
    "obsoleted by",
    "obsolete since",
    "deprecated since",
    "expired on",
    "valid until",
    "no longer valid",
    "aufgehoben zum",
    "aufgehoben am",
    "aufgehoben durch",
    "aufgehoben mit",
    "ersetzt durch",
    "außer kraft",
    "gültig bis",
    "ungültig seit",
    "abrogé le",
    "abrogé par",
    "remplacé par",
    "valable jusqu",
    "derogado el",
    "derogado por",
    "sustituido por",
    "válido hasta",
    "abrogato il",
    "sostituito da",
    "valido fino",
];

/// States of a text that does not hold, or not yet.
const STATES: [&str; 14] = [
    "withdrawn",
    "superseded",
    "deprecated",
    "obsolete",
    "rejected",
    "draft",
    "expired",
    "aufgehoben",
    "veraltet",
    "entwurf",
    "abrogé",
    "brouillon",
    "derogado",
    "borrador",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states() {
        let check = |text, expect| assert_eq!(states_validity(text), expect, "{text}");
        check(" Withdrawn on 3 May 2026.", true);
        check("**Status:** Superseded by ADR 12", true);
        check("Status: draft\n", true);
        check(" Gültig bis 31. Mai 2026.", true);
        check("Aufgehoben zum 3. Mai 2026 durch die Anweisung 4.", true);
        check("Valid from 1 March 2026.", false);
        check("Draft horses are strong.", false);
        check("Status: accepted\n", false);
        check("# Withdrawn on 3 May", false);
    }
}
