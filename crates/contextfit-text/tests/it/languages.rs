//! Sentences of other languages and scripts. A `¦` follows every unit.

use contextfit_text::Language;

use crate::units::check;

/// Every text is divided at its bars.
#[track_caller]
fn all(texts: &[&str]) {
    for text in texts {
        check(text);
    }
}

#[test]
fn german() {
    all(&[
        "Er kam am 3. Mai.¦ Sie kam am 12. Dezember an.",
        "Im 19. Jahrhundert begann der 1. Weltkrieg noch nicht.",
        "Viele Tiere, z.B. Hunde, d.h. Haustiere, bellen.",
        "Viele Tiere, z. B. Die Maus und d. h. Nager, nagen.",
        "Hunde, Katzen usw. Maier mag sie.",
        "Hunde, Katzen usw.¦ Der Rest ist klein.",
        "Siehe Abb. 3 und Nr. 7 auf S. 12.¦ Es gilt Art. 5.",
        "Fr. Dr. Müller kam ca. 5 Minuten später.¦ Sie ging.",
        "Er sagte: „Ja.“¦ Dann ging er.",
        "»Nein.«¦ Sie blieb.",
        "Die Firma Foo GmbH & Co. KG wächst.",
    ]);
}

#[test]
fn french() {
    all(&[
        "M. Dupont est là.¦ Mme Durand aussi.",
        "Est-ce vrai ?¦ Oui, c’est vrai !¦ Bien.",
        "Les fruits, p. ex. Les pommes, sont bons.",
        "Des pommes, des poires, etc.¦ L’armée les mange.",
        "Né en 50 av. J.-C. à Rome, il y vécut.",
    ]);
}

#[test]
fn spanish() {
    all(&[
        "¿Qué?¦ ¡No!¦ Sí.",
        "Hola.¦¿Qué tal?¦ Bien.",
        "El Sr. García y la Sra. López viven en EE. UU. desde 1990.",
        "Vive en EE.UU.¦ El país es grande.",
        "Véase pág. 12 y núm. 3.¦ Así es.",
        "—Ven —dijo. —No.",
        "La Dra. Ruiz llegó a las 5 p. m. del lunes.",
    ]);
}

#[test]
fn italian_and_portuguese() {
    all(&[
        "Il sig. Rossi è qui.¦ È stanco.",
        "Il Dott. Bianchi vede mele, pere, ecc.¦ Il resto manca.",
        "Perché?¦ Non lo so.¦ C’è tempo.",
        "O Sr. Silva chegou.¦ A Sra. Costa saiu.",
        "Veja pág. 3, p.ex. Lisboa.¦ Não é longe.",
    ]);
}

#[test]
fn dutch_and_nordic() {
    all(&[
        "Dhr. de Vries is er.¦ Hij blijft.",
        "Fruit, bijv. Appels, d.w.z. Peren.",
        "Appels, peren, enz.¦ Het is fruit.",
        "Frukter, t.ex. Äpplen, är goda.¦ Det är sant.",
        "Frugt, f.eks. Æbler, er godt.¦ Den er sød.",
    ]);
}

#[test]
fn polish_and_czech() {
    all(&[
        "Mieszka przy ul. Długiej w Łodzi.¦ To daleko.",
        "Owoce, np. Jabłka, są dobre.",
        "Owoce, warzywa itd.¦ To wszystko.",
        "Ovoce, např. Jablka, je dobré.¦ Čeština také.",
    ]);
}

#[test]
fn russian() {
    all(&[
        "Он пришёл.¦ Она ушла!¦ Зачем?",
        "Он жил на ул. Ленина в г. Москва.",
        "Это было в 1990 г.¦ Он родился в 1970 г. в Москве.",
        "А. С. Пушкин написал это.¦ Он поэт.",
        "Фрукты, т. е. Яблоки, вкусны.¦ Да.",
        "Яблоки, груши и т. д.¦ Это всё.",
        "См. рис. 5 на стр. 7.¦ Там всё.",
    ]);
}

#[test]
fn greek_and_armenian() {
    all(&["Ο κ. Παπαδόπουλος είναι εδώ.¦ Το ξέρω.", "Նա եկավ։¦ Նա գնաց։"]);
}

#[test]
fn right_to_left() {
    all(&[
        "هل أنت بخير؟¦ نعم.¦ شكرا!",
        "ہم آئے۔¦ وہ گئے۔",
        "د. أحمد هنا.¦ هو طبيب.",
        "הוא בא.¦ היא הלכה?¦ כן.",
    ]);
}

#[test]
fn indic_and_others() {
    all(&[
        "वह आया।¦ वह गया।¦ क्यों?¦ हाँ।",
        "डॉ. राम आए।¦ वे बैठे।",
        "সে এলো।¦ সে গেল।",
        "እሱ መጣ።¦ እሷ ሄደች።",
        "គាត់មក។¦ គាត់ទៅ។",
        "ဟုတ်တယ်။¦ မဟုတ်ဘူး။",
        "เขามา เธอไป แล้วก็กลับบ้าน",
        "그는 갔다.¦ 그녀는 왔다.¦ 왜?",
    ]);
}

#[test]
fn chinese() {
    all(&[
        "他来了。¦她走了！¦为什么？¦不知道",
        "“你好。”他说。¦我走了。",
        "他说：“你好。”¦然后走了。",
        "价格是3.5元。¦版本是1.2。¦好。",
        "真的吗？！¦是的……好",
        "（他来了。）¦她走了。",
        "《书名。》¦第二句。",
        "用Node.js写的。¦很好。",
    ]);
}

#[test]
fn japanese() {
    all(&[
        "彼は行った。¦彼女は来た！¦本当？",
        "「はい。」と彼は言った。¦それから帰った。",
        "「はい。」¦彼は帰った。",
        "『本当？』って聞いた。¦うん。",
        "円周率は３．１４です。¦覚えた。",
        "（笑）そうです。¦はい。",
        "彼は「行く。¦帰る。」と言った。",
    ]);
}

/// The language of a script of which only the text is known.
#[test]
fn scripts_say_what_they_are() {
    let of = |text| Language::of_shebang(text).map(|language| language.name);
    assert_eq!(of("#!/bin/sh\nls\n"), Some("bash"));
    assert_eq!(of("#!/usr/bin/env python3.11\nprint(1)\n"), Some("python"));
    assert_eq!(of("#!/usr/bin/env -S node --no-warnings\n"), Some("javascript"));
    assert_eq!(of("#!/usr/bin/ruby -w\n"), Some("ruby"));
    assert_eq!(of("#!\n"), None);
    assert_eq!(of("# comment\n"), None);
}
