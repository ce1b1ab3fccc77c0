//! German.

use contextfit_text::Tongue;

use super::{
    Cue::{Correction, Decision, Limit, Manner, Obligation, Permanence, Preference, Prohibition, Reminder},
    Mark::{Address, Contrast, Cue, Emphasis, Idiom, Imagined, Reported, Request, Scope, Told},
    Row, Table,
};

pub(super) const TABLE: Table = Table {
    tongue: Some(Tongue::German),
    openers: "bitte und aber also ok okay ja nein dann auch noch eines eins wichtig hinweis achtung \
         übrigens außerdem jetzt einfach",
    joints: "und aber oder bitte",
    subjects: "ich wir er sie es man",
    rows: &[ROWS],
    topical: &[],
};

const ROWS: &[Row] = &[
    (
        Cue(Prohibition, 0.6),
        "^ nie|niemals ?wieder; darf|dürfen|darfst|soll|sollen|sollst|sollte|sollten .. \
         nie|niemals|nicht; auf keinen fall; unter keinen umständen; keinesfalls; ist|sind \
         verboten|untersagt|tabu; nicht erlaubt|gestattet|zulässig; bitte nie|niemals; \
         verwende|verwenden|nutze|benutze|schreib|schreibe|mach|erwähne|erwähnen|schicke|sende|lösche|antworte|nimm|buche \
         .. nie|niemals|nicht|kein|keine|keinen",
    ),
    (
        Cue(Prohibition, 0.5),
        "^ vermeide|vermeiden; ^ hör|höre|hören .. auf; ^ lass|lassen .. weg|sein; ohne ausnahme; \
         bitte kein|keine|keinen|nicht; ^ kein|keine|keinen; nicht mehr; verzichte|verzichten",
    ),
    (
        Cue(Permanence, 0.6),
        "ab jetzt|sofort|heute|morgen; von jetzt|nun an; in zukunft; künftig; zukünftig; fortan; bis \
         auf weiteres; für den rest; im weiteren; ^ immer; bitte|sollst|musst|sollen immer; jedes mal \
         wenn; immer wenn du|sie|ich; grundsätzlich; standardmäßig; in jeder|allen \
         antwort|antworten|nachricht|mail|mails",
    ),
    (Cue(Permanence, 0.3), "immer; jedes mal; stets; jederzeit; dauerhaft; durchgehend"),
    (
        Cue(Obligation, 0.5),
        "du musst; sie müssen; muss|müssen .. \
         sein|haben|enthalten|werden|bleiben|passen|stehen|kommen|gehen; achte darauf; achten sie \
         darauf; stell|stelle|stellen .. sicher; sorge|sorgen .. dafür; ist|sind \
         pflicht|notwendig|erforderlich|zwingend; es ist wichtig; unbedingt; du sollst; sie sollen",
    ),
    (Cue(Obligation, 0.3), "muss; müssen; sollte; sollten; nur noch; ausschließlich"),
    (
        Cue(Limit, 0.5),
        "höchstens; maximal; nicht mehr|länger|später|weniger als; budget .. <num>; obergrenze; \
         frist; spätestens; bis zum|spätestens .. <day>; bis \
         freitag|montag|dienstag|mittwoch|donnerstag|samstag|sonntag; fällig am; abgabe .. <day>; \
         limit .. <num>; mindestens <num>; unter <num>; ausgeben",
    ),
    (
        Cue(Preference, 0.6),
        "ich bevorzuge; ich ziehe .. vor; ich möchte|will nur|keine|keinen|kein|lieber|immer; mir ist \
         .. lieber; ich hätte lieber; nenn|nenne|nennen mich; ich heiße; ich bin ?auch \
         vegetarier|vegetarierin|vegetarisch|veganer|veganerin|vegan|allergisch|farbenblind; ich \
         esse|trinke kein|keine|keinen; ich vertrage; ich mag .. lieber; allergie gegen; allergisch \
         gegen|auf",
    ),
    (Cue(Preference, 0.4), "am liebsten; lieber; wenn möglich; ich möchte; statt"),
    (
        Cue(Reminder, 0.6),
        "denk|denke|denken .. daran|dran; merk|merke|merken .. dir|sich; vergiss|vergessen .. nicht; \
         behalte|behalten .. im; beachte|beachten; zur erinnerung; fürs protokoll; zur info; \
         erinnere|erinnern dich|sich; ^ wichtig:; ^ hinweis:; ^ achtung:",
    ),
    (
        Cue(Decision, 0.6),
        "wir|ich haben|habe|haben uns|mich .. entschieden|beschlossen|geeinigt|festgelegt; wir \
         nehmen|verwenden|nutzen|bleiben|machen|setzen; beschlossen; lass|lasst uns .. \
         nehmen|verwenden|nutzen|machen; es bleibt bei; beschluss:; entscheidung:",
    ),
    (
        Cue(Correction, 0.6),
        "korrektur; ich meinte; statt|anstatt .. lieber; doch nicht|lieber; ändere|ändern .. \
         in|auf|zu; vergiss|vergessen was|das|die; ist|sind jetzt|nun; nicht .. sondern; \
         ersetze|ersetzen .. durch; gilt nicht mehr; wurde .. verschoben|geändert|erhöht|gesenkt; \
         stattdessen; neues|neue|neuer budget|frist|adresse|termin",
    ),
    (Contrast, "^ eigentlich; ^ doch; jetzt; tatsächlich"),
    (
        Cue(Manner, 0.4),
        "^ antworte|antworten; ^ schreib|schreibe|schreiben; ^ verwende|verwenden; ^ \
         benutze|benutzen; ^ nutze|nutzen; ^ nimm|nehmen; ^ halte|halten; ^ gib|geben; ^ formatiere; \
         ^ sprich|sprechen; ^ fasse; ^ nur; ^ füge; ^ zitiere; ^ frag|frage",
    ),
    (Address, "bitte; du; dir; dich; ihnen"),
    (Scope, "alle; allen; alles; jede; jeder; jedes; jeden; nur; nie; niemals; immer; ausschließlich"),
    (Emphasis, "^ wichtig; ^ achtung; sehr wichtig; ganz wichtig; zwingend"),
    (
        Idiom,
        "ich|er|sie|wir|es habe|hat|haben|hatte|hatten|bin|war .. nie|niemals|immer; immer \
         noch|mehr|wieder|besser|größer|schneller; wie immer; ich|er|wir muss|müssen; nie wieder \
         gesehen; noch nie; keine ahnung|sorge|angst|zeit|lust|frage|rolle; kein problem|wunder; nur \
         noch kurz; ab und zu; ^ nie gehört|gesehen|gewesen|gedacht; du musst .. haben|sein; \
         eigentlich ich; weiß nicht",
    ),
    (Imagined, "^ wenn ich .. hätte|wäre; hätte; wäre; würde; vielleicht; ich glaube|hoffe|denke"),
    (Reported, "er|sie|mutter|vater|chef sagte|sagt|meinte|erzählte|hat gesagt; laut; angeblich"),
    (
        Told,
        "ich|er|sie|es|wir war|waren|hatte|hatten|ging|wurde; damals; gestern; früher; \
         letztes|letzten|letzte jahr|monat|woche|sommer",
    ),
    (Request, "bitte; kannst|könntest|würdest du; können|könnten|würden sie"),
];
