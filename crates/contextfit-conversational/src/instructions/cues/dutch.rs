//! Dutch.

use contextfit_text::Tongue;

use super::{
    Cue::{Correction, Decision, Limit, Manner, Obligation, Permanence, Preference, Prohibition, Reminder},
    Mark::{Address, Contrast, Cue, Emphasis, Idiom, Imagined, Reported, Request, Scope, Told},
    Row, Table,
};

pub(super) const TABLE: Table = Table {
    tongue: Some(Tongue::Dutch),
    openers: "graag alsjeblieft alstublieft en maar dus ok oké ja nee ook dan nog belangrijk let nu gewoon",
    joints: "en maar of dus",
    subjects: "ik wij we hij zij ze het",
    rows: &[ROWS],
    topical: &[],
};

const ROWS: &[Row] = &[
    (
        Cue(Prohibition, 0.6),
        "^ nooit; mag|mogen|moet|moeten .. nooit|niet; onder geen beding|enkele|omstandigheid; in \
         geen geval; is|zijn verboden|uitgesloten; niet toegestaan; \
         gebruik|schrijf|noem|stuur|verwijder|zet|doe|maak|geef|boek|vermeld .. nooit|niet|geen; \
         je|jij|u mag|moet nooit|niet",
    ),
    (
        Cue(Prohibition, 0.5),
        "^ vermijd; ^ stop|hou|houd .. met|op; ^ geen; laat .. weg|staan|ongemoeid; zonder \
         uitzondering; niet meer; ik wil niet|geen; liever geen|niet",
    ),
    (
        Cue(Permanence, 0.6),
        "vanaf nu|vandaag|morgen|heden; van nu af; voortaan; in het vervolg; in de toekomst; voor de \
         rest; tot nader order; ^ altijd; moet|moeten|wil .. altijd; elke|iedere keer \
         dat|als|wanneer; telkens als|wanneer; standaard; in elk|elke|alle \
         antwoord|antwoorden|bericht|berichten|mail|mails; gebruik|schrijf|antwoord|zet|vermeld \
         altijd",
    ),
    (Cue(Permanence, 0.3), "altijd; elke keer; telkens; steeds; voortdurend"),
    (
        Cue(Obligation, 0.5),
        "je|jij|u moet; moet|moeten .. zijn|worden|blijven|hebben|bevatten|staan|passen|komen; zorg \
         ?er ?voor; zorg dat; let erop|op; is|zijn verplicht|noodzakelijk|vereist; het is \
         belangrijk|essentieel; vergeet niet; controleer",
    ),
    (Cue(Obligation, 0.3), "moet; moeten; alleen ?maar; uitsluitend; enkel"),
    (
        Cue(Limit, 0.5),
        "hoogstens; maximaal; ten hoogste; niet meer|langer|later|minder dan; budget .. <num>; \
         uiterlijk; deadline; vóór|voor|tegen .. \
         maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag; limiet .. <num>; minder|meer dan \
         <num>; onder de <num>; inleveren; uitgeven; plafond",
    ),
    (
        Cue(Preference, 0.6),
        "ik heb liever; ik geef de voorkeur; ik wil ?het liefst|alleen|altijd|geen; noem me|mij; ik \
         heet; ik ben ?ook vegetariër|vegetarisch|veganist|veganistisch|allergisch|kleurenblind; ik \
         eet|drink geen; allergisch voor; mijn voorkeur; ik zit|vlieg|reis|werk liever",
    ),
    (Cue(Preference, 0.4), "het liefst; liever; indien mogelijk; als het kan; ik wil; in plaats van"),
    (
        Cue(Reminder, 0.6),
        "onthoud; denk eraan|erom|er; vergeet niet; hou|houd .. rekening|gedachten|achterhoofd; let \
         wel; ter info|informatie|herinnering; voor de goede orde; ^ belangrijk:; ^ opmerking:; ^ let \
         op; noteer; herinner je",
    ),
    (
        Cue(Decision, 0.6),
        "we|wij|ik hebben|heb .. besloten|gekozen|afgesproken; we gaan voor|met; we \
         gebruiken|nemen|houden|kiezen; laten we .. gebruiken|nemen|houden|kiezen; afgesproken; \
         besloten:; besluit:; het wordt; er is besloten",
    ),
    (
        Cue(Correction, 0.6),
        "correctie; ik bedoelde; toch niet|liever|maar; verander|wijzig|vervang .. in|naar|door; \
         vergeet wat|dat|de|het; is|zijn nu; niet .. maar; niet langer; in plaats daarvan|van; \
         is|wordt verplaatst|verschoven|gewijzigd|verhoogd|verlaagd; nieuw|nieuwe \
         budget|deadline|adres|datum; bij nader inzien",
    ),
    (Contrast, "^ eigenlijk; nu; ^ nee; toch"),
    (
        Cue(Manner, 0.4),
        "^ antwoord; ^ schrijf; ^ gebruik; ^ spreek; ^ hou|houd; ^ zet; ^ geef; ^ beperk; ^ vertaal; \
         ^ citeer; ^ noem; ^ voeg; ^ alleen; ^ vraag; ^ vermeld",
    ),
    (Address, "alsjeblieft; alstublieft; graag; je; jij; u; jouw; uw"),
    (Scope, "alle; alles; elk; elke; iedere; ieder; alleen; nooit; altijd; geen; uitsluitend"),
    (Emphasis, "^ belangrijk; ^ let op; heel|zeer|erg belangrijk; absoluut; beslist"),
    (
        Idiom,
        "ik|hij|zij|we|wij|het heb|heeft|hebben|had|ben|was|waren .. nooit|altijd; nog nooit; zoals \
         altijd; ik|hij|we moet|moeten; geen probleem|idee|zorgen|tijd|zin|wonder; beter laat; altijd \
         al; alleen dat; niet alleen; ik weet",
    ),
    (Imagined, "^ als ik .. had|was; zou; zouden; misschien; ik denk|hoop|geloof; stel dat"),
    (Reported, "hij|zij|ze|moeder|vader|baas zei|zegt|vertelde|vond; volgens; naar verluidt"),
    (
        Told,
        "ik|hij|zij|het|we was|waren|had|hadden|ging|werd; gisteren; vroeger; vorig|vorige \
         jaar|maand|week|zomer; toen ik",
    ),
    (Request, "alsjeblieft; alstublieft; kun|kan|wil|zou je|jij|u; graag"),
];
