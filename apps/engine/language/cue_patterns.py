"""The phrases by which people announce a goal, a decision, a requirement, a plan or a doubt, as patterns on lower case.

Each field has its phrases from the strongest to the weakest, and those that only look like them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_SELF = r"(?:i|we)(?:'m| am|'re| are|'ve been| have been|'d| would|'ve| have)?"
_ADVERB = (
    r"(?:(?:really|also|still|just|now|currently|finally|both|all|always|definitely|actually|even|seriously"
    r"|already|only) )*"
)
_WORK = (
    r"(?:build|create|implement|write|fix|debug|design|migrate|optimi[sz]e|set up|add|refactor|deploy|develop|improve"
    r"|investigate|convert|port|upgrade|integrate|configure|automate|speed up|reduce|find out why|figure out|rewrite)"
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_GOAL_STRONG = _any(
    r"\b(?:my|our|the|main|primary|overall|ultimate|end|next|new|big|a) (?:goals?|objectives?|dreams?|mission"
    r"|ambition)"
    r" (?:is|are|was|of|to|for|here is|would be)\b(?! (?:amazing|awesome|great|important|come))",
    rf"\b{_SELF} {_ADVERB}(?:aim(?:ing)? to|determined to|dream(?:ing|ed)? (?:of|about)|working towards?"
    rf"|aspir(?:e|ing) to"
    r"|saving (?:up )?(?:for|to)|striv(?:e|ing) (?:to|for))",
    r"\bwhat (?:i|we) (?:really )?(?:want|need) is\b",
)
_GOAL = _any(
    rf"\b{_SELF} {_ADVERB}(?:want(?:ing)? to|wanna|hop(?:e|ing) to|try(?:ing)? to|looking to|planning (?:to|on)"
    rf"|plan to"
    r"|need to be able to|keen (?:on|to)|eager to|interested in|considering|thinking (?:of|about)|looking into"
    r"|passionate about|looking for\b|hoping for)",
    r"\b(?:i|we)(?: want| need|'d like| would like) you to\b",
    r"\b(?:i|we)(?:'d| would) (?:really |also |still )?(?:like|love) to\b",
    r"\bit's (?:always )?been (?:my|our|a) (?:\w+ )?dream\b",
)
_GOAL_WEAK = _any(
    r"\b(?:i'm|we're|i am|we are) (?:currently |now )?(?:building|working on|developing|designing|creating"
    r"|migrating|writing)\b",
    rf"\bhelp (?:me|us) (?:to )?{_WORK}\b",
    r"\b(?:i|we) need (?:some )?(?:help|to (?:build|create|migrate|replace|ship|launch|support|move))\b",
    rf"^(?:please |can you |could you |would you |now |next )?{_WORK} (?:a|an|the|our|my|this|that|all|some"
    rf"|\w+ing|[\w-]+)\b",
)
_NO_GOAL = _any(
    r"^if\b",
    r"\b(?:com(?:e|ing|in') true|reminds? me|thinking about my dreams)\b",
    r"\b(?:just|always|usually|often|when) (?:\w+ ){0,3}try to\b|\bi try to\b",
    r"\b(?:want|like|love|wanna|hoping|hope|wanted)(?:ing)? (?:to )?(?:hear|know|thank|say|see (?:it|them|that"
    r"|you|some|your)|check|ask|help"
    r" you|chat|talk|catch up|share|be there|mention|make sure|give you|join you|support you|listen|tell you)",
    r"\bif you(?:'d| would)? (?:want|like|need)\b",
    r"\bwhat (?:do|are|did) you\b",
    r"\bthinking (?:of|about) (?:you|it|that|this)\b",
    r"\btry(?:ing)? to (?:stay|be|understand|keep up|take it|look)\b",
)
_DECIDED = r"(?:decided|chose|chosen|picked|opted|settled|agreed (?:to|on|that)|committed|selected)"
_DECISION_STRONG = _any(
    rf"\b(?:i|we|they|team)(?:'ve| have|'d| had|'s| has)? {_ADVERB}{_DECIDED}\b(?! by| like| up\b)",
    rf"^(?:ok(?:ay)?,? |so,? |then )*(?:{_DECIDED}|switched to|going with|went with|ruled out|rejected)\b",
    r"\b(?:i|we)(?:'ve| have)? (?:left (?:it|that|them) out|(?:decided|advised) against|ruled (?:it|that|them) out)\b",
    r"\b(?:final decision|we're going with|we are going with|i'm going with|let's go with|we'll go with|i'll go with"
    r"|let's stick with|it's (?:settled|decided)|has been (?:decided|approved|agreed)|made (?:up my mind"
    r"|the decision))\b",
    r"\b(?:let's|we'll|we will|we should|please|actually,?|no,?|then) (?:just )?(?:use|drop|switch to|adopt"
    r"|choose|skip|keep|move to|remove)\b",
)
DIRECTIVE = _any(
    r"\b(?:let's|we'll|we will|we should|please|you can|you should)\b",
    r"^(?:actually,? |no,? |then |just |but )*(?:use|keep|stick|drop|skip|adopt|avoid|prefer|replace|switch|make"
    r"|take|try)\b",
    r"\b(?:instead of|rather than|no longer|i use|we use|i prefer)\b",
)
_DECISION = _any(
    r"^(?:ok(?:ay)?,? |so,? |yes,? |fine,? |then |please )*(?:use|stick with|switch to|drop|skip|keep|adopt|avoid"
    r"|prefer|replace) (?!in mind|me|you|up|it up|going|an eye)",
    r"\b(?:i|we)(?:'ve| have)? (?:just |finally |recently |also |now |already |even |actually )*(?:signed up"
    r"|enrolled|registered"
    r"|applied (?:to|for)|joined (?:an?|the|my|our|this|up)|quit|accepted|adopted|booked|hired|moved to"
    r"|switched to|replaced|dropped (?!off|by|in\b)|migrated|enlisted)\b",
    r"\b(?:i|we|i'll|we'll) (?:now )?(?:use|went with|prefer)\b (?!to\b)",
    r"\b(?:is|are|was) (?:the (?:better|best|right) (?:choice|option|fit)|out of (?:scope|the question))\b",
    r"\b(?:instead of|rather than|no longer|not (?:used|needed|required) any ?more)\b",
)
_COMMITMENT = _any(
    r"\b(?:i|we)(?:'ve| have)? (?:just |finally |recently |also |now |already |even "
    r"|actually )*(?:started (?!to\b)|launched|opened|bought|set up|took up"
    r"|turned down|gave up|donated|founded|proposed|got (?:a|an|the|my) (?:\w+ )?(?:job|dog|puppy|cat|kitten"
    r"|place|house|deal|offer|internship))",
    r"\b(?:i'm|we're|i am|we are) (?:both |also |now |definitely |actually )?(?:going to|gonna) (?!be\b|the\b|a\b"
    r"|my\b|our\b|do my\b|go\b|have a\b|keep\b|miss\b)\w+ing?\b",
    r"\b(?:i'm|we're) (?:starting|launching|opening|adopting|quitting|getting married|moving|expanding|joining"
    r"|signing up)\b",
)
_NO_DECISION = _any(
    r"\bkeep (?!using\b)(?:\w+ing\b|at\b|up\b|on\b|it\b|going\b|each\b|that\b|being\b|our (?:eyes|heads)"
    r"|the (?:good|faith|spirit))",
    r"^instead of (?:getting|giving|being)\b|^if\b",
    r"\b(?:haven't|hasn't|not|can't|need to|to|still|should|could|might|before|if|until|when"
    r"|once) (?:\w+ ){0,2}decided?\b",
    r"\b(?:would have|might|maybe|perhaps|could have|if we (?:use|chose|go)|you could|one option|another option"
    r"|wish)\b",
    r"\b(?:agreed|decided|picked up|picked) (?:that you|up)\b",
    r"fingers crossed|\bi'm not sure i\b",
    r"^(?:totally |completely )?agreed\b[^a-z]*\w*[.!]?$",
)
_REQUIREMENT_STRONG = _any(
    r"^no (?:[\w-]+ ){1,3}(?:between|before|after|on|during|without|to|until|in|from|by|for|allowed|please)\b",
    r"\bmust(?:n't| not)?\b",
    r"\b(?:required|requires?|requirements?|mandatory|hard limit|deadline|not allowed|forbidden|prohibited"
    r"|acceptance criteria|non-negotiable)\b",
    r"\b(?:under|within|at most|at least|no more than|no less than|up to|less than|fewer than|more than"
    r"|maximum of|minimum of|max|min|below)"
    r" [$€£]?\d",
    r"\b(?:has|have|needs?) to (?:be|support|work|run|handle|stay|keep|survive|scale|cover|fit|return|pass|comply"
    r"|remain|include|use)\b",
    r"\b(?:should|can|may|do|does)(?:n't| not|not) (?:exceed|break|lose|store|log|expose|send|leak|block|change"
    r"|touch|depend|require)\b",
    r"\b(?:i'm|i am|we're|(?:he|she)'s|is|are) (?:\w+ ){0,2}(?:allergic|vegan|vegetarian|lactose|intolerant"
    r"|diabetic)\b|\bi (?:can't|cannot|don't) eat\b",
)
_REQUIREMENT = _any(
    r"\b(?:should|shall)(?: not|n't| never| always| only)?\b",
    r"\bneeds? (?:to|at least|an?|the)\b",
    r"\b(?:have|has) to\b",
    r"^(?:(?:please|and|but|also) )*(?:make sure|ensure|do not|don't|never|always|only)\b",
    r"\b(?:make sure|ensure that|as long as|limited to|restricted to|we support|budget|compliance|vegan"
    r"|vegetarian|lactose|intolerant|gluten-free)\b",
    r"\b(?:cannot|can't) (?:use|have|exceed|change|eat|store|afford|go over|touch|break)\b",
)
_NO_REQUIREMENT = _any(
    r"\b(?:must|should) (?:have (?:been|felt|had|taken|meant|put|made)|be (?:so|really|very|super|proud|nice"
    r"|great|fun|amazing|awesome|hard|tough"
    r"|excited|cool|happy|feeling|rewarding|\w+ing)|feel|mean)",
    r"\b(?:no need|don't need|doesn't need|need (?:to talk|a hand|anything|some(?:one|thing) to|me|you|it)"
    r"|you should be|should be (?:fun|great|good|fine|ok))\b",
    r"\bi should (?:probably|go)\b",
    r"\b(?:kids|those|people|others|animals|someone) (?:who|that)? ?(?:are )?(?:in )?need\b",
    r"\bdon't (?:worry|forget to (?:have|take)|hesitate|give up|know|think|you)\b|^(?:never|only|always) (?:give"
    r"|mind|a|been|had|have)\b",
)
_PLAN_STRONG = _any(
    r"\b(?:next step|the plan is|our plan|my plan|plan of action|the approach is)\b",
    r"^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after that|afterwards|finally|lastly)\b(?:,|:| (?:we"
    r"|i|you|the|add|run|create|move|write|deploy))",
)
_PLAN = _any(
    r"\b(?:i|we)(?:'ll| will| shall)\b (?:then |next |also |now |first |start by |probably )*\w+",
    r"\b(?:i'm|we're|i am|we are) (?:about |also |now |all |both |definitely |thinking of |planning on "
    r"|planning a )*(?:going|gonna|planning|heading|meeting|having|taking|throwing|hosting)\b",
    r"\b(?:remaining|left to do|still (?:need|have|left)|to do next)\b",
    r"^(?:gonna|planning)\b",
)
_NO_PLAN = _any(
    r"^(?:then|next|after that|afterwards|first|finally|lastly)\b,? (?:\w+ ){0,3}(?:\w+ed|was|were|went|had|got"
    r"|made|took|came)\b",
    r"\b(?:maybe|not sure|wish|hope|if that's|whenever|so that|things that|how) (?:i|we|fine|ok)?(?:'ll| will)?\b"
    r"|\bso (?:many|much)\b",
    r"\b(?:gonna|going to) be (?:a|an|so|great|fun|awesome|amazing|ok|fine)\b",
    r"\b(?:i|we)(?:'ll| will| shall) (?:definitely |always |also |never |just |surely |for sure )*(?:let you|keep"
    r"|be\b|do (?:my|our|that)|see\b|try\b|think|talk|"
    r"remember|take a look|explain|assume|help|show you|walk|check|know|get (?:through|back|there)|have to|need"
    r"|miss|cherish|give it|take (?:it|your)"
    r"|treasure|find|look (?:it|into that)|catch|tell|send you|provide|never|continue|definitely[.!])",
    r"\bi'm going (?:through|back)\b|\bgoing (?:well|great|good|on\b|on\?|strong|smoothly|through|crazy)",
    r"\bhaving (?:a blast|fun|a (?:great|good|hard|tough))|\b(?:happy|glad|excited) (?:we're|i'm|to)\b",
    r"\bmeeting new\b|\btaking (?:care|time|it)\b",
)
_UNDECIDED = _any(
    r"\b(?:need|have|needs?|remains?|left|still) to (?:decide|figure out|determine|clarify|confirm|find out"
    r"|work out|check whether|agree on)\b",
    r"\b(?:not sure|unsure|unclear|undecided|uncertain) (?:yet|if|whether|how|which|what|about|on|when|where)\b",
    r"(?:^|\b(?:i'm|we're|i am|we are|still) )waiting (?:for|on) (?!this|that|it\b|you|so)",
    r"\b(?:is|are|remains?) (?:still )?(?:unknown|unsettled|undecided|unclear|to be seen)\b|^not settled\b",
    r"\b(?:blocked (?:by|on)|pending|tbd|to be (?:decided|determined"
    r"|confirmed)|open question|haven't (?:decided|figured|agreed|heard back))\b",
    r"\b(?:don't|do not) (?:yet )?know (?:yet|if|whether|how|which|what|when|where|why)\b",
    r"\b(?:can't|cannot) decide\b",
)

CUES: Mapping[str, tuple[tuple[float, re.Pattern[str]], ...]] = MappingProxyType(
    {
        "goals": ((4, _GOAL_STRONG), (3, _GOAL), (2, _GOAL_WEAK)),
        "decisions": ((4, _DECISION_STRONG), (3, _DECISION), (2.5, _COMMITMENT)),
        "requirements": ((3.5, _REQUIREMENT_STRONG), (2, _REQUIREMENT)),
        "current_plan": ((3, _PLAN_STRONG), (2, _PLAN)),
        "open_questions": ((3, _UNDECIDED),),
    }
)
REFUSALS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {"goals": _NO_GOAL, "decisions": _NO_DECISION, "requirements": _NO_REQUIREMENT, "current_plan": _NO_PLAN}
)
HEADINGS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "open_questions",
        _any(
            r"\bopen (?:questions?|issues?|points?)\b",
            r"^questions?$",
            r"\bunresolved|unknowns|blockers?\b|\btbd\b|undecided",
        ),
    ),
    ("decisions", _any(r"\bdecisions?\b", r"\bdecided\b", r"\bwe (?:chose|agreed)\b")),
    ("definitions", _any(r"\bglossary\b", r"\bdefinitions?\b", r"\bterms\b", r"\bterminology\b", r"\bvocabulary\b")),
    ("goals", _any(r"\bgoals?\b", r"\bobjectives?\b", r"^aims?$")),
    (
        "requirements",
        _any(
            r"\brequirements?\b", r"\bconstraints?\b", r"\bmust[- ]haves?\b", r"\bacceptance criteria\b", r"\blimits\b"
        ),
    ),
    (
        "current_plan",
        _any(
            r"\bplan\b",
            r"\bsteps\b",
            r"\bnext steps?\b",
            r"^next$",
            r"\bto-?dos?\b",
            r"\broadmap\b",
            r"\baction items?\b",
            r"\bmilestones\b",
        ),
    ),
)
AGREEMENT = re.compile(
    r"^(?:yes|yeah|yep|yup|ok(?:ay)?|sure|agreed|i agree|sounds good|sounds great|perfect|great|good idea"
    r"|works for me|do it|do that|let's do"
    r"|go ahead|go for it|makes sense|i like|exactly|approved|lgtm|fine|deal|good)\b"
)
OBJECTION = re.compile(r"\b(?:but|instead|actually|however|not|rather|don't|no)\b")
PROPOSAL = re.compile(
    r"\b(?:i(?:'d| would)? (?:recommend|suggest|propose|go with|advise|use|pick|choose)|my (?:recommendation"
    r"|suggestion|advice)|recommendation is"
    r"|(?:best|simplest|safest|cleanest) (?:option|choice|approach|way|fix) (?:is|here|would)|how about|we could"
    r"|you could|you should)\b"
)
LEAD_IN = re.compile(
    r"^(?:(?:yeah|yep|yes|yup|well|so|ok|okay|sure|oh|wow|hey|hi|hello|thanks|thank you|thx|also|anyway"
    r"|by the way|btw|definitely|totally|absolutely"
    r"|haha|lol|no worries|cool|great|awesome|nice|right|and|hmm|aw+|for sure|of course|sounds good|perfect"
    r"|honestly|to be honest)"
    r"(?:,? [A-Z]\w+)?(?:[,!.:;]+\s+|\s+[-–—]+\s+))+",
    re.IGNORECASE,
)
