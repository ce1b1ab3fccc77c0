//! Words that stops belong to, and words that sentences begin with. Sorted by bytes, without their last stop.

/// What is never the last word of a sentence: titles, and what an example, a meaning or a name follows.
#[rustfmt::skip]
pub(super) const BOUND: [&str; 170] = [
    "Adm", "Avv", "Bijv", "Brig", "Ca", "Capt", "Cdr", "Cf", "Cmdr", "Col", "Cpl", "D.h", "Dipl", "Dott",
    "Dr", "Dra", "Drs", "Drª", "Dña", "E.g", "EE", "Exma", "Exmo", "Frl", "Gen", "Gens", "Gov", "Gral", "Hon",
    "Hr", "Hrn", "I.e", "Ing", "Insp", "JUDr", "Lic", "Lt", "M", "M.in", "MM", "MUDr", "Maj", "Messrs", "Mgr",
    "Mlle", "Mme", "Mmes", "Mr", "Mrs", "Ms", "Msgr", "Mt", "Např", "Np", "P.ej", "P.es", "P.ex", "Pres",
    "Prof", "Profs", "Pvt", "RNDr", "Rep", "Reps", "Rev", "Sen", "Sens", "Sgt", "Sig", "Sigg", "Sra", "Srs",
    "Srta", "Supt", "Tzn", "Ud", "Uds", "Vgl", "Vs", "Z.B", "a.k.a", "approx", "apr", "av", "avv", "bijv",
    "bl.a", "bzw", "c.-à-d", "ca", "cf", "d.h", "d.v.s", "d.w.z", "dhr", "dott", "dr", "drs", "dvs", "e.g",
    "env", "evtl", "exkl", "f.eks", "geb", "ggf", "i.d.R", "i.e", "i.p.v", "im", "inkl", "insb", "inż",
    "m.b.t", "m.in", "mevr", "mgr", "mr", "mrs", "mw", "např", "np", "o.Ä", "p.ej", "p.es", "p.ex", "prof",
    "sig", "sog", "sr", "sra", "srta", "t.ex", "tj", "tzn", "tzv", "u.U", "u.ä", "ul", "vgl", "viz", "vs",
    "z.B", "zzgl", "Örn", "örn", "św", "Π.χ", "δηλ", "κ.κ", "π.χ", "Напр", "Ср", "Т.е", "Т.к", "акад", "г-жа",
    "г-н", "доц", "им", "напр", "проф", "ср", "т.е", "т.к", "т.н", "ул", "डॉ", "प्रो", "श्री",
];

/// What belongs to the number behind it, and is a word or an abbreviation at the end of a sentence elsewhere.
#[rustfmt::skip]
pub(super) const BEFORE_NUMBERS: [&str; 160] = [
    "Abb", "Abs", "App", "Apr", "Art", "Arts", "Aufl", "Aug", "Bd", "Bde", "Cap", "Cat", "Ch", "Chap", "Chs",
    "Cl", "Dec", "Dez", "Eq", "Eqs", "Ex", "Feb", "Fig", "Figs", "Jan", "Jg", "Jul", "Jun", "Kap", "Lv",
    "Mar", "Mrz", "No", "Nos", "Nov", "Nr", "Nrs", "Num", "Núm", "Oct", "Okt", "Op", "Par", "Para", "Pp",
    "Pt", "Pts", "Ref", "Refs", "Rs", "Sec", "Secs", "Sect", "Sep", "Sept", "Ser", "Str", "Tab", "Ver", "Vol",
    "Vols", "abr", "ago", "appr", "art", "arts", "aug", "avr", "blz", "cap", "cat", "ch", "chap", "chaps",
    "cl", "dec", "dez", "dic", "déc", "ene", "eq", "eqs", "excl", "feb", "fev", "fig", "figs", "ft", "févr",
    "godz", "hfst", "hr", "hrs", "in", "incl", "jan", "janv", "juil", "jul", "jun", "lb", "lbs", "lib", "mai",
    "mi", "min", "mrt", "no", "nos", "nov", "nr", "num", "núm", "obr", "oct", "okt", "op", "out", "oz", "pag",
    "par", "para", "paras", "poz", "pp", "pt", "pág", "págs", "resp", "rozdz", "rys", "sec", "sect", "sep",
    "sept", "ser", "set", "str", "tab", "ust", "ver", "vol", "vols", "č", "čís", "Гл", "Рис", "Стр", "Табл",
    "гл", "кв", "млн", "млрд", "обл", "п.п", "разд", "рис", "стр", "табл", "тыс",
];

