//! Words that stops belong to, and words that sentences begin with. Sorted by bytes, without their final stop.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;

/// Words that never end a sentence: titles, and words before an example, a meaning or a name.
pub(super) const BOUND: u8 = 1 << 0;
/// Words that belong to the number after them; elsewhere, a word or an abbreviation at the end of a sentence.
pub(super) const BEFORE_NUMBERS: u8 = 1 << 1;
/// Words that end a sentence if the next word begins one: see [`STARTERS`].
pub(super) const AMBIGUOUS: u8 = 1 << 2;
/// Words that begin a sentence if they have a capital, and are hardly ever names.
pub(super) const STARTERS: u8 = 1 << 3;
/// Starters that are parts of names after an initial.
pub(super) const PARTICLES: u8 = 1 << 4;
/// Months that may follow an ordinal and its stop.
pub(super) const MONTHS: u8 = 1 << 5;
/// German words that an ordinal follows.
pub(super) const BEFORE_ORDINALS: u8 = 1 << 6;

/// The words of each table.
const TABLES: [(u8, &[&str]); 7] = [
    (BOUND, BOUND_WORDS),
    (BEFORE_NUMBERS, BEFORE_NUMBERS_WORDS),
    (AMBIGUOUS, AMBIGUOUS_WORDS),
    (STARTERS, STARTERS_WORDS),
    (PARTICLES, PARTICLES_WORDS),
    (MONTHS, MONTHS_WORDS),
    (BEFORE_ORDINALS, BEFORE_ORDINALS_WORDS),
];

/// The tables that contain `word`, one bit each.
pub(super) fn tables(word: &str) -> u8 {
    static WORDS: LazyLock<HashMap<&str, u8, FixedState>> = LazyLock::new(|| {
        let mut tables = HashMap::default();
        for (table, words) in TABLES {
            words.iter().for_each(|word| *tables.entry(*word).or_insert(0) |= table);
        }
        tables
    });
    WORDS.get(word).copied().unwrap_or(0)
}

#[rustfmt::skip]
const BOUND_WORDS: &[&str] = &[
    "Adm", "Avv", "Bijv", "Brig", "Ca", "Capt", "Cdr", "Cf", "Cmdr", "Col", "Cpl", "D.h", "Dipl", "Dott",
    "Dr", "Dra", "Drs", "Drª", "Dña", "E.g", "EE", "Exma", "Exmo", "Frl", "Gen", "Gens", "Gov", "Gral", "Hon",
    "Hr", "Hrn", "I.e", "Ing", "Insp", "JUDr", "Lic", "Lt", "M", "M.in", "MM", "MUDr", "Maj", "Messrs", "Mgr",
    "Mlle", "Mme", "Mmes", "Mr", "Mrs", "Ms", "Msgr", "Mt", "Např", "Np", "P.ej", "P.es", "P.ex", "Pres",
    "Prof", "Profs", "Pvt", "RNDr", "Rep", "Reps", "Rev", "Sen", "Sens", "Sgt", "Sig", "Sigg", "Sra", "Srs",
    "Srta", "Supt", "Tzn", "Ud", "Uds", "Vgl", "Vs", "Z.B", "a.k.a", "approx", "apr", "av", "avv", "bijv",
    "bl.a", "bzw", "c.-à-d", "ca", "cf", "d.h", "d.v.s", "d.w.z", "dhr", "dott", "dr", "drs", "dvs", "e.g",
    "env", "evtl", "exkl", "f.eks", "geb", "ggf", "i.d.R", "i.e", "i.p.v", "im", "inkl", "insb", "inż", "lt",
    "m.b.t", "m.in", "mevr", "mgr", "mr", "mrs", "mw", "např", "np", "o.Ä", "p.ej", "p.es", "p.ex", "prof",
    "sig", "sog", "sr", "sra", "srta", "t.ex", "tj", "tzn", "tzv", "u.U", "u.ä", "ul", "vgl", "viz", "vs",
    "z.B", "zzgl", "Örn", "örn", "św", "Π.χ", "δηλ", "κ.κ", "π.χ", "Напр", "Ср", "Т.е", "Т.к", "акад", "г-жа",
    "г-н", "доц", "им", "напр", "проф", "ср", "т.е", "т.к", "т.н", "ул", "डॉ", "प्रो", "श्री",
];

