"""English: preferences, habits, decisions, solved problems, people, the speaker, and things."""

from __future__ import annotations

from apps.engine.extraction.rules.rule import Rule, rule
from apps.engine.memory.categories import Category

_WE = r"(?:i|we)"
_NAME = r"(?-i:[A-Z][\w'é-]+)(?: (?-i:[A-Z][\w']+))?"
_LEAD = (
    r"(?:(?:and|but|so|ok|okay|yes|yeah|no|well|also|btw|anyway|fyi|then|plus|oh|hey|actually|sorry|right|fine|hm+)"
    r"[,.:!]? )*"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
)
_DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b|the \d{{1,2}}(?:st"
    rf"|nd|rd|th)"
    rf"|(?:the )?(?:end|middle|beginning|start|first (?:week|half)|last (?:week|two weeks)) of {_MONTH}"
    rf"|(?:in|from|until|till|by|since|as of) (?:early |mid |late )?{_MONTH}(?: \d{{4}})?|\d{{4}}-\d\d-\d\d)"
)

PREFERENCES = (
    rule(
        Category.PREFERENCES,
        "prefers",
        rf"\b{_WE}(?:'d| would)?(?: really| much| always| strongly| definitely)? (?:prefer|rather)\b",
        rf"\b{_WE}(?:'d| would) like (?:you to|it|them|the|all|my|every|your)\b",
        r"\bi want (?:it|you|them|the|all|every|my|your|only|no|[a-z]+ [a-z]+)\b(?! to know)",
        r"\bmy preference is\b|\bi(?:'m| am) (?:more of )?an? [\w ]+ (?:person|fan)\b",
        negated=True,
    ),
    rule(
        Category.PREFERENCES,
        "asks_for",
        r"\b(?:please|pls|plz)\b.*\b(?:don'?t|do not|no|never|always|only|keep|leave|use|stick|avoid|skip|first"
        r"|lowercase|short"
        r"|plain|large|metric|in (?:cm|metric|english|full|the))\b|\bplease (?:answer|reply|respond|address|call"
        r"|format|sign)\b",
        r"\b(?:no|never|only|always|lowercase|uppercase|shorter|as|just|don'?t|first|keep)\b.*\b(?:please|pls|plz)\b",
        negated=True,
    ),
    rule(
        Category.PREFERENCES,
        "standing_order",
        r"\bfrom (?:now|here) on\b|\bgoing forward\b|\bnext time\b|\bwhatever you (?:write|do|send|make)\b"
        r"|\bevery time you\b"
        r"|\b(?:hard|house|golden|strict) rule\b|\bin this (?:house|team|repo|family)\b|\bthat's how .* (?:is|are"
        r"|we) \w+"
        r"|\bour (?:\w+ )?(?:rule|limit|policy)\b",
        negated=True,
    ),
    rule(
        Category.PREFERENCES,
        "forbids",
        rf"^{_LEAD}(?:never|always|don'?t ever|only (?:use|send|write)|stick to|call me"
        rf"|no (?:[\w+-]+ ){{1,3}}(?:please|pls|ever))\b",
        rf"^{_LEAD}(?:don'?t|do not) (?:ever )?use \w|^{_LEAD}(?:avoid|stop) using\b",
        r", (?:ever|always|tops)$|\bno [\w+-]+ and no [\w+-]+",
        negated=True,
    ),
    rule(
        Category.PREFERENCES,
        "cannot",
        rf"\b{_WE} (?:can'?t|cannot) (?:stand|think in|have|read|eat|bear|work with)\b|\b{_WE} (?:hate|dislike"
        rf"|loathe|avoid)\b(?! (?:him|her|them)\b)",
        r"\bi (?:never|don'?t|only|always) (?:buy|use|eat|drink|want|read|take|like|touch|accept|answer|wear)\b",
        negated=True,
    ),
    rule(
        Category.PREFERENCES,
        "will_never",
        r"\b(?:i|we)'ll (?:never|only|always) "
        r"(?!forget|finish|get\b|understand|know|learn|see\b|hear|make it|be\b|have\b|remember|miss)\w+",
        negated=True,
    ),
    rule(
        Category.PREFERENCES,
        "to_remember",
        rf"^{_LEAD}(?:please )?(?:remember|note|keep in mind)(?: that|:) (?!you\b)\w+",
        negated=True,
    ),
)

