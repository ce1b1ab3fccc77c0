//! English: what goes on to hold though no word says so: whose word counts, what is needed, how much there is of something,
//! how a word is meant, who sees to what.

use super::super::{
    Cue::{Correction, Decision, Limit, Manner, Obligation, Permanence, Preference, Prohibition},
    Mark::{Cue, Idiom},
    Row,
};

pub(super) const ROWS: &[Row] = &[
    // Whose word counts: what these people say is no hearsay.
    (
        Idiom,
        "the|my|our|his|her|their \
         doctor|gp|cardiologist|physio|dentist|surgeon|nurse|midwife|vet|dietitian|dietician|therapist|specialist|consultant|lawyer|solicitor|accountant|landlord|landlady|insurer|bank|school|council|embassy|venue|publisher|editor|client|auditor|auditors|supervisor|professor|coach|judge|inspector \
         says|said|told|asked|wants|wanted; \
         legal|compliance|finance|security|procurement|hr says|said|told|asked|wants|wanted",
    ),
    (
        Cue(Preference, 0.5),
        "the|my|our|his|her|their \
         doctor|gp|cardiologist|physio|dentist|surgeon|nurse|midwife|vet|dietitian|dietician|therapist|specialist|consultant|lawyer|solicitor|accountant|landlord|landlady|insurer|bank|school|council|embassy|venue|publisher|editor|client|auditor|auditors|supervisor|professor|coach|judge|inspector \
         ?has ?have says|said|told|asked|insists|wants|put|banned|forbidden|forbade|advised|cleared|capped <any>; the|my|our|his|her|their <any> insists; ^ \
         landlord|landlady|legal|compliance|finance|security|procurement|hr says|said|told|asked|insists|wants|will|need|needs \
         <any>",
    ),
    // What is needed.
    (
        Cue(Obligation, 0.5),
        "^ the|our|my|every|each|all|any <any> ?<any> has|have to <any>; wherever|whatever|whichever|whoever .. has|have|needs to; \
         need|needs|want|looking|after ?for a|an ?<any> <any> that|which|without; need|needs .. on every|each|all|any; need|needs .. \
         on it|them or",
    ),
    // How much there is.
    (
        Cue(Limit, 0.6),
        "tops|top|maxes|max out at; seats|holds|sleeps|fits|takes ?only ?up ?to <num> <any>; is|are|that|as our|my|the ?absolute ?hard \
         ceiling|cap|limit|max|maximum|minimum|floor; not a|one penny|cent|dollar|pound|euro|second|minute|day|word \
         more|over|longer|later|of; will|can|does|do not ?get ?be \
         reimbursed|refunded|accepted|covered|approved|considered|honoured|honored",
    ),
    (
        Cue(Limit, 0.5),
        "have|has ?got <num> ?<num> for the|this|everything|all|it; <num> for the whole|entire|lot; \
         wants|want|needs|need|expects .. by|before the|this|next end|start|close|weekend|week|month|year; <num> .. a|per \
         day|night|week|month|head|person|hour total|max|tops|altogether",
    ),
    // What somebody wants.
    (
        Cue(Preference, 0.5),
        "i|we would sooner|opt|pick; i|we would go for|with|without; uses|use|using|in a|an ?<any> wheelchair|cane|walker; \
         hearing|mobility|walking aid|aids; i|we are more <any> ?<any> people|person than; the <any> ?<any> ?<any> the better; \
         brings|bring|gives|give me ?out ?in ?a rash|hives|headaches|migraines|headache|migraine; is|are|am ?registered ?partially \
         deaf|blind|dyslexic|asthmatic|epileptic",
    ),
    (Cue(Manner, 0.5), "^ <any> .. please <end>; ^ <any> .. please ,, <any>"),
    // How a word is meant.
    (
        Cue(Manner, 0.6),
        "when|if|where i|we say|write|mention|talk .. i|we mean; by <any> ?<any> i|we mean; counts|count as <any>; is|are short for; \
         stands|stand for <any>; is|are defined as",
    ),
    // What is asked for whenever something happens.
    (
        Cue(Permanence, 0.6),
        "any|every|each time i|we|you|they|someone|somebody|a|an|the|there ,, ?please ?then ?just <act>; \
         any|every|each time i|we|you|they|someone|somebody|a|an|the|there ,, ?please ?then ?just <verb> it|them|the|me|us|that; \
         anytime|whenever|wherever i|we|they|someone|somebody|a|an|the|there ,, ?please ?then ?just <act>; \
         anytime|whenever|wherever i|we|they|someone|somebody|a|an|the|there ,, ?please ?then ?just <verb> it|them|the|me|us|that",
    ),
    (
        Cue(Manner, 0.5),
        "if there is|are any .. ask|call|contact|email|message|ping|tell|go|check; any question|questions|doubt|doubts|query|queries \
         .. ask|call|contact|email|message|ping|go|check; if in doubt; when in doubt",
    ),
    // Who sees to what, and what will be.
    (
        Cue(Decision, 0.5),
        "^ <name> chairs|owns|approves|handles|decides|signs; ^ <name> <name> chairs|owns|approves|handles|decides|signs; has|have the \
         final|last say|word; is|are the one|person to ask|tell|call|go; ^ we ship|launch|release|deploy|deliver \
         on|in|with|without|at|by|from|next",
    ),
    (Cue(Decision, 0.4), "is|are going to be|go|have|happen ?in ?on ?at ?with <name>|<num>|<day>"),
    (
        Cue(Prohibition, 0.6),
        "i|we are|am|will not ?be <any> .. again; anything|everything .. is|are ?strictly out|off; nothing \
         leaves this|the; stays|stay in this|the room; between you and me|us",
    ),
    (
        Cue(Correction, 0.6),
        "<name>|<num>|<day> ?and not <name>|<num>|<day>; <num> .. instead of <num>; i|we told|gave|sent you .. but it|that|they \
         is|are|was; small|little|slight mistake|error|slip in|on|with; ^ not quite:; you misunderstood|misread|misheard; sorry i|we told|said|gave|sent|wrote|put; i|we told|gave|sent you .. ,, it|that|they is|are|was|were ,, <any>; got|had|have \
         my|the|our|her|his|some|a <any> ?<any> wrong|mixed|muddled|backwards; the <num>|<name> ?<any> was|is from|before|old|wrong",
    ),
    // How things go here: told in the present of no one in particular.
    (
        Idiom,
        "as|it|this|that|time|life|she|he|everything goes; goes to show; goes on|well|smoothly|great|hand; go|goes with|to it|you|school|college|work|bed|sleep; \
         nothing like|beats|better|special|compares|wrong|but|much|more|can; \
         i|you|we|they|he|she ?can ?could ?will ?just get|gets <done>; what|that|which|this|it counts; \
         will|would stay|remain; only happens|happen once",
    ),
    (
        Cue(Obligation, 0.6),
        "is|are not to <verb>; ^ nothing|nobody \
         goes|leaves|gets|moves|happens|ships|starts|touches|enters|opens|talks|speaks|uses|signs|pays|posts|publishes|deploys|merges; whoever|anyone|anybody .. \
         must|should|has; that|this|it|the same still holds|stands|applies; house style|rule; full stop; end of story|discussion; \
         will|does|do not budge; not up for debate|discussion|negotiation",
    ),
    (
        Cue(Obligation, 0.5),
        "gets <done>; get <done> by|in|at|from|into|to|on|every|before|after|with|as; so nobody|no one|everybody|everyone|everything|whatever|whoever <any>; only <any> \
         when|if|on|with|after|before|between|from; <any> is|are ?only okay|ok|fine|allowed|permitted \
         between|except|until|till|from|on|in|after|before|as|if|when|everywhere; stays|stay|remains|remain \
         anonymous|private|confidential|closed|locked|off|blank|empty|unchanged|untouched|untranslated|lowercase|uppercase; \
         has|have to be back|ready|done|in|out|at|there|here|off|on",
    ),
    (
        Cue(Manner, 0.5),
        "^ we do not|never|only <act>; ^ we do not|never|only say|call|write|sell|send|quote|accept|take|offer|buy|talk|name|number|ask; ^ we \
         say|write|call|spell|tag|name|number|label|count|round|format|sign|quote|capitalise|capitalize|abbreviate <any>; goes|go \
         past|via|into|under <any>; goes to|with|in|through|by <name>|the|my|our; come|comes as|in|with <any>; \
         when|if|where there is|are .. <act> me|us|the|it; could|can|would|will you ?please \
         stick|keep|use|write|answer|avoid|leave|always|only|not|never <any>",
    ),
    (
        Cue(Decision, 0.5),
        "^ decision; looks|look|looking after the; is|are ?solely ?now in charge|responsible; ^ we|i take|buy|book|rent|hire|sign|pick|choose the|a|an|it; \
         ^ it|that|the|we|our <any> ships|ship|launches|launch with|without|on|in; if|unless .. ,, we|i \
         drop|cancel|move|postpone|stop|skip|switch|send|order|book|use|take|split|close|ship",
    ),
    (
        Cue(Preference, 0.5),
        "in this|our|the \
         proposal|document|thesis|paper|report|project|contract|codebase|repo|file|team|house|company|office .. is|are|means; \
         my|our|the|his|her <any> hates|insists|prefers; <name> hates|insists; <name> does not <verb>; does|do not \
         eat|drink|drive|fly|smoke|wear <any>; am|is|are happier|better with|without|in|on|at; gets|get \
         carsick|seasick|airsick|motion; colour|color blind",
    ),
    (
        Cue(Limit, 0.5),
        "freeze|launch|release|handover|handoff|submission|exam|appointment|hearing|inspection|closing|kickoff|interview|surgery|delivery \
         .. is|are ?now ?on|at ?the <day>; wants|want|needs|need|expects .. by|before ?the <day>; or we|i|they|he|she|it \
         lose|loses|miss|misses|forfeit|pay|pays",
    ),
];
