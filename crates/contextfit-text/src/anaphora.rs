//! Sentences that refer back to the one before them.

use crate::{NaturalLanguage, words as words_of};

/// Whether `text` begins with a pronoun or connective that refers to what came before it, in `natural_language` or in
/// English, which occurs among texts of any language. Constant time.
pub(crate) fn leans_back(text: &str, natural_language: NaturalLanguage) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    if text.starts_with(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}')) {
        return UNSPACED.split_whitespace().any(|word| text.starts_with(word));
    }
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    // No listed word is longer.
    let word = if word.len() <= 32 { word.to_lowercase() } else { return false };
    let known = [words(natural_language), words(NaturalLanguage::English)];
    known.into_iter().flat_map(str::split_whitespace).any(|known| known == word)
}

/// How many sentences before it `text` limits or contradicts: 1 if it begins with a word of contrast, as in "Only if
/// the queue is empty", or with another case, as in "In the case of a conflict", [`FAR`] if it begins by naming an
/// exception, as in "The one exception to 3", or as a warning, as in "Caution: it deletes all"; else 0. Constant time.
pub(crate) fn limits(text: &str) -> usize {
    let start = text.get(..text.floor_char_boundary(64)).unwrap_or(text);
    if warns(start) {
        return FAR;
    }
    let words: Vec<String> = words_of(start).map(str::to_lowercase).take(5).collect();
    let Some(first) = words.first() else { return 0 };
    if words.iter().any(|word| EXCEPTIONS.contains(&word.as_str())) {
        return FAR;
    }
    let is_case = |case: &str| {
        let mut words = words.iter();
        case.split(' ').all(|word| words.next().is_some_and(|found| found == word))
    };
    usize::from(CONTRASTS.contains(&first.as_str()) || CASES.iter().any(|case| is_case(case)))
}

/// Whether `text` says from when on something in the sentence `before` it is otherwise: it begins with a date from
/// which it holds, and both have a figure and a word in common. Linear in their length.
pub(crate) fn amends(text: &str, before: &str) -> bool {
    let is_figure = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let start: Vec<String> = words_of(text).map(str::to_lowercase).take(4).collect();
    let Some(first) = start.first() else { return false };
    let from = SINCE.iter().find(|since| since.split(' ').next() == Some(first.as_str()));
    if from.is_none() || !start.iter().skip(1).any(|word| is_figure(word)) || !is_figure(before) {
        return false;
    }
    let holds = from.is_some_and(|since| since.split(' ').eq(start.iter().take(since.split(' ').count())));
    let known: Vec<String> =
        words_of(before).filter(|word| word.len() >= SHARED).map(str::to_lowercase).collect();
    let body = words_of(text).skip(1).filter(|word| word.len() >= SHARED && !is_figure(word));
    holds && body.map(str::to_lowercase).any(|word| known.contains(&word))
}

/// A shorter word, in bytes, says nothing about what a sentence is about.
const SHARED: usize = 5;

/// What a date follows from which something holds.
const SINCE: [&str; 13] = [
    "since",
    "as of",
    "from",
    "effective",
    "seit",
    "ab",
    "depuis",
    "à partir",
    "desde",
    "a partir",
    "dal",
    "dall",
    "sinds",
];

/// Whether `text` begins with a word of warning and a colon, in emphasis or not, or as an alert: `[!WARNING]`.
pub(crate) fn warns(text: &str) -> bool {
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || "*_>[!".contains(c));
    let word = start.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let behind = start.get(word.len()..).unwrap_or_default().trim_start_matches(['*', '_', ' ']);
    behind.starts_with([':', ']', '：']) && WARNINGS.contains(&word.to_lowercase().as_str())
}

/// An exception may be stated this many sentences after its rule, and a warning as far from what it is about.
pub(crate) const FAR: usize = 3;

