//! A few sentences of each class of cues, in each language.

use contextfit_conversational::Cue::{self, *};
use contextfit_kernel::Role;

use super::{STRONG, find, strength};

#[track_caller]
fn check(cue: Cue, sentences: &[&str]) {
    for sentence in sentences {
        let found = find(&[(Role::User, sentence)]);
        let fits = found.iter().any(|(found, text)| {
            found.cues.contains(&cue) && found.strength >= 0.5 && text.contains(sentence.trim())
        });
        assert!(fits, "{sentence:?}: {found:?}");
    }
}

#[test]
fn english() {
    check(
        Prohibition,
        &["Never send invoices by post.", "Please don't ever call before noon.", "Avoid nested loops."],
    );
    check(
        Prohibition,
        &["You must not rename the tables.", "No one may see the draft.", "Don’t quote song lyrics."],
    );
    check(
        Permanence,
        &["From now on, be brief.", "Always add a test.", "Until further notice we meet online."],
    );
    check(Permanence, &["For the rest of this chat, use Celsius.", "Whenever you cite a law, link it."]);
    check(
        Obligation,
        &[
            "Make sure the lights are off.",
            "The form must be signed.",
            "You have to ask first, it's required.",
        ],
    );
    check(Limit, &["Spend no more than $40.", "The report is due on 4 May.", "Keep it under 90 words."]);
    check(Limit, &["Our budget is 3,000 euros.", "I need it by Friday.", "At most two per person."]);
    check(Preference, &["I prefer tea.", "Call me Sam.", "I'm allergic to latex.", "I am a vegetarian."]);
    check(
        Reminder,
        &[
            "Remember that the shop shuts at six.",
            "Keep in mind that Ben is on leave.",
            "FYI, I move in May.",
        ],
    );
    check(Decision, &["We decided to wait.", "Let's go with oak.", "Agreed: no meetings on Mondays."]);
    check(
        Correction,
        &["Scratch that.", "Correction: it is room 12.", "I meant the red one.", "I changed my mind."],
    );
    check(Manner, &["Answer in French.", "Use metric units."]);
}

/// Imperatives of any verb of doing, polite requests, and what holds for everything of a kind.
#[test]
fn acts_and_conditions() {
    check(Manner, &["Please translate every caption.", "Would you mind leaving the porch light on?"]);
    check(
        Manner,
        &["It would be great if you kept the old names.", "May I ask you to knock?", "Kindly knock first."],
    );
    check(
        Obligation,
        &[
            "If the pump stops, call Nadia.",
            "Validate each form before it is stored.",
            "Archive mails once read.",
        ],
    );
    check(
        Obligation,
        &["Every visitor has to sign the book.", "When the tank is half empty, switch to the other one."],
    );
    check(
        Prohibition,
        &[
            "You are not authorised to open the safe.",
            "Nobody but Iris may feed the owl.",
            "You may only use ink.",
        ],
    );
    check(Limit, &["Anything over 20 kilos travels by ship.", "The essay is due by May 9."]);
    check(Correction, &["Strike the second rule: knock twice.", "The rehearsal is now on Friday."]);
}

/// What has to be done to something, and orders of verbs that no list has.
#[test]
fn done_to_something() {
    check(
        Obligation,
        &[
            "Labels should be printed twice.",
            "The lids have to be sealed.",
            "Seeds need to be weighed first.",
        ],
    );
    check(Obligation, &["Polish the brass before the guests arrive.", "Feed the carp once the ice is gone."]);
    check(
        Correction,
        &["I got that wrong: it is gate 4.", "The 14 in my note was a typo.", "It is Thursday, not Tuesday."],
    );
    check(Decision, &["Agreed with Rosa: the stall stays shut in May."]);
    check(Preference, &["Early trains suit me best.", "Our crew leans towards canvas."]);
    check(Limit, &["I need the signed form back from the council by Monday."]);
}

/// A reason behind the cue takes nothing from it; the same words before it do.
#[test]
fn reasons() {
    let reason = "Please don't rent from Bolero, we had a flat tyre there last year.";
    assert!(strength(reason) >= 0.5, "{}", strength(reason));
    let told = "Last year we had a flat tyre and they told us not to rent there.";
    assert!(strength(told) < 0.5, "{}", strength(told));
}

