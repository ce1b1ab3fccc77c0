//! Italian.

use contextfit_text::Tongue;

use super::{
    Cue::{Correction, Decision, Limit, Manner, Obligation, Permanence, Preference, Prohibition, Reminder},
    Mark::{Address, Contrast, Cue, Emphasis, Idiom, Imagined, Reported, Request, Scope, Told},
    Row, Table,
};

pub(super) const TABLE: Table = Table {
    tongue: Some(Tongue::Italian),
    openers: "per favore e ma quindi allora ok sì no anche inoltre importante nota attenzione ora adesso",
    joints: "e ma o quindi allora",
    subjects: "io lui lei noi loro",
    rows: &[ROWS],
    topical: &[],
};

const ROWS: &[Row] = &[
    (
        Cue(Prohibition, 0.6),
        "^ non .. mai ?più; ^ mai; non deve|devono|devi|può|possono|puoi .. mai; in nessun caso; per \
         nessun motivo; assolutamente non; è|sono \
         vietato|vietata|vietati|vietate|proibito|escluso|esclusi; vietato",
    ),
    (
        Cue(Prohibition, 0.5),
        "^ evita|evitate|eviti|evitare; ^ smetti|smettete|smettila di; ^ non \
         usare|usate|scrivere|menzionare|mandare|inviare|toccare|cancellare|includere|mettere|fare|dire|aggiungere|prenotare|condividere|parlare|citare; \
         senza eccezioni; non deve|devono|devi; ^ niente; ^ nessun|nessuna; non voglio che",
    ),
    (
        Cue(Permanence, 0.6),
        "d'ora in poi|avanti; da ora|adesso|oggi|domani in poi|avanti; a partire da ora|adesso|oggi; \
         in futuro; per il resto; fino a nuovo|contrario ordine|avviso; ^ sempre; \
         rispondi|rispondete|usa|usate|scrivi|scrivete|metti|indica|includi|devi sempre; ogni volta \
         che; di default; per impostazione; in tutte|tutti ?le|i ?tue|tuoi \
         risposte|messaggi|rapporti; come regola",
    ),
    (Cue(Permanence, 0.3), "sempre; ogni volta; costantemente; tutte le volte"),
    (
        Cue(Obligation, 0.5),
        "devi; dovete; deve|devono \
         essere|avere|contenere|stare|restare|rimanere|includere|arrivare|partire; \
         assicurati|assicuratevi; è obbligatorio|importante|essenziale|necessario|fondamentale; \
         bisogna; occorre; fai in modo; non dimenticare",
    ),
    (Cue(Obligation, 0.3), "deve; devono; solo; soltanto; esclusivamente; unicamente"),
    (
        Cue(Limit, 0.5),
        "al massimo; non più di|che|tardi; massimo <num>; budget .. <num>; entro .. <day>; entro \
         il|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica; scadenza; non .. \
         superare|superi|spendere; meno di <num>; limite .. <num>; al più tardi; scade; tetto",
    ),
    (
        Cue(Preference, 0.6),
        "preferisco; preferirei; mi piace|piacciono di più; chiamami; mi chiamo; sono ?anche \
         vegetariano|vegetariana|vegano|vegana|allergico|allergica|celiaco|celiaca|intollerante|daltonico; \
         allergico|allergica a|al|alle|ai|agli; non mangio|bevo; voglio solo|soltanto; solo voli; \
         vorrei solo|sempre|che",
    ),
    (Cue(Preference, 0.4), "se possibile; invece di; piuttosto che; voglio; vorrei"),
    (
        Cue(Reminder, 0.6),
        "ricorda|ricordati|ricordate|ricordatevi ?che; tieni|tenete|tenga presente|conto|mente|a; non \
         dimenticare|dimenticate|dimenticarti; prendi nota; annota; per la cronaca; ^ importante:; ^ \
         nota:; ^ attenzione:; sappi che; per tua informazione",
    ),
    (
        Cue(Decision, 0.6),
        "abbiamo|ho ?infine deciso|scelto|concordato|stabilito|optato; è deciso|stabilito; useremo; \
         utilizzeremo; andiamo con; usiamo; deciso:; decisione:; resta deciso; siamo d'accordo",
    ),
    (
        Cue(Correction, 0.6),
        "correzione; volevo dire; intendevo; mi sono sbagliato|sbagliata; cambia|cambiate|sostituisci \
         .. con|in|a; dimentica|dimenticate quello|quanto|la|il|ciò; non .. più; adesso è|sono; ora \
         è|sono; è|sono ora|adesso; non .. ma; invece; in realtà; è stato|stata \
         spostato|spostata|cambiato|cambiata|rinviato|rinviata|aumentato; nuovo|nuova \
         budget|data|scadenza|indirizzo; al posto di",
    ),
    (Contrast, "ora; adesso; ^ no; anzi"),
    (
        Cue(Manner, 0.4),
        "^ rispondi|rispondete|risponda; ^ scrivi|scrivete; ^ usa|usate|utilizza|utilizzate; ^ parla; \
         ^ mantieni|tieni; ^ metti; ^ includi; ^ limita; ^ cita; ^ traduci; ^ dammi; ^ aggiungi; ^ \
         solo; ^ chiedi|chiedimi",
    ),
    (Address, "per favore; per piacere; tu; tuoi; tue; ti; lei"),
    (Scope, "tutti; tutte; tutto; tutta; ogni; solo; soltanto; mai; sempre; nessun; nessuna; qualsiasi"),
    (Emphasis, "^ importante; ^ attenzione; molto importante; assolutamente; tassativamente"),
    (
        Idiom,
        "non ?l ?lo ?la ?li ?le ?mi ?ti ?ci ho|ha|hai|abbiamo|hanno|avevo|aveva|sono|è|era|si \
         mai|più; io|lui|noi non ?ho|ha .. mai|più; ho|ha|abbiamo sempre; è|era|sono sempre; quasi \
         mai|sempre; come sempre; meglio tardi; non solo; mai stato|stata|visto|sentito; per sempre; \
         niente di|male|da; devo; nessun problema; non so|ho|posso|credo|voglio",
    ),
    (Imagined, "^ se avessi|fossi|potessi; avrei; sarebbe; forse; penso|credo|spero che; magari"),
    (
        Reported,
        "lui|lei|madre|padre|capo ?mi ?ha ?sempre detto|diceva|dice; secondo; mi ha|hanno detto; \
         diceva che",
    ),
    (
        Told,
        "ieri; una volta; da bambino|bambina; era; ero; avevo; aveva; sono andato|andata|stato|stata; \
         l'anno|estate|mese scorso|scorsa; la settimana scorsa; anni fa; quando ero",
    ),
    (Request, "per favore; puoi; potresti; può; potrebbe"),
];
