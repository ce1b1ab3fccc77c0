//! Greetings, thanks, agreement, farewells and good wishes: sentences nobody will need later.

/// The most words in one such sentence.
const WORDS: usize = 9;

/// Words that make small talk, and words around them that add nothing. A sentence with one of [`KEYS`] and no words
/// outside both lists is small talk.
const KEYS: &str = "thanks thank thx ty cheers hello hi hey howdy bye goodbye welcome great good nice cool awesome amazing wonderful fantastic \
    perfect lovely brilliant excellent ok okay okey sure yes yeah yep yup no nope haha hahaha lol wow congrats congratulations sorry \
    pleasure luck night morning later soon care fun glad happy agreed absolutely exactly definitely indeed totally true right fine \
    understood works course problem worries hm hmm oh ah aww birthday weekend cute sounds enjoy hug interesting beautiful \
    danke hallo tschüss gut gute guten prima genau klar gern gerne ja bitte morgen tag abend nacht super toll bis \
    merci bonjour salut bonsoir oui d'accord bien parfait voilà revoir \
    gracias hola adiós adios buenos buenas vale sí claro perfecto genial luego \
    obrigado obrigada olá oi tchau bom boa sim ótimo perfeito \
    grazie ciao buongiorno buonasera sì certo perfetto bene arrivederci prego \
    dank dankjewel bedankt hoi dag goed prima graag goedemorgen oké \
    спасибо привет пока здравствуйте да хорошо отлично конечно ладно понятно пожалуйста";
const AROUND: &str = "so very much really a an the you your i i'm me my we for to of at it it's its that that's this is was are be \
    and too as well again all day one have had has what how lot lots many bunch time talk talking chat chatting see catch take best wishes hope \
    hear heard looks look looking like love loved sound great best everything safe trip rest going get up with in on just let's \
    of pretty such quite feel feels anytime always am will i'll you're friend man dude buddy guys everyone here there us now then today tonight tomorrow \
    sehr viel viele vielen dir euch ihnen das ist schön und auch noch dann morgen schönen \
    beaucoup très bien bonne journée soirée à bientôt c'est et de la tout muchas mucho muy días tardes noches hasta pronto de nada qué \
    muito muita dia tarde noite até logo mais mille molto buona giornata a presto tutto je wel heel erg tot ziens большое очень до свидания встречи";

/// Beginnings of farewells and wishes, which need no other key.
const OPENINGS: &[&str] = &["see you", "talk to you", "take care", "have a", "all the best", "best wishes"];

/// Phrases of languages without spaces; such a sentence begins with any of them.
const DENSE: &[&str] = &[
    "谢谢",
    "多谢",
    "你好",
    "您好",
    "再见",
    "好的",
    "没问题",
    "不客气",
    "早上好",
    "晚安",
    "哈哈",
    "ありがとう",
    "こんにちは",
    "おはよう",
    "さようなら",
    "おやすみ",
    "はい",
    "了解",
    "よろしく",
    "なるほど",
];

/// Whether `sentence` is only a greeting, thanks, agreement, a farewell or a good wish. A number, a name or any other
/// word makes it something else: "yes, do that" gives permission, and "yes" or "no" alone answers a question; "sounds
/// good" does neither.
pub(crate) fn is_small_talk(sentence: &str) -> bool {
    let folded = sentence.to_lowercase().replace('’', "'");
    if sentence.trim_end().ends_with(['?', '？']) {
        return false;
    }
    if let Some(rest) = DENSE.iter().find_map(|phrase| folded.trim().strip_prefix(phrase)) {
        return rest.chars().filter(|c| c.is_alphanumeric()).count() <= 6;
    }
    let words =
        || folded.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty());
    let listed = |list: &str, word: &str| list.split_whitespace().any(|listed| listed == word);
    let mut key = OPENINGS.iter().any(|opening| folded.trim_start().starts_with(opening));
    let known = words().all(|word| {
        let is_key = listed(KEYS, word);
        key |= is_key;
        is_key || listed(AROUND, word)
    });
    let first = words().next();
    let answers = words().count() == 1 && matches!(first, Some("no" | "nope" | "yes" | "yep"));
    known && key && !answers && words().count() <= WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentences: &[&str], expect: bool) {
        for sentence in sentences {
            assert_eq!(is_small_talk(sentence), expect, "{sentence}");
        }
    }

    #[test]
    fn says_nothing() {
        check(
            &[
                "Thanks!",
                "Sounds good",
                "ok",
                "You're welcome!",
                "Talk to you later",
                "Haha, yes",
                "That's great!",
            ],
            true,
        );
        check(
            &[
                "Thank you so much!",
                "Good morning",
                "See you tomorrow!",
                "No problem.",
                "Have a great day!",
                "Wow, that's amazing!",
            ],
            true,
        );
        check(
            &[
                "Vielen Dank!",
                "Danke, bis morgen!",
                "Merci beaucoup !",
                "Muchas gracias",
                "Obrigado!",
                "Grazie mille!",
                "Dank je wel",
            ],
            true,
        );
        check(&["Спасибо большое!", "谢谢！", "ありがとうございます"], true);
    }

    #[test]
    fn says_something() {
        check(
            &[
                "yes, do that",
                "yes",
                "no",
                "No, not the second one.",
                "Thanks, use the blue one.",
                "ok, delete it",
                "go ahead",
                "",
            ],
            false,
        );
        check(
            &[
                "Great, 5 then.",
                "See you at the station",
                "Happy to help Anna move",
                "Is that ok?",
                "That's great news about Leeds!",
            ],
            false,
        );
        check(
            &[
                "sure, merge it",
                "Don't thank me",
                "Never mind",
                "Danke, aber nimm den Zug",
                "谢谢，请把文件删除掉然后重新开始",
            ],
            false,
        );
    }
}