const EXCEPTIONS: [&str; 16] = [
    "exception",
    "exceptions",
    "exempt",
    "exempted",
    "ausnahme",
    "ausnahmen",
    "ausgenommen",
    "excepción",
    "excepciones",
    "excluidos",
    "excluidas",
    "exceções",
    "eccezione",
    "esclusi",
    "exclus",
    "exempts",
];

/// Words that begin a warning about what the sentences before it describe.
const WARNINGS: [&str; 15] = [
    "warning",
    "caution",
    "danger",
    "important",
    "achtung",
    "vorsicht",
    "warnung",
    "wichtig",
    "attention",
    "avertissement",
    "advertencia",
    "atención",
    "attenzione",
    "avviso",
    "atenção",
];

/// Words that begin a sentence which limits the one before it.
const CONTRASTS: [&str; 26] = [
    "otherwise",
    "sonst",
    "andernfalls",
    "sinon",
    "altrimenti",
    "but",
    "however",
    "except",
    "unless",
    "only",
    "note",
    "aber",
    "jedoch",
    "allerdings",
    "außer",
    "nur",
    "mais",
    "cependant",
    "sauf",
    "pero",
    "salvo",
    "excepto",
    "exceto",
    "ma",
    "tranne",
    "mas",
];

/// Beginnings of sentences which say what happens in another case than the one before.
const CASES: [&str; 38] = [
    "in the case of",
    "in the event of",
    "in case of",
    "in this case",
    "in that case",
    "in these cases",
    "in those cases",
    "in such cases",
    "in such a case",
    "if so",
    "if not",
    "im falle",
    "im fall",
    "in diesem fall",
    "falls nicht",
    "en cas de",
    "dans ce cas",
    "en caso de",
    "en este caso",
    "en ese caso",
    "in caso di",
    "in questo caso",
    "em caso de",
    "nesse caso",
    "this does not apply",
    "that does not apply",
    "this rule does not apply",
    "dies gilt nicht",
    "das gilt nicht",
    "es sei denn",
    "davon ausgenommen",
    "cela ne s applique pas",
    "à moins que",
    "esto no se aplica",
    "a menos que",
    "questo non vale",
    "non si applica",
    "isto não se aplica",
];

/// Beginnings of sentences in Chinese and Japanese.
const UNSPACED: &str = "这 這 那 它 他 她 该 該 此 其 但 然而 因此 所以 于是 於是 同时 同時 否则 否則 不过 不過 これ それ この その こう そう \
                        しかし また ただし そのため したがって さらに 彼";