HABITS = (
    rule(
        Category.PATTERNS,
        "habit",
        rf"\b{_WE} (?:always|never|usually|normally|only|generally|mostly|tend to) (?!been\b|asked\b|said\b|had\b"
        rf"|have\b|touched\b|was\b"
        r"|were\b|wanted\b|did\b|got\b|heard\b|saw\b|seen\b|thought\b|knew\b|told\b|meant\b)\w+",
        rf"\b{_WE} (?:don'?t|do not) (?:dig|outline|use|eat|drink|cook|ship|deploy|smoke|drive|do \w+|work on"
        rf"|read|sell|take)\b",
        negated=True,
    ),
    rule(
        Category.PATTERNS,
        "schedule",
        rf"\b(?:every|each|alternate) (?:other |second |two |three |first |last )?(?:{_WEEKDAY}|day|week|month"
        rf"|quarter|year|morning"
        r"|evening|night|sprint|spring|summer|autumn|winter)\w*",
        rf"\b{_WEEKDAY}s\b|\b(?:weekdays|weekends)\b|\b{_WEEKDAY} (?:mornings|evenings|afternoons|nights)\b",
        r"\b(?:daily|weekly|monthly|fortnightly|biweekly|quarterly)\b|\b(?:once|twice|\w+ (?:times|days|hours"
        r"|nights)) a (?:day|week|month|year)\b",
        negated=True,
    ),
    rule(
        Category.PATTERNS,
        "learned",
        r"\bwe(?:'ve)? learn(?:ed|t)\b|\bthe trick is\b|\bworks best\b|\bthis pattern\b|\bit's always\b",
        r"\balways (?:in|on|with|at|been|a|an|the|two|three|four)\b",
    ),
)

