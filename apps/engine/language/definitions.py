"""Terms that a conversation explains: "X means …", "by X we mean …", glossaries, and who or what a name is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.language.cue_classifier import heading_field
from apps.engine.language.sentences import Sentence
from apps.engine.language.similarity import words

_TERM = r"(?P<term>[\"“'‘`][^\"”'’`]{1,50}[\"”'’`]|[A-Za-z][\w./+#-]*(?: [\w./+#-]+){0,3}?)"
_MEANS = re.compile(
    rf"^(?:(?:an?|the|so|and|here|in our case|for us|note that),? )*{_TERM},? (?:means|refers to|stands for"
    rf"|is short for|denotes|is defined as)(?: that)?:? (?P<text>.+)",
    re.IGNORECASE,
)
_WE_MEAN = re.compile(
    r"\b(?:by|with) (?P<term>[\"“'‘`][^\"”'’`]{1,50}[\"”'’`]|[\w./+#-]+(?: [\w./+#-]+){0,3}?),? (?:we"
    r"|i) (?:always |just |really )?mean (?P<text>.+)",
    re.IGNORECASE,
)
_QUOTED_IS = re.compile(
    r"^(?:(?:An?|The|Our|Every|Each) )?(?P<term>[\"“'‘`][^\"”'’`]{2,50}[\"”'’`]) (?:is|are) (?P<text>.+)", re.IGNORECASE
)
_TERM_IS = re.compile(
    r"^(?:(?P<article>An?"
    r"|The) )?(?P<term>[A-Za-z][\w/+#-]*(?: [A-Za-z][\w/+#-]*){0,2}?)(?: \([A-Z]{2,8}\))? (?:is"
    r"|are) (?P<text>(?:an?|the|our|my|any|one of) .+)"
)
_GLOSSARY = re.compile(r"^[\"“'‘`]?(?P<term>[\w][^:–—=\n]{0,40}?)[\"”'’`]?(?: [–—-] |: | = )(?P<text>\S.+)")
_EXPLAINED = re.compile(r"^(?P<term>[A-Za-z`][\w `/+#-]{1,40}): (?P<text>(?:an?|the|any|each|one) .+)", re.IGNORECASE)
_RELATION = (
    r"(?:son|daughter|dog|cat|puppy|pup|kitten|turtle|husband|wife|brother|sister|mom|mother|dad|father|boss"
    r"|coach|mentor|friend|partner|fianc[ée]+"
    r"|boyfriend|girlfriend|pet|kid|baby|teacher|guinea pig|horse|cousin|aunt|uncle|niece|nephew|grandma|grandpa"
    r"|colleague|roommate|hometown)"
)
_OUR = re.compile(
    rf"\b(?P<text>(?:[Mm]y|[Oo]ur) (?:\w+ ){{0,2}}{_RELATION})(?:'s name is|,| is (?:called|named)| named"
    rf"| called)? (?P<term>[A-Z][a-z]+)\b(?! [A-Z])"
)
_BELONGS = re.compile(rf"^(?:my|our) (?:[\w-]+ ){{0,3}}{_RELATION}\b")
_NOT_A_TERM = frozenset(
    word
    for line in """
    it this that these those there he she they we you i what which who one here everything something nothing
    anything all both each another other first second next last problem issue question answer idea point thing
    reason goal plan result difference rest same best worst only good great main way fact family life love
    friendship nature today tomorrow yesterday now time day week month and but so if when while because since
    then also well yes no yeah people everyone someone some most many making being having taking getting
    helping seeing doing keep sounds looks
""".splitlines()
    for word in line.split()
)
_EVALUATION = re.compile(
    r"^(?:an?|the|my|our|one of) (?:(?:so|very|really|such|super|pretty|most|best|biggest) )*(?:great|good|nice"
    r"|perfect|fun|awesome|amazing|wonderful|lovely|real|huge|big|bit|lot|must|blast|bummer|key|best"
    r"|cool|gift|blessing|challenge|way|sign|reminder|start|beautiful|incredible|fantastic|special|powerful"
    r"|source|hard|tough|important|valuable|common|better|bad|worst|main|same"
    r"|only|right|wrong|first|next|problem|issue|question|answer|reason|case|bug|possibility|no-brainer|journey"
    r"|treasure|true|joy|delight|pleasure|mess|favorite|fave)\b",
    re.IGNORECASE,
)
_NO_MEANING = re.compile(
    r"^(?:an? (?:lot|ton|great deal|must|classic)|so much|everything|the world|worth"
    r"|more than)\b",
    re.IGNORECASE,
)
_QUOTES = "\"“”'‘’`"

Defined = tuple[str, str]


def definition_in(sentence: Sentence, *, among_people: bool = False) -> Defined | None:
    """The term that a sentence explains and the explanation, both in its words.

    >>> definition_in(Sentence("A 'workspace' is a shared space with its own billing."))
    ('workspace', 'a shared space with its own billing.')
    """
    if sentence.is_question:
        return None
    return next((found for found in _candidates(sentence, among_people) if _is_worthwhile(*found)), None)


def _candidates(sentence: Sentence, among_people: bool) -> Iterator[Defined]:
    if heading_field(sentence.heading) == "definitions" and (match := _GLOSSARY.match(sentence.text)):
        yield _cleaned(match)
    for pattern in (_WE_MEAN, _QUOTED_IS) if among_people else (_WE_MEAN, _MEANS, _QUOTED_IS):
        if match := pattern.search(sentence.text):
            yield _cleaned(match)
    if sentence.step and (match := _EXPLAINED.match(sentence.text)):
        yield _cleaned(match)
    if match := _TERM_IS.match(sentence.text):
        term, text = _cleaned(match)
        if _is_name(match, text) if among_people else _is_technical(match) and not _EVALUATION.match(text):
            yield term, text
    if among_people and (match := _OUR.search(sentence.text)):
        yield _cleaned(match)


def _cleaned(match: re.Match[str]) -> Defined:
    return match.group("term").strip(_QUOTES + " ,"), match.group("text").strip()


def _is_worthwhile(term: str, text: str) -> bool:
    parts = words(term)
    if _NO_MEANING.match(text):
        return False
    return bool(parts) and len(parts) <= 5 and not _NOT_A_TERM & set(parts[:1] + parts[-1:]) and len(words(text)) >= 2


def _is_technical(match: re.Match[str]) -> bool:
    """A term with an article, or one that is written unlike an ordinary word; "Caching is a …" explains nothing new."""
    term = match.group("term")
    return match.group("article") in ("A", "An") or any(c.isupper() or c.isdigit() or c in "_-/" for c in term[1:])


def _is_name(match: re.Match[str], text: str) -> bool:
    """Whether it names a person, pet or place that belongs to someone."""
    named = all(part[0].isupper() for part in match.group("term").split())
    return named and not match.group("article") and bool(_BELONGS.match(text))
