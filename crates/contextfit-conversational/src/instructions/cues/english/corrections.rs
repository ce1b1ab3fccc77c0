//! English: what takes back what was said before, or sets itself against it.

use super::super::{
    Cue::Correction,
    Mark::{Contrast, Cue},
    Row,
};

pub(super) const ROWS: &[Row] = &[
    (
        Cue(Correction, 0.6),
        "^ correction; scratch that; strike that; i meant; i misspoke; i was wrong; my mistake; ^ \
         disregard; ^ forget ?about what; ^ forget .. said; ^ forget .. rule|limit|idea|plan|part; \
         forget|ignore|drop|discard|delete|scrap the|that|my old|previous|former|original|earlier|first <any>; ^ \
         ignore ?what|that|the|my|everything .. said|earlier|before|previous|rule|last|instruction; \
         i|we|is|are|do no longer; no longer; i should have said; what i meant; i made a|an \
         mistake|error; that is wrong|incorrect|outdated|obsolete; ^ change .. to; ^ switch .. to; ^ \
         replace .. with|by; ^ make that|it .. <num>|instead|<name>; change|changed|changing \
         my|our|your mind; has|have|is|was|been|are \
         changed|moved|shifted|increased|decreased|raised|lowered|dropped|slipped|pushed|bumped|extended|rescheduled \
         .. to; is|are|been ?now postponed|rescheduled|extended; is|are now <num>|<name>; is|are now at|due|called|on|in|by|set; \
         scratch|strike|cancel|forget the .. rule|limit|plan|idea|part|deadline|date; is actually <num>|<name>; got|gets|getting ?been \
         moved|postponed|pushed|cancelled|canceled|rescheduled|delayed|changed; ^ update|updated|edit|amendment:; ^ \
         use|do|take|make|write|go|pick|choose .. instead; not .. but rather; i take .. back; on \
         second thought|thoughts; contrary to|instead of what; no need|reason to .. anymore|longer; \
         the|my|our new \
         budget|deadline|date|limit|name|address|plan|rule|target|time|number|price|email .. is; you \
         can|may .. again; ^ let us change|switch|move|push|raise|lower|drop .. to|instead; we are|i \
         am ?now switching|changing|moving|dropping|replacing; supersedes|overrides|replaces; ^ \
         drop|lift|cancel|revoke|remove the|that|my .. \
         rule|limit|requirement|restriction|constraint|ban|cap; should be .. not|instead; that was \
         wrong|incorrect; instead of .. use|do|go|make|write|take; \
         moved|changed|bumped|raised|lowered|extended|pushed|shifted ?back|up|down|forward to \
         <num>|<day>; ^ revised|revision|new:; not <name> but; i|we|you got|had that|it|this|those ?all wrong; i|we got|had <any> \
         ?<any> wrong; was|is a typo|slip|misprint; typo; that|this|it is not right|correct|true; got it|that|them backwards; i|we ?had \
         misread|mistyped|misheard|miscounted|misremembered|misspelled|misspelt|misquoted; mixed ?them ?it ?those up; \
         i|we said .. ,, but; it was|is actually; should have been|said|read; my|the \
         earlier|previous|original|first|last message|mail|email|figure|number|note|date|answer was|had|is|said; the \
         right|correct|real|actual|proper <any> ?<any> is|are|was; ^ let me \
         correct|revise|update|rephrase; i have to correct|revise",
    ),
    (
        Contrast,
        "^ actually; ^ sorry; ^ wait ,, <any>; ^ no; instead; rather than; ^ oops; ^ hold on; from now; change \
         .. to; now; after all; anymore; any more; this time; moved to; switch|switched|switching to; \
         instead of; as opposed to; ^ not <name>|<num>; rather; not anymore; any longer; change of \
         plan|plans; again; as of; scrap|scrapped; new; renamed; rebooked; rescheduled; \
         upgraded; swapped; halved; doubled; extended; shuffled; relocated; moved; switched; cancelled|canceled; these days; another \
         day|week|month|year; way|far|much too <any>; down|up to <num>; turned|turns out; came|come back; hates; left the; gave us; can not \
         do; does|do not work; not <name> ,, <any>",
    ),
    (Cue(Correction, 0.4), "^ not to|in|at|on|by|with|from <name>|the; not to <name>"),
    (Cue(Correction, 0.5), "^ not <day>|<num>|<name>; is|are|was|were <num>|<name> ,, not <any>"),
];