/// The words of `natural_language`, in lowercase. Words that usually begin a sentence in another role, such as
/// articles, are left out.
const fn words(natural_language: NaturalLanguage) -> &'static str {
    match natural_language {
        NaturalLanguage::English => {
            "accordingly additionally also and besides both but consequently conversely either furthermore he hence her hers \
             him his however instead it its likewise meanwhile moreover neither nevertheless nonetheless or otherwise she \
             similarly so still such that their theirs them then therefore these they this those thus yet"
        }
        NaturalLanguage::German => {
            "aber allerdings also auch außerdem beide dabei dadurch daher damit danach dann dazu denn deren deshalb dessen \
             dies diese diesem diesen dieser dieses doch er es folglich ihr ihre jedoch sein seine solche somit sonst \
             stattdessen trotzdem zudem"
        }
        NaturalLanguage::French => {
            "ainsi alors aussi ce ceci cela celle celui cependant ces cet cette donc elle elles il ils leur leurs mais \
             néanmoins or pourtant puis sa ses sinon son toutefois"
        }
        NaturalLanguage::Spanish => {
            "además ambos así aquel aquella ella ellas ellos entonces esa ese eso esos esta este esto estos luego pero su \
             sus tal también él"
        }
        NaturalLanguage::Italian => {
            "altrimenti anche ciò così dunque egli entrambi essa essi esso inoltre loro lui ma perciò però poi queste questa \
             questi questo quindi sua suo tuttavia"
        }
        NaturalLanguage::Portuguese => {
            "ambos assim contudo ela elas ele eles entretanto então essa esse esses esta este isso isto mas portanto porém \
             seu seus sua suas também"
        }
        NaturalLanguage::Dutch => {
            "anders beide bovendien daarna daarom dan deze dit dus echter haar hij hun maar ook toch vervolgens zij zulke"
        }
        NaturalLanguage::Swedish => {
            "annars båda denna dessa dessutom detta dock därför han hans hennes hon men också sedan sådana"
        }
        NaturalLanguage::Danish | NaturalLanguage::Norwegian => {
            "begge derfor dessuden dessuten denne dette disse dog ellers hans han hendes hennes hun men også sådanne"
        }
        NaturalLanguage::Russian => {
            "его ее её затем иначе их кроме но оба однако он она они оно поэтому также такие такой тогда эта эти это этот"
        }
        NaturalLanguage::Turkish => "ama ancak ayrıca bu bunlar bunun böylece fakat o onlar onun sonra şu",
        NaturalLanguage::Polish => {
            "ale dlatego ich inaczej jednak jego jej ona one oni ono ponadto potem również ta także taki takie te ten to więc"
        }
        NaturalLanguage::Arabic => "أيضا ثم ذلك لذلك لكن هذا هذه هم هو هي ولكن",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(natural_language: NaturalLanguage, text: &str, expect: bool) {
        assert_eq!(leans_back(text, natural_language), expect, "{text}");
    }

    #[test]
    fn exceptions() {
        let check = |text, expect| assert_eq!(limits(text), expect, "{text}");
        check("But not on Fridays.", 1);
        check(" **Only** if it is empty.", 1);
        check("The one exception to 3 is a leak.", FAR);
        check("Exceptions are logged.", FAR);
        check("It throws an error when an exception occurs.", 0);
        check("Butter is cheap.", 0);
        check("Urgent repairs are exempt.", FAR);
        check("Dies gilt nicht für Gäste.", 1);
        check("This does not apply to guests.", 1);
        check("In the case of a conflict, the board decides.", 1);
        check("If so, stop. In the end it stops.", 1);
        check("If snow falls, stop.", 0);
        check("Andernfalls fällt es aus.", 1);
        check("Warning: it deletes all.", FAR);
        check("**Wichtig:** nicht löschen.", FAR);
        check("> [!CAUTION]\n> It deletes all.", FAR);
        check("Important people came.", 0);
        check("Warnings: none.", 0);
        check("", 0);
    }

    #[test]
    fn amendments() {
        let check =
            |text, expect| assert_eq!(amends(text, "The penalty is 1.5 percent a month."), expect, "{text}");
        check("Since 16 January 2025 the penalty is 1 percent.", true);
        check("As of May 2025 the penalty is 1 percent.", true);
        check("Since 16 January 2025 music is allowed.", false);
        check("Since then the penalty is 1 percent.", false);
        check("The penalty was 1 percent in 2024.", false);
        check("", false);
    }

    #[test]
    fn beginnings() {
        check(NaturalLanguage::English, "It was built in 1902.", true);
        check(NaturalLanguage::English, " **However**, it fell.", true);
        check(NaturalLanguage::English, "It's old.", true);
        check(NaturalLanguage::English, "Iterators are lazy.", false);
        check(NaturalLanguage::English, "The bridge fell, however.", false);
        check(NaturalLanguage::German, "Diese wurde 1902 gebaut.", true);
        check(NaturalLanguage::German, "It was built in 1902.", true);
        check(NaturalLanguage::German, "Die Brücke wurde gebaut.", false);
        check(NaturalLanguage::Russian, "Он был построен.", true);
        check(NaturalLanguage::English, "但是它很旧。", true);
        check(NaturalLanguage::English, "この橋は古い。", true);
        check(NaturalLanguage::English, "橋は古い。", false);
        check(NaturalLanguage::English, "", false);
    }
}