DECISIONS = (
    rule(
        Category.EVENTS,
        "decided",
        rf"\b(?:{_WE}|we all)(?:'ve| have|'re| are|'m| am)? (?:finally |just |now |also |already "
        rf"|all )*(?:decided|agreed|settled on|chose"
        r"|chosen|picked|opted|going with|sticking with|went with|signed up|booked|bought|sold|hired|ordered"
        r"|ruled out|adopted|cancell?ed)\b",
        rf"^{_LEAD}(?:going|went|sticking) with\b|\b[\w&' -]+ it is$|^{_LEAD}let's (?:go with|use|stick|keep)\b"
        rf"|\bagreed (?:that|on|to)\b",
        rf"^{_LEAD}make (?:it|that) (?:the|\d|a|[A-Z])|\b(?:is|are|was) cancell?ed\b",
        rf"(?:\b{_NAME}(?: \w+)?|\b(?:plan|trip|deal|idea|project|meeting|event|party|launch|contract|order"
        rf"|thing)) (?:is|are|was)"
        r" (?:off|out|dead|gone|over)\b",
        rf"\b(?:is|are)n't happening\b|\bafter all$|^{_LEAD}(?:bought|decided|booked|hired|sold)\b"
        rf"|^{_LEAD}{_NAME} then$",
        negated=True,
    ),
    rule(
        Category.ENTITIES,
        "changed",
        r"\b(?:switched|swapped|moved|migrated|bumped|changed|left|ditched|dropped|replaced|upgraded|converted"
        r"|renamed)\b.*\b(?:to|for|with|from"
        r"|us|by)\b",
        # Something ended: "the hall fell through", "Cold Harbour cancelled".
        r"\b(?:pulled out|fell through|backed out|dropped out|shut down|closed down|went bust)\b",
        rf"(?:\b{_NAME}|\b(?:the|our) \w+) (?:cancell?ed|retired|resigned|closed)\b",
        r"\b(?:takes? over|has taken over|taking over|took over|takes (?:me|us|it) over|replaces|succeeds"
        r"|stands in for)\b",
        r"\binstead(?: of)?\b|\bnow (?:runs?|lives?|uses?|goes|is|on|instead)\b|\b(?:is|are) (?:now|officially)\b"
        r"|\bofficially\b|\bhenceforth\b",
        r"\b(?:is|are|'s|'re|am|'m|goes?|live|meet|meets|build|runs?|use|uses|go|free) .*\bnow\b[^a-z]*$|\bnow$"
        r"|\b(?:these|nowadays) days\b",
        # A new amount: "had to bring the budget up to 46", "the price went up to £18".
        r"\b(?:bring|brought|raised?|raising|cut|lower(?:ed)?|increased?|reduced?|push(?:ed)?|put|set|went|goes|gone"
        r"|slipped|slips|rose|rises|fell|falls|dropped|drops|grown?|grew|shrunk|shrank|(?:is|are|'s|'re) (?:up|down))"
        r" .*?(?:up|down|back)? ?to (?:about |around )?[£$€]?\d",
        # A new person: "Mirela's picked up his tasks", "Kim is covering for Lee".
        rf"\b{_NAME}(?:'s| has| is|'ll| will)? (?:now )?(?:picked up|picks up|picking up|covers|covering|fills in"
        r"|filling in|steps in|stepped in|stepping in|inherits|inherited)\b",
        r"\b(?:no longer|any ?more)\b|\bas of \w+\b|\bfrom today\b|\bback (?:on|to) \w|\bso it's\b",
    ),
    rule(
        Category.EVENTS,
        "dated",
        r"\b(?:is|are|'s|'m|'re|on|opens?|starts?|until|till|due|goes?|deadline|live|signed|land|lands|leaves?"
        r"|arrives?|moved?|sold|closes?|from"
        r"|by|slides to|in|to|race|wedding|submission|launch\w*|fly|flies|runs?|married|born|exam|kicks off"
        r"|booked|scheduled) .*"
        rf"\b{_DATE}",
        rf"\b{_DATE} (?:to|until|till|-|–) {_DATE}|^(?:\w+ )?{_DATE}",
        r"\b(?:was|were) (?:last )?\w+(?:ed|ilt|ne|en|ut) in (?:19|20)\d\d\b",
    ),
)

CASES = (
    rule(
        Category.CASES,
        "solved",
        r"\b(?:turn(?:s|ed) out|root cause|bug was|the (?:culprit|fix|cause|trick|reason) (?:was|is)|(?:was"
        r"|were) caused by|caused by"
        r"|came from|was (?:because|down to|due to)|because of leftover)\b",
        r"\b(?:sorted|fixed|fixes|solved|cured|did|cleared) (?:it|that|them|things)\b|\bdid the trick\b"
        r"|\b(?:makes?|made) (?:it|that|them) (?:go"
        r" away|work|pass|stop|vanish)\b|\b(?:went|goes) away (?:when|once|after|with)\b|\bbrings? (?:it"
        r"|them) back\b|\bbit us\b",
        r"\b(?:was|were|is|are) gone (?:in|after|within|since)\b|\bbeen (?:dry|fine|stable|clean|quiet|ok|good"
        r"|silent|solid) (?:ever )?since\b"
        r"|\b(?:stable|quiet|fine) (?:for|since|ever)\b|\b(?:stopped|vanished|disappeared) (?:after|once|when)\b"
        r"|\b\w+ (?:stopped|vanished)$"
        r"|\bfound out (?:that )?it was\b|\bsigned it off\b|\bis sorted\b|\bgot (?:the|it|them) \w+ going\b"
        r"|\bcame back (?:within|after|once)\b",
        whole=True,
    ),
)

