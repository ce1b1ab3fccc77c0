//! Words that patterns know by what they are: numbers, days, base forms of verbs.

use std::{collections::HashSet, sync::LazyLock};

use foldhash::fast::FixedState;

type Words = LazyLock<HashSet<&'static str, FixedState>>;

/// Whether `word` is a number in words.
pub(super) fn is_number(word: &str) -> bool {
    static KNOWN: Words = LazyLock::new(|| NUMBERS.split(' ').collect());
    KNOWN.contains(word)
}

/// Whether `word` is a day, a month or a time of day.
pub(super) fn is_day(word: &str) -> bool {
    static KNOWN: Words = LazyLock::new(|| DAYS.split(' ').collect());
    KNOWN.contains(word)
}

/// Whether `word` is a number with the ending of a rank or of a day: `3rd`.
pub(super) fn is_ordinal(word: &str) -> bool {
    let number = |ending: &str| word.strip_suffix(ending);
    let mut numbers = ["st", "nd", "rd", "th"].into_iter().filter_map(number);
    numbers.any(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether `word` is a form of "be" or "have" that shows the word before it to be no imperative: `always was`.
pub(super) fn is_auxiliary(word: &str) -> bool {
    matches!(word, "been" | "was" | "were" | "is" | "are" | "has" | "had")
}

/// Whether `word` shows that the word before it is a noun: `work was`, `change of`.
pub(super) fn ends_subject(word: &str) -> bool {
    is_auxiliary(word)
        || matches!(
            word,
            "of" | "will" | "would" | "can" | "could" | "should" | "must" | "may" | "might" | "and" | "or"
        )
}

/// Whether `word` is an English word that holds a sentence together, whatever the sentence is about.
pub(super) fn is_filler(word: &str) -> bool {
    static KNOWN: Words = LazyLock::new(|| FILLERS.split_whitespace().collect());
    KNOWN.contains(word)
}

/// Whether `word` is the base form of an English verb of doing, one that people are told to do.
pub(super) fn is_act(word: &str) -> bool {
    static KNOWN: Words = LazyLock::new(|| ACTS.split_whitespace().collect());
    KNOWN.contains(word) || word.strip_prefix("re").is_some_and(|again| KNOWN.contains(again))
}

/// Whether `word` is the participle of an English verb of doing: what has to be done to something. `excited` and `tired` are
/// what somebody is.
pub(super) fn is_done(word: &str) -> bool {
    static IRREGULAR: Words = LazyLock::new(|| DONE.split(' ').collect());
    let regular = || {
        let stem = word.strip_suffix("ed")?;
        let doubled = || {
            let mut letters = stem.chars().rev();
            letters
                .next()
                .filter(|last| letters.next() == Some(*last))
                .and_then(|last| stem.strip_suffix(last))
        };
        let silent = || word.strip_suffix('d');
        let y = || stem.strip_suffix('i').map(|stem| [stem, "y"].concat());
        let is_act_of = |act: Option<&str>| act.is_some_and(is_act);
        Some(is_act(stem) || is_act_of(silent()) || is_act_of(doubled()) || is_act_of(y().as_deref()))
    };
    IRREGULAR.contains(word) || regular() == Some(true)
}

/// Whether the English word `word` may be the base form of a verb: it is no participle, no past form and none of the words
/// that hold sentences together.
pub(super) fn is_base_form(word: &str) -> bool {
    static OTHERS: Words = LazyLock::new(|| NEVER_BASE.split(' ').collect());
    static IN_ED: Words = LazyLock::new(|| BASE_IN_ED.split(' ').collect());
    let inflected = word.ends_with("ing")
        && !matches!(word, "bring" | "ring" | "sing" | "string" | "ping" | "swing")
        || word.ends_with("ed") && !IN_ED.contains(word)
        || word.ends_with("ly")
            && !matches!(word, "apply" | "reply" | "rely" | "supply" | "fly" | "comply" | "multiply");
    // The third person; not `discuss`, `focus`.
    let before = word.strip_suffix('s').unwrap_or_default();
    let third = !before.is_empty() && !before.ends_with(['s', 'u', 'i', 'a']);
    !inflected
        && !third
        && word.len() > 1
        && !OTHERS.contains(word)
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Numbers in words, as far as limits name them.
const NUMBERS: &str = "one two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty hundred \
    thousand half zwei drei vier funf sechs zehn deux trois quatre cinq dix dos tres cuatro cinco diez due \
    tre quattro dieci dois quatro dez twee drie vijf tien два три четыре пять десять 一 二 两 三 四 五 六 七 八 九 十 百 \
    千";

/// Days, months and times.
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays \
    thursdays fridays saturdays sundays january february march april may june july august september october \
    november december noon midnight tomorrow tonight christmas easter eod eow jan feb mar apr jun jul aug \
    sep sept oct nov dec montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz \
    mai juni juli oktober dezember lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes \
    miercoles jueves viernes sabado domingo lunedi martedi mercoledi giovedi venerdi sabato domenica \
    segunda terca quarta quinta sexta maandag dinsdag woensdag donderdag vrijdag zaterdag zondag \
    понедельника вторника среды четверга пятницы субботы воскресенья";

/// English adverbs, conjunctions, prepositions and pronouns beyond the stop words, and verbs that go with anything.
const FILLERS: &str = "above across after again ago all almost along already also although always among another anybody anyone \
    anything anyway around away back because before behind below beside between beyond both cannot down during each either else \
    enough even ever every everybody everyone everything except few get gets getting gives go goes going good hardly however \
    inside instead just later least less let lets like little long lot lots make makes making many maybe more most much near \
    neither never next nobody none nor nothing now off often ok okay once only onto other others out outside over own per perhaps \
    please put puts quite rather really right same say says see several since somebody someone something sometimes soon still \
    straight sure take takes taking thing things though through till together too toward towards under unless until up upon \
    usually very via want wants way well whatever whenever wherever whether while within without yes yet";

/// English verbs of doing. Verbs of feeling and of small talk ("look", "enjoy", "guess") are none: their imperatives ask for
/// nothing.
const ACTS: &str = "abort accept access acknowledge activate adapt add address adhere adjust advise aggregate allocate allow alert \
    alternate annotate announce answer append apply approve archive arrange ask assert assign attach authenticate authorise \
    authorize avoid backup base batch begin bill block book boot bring broadcast browse build bundle bump buy cache calculate call \
    cancel cap capture categorise categorize centre center change charge check choose cite clarify classify clean clear click \
    clone close collect combine commit communicate compare compile complete compress compute configure confirm connect consider \
    construct consult contact contain convert coordinate copy correct count cover create credit crop cross cut date debug decline \
    default defer define delegate delete deliver deny deploy derive describe design destroy detect determine disable discard \
    disclose disconnect discuss display distribute divide document double download draft drop dump duplicate edit email embed \
    emit enable encode encrypt enforce ensure enter escalate escape estimate evaluate examine exclude execute exit expand expect \
    explain export expose express extend extract factor favor favour fetch file fill filter finalise finalize finish fix flag \
    flush focus follow force format forward freeze generate give grant group guarantee halt handle hide highlight hire hold \
    identify ignore implement import include increase indent indicate inform initialise initialize inject insert inspect install \
    integrate invert invite invoice isolate issue keep label launch lead leave limit link list load localise localize lock log \
    lower maintain make manage map mark mask match measure mention merge migrate minimise minimize mirror mock modify monitor \
    mount move name normalise normalize note notify number obey observe obtain offer omit open optimise optimize order organise \
    organize override pack pad pair paraphrase parse pass paste patch pause pay perform phrase pick pin place plan plot post \
    postpone prefer prefix prepare present preserve prevent price print prioritise prioritize process produce prohibit prompt \
    pronounce proofread propose protect provide prune publish pull purchase push put query queue quote raise rank read rebase \
    rebuild recheck recommend record redact redirect reduce refactor refer refine refrain refresh refund refuse register reject \
    release rely remind remove rename render renew repeat rephrase replace reply report reproduce request require reroute reschedule \
    reserve reset resolve respect respond restart restore restrict resume retain retry retrieve return reuse revert review revise \
    revoke rewrite roll rotate round route run sanitise sanitize save scan schedule scope seal search secure seek select send \
    separate serve set share ship show shut sign simplify skip sort speak specify spell spend split stage standardise standardize \
    start state stay stick stop store stream strip structure submit subscribe substitute subtract suggest summarise summarize \
    supply suppress surface suspend swap switch sync tag take target tell terminate test tick trace track transfer transform \
    translate treat trigger trim truncate turn type underline undo uninstall unlock unsubscribe update upgrade upload use validate \
    verify vary wait wear weigh whitelist withdraw withhold work wrap write yield zip ping text phone message nudge loop cc bcc";

/// English participles that do not end in `ed`, of verbs of doing.
const DONE: &str = "done made kept put set sent written given taken shown built paid left held brought bought run read cut \
    split spent told said drawn driven chosen hidden frozen withheld withdrawn spelt spelled sealed sold shut";

/// English words that are no base form.
const NEVER_BASE: &str = "a an the i you he she it we they me him her us them my your his its our their this that these those of \
    to in on at by for with from and or but so as than then not no too very more less ever never always is \
    are was were am been had has did does done seen heard went gone came knew known thought felt got gotten \
    made took taken said told found left lost met saw gave given ate eaten wrote written spoke spoken began \
    begun ran drove driven flew flown grew grown kept held brought bought caught taught fell fallen forgot \
    forgotten slept sat stood won wore worn would could should will shall can may might must better mind \
    good great fun nice happy there here what who how when where why if because all some any every really \
    quite such available ready much many only just up down out about again one two both each forget sure \
    true right wrong thanks yes ok okay hey well oh like love wanted";

/// Base forms that end like a past form.
const BASE_IN_ED: &str = "need feed proceed exceed embed speed succeed seed heed shed bleed breed weed";
