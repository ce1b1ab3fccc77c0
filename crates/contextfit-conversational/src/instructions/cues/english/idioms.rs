//! English: what voids a cue, and what takes from its strength.

use super::super::{
    Mark::{Idiom, Imagined, Once, Reported, Request, Told},
    Row,
};

pub(super) const ROWS: &[Row] = &[
    // Idioms: what they cover is no cue.
    (
        Idiom,
        "never mind; never|ever been; never say never; better late than never; now or never; never \
         know|knew; never \
         thought|imagined|expected|heard|seen|had|felt|met|gets|get|fails|stops|gave; ^ never give \
         up; ^ never too; ^ never lose hope; do not worry|hesitate|sweat|panic|bother; do not mention \
         it; ^ do not give up; ^ do not let .. get|stop|bring|discourage|hold; ^ do not \
         sweat|panic|bother|be; ^ do not \
         have|know|think|want|need|see|remember|get|mind|care|like|believe|understand|feel|seem|work; \
         do not you; do not we; i|he|she|they|it|that|who|which|we \
         ?have|has|had|will|would|can|could|am|is|was|just|still|also|really always|never|ever; \
         they|you are always; you always|never have|know|make|find|were|seem|say|tell; always \
         been|loved|wanted|dreamed|thought|had|felt|liked|enjoyed|a|nice|good|great|fun|happy|there|here|so|the|exciting|inspiring; \
         as|like|not|is always; i|he|she|they must; must be \
         so|nice|hard|great|tough|fun|amazing|exciting|tired|really|very|such|proud|awesome|a|the|difficult|some|something|quite|rewarding|incredible|cool|wonderful; \
         must say|admit|confess; a must; i|he|she|they ?do|did|will|would|am|really|just|also|still \
         ?not have|need|has|had|needs|got|going|supposed to; we had to; you do not have|need to; \
         do|does|did|if|why|how you|i|we|they|he|she|it have|need|always|never; ^ keep up; ^ keep it \
         up; ^ keep \
         going|doing|pushing|trying|at|on|moving|following|me|us|learning|creating|being|in|fighting|dreaming|shining|spreading|chasing; \
         ^ keep an; take care; let me know|see|think|check|ask|just|get; ^ let us \
         see|say|hope|talk|chat|catch|get|hear|face; let it; make sure i|we|he|she|they; to make \
         sure; remember when|how|the time|that|those|last; i|you|we|he|she|they|can ?not remember; \
         do|did you remember; remember you; call me \
         back|when|if|at|later|tomorrow|on|tonight|crazy|anytime; no longer than ever; more than \
         ever|that|welcome|happy|just|anything|enough|i; less than ideal; no more than that; at least \
         it|i|you|we|for|that|some|not; up to you|date|speed|now|something; now that; right now; just \
         now; until now; by now; for now; now and then; every now; now i|we|it|you|he|she|they; not \
         only; only if|thing|time|way|problem|reason|then|a|been; if only; the only; not just; \
         was|were only; actually a|pretty|the|quite|really|just|it|that; ^ wait \
         what|so; i will keep; i|we will not forget; can not wait; no \
         problem|worries|way|idea|doubt|one|wonder|matter|kidding|pressure|big|need|thanks|i|it|you|we|that|not|he|she|they; \
         sorry to|for|about|i|you|that; instead i; forget to|it|how|all; i forget; ^ just \
         a|the|to|in|as|like|finished|got|wanted|be|keep|remember|remembering|what|that|thinking|something|last|started|wondering; \
         ^ set|report|order|list|name|count|start|end|log|track|return|present|target|use \
         of|was|is|were|are; avoid it|that; stop by|it|thinking; could not stop; all right; after \
         all; all the best|time|way; at all; all set|good|about|of; ^ let us go ahead; ^ let us do \
         it|this|that; ^ let us make it|this|some|plans; all in all; any other|more|luck|chance; i am \
         going to; i ?would ?really ?just like|love to|it; i want|need|wanted|needed to; i like \
         it|that|how|the|your|this|to; i need|want it; my .. is so|really|great|very|a|the|my; our .. \
         is so|really|great|very|a|the|my; your own; thank you; good for you; thanks for; you \
         should|can see|try|check|be|totally|definitely|know|feel|have|come|join; you have|need \
         to|been|a|the|any|got|done|had to; you will never|always|be|find|get; you are \
         right|welcome|doing|so|such|an|a|the|amazing|going; have|are you; if you \
         want|need|ever|have|like|are; i want|need you back; i am not sure|really|a|going|the; would \
         you; to be clear i; whenever|anytime you need|want|like|feel|are|can|get; any time you \
         need|want|like|feel; you must love|be|feel|enjoy|miss|know; you always; it must \
         be|have|feel|take; that|this must; it is only; is|are only; it was only; make it one|a; \
         every time i|he|she|it|they; every day|week|month|morning|night|year; peace of mind; no more \
         questions; each other; a reminder of; must feel|seem; must have \
         been|had|got|gotten|taken|felt|seen|made|gone|done|come|said|forgotten|missed|left|lost|meant|thought|heard|known|loved|enjoyed|worked; \
         absolutely right|not|agree|love|amazing|beautiful|one; i do not understand \
         why|how|what|the|it|that; in the future there|we|i|maybe|perhaps; we had|have|need to; you \
         have|need to; some|people|many|most|what have|need to; used to; ^ use it|that|this; ^ no \
         one|need|idea|thanks|thank|more|longer|less; stick around|together; no <any> in the world; \
         what i|you|we|they have|need to; we will have|need to; ^ count on; ^ stop by|in; ^ call it; ^ tell you; \
         ^ read only; ^ state of; ^ work out; ^ start with|by|from; ^ take it|care|this|that|some time|a; ^ \
         give it|me a|that; ^ check|try it|this|that|them out; ^ check out; ^ tell me|us about|more|what|how|why; ^ share your|some; ^ \
         show me|us; ^ move on; ^ go on; ^ put it; so um|uh|yeah|now|then; ^ \
         hope|guess|feel|sounds all|everything|every; thanks|thank .. for always; ^ stay \
         safe|true|strong|positive|focused|tuned|well|warm|healthy|calm|connected|motivated|curious|blessed|in touch; \
         tell|show me|us more|one|about|some|what; ^ no that|it|i|you|we|he|she|they|no <any> ?<any> ?<any> \
         ?<any>; ^ open it; ^ speak|talk to you; you|he|she|they must have <any>; you can only; can only \
         imagine; i am sticking with it; ^ keep|stay .. up the; yeah|yes|oh all; ^ make .. happen|better place; \
         ^ act <end>; ^ wait a|for it; ^ use to; ^ push through; ^ fight on; ^ save as; i|we|you|they need a|an|the|my|your|another",
    ),
    // Imagined, reported, told.
    (
        Imagined,
        "^ if i|we|he|she|they|only had|were|was|could|did; would have; could have; should have; \
         might have; ^ imagine; ^ suppose|supposing; what if; i wish; if only; i|we might; i|we \
         could; maybe i|we; i wonder; i was thinking; ^ perhaps; hypothetically; pretend that; i \
         would never; i would always; might|may want; i think|guess i|we|it|that; i hope; hopefully; \
         or something; for example; such as; kind|sort of; ^ if i|we|he|she|they|it; uh|uhm|erm|hmm|umm|mmm; you \
         know; um i|we|you|the|and|it|then|that|yeah|okay|but|is; i guess; ^ i mean; probably",
    ),
    (
        Reported,
        "he|she|they|it|who|someone|somebody|people|everyone|everybody|mom|dad|one|others ?always \
         ?has|have|had ?just \
         says|said|told|asked|thinks|thought|claims|claimed|wrote|insisted|mentioned|suggested|wanted|warned|recommended; \
         told|taught|reminded|asked|warned|showed me|us|him|her|them; according to; i heard|read; i \
         ?have been told; was told; you said|told|mentioned; they say; says|reads that; the|my <verb> \
         says|said|told|asked; it says; the \
         sign|song|book|movie|article|quote|saying|story|readme|page|log|error|docs|documentation \
         says|said|goes|reads",
    ),
    (
        Told,
        "i|he|she|it|we|they \
         was|were|did|had|used|went|got|made|felt|took|came|found|saw|started|loved|realized|learned|wanted|tried|needed; \
         used to; back then; when i|we was|were; years|months|weeks|days ago; last \
         year|week|month|night|summer|weekend|time; yesterday; once upon; those days; i have been; it \
         has been; growing up; as a kid|child; at the time; back in",
    ),
    (
        Once,
        "^ <act> me|us; <act> this|that|these|those; for me|us <end>; tonight; right now; real quick; quickly; a \
         moment|second|minute|look|try|hand; once more",
    ),
    (
        Request,
        "could|can|would|will you; would you mind; please; may i ask you; is it possible to; can we; \
         could we; shall we",
    ),
];
