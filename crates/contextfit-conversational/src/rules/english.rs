//! English: cues, idioms, and the verbs of orders. `^` begins a clause, `#` is a number.

use super::cues::{
    Class::{Always, Change, Decision, Limit, Must, Name, Never, Note, Order, Release, Wish},
    Mark::{self, Changed, Cue, General, Hedge, Idiom, Once},
};

pub(super) const ROWS: &[(Mark, &str)] = &[
    (
        Cue(Always, 0.85),
        "you must always; you should always; you always have to; must always; should always; from now on; from here on; from this point; going forward; \
         henceforth; in all future; in future; for the rest of; at all times; until further notice; by default; as a rule; \
         the rule is; as of now; from today; unless i; unless told; unless otherwise; without exception; whatever happens",
    ),
    (
        Cue(Never, 0.85),
        "^ do not; ^ do not ever; do not you ever; do not you dare; you should never; you must never;  do not ever; must never; should never; under no circumstances; ^ refrain; \
         are not to; is not to; you may not; you must not; must not; you should not;  \
         may not be; not allowed to; not acceptable; not okay to; no longer allowed; is off the table; nobody may; no one may; ^ exclude",
    ),
    (Mark::Adverb(Always), "^ always"),
    (Mark::Adverb(Never), "^ never"),
    (
        Cue(Never, 0.7),
        "^ avoid; ^ stop; ^ nothing in; ^ nothing may; ^ skip; never by; so never; does not get to; is forbidden; are forbidden; forbids",
    ),
    (
        Cue(Never, 0.55),
        "^ no; we will not be; is out; are out; can not go; can not exceed; can not have; can not be longer",
    ),
    (
        Cue(Must, 0.75),
        "must; must have #; must have a; must have an; must have at; must have no; has to be; have to be in; are to be; is to be; you are only allowed; only allowed; \
          ^ make sure; ^ make absolutely sure; be sure to; ^ ensure; ^ see to it; insists on; insist on; requires; need my; needs my; need your approval",
    ),
    (
        Cue(Must, 0.5),
        "has to fit; have to fit; it is essential that; it is important that; ^ we only; you are to",
    ),
    (
        Cue(Must, 0.4),
        "needs a; need a; needs to; need to be; should be; should have; you have to; you need to; need the; ^ have to",
    ),
    (Cue(Must, 0.3), "should; you should; has to; have to; we need to"),
    (
        Cue(Limit, 0.7),
        "at most; no more than; not more than; no longer than; no later than; no earlier than; do not exceed; \
         not exceed; maximum of; the maximum; a maximum; a limit of; a cap of; cap for; budget is; my budget; our budget; budget cap; \
         budget for; ^ no more than; ^ not more than; more than #; is due on; are due on; is due by; due by; deadline for; deadline is; up to #; only until; have until; ^ # tops; ^ tops; no less than",
    ),
    (
        Cue(Wish, 0.8),
        "i am allergic; nut allergy; severe allergy; allergic to; i am vegetarian; i am vegan; i am on a; i am diabetic; i am colour; i am color; intolerant; \
         i prefer; i would prefer; i would rather; i would like all; i would like you to; i do not want you; i do not eat; i do not drink; i only want; i only eat; i never fly; i never eat; \
         i want all; i want every; i want each; my pronouns; my time zone; my timezone; my preference; my preferred; preference is; gluten free",
    ),
    (Cue(Wish, 0.45), "i want you to; i would like you to"),
    (
        Cue(Wish, 0.6),
        "i can not stand; i hate it when; i like short; i like long; i want to spend; i am willing to; better than long; i want the; is diabetic; is vegetarian; is vegan; is allergic; can not eat; can not drink; my email is; my phone number is; my address is; my number is; please only",
    ),
    (
        Cue(Order, 0.6),
        "^ write for; ^ write in; ^ write like; ^ write as; ^ explain things; ^ stay within; ^ stay under; ^ stay below; ^ stay in character; ^ be brief; ^ be concise; ^ be polite; ^ be formal; ^ be direct; ^ be specific; ^ be consistent; ^ back up; ^ go easy",
    ),
    (Cue(Name, 0.9), "^ call me; you can call me; ^ address me; my name is; i go by"),
    (
        Cue(Decision, 0.6),
        "we decided; we have decided; i have decided; ^ decision; ^ decided; ^ agreed; we agreed; we have agreed; it is settled; is settled; \
         we settled on; ^ let us use; ^ let us go with; ^ let us stick; we will use; we will go with; we are going with; we will take; we are dropping; \
         we are switching; we no longer; we voted; has chosen; have chosen; has approved; approved a; the plan is; the final answer is; we are no longer; team chose; board approved",
    ),
    (
        Cue(Note, 0.75),
        "^ remember that; ^ remember; remind yourself that; please remember; ^ keep in mind; ^ bear in mind; ^ note; ^ note that; ^ important; ^ warning; ^ reminder; ^ take note; ^ make a note; \
         ^ for the record; ^ fyi; ^ just so you know; ^ so you know; ^ do not forget; ^ to be clear; worth remembering; ^ one more thing; ^ be aware",
    ),
    (
        Cue(Change, 0.65),
        "^ correction; ^ scratch that; ^ i meant; i changed my mind; ^ on second thought; ^ make it #; ^ change the; ^ replace the; ^ my mistake; ^ update ^; \
         is now; are now; has moved; has been moved; have moved; is moved to; was moved to; moved to; is postponed; postponed to; ^ switch; ^ let us switch; instead of the; ^ starting monday; ^ not #",
    ),
    (
        Cue(Release, 0.65),
        "^ forget the; ^ forget what; ^ forget what i said; ^ forget about; ^ forget my; ^ ignore the rule; ^ ignore what i; no longer need",
    ),
    (
        Cue(Release, 0.45),
        "you may; you can; it is fine to; feel free to; you are free to; no need to; \
         do not need to; do not have to; you no longer",
    ),
    (
        General,
        "every; all; each; any; only; throughout; everything; anything; everywhere; anywhere; everyone; anyone; whenever; every time; each time; any time; \
         wherever; whichever; before you; after you; before i; when you; when i; ^ if i; ^ if a; ^ if an; ^ if any; ^ if someone; when we; \
         unless; ever; always; never; at a time; both; exactly; rather than; by name; in writing; per; otherwise; too; at the top; at the end; first; last; \
         before any; between #; under #; below #; over #; within #; without; ^ wherever; ^ whenever; before anything; before spending; at least; by monday; by tuesday; by wednesday; by thursday; by friday; by saturday; by sunday; by noon; by #",
    ),
    (
        Once,
        "this; that; these; those; right now; today; tonight; tomorrow; this time; for now; again please; once more; one more time; yesterday; the next one; it",
    ),
    (
        Hedge,
        "he said; she said; they said; i said; told me; told us; told him; told her; said that; says that; the sign; used to say; if i had; i wish; ^ maybe; ^ perhaps; \
         i guess; i wonder; uh; um; i think; i suppose; supposed to; would have; could have; if you want; if you like; we should; he told; she told; they told",
    ),
    (
        Changed,
        "again; instead; from now; no longer; any more; anymore; back to; now; changed my mind; actually; after all; do cc",
    ),
    (
        Idiom,
        "never mind; never know; never say never; never again ^;  never forget you; better late than never; do not worry; do not know; do not think; \
         do not get me; do not mind; do not be; do not hesitate; do not give up; do not let; do not miss; do not stress; do not sweat; do not overthink; do not feel; do not lose; do not have; do not see; do not remember; \
         do not believe; do not we; do not they; do not like; do not need; do not want; do not even; do not really; do not push yourself; do not beat; do not stop; no problem; no prob; no details; no changes; no sport; no problems; no worries; no way; no idea; no doubt; no need; no matter; no wonder; no one; no pressure; no \
         thanks; no thank; no offense; no surprise; no luck; no clue; no regrets; no rush; no kidding; no big deal; no ^; no i; no we; no it; no you; no he; no she; no they; no that; no not; no the; no there; no but; no so; no this; no nothing; no no; no more; no judgement; no judgment; no pain; \
         no hurry; no such; no just; no sorry; no in; no what; no is; no if; no of; no actually; no really; no these; no my; \
         i must; he must; she must; they must; must have; must feel; must be so; must be a; must be nice; must be great; must be tough; must be hard; must be really; that must; it must be; it must have; it must feel; this must; must be such; must be quite; must be awesome; must be amazing; must be incredible; must be fun; must be exciting; must be wonderful; must be having; must love; must still; must say; must admit; must see; must read; must try; a must; you must be; \
         has to be a; has to be one; have to say; have to admit; have to go; have to run; should have been; should have seen; should be fun; should be great; should be proud; you should have; should be good; should be fine; should be able; should be enough; should be ok; what should; \
         keep it up; keep up; keep going; keep on; keep at it; keep me; keep us; keep in touch; keep pushing; keep doing; keep being; keep shining; keep trying; keep working; keep smiling; keep calm; keep fighting; keep chasing; keep spreading; keep believing; keep learning; keep moving; keep that; keep an eye; keep \
         those; keep rocking; keep having; keep exploring; keep enjoying; keep growing; keep creating; keep making; keep your; keep everyone; keep inspiring; keep talking; take care; take it easy; take your time; have fun; have a; let me know; respect for; each other; one another; all the; all of; everything ^; go ahead; when you get; when you arrive; when you have; when you can; when you are ready; i prefer not; i would prefer not; all of my; give it a; give yourself; give up; give me a; give my; give him; give her; give them; stay safe; stay \
         strong; stay positive; stay tuned; tell me about; tell me more; tell them; tell me what; tell me all; make it a; make it happen; set up; start with; put it; put on; put that; leave it; use it; use that; talk about; talk to you; talk soon; talk later; speak of; thank you for always; thanks for always; \
          show them; follow your; trust me; check it out; check out; run into; guess what; mark my words; mark your; remember when; remember how; remember the; remember if; remember you; remember i; remember we; remember ^; as always; like always; you always know; you never know; answer that; answer your; say hi; say hello; all the best; \
         note to self; count me; count on; share your; end up; treat yourself; stick with it; stick together; sort of; order up; read on; in future ^; not allowed ^; i prefer not; may not have; may not know; my budget was; the budget was; deadline passed; allergic reaction; do not you ^; stop by; stop it; stop there; start over; first of all; after all; at all; all right; all of us; \
         at first; at last; last week; last year; last night; last month; last time; last weekend; last summer; last friday; first time; first place; first step; only time; ever since; no longer ^; feel free; feel free to reach; you can do; you can always; you can see; you can imagine; you may have; you can not; you can get; you can even; you can also; is up to you; up to you; up to date; up to speed; up to now; it is now; he is now; she is now; now that; is out there; are out there; is out of; are out of; must be tired; \
         is now ^; are now ^; by the way; if any; if anything; decided to try; do not forget to have; do not forget to take; remember to take; remember to have; make sure you take; mention that; mention it; mention this; do not mention; that is all; is all; after all; best of all; all in all; all along; all day; all night; all that; all this; not at all",
    ),
];