/// What is of use to the letter alone is worth keeping without any cue, but no instruction; what is asked is neither.
#[test]
fn values_alone() {
    for sentence in [
        "It hangs beside locker K7-4419.",
        "Backups live under /srv/vault/daily.",
        "The nurse of our ward can be had on +49 30 5512 8890.",
    ] {
        let strength = strength(sentence);
        assert!((0.3..0.6).contains(&strength), "{sentence:?}: {strength}");
    }
    assert!(strength("Is it beside locker K7-4419?") < 0.25);
    let plain = strength("Send the deeds to the notary.");
    assert!(strength("Send the deeds to ida.k@notary.example.") > plain);
}

/// What is asked for once is weaker than what is asked for under a condition.
#[test]
fn once() {
    let weak = ["Send me the slides.", "Can you check this list?", "Translate this page for me."];
    for sentence in weak {
        assert!(strength(sentence) < 0.5, "{sentence:?}: {}", strength(sentence));
    }
    assert!(strength("Send me the slides whenever they change.") >= 0.5);
}

#[test]
fn german() {
    check(
        Prohibition,
        &["Verwende niemals rote Schrift.", "Bitte erwähne nie den Preis.", "Das ist nicht erlaubt."],
    );
    check(Permanence, &["Ab jetzt bitte nur auf Deutsch.", "In Zukunft immer mit Datum."]);
    check(Obligation, &["Der Text muss kurz sein.", "Achte darauf, dass die Tests laufen."]);
    check(Limit, &["Das darf höchstens 200 Euro kosten.", "Die Frist ist am 3. Mai."]);
    check(
        Preference,
        &["Ich bevorzuge einen Fensterplatz.", "Nenn mich Max.", "Ich bin allergisch gegen Nüsse."],
    );
    check(
        Reminder,
        &["Denk daran, dass ich montags nicht da bin.", "Vergiss nicht, dass der Hund dabei ist."],
    );
    check(Decision, &["Wir haben uns für das blaue Logo entschieden.", "Wir nehmen den frühen Zug."]);
    check(Correction, &["Korrektur: es ist Raum 12.", "Ich meinte den zweiten Absatz."]);
}

#[test]
fn french() {
    check(Prohibition, &["N'utilise jamais de tableaux.", "Il est interdit de partager ce document."]);
    check(Permanence, &["À partir de maintenant, réponds en français.", "Désormais, indique la source."]);
    check(Obligation, &["Le rapport doit être court.", "Assurez-vous que tout est signé."]);
    check(Limit, &["Le budget est de 300 euros.", "Pas plus de trois pages."]);
    check(Preference, &["Je préfère le train.", "Appelle-moi Léa.", "Je suis allergique aux noix."]);
    check(Reminder, &["N'oublie pas que je pars lundi.", "Souviens-toi que le bureau est fermé."]);
    check(Decision, &["Nous avons décidé de rester à Lyon."]);
    check(Correction, &["Correction : c'est la salle 12.", "Je voulais dire mardi."]);
}

#[test]
fn spanish() {
    check(
        Prohibition,
        &["Nunca uses tablas.", "No debes compartir la lista.", "Evita los tecnicismos en las respuestas."],
    );
    check(Permanence, &["A partir de ahora responde en español.", "De ahora en adelante, indica la fuente."]);
    check(Obligation, &["El texto debe ser breve.", "Asegúrate de que todo esté firmado."]);
    check(Limit, &["El presupuesto es de 300 euros.", "No más de tres páginas."]);
    check(Preference, &["Prefiero el tren.", "Llámame Ana.", "Soy alérgica a las nueces."]);
    check(Reminder, &["Recuerda que el lunes no estoy.", "Ten en cuenta que la oficina está cerrada."]);
    check(Decision, &["Hemos decidido quedarnos en Madrid."]);
    check(Correction, &["Corrección: es la sala 12.", "Quise decir el martes."]);
}

#[test]
fn italian() {
    check(Prohibition, &["Non usare mai le tabelle.", "È vietato condividere la lista."]);
    check(Permanence, &["D'ora in poi rispondi in italiano.", "A partire da oggi indica la fonte."]);
    check(Obligation, &["Il testo deve essere breve.", "Assicurati che tutto sia firmato."]);
    check(Limit, &["Il budget è di 300 euro.", "Non più di tre pagine."]);
    check(Preference, &["Preferisco il treno.", "Chiamami Luca.", "Sono allergico alle noci."]);
    check(Reminder, &["Ricorda che lunedì non ci sono.", "Tieni presente che l'ufficio è chiuso."]);
    check(Decision, &["Abbiamo deciso di restare a Torino."]);
    check(Correction, &["Correzione: è la sala 12.", "Volevo dire martedì."]);
}