#[rustfmt::skip]
const BEFORE_NUMBERS_WORDS: &[&str] = &[
    "Abb", "Abs", "App", "Apr", "Art", "Arts", "Aufl", "Aug", "Bd", "Bde", "Cap", "Cat", "Ch", "Chap", "Chs",
    "Cl", "Dec", "Dez", "Eq", "Eqs", "Ex", "Ext", "Fax", "Feb", "Fig", "Figs", "Jan", "Jg", "Jul", "Jun",
    "Kap", "Lv", "Mar", "Mrz", "No", "Nos", "Nov", "Nr", "Nrs", "Num", "Núm", "Oct", "Okt", "Op", "Par",
    "Para", "Pp", "Pt", "Pts", "Ref", "Refs", "Rs", "Sec", "Secs", "Sect", "Sep", "Sept", "Ser", "Str", "Tab",
    "Tel", "Tél", "Ver", "Vol", "Vols", "abr", "ago", "appr", "art", "arts", "aug", "avr", "blz", "cap",
    "cat", "ch", "chap", "chaps", "cl", "dec", "dez", "dic", "déc", "ene", "eq", "eqs", "excl", "ext", "fax",
    "feb", "fev", "fig", "figs", "ft", "févr", "godz", "hfst", "hr", "hrs", "in", "incl", "jan", "janv",
    "juil", "jul", "jun", "lb", "lbs", "lib", "mai", "mi", "min", "mrt", "no", "nos", "nov", "nr", "num",
    "núm", "obr", "oct", "okt", "op", "out", "oz", "pag", "par", "para", "paras", "poz", "pp", "pt", "pág",
    "págs", "resp", "rozdz", "rys", "sec", "sect", "sep", "sept", "ser", "set", "str", "tab", "tel", "tél",
    "ust", "ver", "vol", "vols", "č", "čís", "Гл", "Рис", "Стр", "Табл", "гл", "кв", "млн", "млрд", "обл",
    "п.п", "разд", "рис", "стр", "табл", "тыс",
];

#[rustfmt::skip]
const AMBIGUOUS_WORDS: &[&str] = &[
    "A.M", "Al", "Assn", "Av", "Avda", "Ave", "B.A", "Bhd", "Blvd", "Bros", "Bto", "Chr", "Co", "Corp", "Ct",
    "Cía", "Dept", "Ecc", "Enz", "Esq", "Est", "Etc", "Fr", "Ft", "Hl", "Hrsg", "Hwy", "Inc", "Intl",
    "Jeopardy", "Jh", "Jhd", "Jr", "KG", "LLC", "Ltd", "M.A", "M.D", "Mfg", "Mio", "Mrd", "Natl", "P.M",
    "Ph.D", "Pkwy", "Plc", "Pty", "Pza", "Rd", "Sq", "Sr", "St", "Sta", "Ste", "Sto", "Tsd", "Univ", "Usw",
    "Wham", "Yahoo", "a.m", "al", "apod", "atd", "avda", "ecc", "ed", "eds", "enz", "etc", "itd", "itp",
    "osv", "p.m", "repr", "rev", "trans", "u.a", "u.v.m", "usw", "zł", "κ.ά", "κ.λπ", "вв", "гг", "долл",
    "др", "коп", "пр", "руб", "см", "т.д", "т.п", "т.ч",
];