PEOPLE = (
    rule(
        Category.ENTITIES,
        "role_of",
        rf"\b{_NAME} (?:does|do|handles|runs|owns|leads|manages|looks after|takes care of|approves|signs off"
        rf"|writes|rewrites|teaches|cooks|edits"
        r"|is (?:our|the|my|in charge|responsible|nuts|into|allergic|vegan|vegetarian|doing|away|on|from|leaving"
        r"|joining|head|lead)"
        r"|can't (?:have|eat)|gets|wants|loves|hates|prefers|plays|works|lives|has|signed|speaks|takes|starts"
        r"|joins|joined|keeps|pays)\b",
        r"\b(?:she|he) (?:does|handles|runs|owns|leads|is (?:our|the|my)|looks after|works|lives|teaches)\b",
        rf"\b{_NAME}, (?:my|our|the) [\w -]+, \w+",
        rf"\b{_NAME} (?:and|&) (?:i|{_NAME}) "
        r"(?:get|have|make|run|own|live|work|share|use|need|want|take|play|do|eat)\b",
    ),
    rule(
        Category.ENTITIES,
        "ours",
        r"\b(?:my|our) (?!(?:[\w-]+ ){1,3}(?:is|are|was) (?-i:[a-z]+)\W*$)"
        r"(?!head\b|brain\b|bad\b|fault\b|question\b|point\b|god\b)(?:[\w-]+ ){0,3}(?:is|are|was"
        r"|=) (?:called |named |now |a |an |the )?[\w£$€]",
        rf"\b(?:my|our) (?:husband|wife|partner|son|daughter|dog|cat|boss|manager|supervisor|chef|contractor"
        rf"|doctor|teacher|sister|brother"
        rf"|client|landlord|agent|editor|coach) {_NAME}",
        r"\b(?:partner|husband|wife|son|daughter|kid)'?s? (?:is )?allergic\b|\ballergic to\b|\b(?:coeliac|celiac"
        r"|diabetic|asthma|lactose)\b",
    ),
    rule(
        Category.ENTITIES,
        "must_not_have",
        r"\b(?<!not )(?<!n't )(?<!longer )allergic to\b",
        rf"\b{_NAME}(?:, [\w -]+,)? (?:can'?t|cannot|must not|mustn't) (?:have|eat|drink|take|stand)\b",
        negated=True,
    ),
)

SELF = (
    rule(
        Category.PROFILE,
        "self",
        r"\bi(?:'m| am|m) (?:a|an|the|in (?:the|my)|at (?:the )?(?:uni|school|around)|based|from|vegan|vegetarian"
        r"|allergic|around|about"
        r"|left-handed|colou?r ?blind|deaf|blind|\d\d\b|currently an?|originally|also an?|self-employed|retired"
        r"|pregnant|officially|away)\b",
        r"\bi've been (?:a|an) \w|\bi(?:'m| am) fluent in\b|\bmy favou?rite (?!hobby\b|thing\b|part\b)\w+ is\b"
        r"|\bwe have (?:two|three|four|five|six|seven|eight|nine|ten) \w",
        r"\bi (?:work|live(?! for)|teach|study|run an?|speak|get by|come from|was born|grew up|play|own"
        r"|take (?:a |\d)"
        r"|weigh|moved|earn|freelance|lead"
        r"|manage|drive|do the|look after|wear|have (?:an?|two|three|four|\d|asthma|diabetes)|tune|sell|coach"
        r"|rent|commute|review)\b",
        r"\bmy (?:name|pb|mother tongue|native|first language|job|shift|hometown|birthday|size|shoe|height|weight"
        r"|age|knee|back|eyes|diet|blood)\b",
        r"\b(?:is )?my (?:first|native|second|mother) (?:language|tongue)\b|\bme = |\bcall me\b|^\w+ here$",
        r"\bwe(?:'re| are) (?:the |a |an |on |in |at |from |two|three|four|five|six|\d)|\bthere are \w+ of us\b"
        r"|\bbeen here since\b",
        r"\b(?:achilles|knee|shoulder|back|hip|wrist|ankle) has been\b|\bi(?:'ve)? got (?:an?|two|three) ",
    ),
)