/// Verbs of orders by how surely such an order goes on to hold: how something is to be done; what is to be done.
pub(super) const VERBS: &[(f64, &str)] = &[
    (
        0.6,
        "use keep give put sign avoid include prefer treat quote mark round spell address limit answer reply respond speak talk \
         ask refer format assume leave stick follow respect cite indent name label tag prefix suffix number phrase sort place wrap default express capitalise capitalize abbreviate group align omit \
         restrict store log document report cc bcc copy attach append state say mention specify convert favour favor act behave rely adhere maintain preserve highlight bold conform cap deliver \
         schedule target pretend wait budget quantify weigh justify separate warn alert notify present pay reserve count pin deploy display measure translate",
    ),
    (
        0.3,
        "write start end begin finish close open add show list tell run check send find make create build fix change update remove delete move rename book buy call summarise summarize explain describe compare compute calculate draft review test commit \
         push set get return print search look read save remind cancel try do install generate turn bring pick post publish upload verify provide prepare share repeat recommend suggest play cook change take \
         bill ship email message phone invite order clean water feed lock hide link confirm correct edit proofread submit serve host hold confine rate rank be",
    ),
];

/// Words that end what an order is about.
pub(super) const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "the", "my", "our", "your", "his", "her", "their", "its", "this", "that", "these", "those",
    "me", "us", "it", "them", "him", "you", "to", "in", "on", "at", "for", "of", "with", "as", "by", "from",
    "into", "and", "or", "if", "when", "before", "after", "is", "are", "some", "more", "one", "about", "up",
    "out", "how", "what", "where", "why", "who", "which",
];

/// Objects that name something of the moment.
pub(super) const PRONOUNS: &[&str] =
    &["it", "them", "him", "her", "me", "us", "this", "that", "these", "those", "some", "a", "an"];

/// What often follows "always" and "never" and is no verb in base form.
pub(super) const NO_VERBS: &[&str] = &[
    "been",
    "seen",
    "had",
    "heard",
    "saw",
    "knew",
    "thought",
    "went",
    "came",
    "made",
    "got",
    "did",
    "was",
    "felt",
    "said",
    "again",
    "once",
    "happy",
    "here",
    "there",
    "good",
    "great",
    "nice",
    "full",
    "fun",
    "glad",
    "ready",
    "so",
    "too",
    "love",
    "need",
    "want",
    "gets",
    "nervous",
    "proud",
    "known",
    "even",
    "really",
    "quite",
    "better",
    "enough",
    "much",
    "not",
    "something",
];
