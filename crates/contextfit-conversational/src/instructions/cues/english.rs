//! English.

mod corrections;
mod idioms;
mod plain;

use super::{
    Cue::{Decision, Limit, Manner, Obligation, Permanence, Preference, Prohibition, Reminder},
    Mark::{Address, Cue, Emphasis, Scope},
    Row, Table,
};

pub(super) const TABLE: Table = Table {
    tongue: None,
    openers: "please and but so then also ok okay well hey hi yes yeah yep no nope oh just now again right \
         alright sure great thanks actually remember note important reminder however or pls kindly \
         still too additionally furthermore moreover finally lastly first second third one more thing \
         update correction ps btw instead otherwise",
    joints: "and but so then or please",
    subjects: "i we he she they it who which that",
    rows: &[ROWS, corrections::ROWS, idioms::ROWS],
    topical: plain::ROWS,
};

const ROWS: &[Row] = &[
    // Prohibitions.
    (
        Cue(Prohibition, 0.6),
        "^ never ?ever <verb>; must|should|shall|may never; you must|should|may|are never; do not \
         ever; under no circumstances; on no account; at no point; in no case; must|shall not; should \
         not ever; not to ever; strictly forbidden|prohibited; off limits; off the table; ^ do not \
         <verb> .. under any; is|are not allowed|permitted|acceptable|negotiable|okay|ok; is|are \
         forbidden|prohibited|banned; you are not to; do not you ever; nobody|none|nothing \
         may|must|should|shall|can; nobody|nothing|none .. may|must|should|shall; ^ no .. \
         may|must|should; keep .. confidential|secret|private|between; treat .. as \
         confidential|secret|private; never to be; ^ no .. allowed|permitted|ever|please; \
         want|like|need you to never; is|are never to; is|are not to be; ^ never again <verb>; want \
         you to avoid|stop; ^ it is never ok|okay|acceptable; under any circumstances; is a no go; is \
         taboo; hands off; ^ do not <verb>; please do not <act>; ^ do not bother with|to|about <any>; ^ under|in|on no <any> ?<any> \
         may|must|should|shall|can|do|are|is",
    ),
    (
        Cue(Prohibition, 0.5),
        "^ avoid; ^ stop <verb>; ^ refrain from; ^ quit; you should|may not; please do not; should \
         not be; stay|steer|keep away|clear from|of; ^ leave out; ^ leave .. \
         alone|out|untouched|unchanged|intact|as; ^ exclude; ^ omit; i do not want you; i would \
         rather you did not; do not want you; try|want|need|prefer to avoid; should be avoided; to be \
         avoided; stop \
         using|adding|writing|sending|doing|making|including|saying|calling|asking|giving|suggesting; \
         would rather not; ^ not a single; ^ never \
         by|in|on|with|before|after|without|as|more|less|at|over|under|through; ^ keep .. out of|off; \
         ^ leave .. out of; ^ spare me; ^ drop; ^ no need to; ^ skip; ^ no <any> ?<any> \
         on|in|at|before|after|during|for|with|from|until|over|under|between|anywhere",
    ),
    (
        Cue(Prohibition, 0.3),
        "you should not; should not; i do not want; not .. at all; without exception|exceptions; nothing but; i|we ?really ?just ?definitely do not want; is|are read only; do not need|want any; we|they can not; without \
         asking|checking|telling|my|approval|permission|confirmation; you|we can not; can not be; may \
         not; not allowed; ^ no more; at any point; ^ no <any>",
    ),
    (
        Cue(Prohibition, 0.6),
        "^ ever <verb>; may only; not authorised|authorized|permitted|allowed|entitled|cleared to; ^ nothing|nobody|none .. without|unless|until|before|after; \
         ^ no one .. without|unless|until|before|after; nobody|none|anyone \
         but|except .. may|can|should|must|shall|is|has",
    ),
    (
        Cue(Prohibition, 0.4),
        "so nothing|never|only; and|or nothing|nobody|nowhere|none else; no one else; without my|our|your|explicit|prior|written \
         <any>; ^ hold|keep off .. until|unless|for; ^ hold off",
    ),
    // Permanent requests.
    (
        Cue(Permanence, 0.6),
        "from now on; from here on ?out; from this point|moment|day on|onward|onwards|forward; from \
         today|tomorrow|now|monday|here|then on|onward|onwards; ^ from \
         today|tomorrow|now|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next; ^ \
         going|moving forward; henceforth; from then on; for|throughout|during the \
         rest|remainder|duration of this|our|the; until further notice; until i say|tell; unless i \
         say|tell|ask|specify|explicitly; unless told|stated|specified|noted|instructed otherwise; \
         unless otherwise; in all|any|every future; for all|any|every future; all future; ^ in \
         future; as a standing|general|permanent rule; standing rule|instruction|request; ground \
         rule|rules; house rule|rules; new rule:; rule:; by default; as a rule; rule of thumb; \
         whenever|wherever you; every|each time you; any|every time i ask; when i \
         ask|say|mention|send|give|write; whenever i ask|say|mention|send|give|write|paste; for \
         everything we|you; across the whole|entire; at all times; in every|each|all \
         message|answer|reply|response|email|report|file|commit|answers|replies|responses|messages|emails|reports|files|commits; \
         ^ always <verb>; always ?, please; must|should|shall always; want|like|need you to always; ^ \
         as of now|today|this; ^ starting \
         today|now|tomorrow|next|from|monday|tuesday|wednesday|thursday|friday|saturday|sunday|with; \
         effective immediately|today|now; for the rest|remainder; my|our|the rule is; rules are; ^ \
         stick to|with; from this message; stay|stays|remain|remains|hold|holds|keeps|keep .. until|till|unless; ^ from this|that \
         day|point|moment|week|month|hour|minute; ^ as of \
         tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next; any time|anytime you; applies|apply to|for \
         all|every|everything|any; in all|any|each|every of your; all ?of ?your|the \
         answers|replies|responses|messages|emails|reports; every \
         answer|reply|response|message|email|report; until the end; in all|every cases|case; if i \
         ever; if you ever; ^ on \
         weekdays|weekends|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays",
    ),
    (
        Cue(Permanence, 0.3),
        "once a|every day|week|month|hour; every time; each time; whenever; always; at all times; throughout; consistently; every \
         single|day|week|month|morning|friday|monday; ^ when you; ^ if you; ^ if i ask; ongoing; in \
         general; each|every one; ^ for any|every|all|each; no matter what; regardless of; without \
         fail; going|moving forward; in future; policy is; whenever possible; for good; as long as; \
         permanently; in the future; this|that|it applies|apply; for all|every|everything|any; on \
         every|each; from time to time",
    ),
    // Obligations.
    (
        Cue(Obligation, 0.5),
        "^ make sure; ^ be sure; ^ ensure; you must; is|are to be; every|each|all|any|anything .. \
         needs|requires|must|should|gets; ^ wait for|until my|i|your|our|the .. before; have|has to \
         fit|stay|remain|go|work|match|run|support|include; you have|need to always; you are \
         required|expected; is|are required|mandatory|obligatory|compulsory; is|are non negotiable; \
         it is essential|crucial|vital|imperative that|to|you; should|shall be .. not; please make \
         sure|ensure; make sure ?that you|it|the|to|all|every|any|we|they|each|none; i \
         need|want|expect|require you to; i would like you to; i would appreciate ?it if you; you are \
         to; ^ must; ^ required:; ^ requirement|requirements|constraint|constraints:; only ever; your \
         job|task|role is; it has to|must; shall be|include|use|not; hard \
         requirement|constraint|limit; absolutely|really needs|must; needs|has to \
         stay|remain|include|work|go|have|support|fit|match|run|use|get; \
         policy|rule|rules|law|contract|standard|guideline|guidelines|guide \
         requires|require|says|say|forbids|forbid|states|demands|allows|allow; ^ be careful; ^ take \
         care to|that|not; ^ watch out; ^ pay attention; run .. by|past me; check with me|us; my|our \
         approval|permission|consent; need|needs my; first check|ask; ^ at the very least; is|are \
         only allowed; has got to; ^ only <verb>; \
         is|are|be spelled|spelt|pronounced|written|called; should|ought|need|needs|have|has ?to ?only|always ?not be \
         ?only|always <done>; is|are ?only|always to be ?only|always <done>; needs|wants <done>",
    ),
    (
        Cue(Obligation, 0.3),
        "must; has|have to be; needs to be; you need|have to; ensure; should \
         ?always|only|all|each|be; has|have to; need|needs to; you should; ought to; supposed to; no \
         exceptions; ^ only <verb>; ^ double check; ^ check|verify|confirm|ask|run|test|review|get .. \
         before; ^ before you; before you <verb>; before \
         doing|making|sending|running|changing|deleting|pushing|merging; ^ at least; at minimum; it \
         is important; is needed; it is necessary",
    ),
    (
        Cue(Obligation, 0.6),
        "^ every|each|any|all|no .. must|shall|should|may; ^ every|each|any|all|no .. has|have|needs|need|is|are to; is|are a|an ?absolute hard must|requirement; must \
         be|have|include|use|only|contain|stay|remain|go|come|pass|support|always|follow|match|fit|run|work|get|also|ship|land|arrive|return|start|end|leave|use|keep|end|begin|show|say|carry|read|take|finish|happen; \
         is|are mandatory|compulsory|obligatory",
    ),
    (
        Cue(Obligation, 0.4),
        "have|has|need|needs to <verb>; is|are reserved for; only <end>; only valid|for|applies|works|counts|open; no exceptions; ^ only .. may|must|should|shall|can; \
         should|must|may|shall be the only; is|are the only one|person|people who|that|to; ^ <act> .. \
         before|after|until|unless|whenever|without|when|if|once; ^ <verb> the|my|our|your|his|her|their|all|any \
         .. before|after|until|unless|whenever|without|when|if|once",
    ),
    (
        Cue(Obligation, 0.3),
        "^ if|when|whenever|once|unless|before|after|until|while|wherever|should ,, ?please ?then <act>; ^ if|when|whenever|once|unless|before|after|until ,, \
         ?please ?then <verb> and|or <verb>; \
         belong|belongs in|on|to|under|with|at; has|have to be <any>; is|are ?only allowed|permitted; is|are needed for|to|before|by|from; needs|need|requires a|an|at|two|another|its|their|my|our|step|the",
    ),
    // Limits, budgets, deadlines.
    (
        Cue(Limit, 0.5),
        "at most <num>; no|not more|later|longer|less|fewer|earlier|sooner than; not \
         exceed|exceeding; not .. exceed|above|over <num>; never exceed; \
         max|maximum|limit|cap|minimum: <num>; you|we have until; have|has until <day>; \
         limited|capped|restricted to|at; budget .. is|of|for|at|to .. <num>; <num> budget; budget: \
         .. <num>; within .. budget; stay|remain .. under|below|within|beneath; spend|pay|cost|costs \
         .. more|over|above than|<num>; pay|spend|go up to .. <num>; willing to pay|spend|go; \
         deadline .. is|of|for|on|to <day>; deadline:; due on|by|date|before|in; no later than; \
         has|have to|must .. by|before <day>; need|needs|want .. by|before <day>; ^ keep .. \
         under|below|within|short|brief|concise|between; up to .. <num> maximum|max|tops; \
         hard|strict|absolute|upper|lower|word|spending|price|time|size \
         limit|cap|maximum|minimum|deadline; out of .. price|budget range; not .. before|after \
         <num>|<day>; not want to spend|pay|fly|leave|stay; between .. and .. only; cut off|cutoff .. \
         is; must|should be under|below|over|above|within|between|at; expires on|at; closes on|at; \
         not be|go|have|take|last|cost|run|use|pay|spend .. \
         longer|more|later|less|fewer|over|above|past|beyond; <num> or \
         less|fewer|more|under|below|above|over; <num> max|maximum|tops|minimum; <num> <num> \
         max|maximum|tops; by close of; by next|this|end week|month|<day>|of; before the \
         end|weekend|holidays; a minimum|maximum of; expires|ends|closes|runs|due .. on|in|at <day>; \
         not a cent|minute|penny more; ^ no earlier; <num> at most; at the latest; at most; ^ fit .. \
         in|into|within|on; has|have|must to fit; i|we need|want .. .. by|before ?the <day>; i|we need|want .. .. no later; \
         threshold|ceiling|quota|minimum|maximum .. is <num>; is the ceiling|limit|cap|max|maximum|minimum; \
         freeze|launch|release|handover|handoff|submission|exam|appointment|hearing|inspection|closing|kickoff|interview|surgery|delivery \
         is|are ?now ?on|at <day>",
    ),
    (
        Cue(Limit, 0.4),
        "anything|everything|everyone|anyone|all over|above|under|below|beyond|within <num>; starts|begins|opens|closes|freezes|ends ?on|at|in <day>; is|are on <day> at <num>",
    ),
    (
        Cue(Limit, 0.3),
        "above|over|beyond <num>; up to <num>|$; under <num>|$; below <num>|$; less|fewer than <num>|$; more than <num>|$; at \
         least <num>|$; maximum|max|minimum|min of <num>; budget; deadline; by|before <day>; within \
         <num>|a|the|my; limit|limits|cap|quota; exactly <num>; a maximum; until|till <day>; <num> \
         words|characters|sentences|paragraphs|lines|minutes; tops; due; between <num>; as \
         cheap|short|long as; by the end of",
    ),
    (
        Cue(Limit, 0.6),
        "is|are ?only due ?on|by|at|in|before|no|not ?later ?than <day>; deadline ?for ?the is <day>; deadline .. is|of|for|on|to <day>; budget .. is <num>; at most \
         <num>; no more|later|longer than <num>|<day>; max|maximum|limit|cap|ceiling|minimum .. is \
         <num>; max|maximum|min|minimum|limit|cap|budget|deadline ?<any> <num>|<day>; ^ \
         limit|cap|restrict|keep|cut|stay .. to|at|under|below|within; \
         max|maximum|limit|cap|ceiling|minimum of|at|to <num>",
    ),
    // Preferences and lasting facts about the speaker.
    (
        Cue(Preference, 0.6),
        "^ i ?would ?really|much|always|strongly|generally|usually|still prefer; my preference \
         is|would; i am ?severely|very|highly|deathly|also|strictly \
         allergic|vegetarian|vegan|pescatarian|celiac|coeliac|diabetic|kosher|halal|intolerant|lactose|gluten|colorblind|colourblind|dyslexic|teetotal; \
         ^ call|address me|us|him|her|them; refer to me|us|him|her|them|it|this as; i go by; my \
         pronouns are; i have ?a|an ?severe|serious|bad|food|peanut|nut|shellfish .. \
         allergy|intolerance; allergic to; i do not|never eat|drink|smoke|fly|drive; i can not \
         eat|drink|have|tolerate|stand; i like .. better|best; i would rather \
         you|have|not|get|use|keep|see|go|take|fly; i hate|dislike it when; i hate when; i prefer; we \
         prefer; prefers|prefer .. over|to|rather|instead; our preference; i only \
         want|need|eat|fly|use|work|drink|take|accept|buy|read|speak; i want ?you ?to \
         only|always|never; i always want|need|like|prefer; ^ <name> prefers|is allergic|only|hates; \
         works best for me|us; suits me|us best; i would like ?all|every|each ?of ?my|the|your; i \
         want|need|like all|every|each|any|your; i want|need|like .. to always|only; i insist on; i \
         require; we require; wants|want|likes|like|need|needs it|everything .. \
         in|as|by|without|with; spell my name|it; my .. is allergic; is ?severely ?also \
         allergic|vegetarian|vegan|lactose|gluten|celiac; if possible i|we|please; i am ?also \
         a|an|strict|lifelong vegetarian|vegan|pescatarian; i am only \
         available|free|interested|comfortable; i work|sleep|learn|concentrate better|best; my \
         wife|husband|partner|son|daughter|mother|father|kid|kids|child|mom|dad|boss|client .. \
         allergic|vegetarian|vegan|intolerant|prefers|hates|insists; i need .. to be|stay; i am not a \
         fan; i will only; i am left handed; we only|always want|use|eat|fly|take; \
         prefers|hates|insists on; i do not speak|read; \
         i need|want .. only; suit|suits me|us; lean|leans|leaning towards|toward; partial to; we would rather <any>; work|works ?best|better \
         ?best|better for me|us; i|we swear by; i|we always take|order|book|sit|fly|park|pick|choose; \
         easier|better|best for me|us if",
    ),
    (
        Cue(Preference, 0.4),
        "i ?am more comfortable; i do not like|want|need|use|care|trust; i would prefer|rather; i \
         favor|favour; my favorite|favourite; my name is; the name of .. is; i am on .. diet; i am \
         based|located; i live|work in|at|from; i use; i speak|read; i like; my time zone|timezone; \
         if possible; ideally; over .. any day; economy|aisle|window|business|direct|nonstop only; \
         <num> only; i can only; i do not understand; i hate|detest|dislike",
    ),
    // Facts by name. They stand with the facts about the speaker, as their words say what they are about.
    (
        Cue(Preference, 0.4),
        "^ the|our|my|his|her|their .. name|codename|code|number|id|address|terms|policy|price|rate|date|hours|time|password|version \
         is|are|stays|remains|will; ^ <any> name|codename|code|number|date|policy|terms is|are; of choice is|are",
    ),
    (
        Cue(Preference, 0.3),
        "my .. is|are; our .. is|are; i would like; i want|need; i usually|normally|generally|tend; i \
         am scared|afraid|terrified of; we are a family",
    ),
    // Reminders.
    (
        Cue(Reminder, 0.6),
        "^ remember this|that|i|my|we|our|the|not|always|never; ^ remember:; please remember; please \
         do not forget; do not forget that|this|i|my|we|our|to|about; for the record; for your|future \
         reference; ^ make a note; ^ take note; ^ note ?that|:; please note; ^ be aware; ^ be \
         mindful; ^ never forget; i want|need you to remember|know|keep; ^ save|store|write|log|jot \
         .. down|memory|this; ^ commit .. memory; you should know|remember; just so you know; fyi; ^ \
         reminder; ^ memorize|memorise; worth remembering; ^ hold on to|onto; ^ bookmark; make sure \
         you remember; let the record show; ^ nb; ^ to be clear; ^ keep track; ^ keep .. handy; ^ let \
         me remind; as a reminder; one thing to|you remember|should; do not let me forget; be \
         advised; ^ just a reminder; never lose sight; ^ heads up; ^ remember to always|never; \
         remember for later|next; keep a note|record; ^ keep|bear .. in mind; please|must|should \
         keep|bear .. in mind; ^ reminder that|to; ^ reminder:",
    ),
    (
        Cue(Reminder, 0.4),
        "^ remember; do not forget; important to remember|note|know; heads up; worth noting; do not \
         lose sight; i promised|owe|swore|committed|pledged; we promised|owe|committed|pledged; ^ remind|nag me|us; nag me",
    ),
    // Decisions.
    (
        Cue(Decision, 0.6),
        "we|i have ?now|all|finally|just ?already \
         decided|settled|agreed|chosen|picked|concluded|opted; we ?finally|all|just \
         decided|agreed|settled|chose|picked|opted ?to|on|that|for|against; it is|was ?been \
         decided|settled|agreed|final; has been decided|settled|agreed|approved|chosen|picked; ^ \
         decision|decided|agreed|resolved|settled|conclusion|final:; final \
         decision|answer|call|choice; ^ let us go|stick|stay with; ^ let us stick|keep to; ^ let us \
         use|settle|agree|adopt; we|i will go|stick with; we|i will stick to; we|i will settle on; we \
         will not be|do|support|ship|use; we|i are|am going|sticking with; we will \
         use|ship|host|launch|target|standardise|standardize; we will no longer; we are \
         switching|dropping|standardizing|standardising|launching|hosting ?to|on|in; the \
         plan|decision|choice is; decision is|was; the team|board|client|boss|committee|council ?has \
         decided|agreed|chose|approved|settled|picked|voted; we voted; official now:; signed off on; \
         is|are confirmed|locked|settled|final ?in; ^ lock in; it is official|a deal|final; we \
         landed|settled on; has|have been \
         chosen|selected|picked|confirmed|approved|finalized|finalised|decided|agreed; i have made \
         up; consensus is|was; the verdict is; we ?all agreed on|to|that; we opted; the winner is; we have a deal; ^ we chose|picked|decided|agreed; ^ agreed \
         with|between|on|that; agreed|settled with <name>; ^ settled",
    ),
    (
        Cue(Decision, 0.5),
        "our|my|their team|board|client|boss|company|committee|council|manager|family ?has|have \
         decided|agreed|chose|chosen|approved|settled|picked|voted; we|i are|am staying|sticking|keeping to|on|with|at|in; we are ?not \
         leaving|dropping|excluding|skipping|removing|cutting|ignoring; is|are staying|sticking|keeping to|on|with|at|in",
    ),
    (Cue(Decision, 0.4), "as|like agreed|decided|discussed|settled"),
    (
        Cue(Decision, 0.3),
        "we should|could go|use; i will use|take|go|have; i am going to|with; we agreed; decided; i \
         have decided; let us keep|do|make|plan|have|meet|switch; we will \
         be|have|keep|do|run|hold|start|take; agreed; confirmed; approved; chosen; i will stick|keep; \
         we need; ^ go with|for|ahead; ^ proceed with; settled; is scheduled|set|booked for|on|to; \
         went with; going with; we are using|keeping|moving|holding|shipping; we landed on; ^ agreed",
    ),
    // How answers and work are to be.
    (
        Cue(Manner, 0.4),
        "^ answer|reply|respond|write|speak|talk|explain|summarize|summarise|translate .. \
         in|with|as|like|only|using|without|to; ^ use; ^ keep; ^ format; ^ stick; ^ prefer; ^ treat; \
         ^ assume; ^ include; ^ add .. to every|each|all|any; ^ put .. in|at|on|before|after; ^ \
         start|end|begin|finish|close|open|sign ?off .. with|by|as; ^ refer; ^ give .. in|as|with; ^ \
         show .. in|as|with; ^ quote; ^ cite; ^ name|label|prefix|tag; ^ round; ^ express; ^ list; ^ \
         cc|bcc|copy; ^ send .. to; ^ ask .. before|first; ^ limit; ^ be \
         concise|brief|polite|formal|honest|direct|careful|specific|consistent; ^ act|behave as|like; \
         ^ think .. step; ^ wrap; ^ indent; ^ document; ^ follow; ^ respect; ^ pretend; ^ store; ^ \
         schedule .. on|for|in|after|before; ^ book .. only|in|with|on; ^ metric|imperial|celsius; ^ \
         tabs|spaces; ^ run .. before|after; ^ wait; ^ check .. with|before|first; ^ target; ^ \
         default; ^ spell; ^ leave; ^ order|sort; ^ attach; ^ back up; ^ log; ^ report; ^ track; ^ \
         convert; ^ present; ^ provide; ^ return; ^ set; ^ count; ^ <verb> \
         every|each|all|any|everything|only; ^ \
         compute|calculate|measure|describe|highlight|mark|capitalise|capitalize|abbreviate|aim|mention|address|number|phrase|deliver|pay|bring|place|pack|plan|avoid; \
         ^ refer to .. as; ^ go easy; ^ make .. always|all|every; ^ rely; ^ sort; ^ print; ^ compare; \
         ^ suggest only|no|nothing",
    ),
    (Cue(Manner, 0.3), "please <verb> .. every|each|all|any|only"),
    (Cue(Manner, 0.35), "^ <act>"),
    // An order of any verb: what it is done to follows.
    (
        Cue(Manner, 0.3),
        "^ <verb> the|my|our|your|his|her|their|him|them|me|us|this|these|those|all|every|each|no|any|<num>",
    ),
    (Cue(Manner, 0.25), "could|can|would|will you ?please ?also ?always ?kindly <act>"),
    (
        Cue(Manner, 0.5),
        "would|do you mind <any>; so kind as to|and; would be \
         grateful|thankful|obliged|great|good|nice|best|better|helpful|appreciated|ideal if; would \
         help|appreciate ?me ?us ?a ?lot ?it if; may|can|could|might i ask you to|not; i ?would ?must ask you|that \
         ?to; kindly <any>",
    ),
    (
        Cue(Manner, 0.5),
        "^ refer to .. as; ^ spell|label|tag|name|title .. as|with|by; ^ use|prefer|assume|treat|stick|format; ^ answer|reply|respond|write|speak .. \
         in|with|as|like|only|to",
    ),
    // Address, scope, emphasis.
    (
        Address,
        "please; you should|must|need|have|can|may|are|will; could|can|would|will you; i \
         want|need|expect|would you; your; you always|never; kindly; for me|us|my; pls",
    ),
    (
        Scope,
        "all; every; any; each; everything; anything; everywhere; only; anyone; nobody; anybody; \
         everyone; entire|whole; both; throughout; whenever; without exception; ever; always; never",
    ),
    (
        Emphasis,
        "^ important; ^ note:; ^ warning; ^ attention; ^ critical; ^ crucial; ^ reminder; very \
         important; really important; extremely important; super important; i repeat; seriously; i \
         mean it; non negotiable; absolutely; strictly; at all costs; crucially; critically",
    ),
];
