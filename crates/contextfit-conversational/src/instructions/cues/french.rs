//! French.

use contextfit_text::Tongue;

use super::{
    Cue::{Correction, Decision, Limit, Manner, Obligation, Permanence, Preference, Prohibition, Reminder},
    Mark::{Address, Contrast, Cue, Emphasis, Idiom, Imagined, Reported, Request, Scope, Told},
    Row, Table,
};

pub(super) const TABLE: Table = Table {
    tongue: Some(Tongue::French),
    openers: "s'il te vous plaît merci et mais donc alors ok oui non aussi puis important attention note \
         maintenant bon",
    joints: "et mais ou donc alors",
    subjects: "je j nous il elle ils elles on",
    rows: &[ROWS],
    topical: &[],
};

const ROWS: &[Row] = &[
    (
        Cue(Prohibition, 0.6),
        "^ n|ne .. jamais; ne .. plus jamais; ne doit|doivent|dois|devez|peut|peuvent .. \
         jamais|pas|plus; en aucun cas; sous aucun prétexte; est|sont \
         interdit|interdite|interdits|interdites|exclu|proscrit; il est interdit; jamais de|d",
    ),
    (
        Cue(Prohibition, 0.5),
        "^ évite|évitez; ^ arrête|arrêtez|cesse|cessez; ^ n|ne .. pas|plus|aucun|aucune; ^ pas de|d; \
         ^ plus de|d; ne .. pas s'il; sans exception; il ne faut pas|jamais",
    ),
    (
        Cue(Permanence, 0.6),
        "à partir de maintenant|aujourd; dorénavant; désormais; à l'avenir; pour la suite|le reste; \
         jusqu'à nouvel ordre; dès maintenant|à présent; ^ toujours; ?et toujours en; chaque fois \
         que; toutes les fois que; à chaque fois; par défaut; dans toutes|chaque ?les|tes|vos \
         réponses|réponse|message|messages|rapport|rapports; \
         réponds|répondez|utilise|utilisez|écris|écrivez|mets|mettez|ajoute|ajoutez|indique|indiquez \
         toujours",
    ),
    (Cue(Permanence, 0.3), "toujours; chaque fois; systématiquement; en permanence; constamment"),
    (
        Cue(Obligation, 0.5),
        "tu dois; vous devez; doit|doivent ?toujours \
         être|avoir|rester|contenir|respecter|tenir|inclure|arriver|partir; assure|assurez toi|vous; \
         veille|veillez à; il faut; il est important|essentiel|impératif|obligatoire; est|sont \
         obligatoire|obligatoires|requis|indispensable; n'oublie|oubliez pas",
    ),
    (Cue(Obligation, 0.3), "doit; doivent; faut; uniquement; seulement; exclusivement"),
    (
        Cue(Limit, 0.5),
        "au maximum|plus; pas plus de|que|tard; maximum <num>; budget .. <num>; au plus tard; date \
         limite; avant|d'ici le|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche; ne .. dépasser; \
         limite .. <num>; moins de <num>; échéance; à rendre; plafond",
    ),
    (
        Cue(Preference, 0.6),
        "je préfère; je préférerais; j'aimerais mieux; j'aime mieux; appelle|appelez moi; je suis \
         ?aussi \
         végétarien|végétarienne|végan|végane|allergique|intolérant|intolérante|daltonien|daltonienne; \
         je ne mange|bois pas|jamais|plus; je veux seulement|uniquement|que; je ne veux que|pas|plus; \
         allergique à|aux|au; je m'appelle; mon préféré",
    ),
    (
        Cue(Preference, 0.4),
        "si possible; plutôt que; de préférence; je voudrais; j'aimerais; je veux; au lieu",
    ),
    (
        Cue(Reminder, 0.6),
        "souviens|souvenez toi|vous; rappelle|rappelez toi|vous; n'oublie|oubliez pas; garde|gardez \
         .. tête|esprit|mémoire; retiens|retenez; note|notez que|bien; pour \
         mémoire|info|information|rappel; ^ important:; ^ attention:; ^ note|remarque:; sache|sachez \
         que; tiens|tenez compte",
    ),
    (
        Cue(Decision, 0.6),
        "nous avons ?finalement décidé|choisi|convenu|opté|retenu; on a ?finalement \
         décidé|choisi|convenu|opté|retenu; j'ai décidé|choisi; c'est décidé|convenu|entendu; nous \
         allons|on va utiliser|prendre|garder|faire|passer; on part sur; nous \
         utiliserons|prendrons|garderons; décision:; d'accord:; nous partons; allons-y pour",
    ),
    (
        Cue(Correction, 0.6),
        "correction; je voulais dire; ^ en fait; plutôt|et non|pas .. que; \
         change|changez|remplace|remplacez .. par|en|pour|à; oublie|oubliez ?ce ?que|la|le|les|ça; \
         finalement; ce n'est plus; est|sont maintenant|désormais; a été|est \
         passé|reporté|déplacé|modifié|augmenté|repoussé ?à|au; je me suis trompé|trompée; \
         nouveau|nouvelle budget|date|adresse|délai; au lieu de; à la place",
    ),
    (Contrast, "^ non; maintenant; ne .. plus"),
    (
        Cue(Manner, 0.4),
        "^ réponds|répondez; ^ écris|écrivez; ^ utilise|utilisez; ^ parle|parlez; ^ garde|gardez; ^ \
         mets|mettez; ^ donne|donnez; ^ ajoute|ajoutez; ^ limite|limitez; ^ traduis|traduisez; ^ \
         cite|citez; ^ présente|présentez; ^ indique|indiquez; ^ demande|demandez",
    ),
    (Address, "s'il te|vous plaît; merci de; tu; toi; vous; tes; vos"),
    (Scope, "tous; toutes; tout; toute; chaque; uniquement; seulement; jamais; toujours; aucun; aucune"),
    (Emphasis, "^ important; ^ attention; très important; absolument; impérativement; il est impératif"),
    (
        Idiom,
        "je|j|il|elle|on|nous|ils ?n|ne ?l|ai|a|avons|ont|suis|est|étais|était|avais|avait \
         jamais|toujours; presque jamais|toujours; comme toujours; pas de|d \
         problème|souci|quoi|idée|mal; toujours pas|aussi|été; plus ou moins; je dois; il a fallu; \
         n'est ce pas; ^ pas mal|du|encore|vraiment; mieux vaut tard",
    ),
    (Imagined, "^ si j'avais|étais; aurait; aurais; peut être; je pense|crois|espère; on pourrait"),
    (Reported, "il|elle|on|mère|père a|m'a ?toujours dit|disait; selon; dit que; disait que"),
    (
        Told,
        "j'ai|étais|avais; il|elle|on|c était|avait|fut; hier; autrefois; l'année|été|mois \
         dernier|dernière; quand j'étais; il y a",
    ),
    (Request, "s'il te|vous plaît; peux|pourrais tu; pouvez|pourriez vous"),
];