#[test]
fn portuguese() {
    check(Prohibition, &["Nunca use tabelas.", "É proibido compartilhar a lista."]);
    check(Permanence, &["A partir de agora responda em português.", "Daqui para frente, indique a fonte."]);
    check(Obligation, &["O texto deve ser curto.", "Certifique-se de que tudo está assinado."]);
    check(Limit, &["O orçamento é de 300 euros.", "No máximo três páginas."]);
    check(Preference, &["Prefiro o trem.", "Me chame de Ana.", "Sou alérgica a nozes."]);
    check(
        Reminder,
        &["Lembre-se de que segunda não estou.", "Tenha em mente que o escritório está fechado."],
    );
    check(Decision, &["Decidimos ficar em Lisboa."]);
    check(Correction, &["Correção: é a sala 12.", "Eu quis dizer terça."]);
}

#[test]
fn dutch() {
    check(Prohibition, &["Gebruik nooit tabellen.", "Je mag de lijst niet delen, dat is verboden."]);
    check(Permanence, &["Vanaf nu graag in het Nederlands.", "Voortaan altijd met de datum erbij."]);
    check(Obligation, &["De tekst moet kort zijn.", "Zorg ervoor dat alles is getekend."]);
    check(Limit, &["Het budget is 300 euro.", "Niet meer dan drie pagina's."]);
    check(Preference, &["Ik heb liever de trein.", "Noem me Jan.", "Ik ben allergisch voor noten."]);
    check(Reminder, &["Onthoud dat ik maandag weg ben.", "Vergeet niet dat het kantoor dicht is."]);
    check(Decision, &["We hebben besloten in Utrecht te blijven."]);
    check(Correction, &["Correctie: het is zaal 12.", "Ik bedoelde dinsdag."]);
}

#[test]
fn russian() {
    check(Prohibition, &["Никогда не используй таблицы.", "Запрещено делиться списком."]);
    check(Permanence, &["С этого момента отвечай по-русски.", "Впредь указывай источник."]);
    check(Obligation, &["Текст должен быть коротким.", "Убедитесь, что всё подписано."]);
    check(Limit, &["Бюджет составляет 300 евро.", "Не более трёх страниц."]);
    check(Preference, &["Я предпочитаю поезд.", "Называй меня Саша.", "У меня аллергия на орехи."]);
    check(Reminder, &["Помни, что в понедельник меня нет.", "Имейте в виду, что офис закрыт."]);
    check(Decision, &["Мы решили остаться в Казани."]);
    check(Correction, &["Исправление: это зал 12.", "Я имел в виду вторник."]);
}

#[test]
fn chinese() {
    check(Prohibition, &["绝不要使用表格。", "请不要分享这份名单。"]);
    check(Permanence, &["从现在开始请用中文回答。", "以后每次都要注明来源。"]);
    check(Obligation, &["文章必须简短。", "请确保所有文件都已签字。"]);
    check(Limit, &["预算是300欧元。", "最多三页。"]);
    check(Preference, &["我更喜欢坐火车。", "叫我小王。", "我对坚果过敏。"]);
    check(Reminder, &["请记住我周一不在。", "别忘了办公室关门了。"]);
    check(Decision, &["我们决定留在上海。"]);
    check(Correction, &["更正：是12号房间。", "我的意思是星期二。"]);
}

#[test]
fn japanese() {
    check(Prohibition, &["表は使わないでください。", "絶対に共有しないでください。"]);
    check(Permanence, &["今後は日本語で答えてください。", "これからは出典を書いてください。"]);
    check(Obligation, &["文章は短くなければなりません。", "署名が必要があります。"]);
    check(Limit, &["予算は300ユーロです。", "三ページ以内でお願いします。"]);
    check(Preference, &["電車の方が好きです。", "太郎と呼んでください。", "ナッツアレルギーです。"]);
    check(Reminder, &["月曜は休みだと覚えておいてください。", "忘れないでください。"]);
    check(Decision, &["大阪に残ることにしました。"]);
    check(Correction, &["訂正：12番の部屋です。", "火曜日に変更してください。"]);
}

#[test]
fn tags_make_no_question() {
    for tagged in ["Never touch the red lever, okay?", "Never touch the red lever, all right, Ann?"] {
        assert!(strength(tagged) >= STRONG, "{tagged:?}: {}", strength(tagged));
    }
    for asked in ["Do you never touch it, Ann?", "Okay, Ann?", "Who must never touch it, Ann, you?"] {
        assert!(strength(asked) < 0.5, "{asked:?}: {}", strength(asked));
    }
}
