"""Colors, levels, channels, languages, diets, places and names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.language.word_lists import listed
from apps.engine.memory.values.value import Kind, Value

_COLORS = """red green blue yellow orange purple pink brown black white grey gray beige teal turquoise navy cream
    ivory maroon burgundy crimson magenta cyan indigo violet lilac lavender olive sage mint mustard ochre
    terracotta charcoal anthracite gold silver copper bronze coral peach rust rot grün blau gelb schwarz weiß braun
    grau rosa lila rojo verde azul amarillo negro blanco gris rouge vert bleu jaune noir blanc 赤 青 緑 黒 白"""
_COLOR = re.compile(
    r"\b(?P<shade>(?:dark|light|pale|deep|bright|off|forest|sky|navy|royal|sage|dusty|warm|cool|olive|bottle|hell"
    r"|dunkel)[ -])?"
    rf"(?P<color>{'|'.join(_COLORS.split())})\b(?!-)",
    re.IGNORECASE,
)
_MATERIALS = """oak pine walnut beech birch maple ash bamboo cork laminate vinyl linoleum marble granite slate
    sandstone concrete brick timber steel aluminium aluminum brass zinc plastic leather wool cotton linen silk
    velvet polyester eiche kiefer buche holz stein beton stahl leder wolle roble pino madera piedra mármol chêne
    pin bois pierre marbre"""
_MATERIAL = re.compile(rf"\b(?:{'|'.join(_MATERIALS.split())})\b", re.IGNORECASE)
_LEVEL = re.compile(
    r"\b(?P<level>[ABC][12])\b(?:\.\d)?|\b(?P<belt>\w+) belt\b|\b(?P<grade>grade|level|stufe) (?P<number>\d+)\b"
)
_CHANNEL = re.compile(r"(?<![\w/&])#(?P<name>[a-z][\w-]+)", re.IGNORECASE)
_LANGUAGES = """english german french spanish italian portuguese dutch swedish danish norwegian finnish polish czech
    hungarian greek turkish arabic hebrew hindi urdu bengali mandarin cantonese chinese japanese korean vietnamese thai
    welsh irish catalan basque ukrainian russian romanian bulgarian croatian serbian farsi swahili latin esperanto
    castilian"""
_LANGUAGE = re.compile(
    r"\b(?P<variety>(?:latin american|mexican|argentinian|castilian|european|peninsular|brazilian|british|american"
    rf"|canadian|swiss|austrian) )?(?P<language>{'|'.join(_LANGUAGES.split())})\b",
    re.IGNORECASE,
)
_DIETS = {
    "vegetarian": "vegetarian vegetarier vegetarierin vegetarisch vegetariano vegetariana"
    " végétarien végétarienne veggie",
    "vegan": "vegan veganer veganerin vegano vegana végan végétalien",
    "pescatarian": "pescatarian pescetarian",
    "omnivore": "omnivore meat-eater",
    "gluten-free": "gluten-free coeliac celiac",
    "keto": "keto",
    "halal": "halal",
    "kosher": "kosher",
}
_DIET_OF = {word: diet for diet, words in _DIETS.items() for word in words.split()}
_DIET = re.compile(rf"\b(?:{'|'.join(sorted(_DIET_OF, key=len, reverse=True))})\b", re.IGNORECASE)
# A name's words begin with a capital; between them may be a small "de" or "&".
_NAME = re.compile(
    r"(?<![\w#@/.'-])(?P<title>(?:Dr|Mr|Mrs|Ms|Prof|Professor|Frau|Herr|Doña|Don|Madame|Aunt|Uncle)\.? )?"
    r"(?P<name>[A-ZÀ-ÞŁ][\w&'-]*[\w](?: (?:(?:de|da|von|van|der|la|le|&|of the) )*[A-ZÀ-ÞŁ][\w-]+)*)"
)
_PLACE_BEFORE = re.compile(
    r"\b(?:in|to|at|from|near|around|over|outside|within|nach|aus|bei|en|desde|hacia|à|vers|chez)"
    r"(?: the| our| my)?(?: \w+ in)? $",
    re.IGNORECASE,
)
_PERSON_BEFORE = re.compile(r"\b(?:with|by|mit|von|con|avec|par|called|named) $", re.IGNORECASE)
# Capitalized for another reason than being a name.
_NO_NAMES = listed(
    """i i'm i've i'd i'll ok okay yes no the a an my our we it its it's he she they this that these those there here
    and but so or if when while since because as at in on of for from to by with about also now then please pls thanks
    hi hello hey sorry actually btw fyi update correction oh ah hm well right sure great good nice cool just only all
    both every each some any most many more less not never always usually mostly maybe perhaps what who where why how
    which whose do does did is are was were has have had will would can could should may might must let let's make use
    used using got get going went go moved switched changed swapped dropped left bought sold booked cancelled decided
    agreed one two three four five six seven eight nine ten first second third new old next last today tomorrow
    yesterday tonight monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december ich wir er sie es der die das mein meine unser unsere und aber ja
    nein seit ab bitte heute jetzt el la los las un una yo nos mi mis nuestro nuestra y pero ahora ya je nous on il elle
    le les mon ma mes notre et mais maintenant bon note remember turns turned your you his her their i'm we're we've
    we'll it'll that's there's he's she's they're don't can't won't isn't mondays tuesdays wednesdays thursdays fridays
    saturdays sundays still too after before until during instead meanwhile everyone everybody nobody someone something
    nothing everything email mail team call meeting launch deadline budget price pr api url ci cd db ui ux id pdf csv
    html css sql json http https vpn dns isp usb ssd gpu cpu ram tv pm am utc cet gmt"""
)
_PLURAL = re.compile(
    r" (?:(?:are|were|have|will|must|can|go|come|cost|run|start|take|need|leave|drop|land|make|get|open|close|end|in|on"
    r"|for|of|from|with|to|at)\b|[£$€\d])"
)
_ENDINGS = re.compile(r"(?:ing|ed|ly|tion|ment|ness|ship|ful|less|ment)$")
# Frequent first words of a statement.
_COMMON = listed(
    """allotment audience backend base birthday breakfast budget capacity client code colour color company concert
    course data database deadline delivery deploy deposit dinner entry exam family fee fish fleet food frontend had
    hall header host house income invoice kitchen language launch library logo lunch max maximum minimum money
    music name nobody office opening output parking party password phone plan platform podcast pricing project
    release rent repo response result role room salary schedule school server site size software spent staff
    standup start storage style submission support target team theme ticket title trip update venue version volume
    wedding wiring work"""
)


def _is_common(word: str, rest: str) -> bool:
    """Whether a capitalized first word is probably no name: a plural, or a word that names attributes."""
    is_plural = word.endswith("s") and bool(_PLURAL.match(rest))
    return " " not in word and (is_plural or word.lower() in _COMMON or bool(_ENDINGS.search(word)))


def colors(text: str) -> Iterator[Value]:
    """The colors in a text.

    >>> [one.text for one in colors("from sage green to dark blue")]
    ['sage green', 'dark blue']
    """
    for match in _COLOR.finditer(text):
        yield Value(Kind.COLOR, "", match.group().lower().replace("gray", "grey"), *match.span())


def materials(text: str) -> Iterator[Value]:
    """What something is made of.

    >>> [one.text for one in materials("oak floors instead of cork")]
    ['oak', 'cork']
    """
    for match in _MATERIAL.finditer(text):
        yield Value(Kind.MATERIAL, "", match.group().lower(), *match.span())


def levels(text: str) -> Iterator[Value]:
    """The levels of a language, a belt or a grade.

    >>> [one.text for one in levels("I'm around A2")]
    ['A2']
    """
    for match in _LEVEL.finditer(text):
        group = "level" if match["level"] else "belt" if match["belt"] else match["grade"].lower()
        yield Value(Kind.LEVEL, group, match["level"] or (match["belt"] or match["number"]).lower(), *match.span())


def channels(text: str) -> Iterator[Value]:
    """The channels of a chat.

    >>> [one.text for one in channels("alerts go to #data-fire")]
    ['#data-fire']
    """
    for match in _CHANNEL.finditer(text):
        yield Value(Kind.CHANNEL, "", match.group().lower(), *match.span())


def languages(text: str) -> Iterator[Value]:
    """The languages in a text, with their variety.

    >>> [one.text for one in languages("latin american spanish")]
    ['latin american spanish']
    """
    for match in _LANGUAGE.finditer(text):
        yield Value(Kind.LANGUAGE, "", match.group().lower(), *match.span())


def diets(text: str) -> Iterator[Value]:
    """What somebody eats.

    >>> [one.text for one in diets("Ich bin Veganerin")]
    ['vegan']
    """
    for match in _DIET.finditer(text):
        yield Value(Kind.DIET, "", _DIET_OF[match.group().lower()], *match.span())


_GERMAN = re.compile(r"\b(?:der|die|das|den|und|ist|sind|ich|wir|nicht|mit|für|auf|eine?n?|heißt|jetzt)\b")
_GERMAN_NAME = re.compile(r"\b(?:heißt|Herr|Frau|in|nach|aus|bei|von|namens) $")


def names(text: str) -> Iterator[Value]:
    """The capitalized names in a text, as a place after a word of place.

    >>> [(str(one.kind), one.text) for one in names("Our contractor is Stef Maes. He lives in Ghent")]
    [('name', 'stef maes'), ('place', 'ghent')]
    """
    for match in _NAME.finditer(text):
        name = match["name"]
        start = match.start("name")
        while name and name.split(maxsplit=1)[0].lower().strip("'") in _NO_NAMES:
            rest = name.partition(" ")[2]
            start, name = start + len(name) - len(rest), rest
        name = name.removesuffix("'s")
        if len(name) < 2 or (start == 0 and _is_common(name, text[len(name) :])):
            continue
        before = text[: match.start()]
        if " " not in name and start and _GERMAN.search(text) and not _GERMAN_NAME.search(before):
            continue
        is_place = bool(_PLACE_BEFORE.search(before)) and not match["title"]
        yield Value(Kind.PLACE if is_place else Kind.NAME, "", name.lower(), start, start + len(name))