#[rustfmt::skip]
const STARTERS_WORDS: &[&str] = &[
    "A", "Aber", "According", "After", "Ale", "Allerdings", "Also", "Although", "Am", "Among", "An", "Anche",
    "And", "Another", "Après", "Are", "As", "At", "Au", "Auch", "Auf", "Aux", "Avec", "Because", "Before",
    "Bei", "Between", "Both", "But", "By", "Był", "Była", "Can", "Ce", "Ces", "Cette", "Com", "Como", "Con",
    "Cuando", "Danach", "Dann", "Dans", "Das", "Dat", "De", "Dem", "Den", "Der", "Desde", "Despite", "Det",
    "Deze", "Did", "Die", "Diese", "Dieser", "Dieses", "Dit", "Do", "Doch", "Does", "Dopo", "Dort", "During",
    "E", "Each", "Een", "Ein", "Eine", "Einem", "Einer", "El", "Ela", "Ele", "Elle", "Elles", "Em", "En",
    "Entonces", "Er", "Es", "Esa", "Ese", "Esta", "Este", "Et", "Even", "Every", "For", "From", "Furthermore",
    "Für", "Gli", "Han", "He", "Her", "Here", "Het", "Hier", "Hij", "His", "Hon", "How", "However", "Hun",
    "I", "Ich", "If", "Ihr", "Il", "Ils", "Im", "In", "Instead", "Is", "Isso", "It", "Its", "Je", "Jednak",
    "Jedoch", "Jego", "Jej", "Jest", "La", "Las", "Later", "Le", "Les", "Let", "Leur", "Like", "Lo", "Los",
    "Ma", "Maar", "Mais", "Many", "Mas", "Meanwhile", "Men", "Met", "Mit", "Moreover", "Most", "My", "Na",
    "Nach", "Nel", "Nella", "Nevertheless", "Nie", "No", "Nor", "Not", "Nous", "Now", "O", "Och", "Od", "Of",
    "On", "Ona", "Once", "Op", "Or", "Os", "Our", "Par", "Para", "Pero", "Però", "Please", "Po", "Por",
    "Pour", "Puis", "Quando", "Questa", "Questo", "Sa", "Se", "Secondo", "Segundo", "Según", "Seit", "Selon",
    "Ses", "Several", "She", "Si", "Sie", "Since", "So", "Some", "Son", "Später", "Su", "Sus", "También",
    "Também", "That", "The", "Their", "Then", "There", "Therefore", "These", "They", "This", "Those",
    "Though", "Through", "Throughout", "Thus", "To", "Today", "Tras", "Um", "Uma", "Un", "Una", "Und", "Une",
    "Unlike", "Until", "Voor", "Vous", "W", "Was", "We", "Wenn", "Wer", "Were", "What", "When", "Where",
    "Which", "While", "Who", "Why", "Wie", "Wir", "With", "Y", "Yes", "Yet", "You", "Your", "Z", "Ze", "Zij",
    "Zu", "Zum", "Zur", "È", "É", "Από", "Αυτό", "Για", "Η", "Και", "Με", "Ο", "Οι", "Στη", "Στην", "Στο",
    "Τα", "Το", "А", "В", "Все", "Вы", "Для", "До", "Его", "Если", "Её", "За", "И", "Из", "Их", "К", "Как",
    "Когда", "Мы", "На", "Но", "Однако", "Он", "Она", "Они", "Оно", "От", "По", "После", "При", "С", "Так",
    "Также", "Там", "Что", "Эта", "Эти", "Это", "Этот", "Я",
];

#[rustfmt::skip]
const PARTICLES_WORDS: &[&str] = &[
    "Al", "Da", "De", "Den", "Der", "Des", "Di", "Do", "Dos", "Du", "El", "La", "Las", "Le", "Lo", "Los",
    "Op", "Will",
];

#[rustfmt::skip]
const MONTHS_WORDS: &[&str] = &[
    "April", "August", "Dezember", "Feber", "Februar", "Januar", "Juli", "Juni", "Jänner", "Mai", "März",
    "November", "Oktober", "September",
];

#[rustfmt::skip]
const BEFORE_ORDINALS_WORDS: &[&str] = &[
    "Ab", "Am", "Beim", "Bis", "Das", "Dem", "Den", "Der", "Die", "Im", "Jeder", "Seit", "Vom", "Zum", "Zur",
    "ab", "am", "beim", "bis", "das", "dem", "den", "der", "des", "die", "ein", "eine", "einem", "einen",
    "einer", "ihr", "ihre", "ihren", "im", "jede", "jedem", "jeden", "jeder", "sein", "seine", "seinem",
    "seinen", "seiner", "seit", "und", "vom", "zum", "zur",
];

#[cfg(test)]
mod tests {
    #[test]
    fn tables_are_sorted() {
        for (_, words) in super::TABLES {
            assert!(words.is_sorted_by(|a, b| a < b), "{words:?}");
        }
    }
}
