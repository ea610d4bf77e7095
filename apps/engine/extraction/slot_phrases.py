"""The phrases that give slots: attributes of people, roles that people have for the speaker, and attributes of things.

They are searched in plain words: without what only tells that or when something changed (`plain_words`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

SELF = (
    r"\b(?:i|we)(?:'m| am|'re| are|'ve| have|'s| is| has)? "
    r"(?:now |currently |still |officially |finally |just |actually |also )*"
)
NAME = r"(?P<value>(?-i:[A-ZÀ-ÞŁ][\w'&.-]*)(?: (?:(?:de|da|von|van|der|la|le|&|of) )*(?-i:[A-ZÀ-ÞŁ][\w'&-]+))*)"
_OLD = r"(?-i:[A-ZÀ-ÞŁ][\w'&.-]*(?: [A-ZÀ-ÞŁ&][\w'&-]*)*)"
_NUMBER = r"(?P<value>\d{1,3})"
_WORKER = (
    r"(?P<value>(?:[\w-]+ ){0,2}?(?:[a-z]+(?:eer|ician|logist|ologist|pher|grapher|ctor|itect|ntist|yst|iatrist|apist"
    r"|nalist|mentalist|ccountant|ssistant|ltant)"
    r"|nurse|teacher|developer|programmer|engineer|designer|manager|lawyer|solicitor|judge|chef|cook|baker|butcher|pilot"
    r"|driver|farmer|gardener|plumber|electrician|carpenter|joiner|painter|builder|welder|tailor|barber|hairdresser|waiter"
    r"|waitress|barista|librarian|translator|interpreter|writer|author|editor|producer|photographer|musician|actor|actress"
    r"|dancer|coach|trainer|lecturer|professor|researcher|tutor|postdoc|student|midwife|paramedic|surgeon|dentist|vet"
    r"|pharmacist|physiotherapist|therapist|social worker|consultant|analyst|auditor|broker|banker|trader|cashier|clerk"
    r"|secretary|receptionist|recruiter|salesman|saleswoman|estate agent|journalist|reporter|soldier|firefighter"
    r"|policeman|policewoman|caretaker|cleaner|bookkeeper|accountant|sailor|fisherman|miner|mechanic))"
)
_RELATIVE = r"(?:husband|wife|partner|girlfriend|boyfriend|fiancée?|spouse)"
KIN = (
    r"(?:(?:step|half[ -]|grand|god|great[ -])?(?:sister|brother|mother|father|mum|mom|dad|son|daughter|parents)"
    rf"(?:-in-law)?"
    rf"|{_RELATIVE}|aunt|uncle|cousin|niece|nephew|in-laws|granny|grandma|grandpa|ex(?:-\w+)?|kids?|children|twins?"
    r"|(?:best )?friend|mate|neighbou?r|flatmate|roommate|colleague|co-?worker|boss|manager|client|student|godchild)"
)
_PET = r"(?:dog|cat|rabbit|hamster|parrot|horse|pony|puppy|kitten|greyhound|terrier|labrador|tortoise|canary|budgie)"
END = (
    r"(?=[.,;:!?)]|$| (?:and|but|now|since|with|for|because|so|these|again|from|as|in|at|on|until|too|btw|near|by|where"
    r"|y|und|et|desde|seit|depuis|maintenant|ahora)\b)"
)


def compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_DWELLING = r"(?:flat|apartment|house|home|place|new place|room|studio|address)"
_JOB = r"(?:job|position|role|post)"

# Attributes of a person, each with the ways in which the person says it.
OF_PERSON: Mapping[str, tuple[re.Pattern[str], ...]] = {
    "lives_in": compiled(
        rf"{SELF}(?:been )?(?:lives?|living|based|settled|relocated|moved|moving|residing|at home)"
        rf"(?: (?:down|up|over|back|house|home|away|out))? (?:from {_OLD} )?(?:in|to) {NAME}{END}",
        rf"\b(?:my|our) {_DWELLING} is (?:in|at) {NAME}{END}",
        rf"^(?:my |our )?home is (?:in )?{NAME}{END}",
        rf"(?:^|[,;] ){NAME} is (?:my |our )?(?:home(?: town)?|where (?:i|we) live)\b",
        rf"\bcall {NAME} (?:my |our )?home\b",
        rf"\b(?:i|we)(?:'ve| have)? (?:left|swapped|traded) {_OLD} for {NAME}\b(?=.*\b(?:home|live|flat|house)\b)",
        rf"\bich (?:wohne|lebe) (?:jetzt |nun |wieder |seit \w+ )*in {NAME}{END}",
        rf"\b(?:ahora )?vivo (?:ahora )?en {NAME}{END}",
        rf"\bj'habite (?:maintenant |désormais )?(?:à|en) {NAME}{END}",
        r"(?:^|、|私は)(?:今は)?(?P<value>[^\s、。]{1,10}?)に住んで",
    ),
    "employer": compiled(
        rf"{SELF}(?:works?|working|started|employed|hired)"
        rf"(?: (?:full[ -]time|part[ -]time|there|a job|a new job|work))? (?:at|for|by|with) {NAME}{END}",
        rf"\b(?:i|we)(?:'ve| have)? (?:changed|switched) (?:jobs?|employers?|companies),?"
        rf"(?: from {_OLD})? to {NAME}{END}",
        rf"{SELF}(?:at|with) {NAME}$",
        rf"{SELF}join(?:ed|ing|s) {NAME}{END}",
        rf"\b(?:i|we) .{{2,40}} and (?:joined|started (?:at|with)) {NAME}{END}",
        rf"\bmy (?:new |current )?(?:employer|company) is {NAME}{END}",
        rf"\bmy (?:new |current |day )?{_JOB} is (?:at|with) {NAME}{END}",
        rf"{SELF}(?:got|had|took|accepted|started|starting|found|an?)? ?an? (?:new )?{_JOB} (?:at|with) {NAME}{END}",
        rf"(?:^|[,;] ){NAME} (?:is my (?:new |current )?employer|(?:has )?hired me|employs me)\b",
        rf"{SELF}left .{{2,40}}? for {NAME}{END}",
        rf"\bich arbeite (?:jetzt |nun )?bei {NAME}{END}",
        rf"\bje travaille (?:maintenant )?chez {NAME}{END}",
    ),
    "job": compiled(
        rf"\bi(?:'m| am) (?:now |currently |also )?an? {_WORKER}\b",
        rf"\bi (?:now )?work as (?:an? |the )?{_WORKER}\b",
    ),
    "name": compiled(
        rf"\bmy (?:full |real )?name is (?:now )?{NAME}{END}",
        rf"\bi(?:'m| am) called {NAME}{END}",
        rf"\b(?:ich heiße|me llamo|je m'appelle) (?:jetzt |ahora |maintenant )?{NAME}{END}",
    ),
    "age": compiled(
        rf"\bi(?:'m| am) (?:now )?{_NUMBER}(?: years old| now)?(?=[.,;!]|$)",
        rf"\bi (?:just )?turned {_NUMBER}\b",
        rf"\b(?:ich bin|tengo|j'ai) {_NUMBER} (?:jahre alt|años|ans)\b",
    ),
    "birthday": compiled(r"\bmy birthday is (?:on )?(?:the )?(?P<value>[\w ]{3,20}?)(?=[.,;!]|$)"),
    "diet": compiled(
        rf"{SELF}(?:a |went |turned |become |became |going )*"
        r"(?P<value>vegan|vegetarian|pescatarian|pescetarian|omnivore)\b",
        r"\b(?:ich bin|soy|je suis) (?:jetzt |ahora |maintenant )?"
        r"(?P<value>vegan\w*|vegetari\w+|végétarien\w*|végan\w*)\b",
    ),
    "partner": compiled(
        rf"\bmy (?:new )?{_RELATIVE}(?:'s name)? (?:is called|is named|is) {NAME}{END}",
        rf"\bmy {_RELATIVE},? {NAME}{END}",
        rf"^{NAME}, my {_RELATIVE}\b",
        rf"\b(?:meine frau|mein mann|mi mujer|mi marido|ma femme|mon mari) (?:heißt|se llama|s'appelle) {NAME}{END}",
    ),
    "pet": compiled(
        rf"\b(?:my|our|an?|the) (?:\w+ )?{_PET}(?: is)?(?: called| named|,)? {NAME}{END}",
        rf"\b{_PET} (?:called|named) {NAME}{END}",
    ),
    "language": compiled(
        r"\bi (?:also |now )?(?:speak|get by in) (?:a (?:little|bit of) |some |fluent )?(?P<value>[A-Za-z]{4,12})\b",
        r"^(?P<value>[A-Za-z]{4,12}) is my (?:first|second|native|mother) (?:language|tongue)\b",
    ),
    "allergy": compiled(rf"\bi(?:'m| am) (?:also )?(?:allergic to|intolerant to) (?P<value>[\w ]{{3,30}}?){END}"),
    "hometown": compiled(
        rf"\bi(?:'m| am) (?:originally )?from {NAME}{END}", rf"\bi (?:come from|grew up in|was born in) {NAME}{END}"
    ),
    "height": compiled(r"\bi(?:'m| am) (?P<value>\d{3} ?cm|1[.,]\d\d ?m)\b"),
    "shoe_size": compiled(r"\bmy shoe size is (?:an? )?(?P<value>\d{2}(?:\.5)?)\b"),
}
# What a relative or somebody with a name says of themselves as well.
OF_ANYBODY = ("lives_in", "employer")

_ROLE = (
    r"(?P<role>(?:(?!(?:new|old|former|previous|ex|next|other|second|current|favou?rite|only|is|was)\b)[\w-]+ )?"
    r"(?:manager|boss|supervisor|advis[eo]r|lead|landlord|landlady|dentist|orthodontist|gp|doctor|midwife|therapist"
    r"|physio|physiotherapist|psychologist|accountant|bookkeeper|lawyer|solicitor|attorney|notary|vet|editor|agent|broker"
    r"|chef|cook|baker|contractor|builder|foreman|electrician|plumber|carpenter|architect|roofer|mechanic"
    r"|photographer|videographer|designer|illustrator|translator|caterer|florist|planner|organi[sz]er"
    r"|babysitter|nanny|childminder|cleaner|housekeeper|gardener|hairdresser|barber"
    r"|teacher|tutor|instructor|coach|trainer|mentor|treasurer|secretary|chair|chairman|chairwoman|chairperson"
    r"|captain|conductor|choirmaster|drummer|pianist|reviewer|contact|caretaker|janitor|receptionist|assistant"
    r"|scrum master|product owner))"
)
_MY = r"(?:my|our)(?: new| current)?"
_PERSON = rf"(?:(?:so|and|but) )?{NAME}"
# Whoever has a role for the speaker: "my manager is Rafael Costa".
OF_ROLE = compiled(
    rf"\b{_MY} {_ROLE}(?:'s name)? is (?:called |named )?{NAME}{END}",
    rf"(?:^|[,;] ){_PERSON}(?: is(?: now)?|,) {_MY} {_ROLE}\b(?! (?:of|for|in|at|on)\b)",
    rf"\bmy (?:new )?{_ROLE},? {NAME}{END}",
    rf"(?:^|[,;] ){_PERSON}(?: has| will|'s)? (?:took|takes?|taken|taking) over(?: from {_OLD})? as {_MY} {_ROLE}\b",
    rf"(?:^|[,;] ){_PERSON}(?: has|'s)? (?:replace[sd]|succeed(?:s|ed)|followed) {_OLD} as {_MY} {_ROLE}\b",
    rf"(?:^|[,;] ){_PERSON}(?: is|'s| has)? (?:started|starts|joined|became|becomes|become) as {_MY} {_ROLE}\b",
    rf"(?:^|[,;] ){_PERSON} (?:became|becomes|has become|works as|serves as) {_MY} {_ROLE}\b",
    rf"{SELF}(?:have|has|had|got|gotten|hired|found|chose|picked|a)? ?(?:an? )?new {_ROLE}"
    rf"(?::|,| -| –| and (?:it's|it is|(?:his|her|their) name is)| called| named) {NAME}{END}",
    rf"{SELF}(?:have|hired|chose|picked|took|got|appointed|elected|made) {NAME} as {_MY} {_ROLE}\b",
    rf"{SELF}(?:switched|changed|swapped|replaced|went|moved) {_MY} {_ROLE}(?: from {_OLD})?"
    rf" (?:to|for|with) {NAME}{END}",
    rf"{SELF}replaced {_OLD} (?:with|by) {NAME} as {_MY} {_ROLE}\b",
    rf"^(?:my|our) new {_ROLE}: {NAME}{END}",
)

_THING = r"(?P<subject>(?:the |our |my |this )?[\w&'.-]+(?: (?:& )?[\w&'.-]+){0,3}?)"
_VALUE = r"(?P<value>[^,;:]{2,40})"
_WE = r"\b(?:i|we|they|the (?:team|devs|developers|admins))(?:'ve| have|'re| are)? (?:just |finally |now |also |all )*"
_MOVED = r"(?:moved|switched|migrated|ported|changed|transferred|converted|brought|shifted)"
_FROM = r"(?: over)?(?: (?:away )?(?:from|off) [^,;]{2,40}?)?(?: over| across)?"
# What a thing uses, which can be one of several of its kind.
THING_USES = compiled(
    rf"^{_THING} uses? {_VALUE}$",
    rf"^{_THING} (?:is|are) (?:using|on) {_VALUE}$",
    rf"^(?:we|i) use {_VALUE} (?:for|in|behind|under) {_THING}$",
)
# What a thing is made of or runs on, and what took the place of something else.
THING_RUNS_ON = compiled(
    rf"^{_THING} (?:runs?|sits?|relies|is running) (?:on|on top of) {_VALUE}$",
    rf"^{_THING} (?:is|are) (?:built (?:with|on|in)|written in|hosted (?:on|at|by)|deployed (?:on|to)|based on"
    rf"|backed by|powered by|stored in) {_VALUE}$",
    rf"^{_THING} (?:stores?|keeps?|saves?|has) (?:its|all its|all|the|their)? ?(?:data|records|state) in {_VALUE}$",
    rf"^(?:we|i) (?:store|keep|save) (?:all |all the |the )?(?:data|records) (?:of|for|from|behind) {_THING}"
    rf" in {_VALUE}$",
    rf"^(?:we|i) (?:store|keep|save) {_THING}'s (?:data|records) in {_VALUE}$",
    rf"^(?:all |all the |the )?(?:data|records) (?:of|for|from|behind) {_THING} (?:is|are|sits?|lives?|goe?s?)"
    rf"(?: stored| kept)? (?:in|into|on) {_VALUE}$",
    rf"^{_THING}'s (?:data|records) (?:is|are|sits?|lives?)(?: stored| kept)? (?:in|on) {_VALUE}$",
    rf"^(?:the )?(?:database|data store|db) (?:of|for|behind|under) {_THING} is {_VALUE}$",
    rf"^{_THING}'s (?:database|data store|db) is {_VALUE}$",
    rf"{_WE}{_MOVED} {_THING}{_FROM} (?:on)?to {_VALUE}$",
    rf"{_WE}{_MOVED} the (?:data|records|database) (?:of|for|behind) {_THING}{_FROM} (?:on)?to {_VALUE}$",
    rf"^{_THING}(?: has| was| is| got|'s)?(?: been)? {_MOVED}{_FROM} (?:on)?to {_VALUE}$",
    rf"{_WE}(?:replaced|swapped|traded|exchanged|ditched|dropped) [^,;]{{2,40}}? (?:with|for|by) {_VALUE}"
    rf" (?:for|in|behind|under|on) {_THING}$",
    rf"^(?:for|in|behind|under|on) {_THING},? (?:we|i)(?:'ve| have)? (?:replaced|swapped|traded|ditched|dropped)"
    rf" [^,;]{{2,40}}? (?:with|for|by) {_VALUE}$",
    rf"^{_VALUE} (?:has )?(?:replace[sd]|took over from) [^,;]{{2,40}}? (?:for|in|behind|under|on) {_THING}$",
    rf"{_WE}(?:replaced|swapped) {_THING}'s [^,;]{{2,40}}? (?:with|for|by) {_VALUE}$",
)

_DEADLINE = r"(?:deadline|due date|cut-?off(?: date)?|submission (?:date|deadline)|hand-in date|delivery date)"
_MOVES = (
    r"(?:(?:has |was |got |is |has been |had to be )?(?:re)?"
    r"(?:moved|pushed|shifted|put|set|changed|extended|postponed|brought|slipped|slid|scheduled|delayed)"
    r"(?: back| forward| out| up| ahead)?)"
)
_MUST = r"(?:have to |must |need to |will |'ll |should |are going to |are to )?"
_GIVE_IN = r"(?:submit|hand in|turn in|deliver|file|send in|send off|hand over)"
_GIVEN_IN = r"(?:in|submitted|handed in|delivered|filed|ready|finished|done)"
_TO = r"(?: from [^,;]{2,30}?)? (?:to|until|till)"
# When something must be done.
THING_IS_DUE = compiled(
    rf"^(?:the |our |my )?(?:new )?{_DEADLINE} (?:for|of|on) {_THING} is (?:on |by )?{_VALUE}$",
    rf"^(?:the |our |my )?{_DEADLINE} (?:for|of|on) {_THING} {_MOVES}{_TO} {_VALUE}$",
    rf"^{_THING}'s (?:new )?{_DEADLINE} is (?:on |by )?{_VALUE}$",
    rf"^{_THING}'s {_DEADLINE} {_MOVES}{_TO} {_VALUE}$",
    rf"^{_THING} (?:is|are|falls|will be|has become) due (?:on |by |in )?{_VALUE}$",
    rf"^{_THING} (?:has to|have to|needs? to|must) be {_GIVEN_IN} (?:on|by) {_VALUE}$",
    rf"^(?:we|i) {_MUST}{_GIVE_IN} {_THING} (?:on|by) {_VALUE}$",
    rf"^(?:we|i) {_MUST}hand {_THING} in (?:on|by) {_VALUE}$",
    rf"^(?:we|i|they|the \w+)(?:'ve| have)? {_MOVES} the {_DEADLINE} (?:for|of|on) {_THING}(?: back| forward| out)?"
    rf"{_TO} {_VALUE}$",
    rf"^(?:we|i) have until {_VALUE} (?:for|to (?:submit|finish|file|deliver)) {_THING}$",
)