/// What ends a sentence where the next word begins one: see [`STARTERS`].
#[rustfmt::skip]
pub(super) const AMBIGUOUS: [&str; 94] = [
    "A.M", "Al", "Assn", "Av", "Avda", "Ave", "B.A", "Bhd", "Blvd", "Bros", "Bto", "Chr", "Co", "Corp", "Ct",
    "Cía", "Dept", "Ecc", "Enz", "Esq", "Est", "Etc", "Fr", "Ft", "Hl", "Hrsg", "Hwy", "Inc", "Intl",
    "Jeopardy", "Jh", "Jhd", "Jr", "KG", "LLC", "Ltd", "M.A", "M.D", "Mfg", "Mio", "Mrd", "Natl", "P.M",
    "Ph.D", "Pkwy", "Plc", "Pty", "Pza", "Rd", "Sq", "Sr", "St", "Sta", "Ste", "Sto", "Tsd", "Univ", "Usw",
    "Wham", "Yahoo", "a.m", "al", "apod", "atd", "avda", "ecc", "ed", "eds", "enz", "etc", "itd", "itp",
    "osv", "p.m", "repr", "rev", "trans", "u.a", "u.v.m", "usw", "zł", "κ.ά", "κ.λπ", "вв", "гг", "долл",
    "др", "коп", "пр", "руб", "см", "т.д", "т.п", "т.ч",
];

/// Words that begin a sentence where they have a capital, and are hardly ever names.
#[rustfmt::skip]
pub(super) const STARTERS: [&str; 309] = [
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

/// Those of them that are parts of names behind an initial.
#[rustfmt::skip]
pub(super) const PARTICLES: [&str; 18] = [
    "Al", "Da", "De", "Den", "Der", "Des", "Di", "Do", "Dos", "Du", "El", "La", "Las", "Le", "Lo", "Los",
    "Op", "Will",
];

/// Months that an ordinal and its stop may stand before.
#[rustfmt::skip]
pub(super) const MONTHS: [&str; 14] = [
    "April", "August", "Dezember", "Feber", "Februar", "Januar", "Juli", "Juni", "Jänner", "Mai", "März",
    "November", "Oktober", "September",
];

/// German words that an ordinal follows.
#[rustfmt::skip]
pub(super) const BEFORE_ORDINALS: [&str; 48] = [
    "Ab", "Am", "Beim", "Bis", "Das", "Dem", "Den", "Der", "Die", "Im", "Jeder", "Seit", "Vom", "Zum", "Zur",
    "ab", "am", "beim", "bis", "das", "dem", "den", "der", "des", "die", "ein", "eine", "einem", "einen",
    "einer", "ihr", "ihre", "ihren", "im", "jede", "jedem", "jeden", "jeder", "sein", "seine", "seinem",
    "seinen", "seiner", "seit", "und", "vom", "zum", "zur",
];

#[cfg(test)]
mod tests {
    #[test]
    fn tables_are_sorted() {
        let tables: [&[&str]; 7] = [
            &super::BOUND,
            &super::BEFORE_NUMBERS,
            &super::AMBIGUOUS,
            &super::STARTERS,
            &super::PARTICLES,
            &super::MONTHS,
            &super::BEFORE_ORDINALS,
        ];
        for table in tables {
            assert!(table.is_sorted_by(|a, b| a < b), "{table:?}");
        }
    }
}