_PREDICATE = (
    r"(?!(?-i:[a-z]+)\W*$|\w+ing\b|so\b|very\b|too\b|really\b|just\b|all\b|not\b|killing\b|being\b|fine\b|great\b"
    r"|good\b|nice\b|ok\b"
    r"|perfect\b|awful\b|terrible\b|like\b"
    r"|coming\b|burning\b|silly\b|dear\b|mad\b|down\b|slow\b|broken\b|frozen\b|nearly\b|still\b|green\b|red\b"
    r"|ordered\b|awesome\b|spinning\b"
    r"|out\b|off\b|a (?:mess|disaster|nightmare|pain|joke|dream|leftover|bit)\b|normal\b|weird\b|funny\b|better\b"
    r"|worse\b"
    r"|hard\b|easy\b|pain\b|tight\b|back$"
    r"|here$|there$|done$|gone$|undecided|having\b|getting\b|going\b|what\b|why\b|how\b|where\b|because\b"
    r"|driving\b|\d+x\b)"
)
_PRONOUN = (
    r"(?:i|you|he|she|they|it|that|this|there|what|here|which|who|nobody|everyone|everything|everybody|nothing"
    r"|something|someone|one|life"
    r"|question|weather|sun|problem|thing|point|idea|reason|trouble|issue)\b"
)

# Verbs of opinion and being; the others have rules of their own.
_NO_STATEMENT = (
    r"(?!(?:says|thinks|wants|knows|hopes|looks|feels|seems|sounds|gets|keeps|asks|goes|is|was|has|does|its|his"
    r"|this)\b)"
)
# Something definite: a number, a day, a month or a name.
_DEFINITE = (
    rf"(?:[£$€#]?\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|noon|midnight)\b"
    rf"|\b{_WEEKDAY}|\b{_MONTH}|(?-i:\b(?!I\b)[A-Z][\w-]+))"
)

