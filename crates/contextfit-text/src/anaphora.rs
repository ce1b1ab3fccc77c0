//! Sentences that refer back to the one before them.

use crate::NaturalLanguage;

/// Whether `text` begins with a pronoun or connective that refers to what came before it, in `natural_language` or in
/// English, which occurs among texts of any language. Constant time.
pub(crate) fn leans_back(text: &str, natural_language: NaturalLanguage) -> bool {
    // ablate: text.leans => false
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
