"""The slot of a statement, where its words leave no doubt whom it is about, which attribute it gives, and its value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from apps.engine.language.word_lists import listed
from apps.engine.memory.attributes import canonical
from apps.engine.memory.slots import USER, Slot
from apps.engine.memory.values.reading import values_of
from apps.engine.memory.values.value import Kind

_I = r"\b(?:i|we)(?:'m| am|'re| are|'ve| have)? (?:now |currently |still |officially |finally |just |actually |also )*"
_NAME = r"(?P<value>(?-i:[A-ZÀ-ÞŁ][\w'&.-]*)(?: (?:(?:de|da|von|van|der|la|le|&|of) )*(?-i:[A-ZÀ-ÞŁ][\w'&-]+))*)"
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
_ROLE = (
    r"(?P<role>manager|boss|supervisor|line manager|landlord|landlady|dentist|gp|doctor|therapist|physio|accountant"
    r"|lawyer|solicitor|tutor|vet|editor|agent)"
)
_PET = r"(?:dog|cat|rabbit|hamster|parrot|horse|pony|puppy|kitten|greyhound|terrier|labrador|tortoise|canary|budgie)"
_END = (
    r"(?=[.,;:!?)]|$| (?:and|but|now|since|with|for|because|so|these|again|from|as|in|at|on|until|too|btw"
    r"|y|und|et|desde|seit|depuis|maintenant|ahora)\b)"
)


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# Attributes of the speaker, each with the ways to say it.
_OF_SPEAKER: Mapping[str, tuple[re.Pattern[str], ...]] = {
    "lives_in": _compiled(
        rf"{_I}(?:live|living|based|settled|relocated|moved|moving) (?:back )?(?:in|to) {_NAME}{_END}",
        rf"\bich (?:wohne|lebe) (?:jetzt |nun |wieder |seit \w+ )*in {_NAME}{_END}",
        rf"\b(?:ahora )?vivo (?:ahora )?en {_NAME}{_END}",
        rf"\bj'habite (?:maintenant |désormais )?(?:à|en) {_NAME}{_END}",
        r"(?:^|、|私は)(?:今は)?(?P<value>[^\s、。]{1,10}?)に住んで",
    ),
    "employer": _compiled(
        rf"{_I}(?:work|working|started|employed) (?:at|for) {_NAME}{_END}",
        rf"{_I}joined {_NAME}{_END}",
        rf"\bmy (?:new )?employer is {_NAME}{_END}",
        rf"\b{_I}left .{{2,40}}? for {_NAME}{_END}",
        rf"\bich arbeite (?:jetzt |nun )?bei {_NAME}{_END}",
        rf"\bje travaille (?:maintenant )?chez {_NAME}{_END}",
    ),
    "job": _compiled(
        rf"\bi(?:'m| am) (?:now |currently |also )?an? {_WORKER}\b",
        rf"\bi (?:now )?work as (?:an? |the )?{_WORKER}\b",
    ),
    "name": _compiled(
        rf"\bmy (?:full |real )?name is (?:now )?{_NAME}{_END}",
        rf"\bi(?:'m| am) called {_NAME}{_END}",
        rf"\b(?:ich heiße|me llamo|je m'appelle) (?:jetzt |ahora |maintenant )?{_NAME}{_END}",
    ),
    "age": _compiled(
        rf"\bi(?:'m| am) (?:now )?{_NUMBER}(?: years old| now)?(?=[.,;!]|$)",
        rf"\bi (?:just )?turned {_NUMBER}\b",
        rf"\b(?:ich bin|tengo|j'ai) {_NUMBER} (?:jahre alt|años|ans)\b",
    ),
    "birthday": _compiled(r"\bmy birthday is (?:on )?(?:the )?(?P<value>[\w ]{3,20}?)(?=[.,;!]|$)"),
    "diet": _compiled(
        rf"{_I}(?:a |went |turned |become |became |going )*"
        r"(?P<value>vegan|vegetarian|pescatarian|pescetarian|omnivore)\b",
        r"\b(?:ich bin|soy|je suis) (?:jetzt |ahora |maintenant )?"
        r"(?P<value>vegan\w*|vegetari\w+|végétarien\w*|végan\w*)\b",
    ),
    "partner": _compiled(
        rf"\bmy (?:new )?{_RELATIVE}(?:'s name)? (?:is called|is named|is) {_NAME}{_END}",
        rf"\bmy {_RELATIVE},? {_NAME}{_END}",
        rf"^{_NAME}, my {_RELATIVE}\b",
        rf"\b(?:meine frau|mein mann|mi mujer|mi marido|ma femme|mon mari) (?:heißt|se llama|s'appelle) {_NAME}{_END}",
    ),
    "pet": _compiled(
        rf"\b(?:my|our|an?|the) (?:\w+ )?{_PET}(?: is)?(?: called| named|,)? {_NAME}{_END}",
        rf"\b{_PET} (?:called|named) {_NAME}{_END}",
    ),
    "language": _compiled(
        r"\bi (?:also |now )?(?:speak|get by in) (?:a (?:little|bit of) |some |fluent )?(?P<value>[A-Za-z]{4,12})\b",
        r"^(?P<value>[A-Za-z]{4,12}) is my (?:first|second|native|mother) (?:language|tongue)\b",
    ),
    "allergy": _compiled(rf"\bi(?:'m| am) (?:also )?(?:allergic to|intolerant to) (?P<value>[\w ]{{3,30}}?){_END}"),
    "hometown": _compiled(
        rf"\bi(?:'m| am) (?:originally )?from {_NAME}{_END}", rf"\bi (?:come from|grew up in|was born in) {_NAME}{_END}"
    ),
    "height": _compiled(r"\bi(?:'m| am) (?P<value>\d{3} ?cm|1[.,]\d\d ?m)\b"),
    "shoe_size": _compiled(r"\bmy shoe size is (?:an? )?(?P<value>\d{2}(?:\.5)?)\b"),
}
# Whoever has a role for the speaker: "my manager is Rafael Costa".
_OF_ROLE = _compiled(
    rf"\bmy (?:new )?{_ROLE} is (?:now )?(?:called )?{_NAME}{_END}",
    rf"^{_NAME}(?: is(?: now)?|,) my (?:new )?{_ROLE}\b(?! (?:of|for|in|at|on)\b)",
    rf"\bmy (?:new )?{_ROLE},? {_NAME}{_END}",
)
# What a thing with a name of its own is made of or runs on.
_OF_THING = _compiled(
    r"^(?P<subject>(?-i:[A-Z][\w&'-]+)(?: (?:& )?(?-i:[A-Z][\w'-]+))*) (?:now )?"
    r"(?:runs on|is (?:now )?(?:built (?:with|on|in)|written in|hosted (?:on|at|by)|deployed (?:on|to)|based on)"
    r"|stores its data in|uses) (?P<value>.{2,40})$"
)
_CLASSES = frozenset(
    ("database", "framework", "hosting", "programming language", "engine", "runtime", "till", "podcast host")
)
_NO_PLACES = frozenset((Kind.PRODUCT, Kind.VERSION, Kind.WEEKDAY, Kind.CHANNEL, Kind.COLOR))
_NAMES = frozenset(("lives_in", "employer", "name", "partner", "hometown"))
_UNCERTAIN = re.compile(
    r"\b(?:not|never|no longer|might|maybe|probably|perhaps|used to|until|or|nicht|nunca|pas)\b|n't\b", re.IGNORECASE
)
_SUBJECTS = listed("the a my our we i it this that everything nothing there he she they")


@dataclass(frozen=True, slots=True)
class SlotReader:
    """Reads the slots of one author's statements; `speaker` is the subject of what they say of themselves."""

    speaker: str = USER

    def read(self, text: str) -> Slot | None:
        """The slot of a statement; none if it is uncertain or denied.

        >>> reader = SlotReader()
        >>> reader.read("I live in Porto now")
        Slot(subject='user', attribute='lives_in', value='Porto', many=False)
        >>> reader.read("Slotwise runs on Postgres 16")
        Slot(subject='slotwise', attribute='database', value='Postgres 16', many=False)
        >>> reader.read("I live in a flat"), reader.read("I don't live in Porto")
        (None, None)
        """
        text = text.replace("’", "'").strip().rstrip(".!。")
        if _UNCERTAIN.search(text):
            return None
        return self._of_speaker(text) or self._of_role(text) or _of_thing(text)

    def _of_speaker(self, text: str) -> Slot | None:
        for attribute, patterns in _OF_SPEAKER.items():
            match = next((found for pattern in patterns if (found := pattern.search(text))), None)
            if match is not None and _fits(attribute, match["value"]):
                return Slot.of(self.speaker, attribute, match["value"])
        return None

    def _of_role(self, text: str) -> Slot | None:
        match = next((found for pattern in _OF_ROLE if (found := pattern.search(text))), None)
        return Slot.of(self.speaker, match["role"], match["value"]) if match else None


def _fits(attribute: str, value: str) -> bool:
    """Whether a value is of a kind that the attribute has: nobody lives in a database."""
    kinds = {one.kind for one in values_of(value)}
    if attribute == "language":
        return Kind.LANGUAGE in kinds
    if attribute == "birthday":
        return Kind.DATE in kinds
    return attribute not in _NAMES or not kinds & _NO_PLACES


def _of_thing(text: str) -> Slot | None:
    match = next((found for pattern in _OF_THING if (found := pattern.search(text))), None)
    if match is None or match["subject"].lower() in _SUBJECTS:
        return None
    products = [one for one in values_of(match["value"]) if one.kind is Kind.PRODUCT]
    if len(products) != 1 or products[0].group not in _CLASSES or products[0].start > 0:
        return None
    versions = [one.end for one in values_of(match["value"]) if one.kind is Kind.VERSION]
    value = match["value"][: max([products[0].end, *versions])]
    return Slot.of(match["subject"], canonical(products[0].group), value)