THINGS = (
    rule(
        Category.ENTITIES,
        "states",
        # A thing, a verb in the present, something definite: "the shop opens at 10".
        rf"^{_LEAD}(?:from {_DEFINITE}\w* )?(?:the|our|my) (?:[\w'-]+ ){{1,3}}?"
        rf"{_NO_STATEMENT}[a-z]{{2,}}s"
        rf" (?:[\w-]+ ){{0,4}}?{_DEFINITE}",
        rf"^{_LEAD}(?:the|our|my) (?:[\w'-]+ ){{1,4}}?(?:will|can|must) be"
        rf" (?:[\w-]+ ){{0,2}}?(?:{_DEFINITE}|[a-z]{{3,}}$)",
    ),
    rule(
        Category.ENTITIES,
        "habitually",
        rf"^{_LEAD}{_WE} (?:meet|publish|pay|buy|order|sell|ship|send|print|record|film|train|practi[sc]e|rehearse"
        r"|cycle|walk|bank|bill|invoice|brew|grow|breed|hire|stock|teach|perform|play|source|import|export|fly|travel)"
        r" (?!it\b|them\b|that\b|this\b|you\b|up\b|off\b|out\b|for it\b)\w",
        rf"^{_LEAD}{_NAME} {_NO_STATEMENT}[a-z]{{2,}}s (?:the|our|my|all|every|on|at|to|for) \w",
    ),
    rule(
        Category.ENTITIES,
        "named",
        r"\b(?:it's|its|it is|is|was|he's|she's|they're|are|thing's) (?:called|named|titled)\b|\b(?:called"
        r"|named) (?-i:[A-Z])\w+|\bthe name is\b",
    ),
    rule(
        Category.ENTITIES,
        "uses",
        r"\b(?:we|i|they|it|everything|site|app|service|backend|frontend|team) (?:use|uses|run|runs|deploy"
        r"|deploys|host|hosts|build|builds|store"
        r"|stores|tag|ship|release|charge|sell|export|write|serve)s? (?!it\b|them\b|that\b|to\b|out\b|you\b)[\w(]",
        r"\b(?:runs|run|running|built|written|hosted|based|deployed|sits?|lives|lands|goes up|stored|moored"
        r"|exported|made|done) (?:up )?(?:on|in|with"
        r"|at|from|by|under|using|as) \w",
        r"^(?:the |our |my )?[\w-]+(?: [\w-]+){0,2} uses (?-i:[A-Z])\w",
        r"\bwe(?:'re| are) (?:on|using|in|with) \w|\bis live (?:in|on|at)\b|\bgo(?:es)? (?:to|up on|into) (?:our"
        r"|the|my|a )?\w|\bcomes? (?:from|out of) \w",
    ),
    rule(
        Category.ENTITIES,
        "is",
        r"^(?:(?:and|but|so|ok|also|btw|the|our|its|it's|all|for the \w+|yes|status|first|now|well|oh|hm)[,.:]? )*"
        rf"(?!{_PRONOUN})[\w'.&/#-]+(?: (?!(?:is|are|was|were)\b)[\w'.&/#-]+){{0,5}} (?:is|are|=)"
        rf" {_PREDICATE}[\w£$€(~-]",
    ),
    rule(
        Category.ENTITIES,
        "quantity",
        r"\bthere(?:'s| is| are|s) (?:about |around |over |only )?(?:an? (?!problem|question|way|chance)\w|\d|two"
        r"|three|four|five|six|seven|eight|nine|ten)",
        r"\b(?:has|have|with|holds|takes|costs?|charges?|pay|pays|weighs|fits|seats) (?:about |around |up to "
        r"|at most |exactly |just )?[£$€]?\d[\d.,]*\b",
        r"\b(?:up to|at most|at least|no more than|a maximum of|max|about|around) [£$€]?\d[\d.,]* ?\w+"
        r"|\b\d+ ?% \w+|[£$€]\d[\d.,]*\b",
        r"^(?:about |around |up to )?[£$€]?\d[\d.,]*k? (?:for|in) (?:the|our|my|both) \w",
        r"^(?:all |now |then )?[£$€]\d[\d.,]* (?:and|to|or|for|a|per|each)\b",
        r"\b\d[\d.,]*(?:k|m)? (?:covers|voices|seats|people|units|employees|users|members|pages|rooms|sq|nights"
        r"|chapters|students|customers|orders"
        r"|returns|episodes|branches|kids|beds|euros|dollars|pounds|hectares|plants|hives|shops|tables|boats|cars"
        r"|bikes|licen[cs]es|servers)\b",
    ),
    rule(
        Category.ENTITIES,
        "prices",
        r"\w [£$€]\d[\d.,]*(?:,| and) \w+ [£$€]\d",
        r"\b(?:no|not) (?:more|less|fewer|later|earlier) than [£$€]?\d",
        negated=True,
    ),
    rule(
        Category.ENTITIES,
        "fixed",
        r"^the [\w-]+ (?:[\w-]+ )?stays\b",
        r"\bmust (?:stay|not|never|be)\b|\bis (?:booked|settled|fixed|final)\b|\bkeep your hands off\b"
        r"|\bleave [\w./]+ (?:itself|alone)\b"
        r"|\b(?:are|is) free\b|\bmay (?:delete|not|only)\b|\boff limits\b",
        negated=True,
    ),
)

RULES: tuple[Rule, ...] = (*PREFERENCES, *HABITS, *DECISIONS, *CASES, *SELF, *PEOPLE, *THINGS)
