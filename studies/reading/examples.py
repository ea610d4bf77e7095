"""Training examples: a target for each output of the network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

from apps.engine.memory.categories import Category
from apps.engine.reading.kinship import KIN, kin_of
from apps.engine.reading.labels import CATEGORIES, CHANGES, COMMANDS, RELATIONS
from apps.engine.reading.spans import is_spaceless
from apps.llm.reading.heads import BEGIN, INSIDE, OUTSIDE
from apps.llm.reading.tokenizer import ReaderTokenizer
from apps.llm.reading.tokens import Tokens, pair_tokens, shown_before, tokens_of
from studies.reading.material import Fact, Pair, Row, Span, attributes
from studies.reading.parts import clauses, sentences

NO_NAMES = frozenset(("the", "user", "users", "of", "and", "an", "his", "her", "their", "my", "our", "for", "in", "at"))
NO_NAMES |= {"der", "die", "das", "dem", "den", "des", "de", "het", "el", "la", "los", "las", "le", "les", "del", "du"}
WORD = re.compile(r"(?:\w|[\u064b-\u065f\u0900-\u0dff])+")
"""With the vowel signs of Arabic and of India's scripts."""
SHORTEST_STEM, LEAST_SHARED = 3, 0.6
PARTICLES = "的の"
NONE = -100
"""No target: the output is not taught."""
USER = 0
"""The token that stands for the user."""
SECRET = "secret"


@dataclass(frozen=True)
class SpanTarget:
    """Tokens `first` to before `past`, and what they say."""

    first: int
    past: int
    memorable: int
    until: int = NONE
    category: int = NONE
    change: int = NONE
    attribute: int = NONE
    about: tuple[int, ...] = ()
    """The tokens that name whom the span is about; none if nothing names them."""
    is_other: bool = False
    """Whether it is about somebody or something else than the user."""


@dataclass(frozen=True)
class Example:
    """The targets of a row. Those of tokens are for the whole input."""

    tokens: Tokens
    tag: Sequence[int]
    trap: Sequence[int]
    secret: Sequence[int]
    commanded: Sequence[int]
    ended: Sequence[int]
    has_fact: int
    command: int
    spans: Sequence[SpanTarget]
    relation: int = NONE


def example_of(row: Row, tokenizer: ReaderTokenizer) -> Example:
    tokens = tokens_of(tokenizer, row.before, row.text)
    return conversation_example(row, tokens) if row.is_of_conversation else sentence_example(row, tokens)


def conversation_example(row: Row, tokens: Tokens) -> Example:
    """What is worth keeping in a message of a long conversation; nothing else of it is labeled."""
    tags, none = tag_targets(tokens, [fact.span for fact in row.facts]), [NONE] * len(tokens.ids)
    kept = (tokens.covering(fact.span.start, fact.span.end) for fact in row.facts)
    spans = [*(SpanTarget(*place, 1) for place in kept if place), *other_targets(row, tokens)]
    return Example(tokens, tags, none, none, none, none, int(bool(row.facts)), NONE, spans)


def pair_example(pair: Pair, tokenizer: ReaderTokenizer) -> Example:
    """What a later statement is to an earlier one."""
    tokens = pair_tokens(tokenizer, pair.old, pair.new)
    none = [NONE] * len(tokens.ids)
    return Example(tokens, none, none, none, none, none, NONE, NONE, (), RELATIONS.index(pair.relation))


def unlabeled_example(text: str, tokenizer: ReaderTokenizer) -> Example:
    """A message without labels, whose spans are its sentences and clauses."""
    tokens = tokens_of(tokenizer, "", text)
    none = [NONE] * len(tokens.ids)
    places = (tokens.covering(part.start, part.end) for part in (*clauses(text), *sentences(text)))
    spans = [SpanTarget(*place, NONE) for place in dict.fromkeys(places) if place]
    return Example(tokens, none, none, none, none, none, NONE, NONE, spans)


def sentence_example(row: Row, tokens: Tokens) -> Example:
    secrets = [trap.span for trap in row.traps if trap.why == SECRET]
    return Example(
        tokens,
        tag_targets(tokens, [fact.span for fact in row.facts]),
        covered(tokens, [trap.span for trap in row.traps]),
        covered(tokens, secrets),
        covered(tokens, words_of(row.commanded, row.text)),
        covered(tokens, [span for fact in row.facts for span in words_of(fact.ended, row.text)]),
        int(bool(row.facts)),
        COMMANDS.index(row.command),
        [*fact_targets(row, tokens), *other_targets(row, tokens)],
    )


def tag_targets(tokens: Tokens, facts: Sequence[Span]) -> list[int]:
    """Where a fact begins and goes on."""
    targets = [NONE] * len(tokens.ids)
    for place in range(tokens.text_first, tokens.text_past):
        start, end = tokens.offsets[place]
        touched = [fact for fact in facts if fact.start < end and fact.end > start]
        begins = any(start <= fact.start < end for fact in touched)
        targets[place] = BEGIN if begins else INSIDE if touched else OUTSIDE
    return targets


def covered(tokens: Tokens, spans: Sequence[Span]) -> list[int]:
    """1 for the tokens of the spans."""
    targets = [NONE] * len(tokens.ids)
    for place in range(tokens.text_first, tokens.text_past):
        start, end = tokens.offsets[place]
        targets[place] = int(any(span.start < end and span.end > start for span in spans))
    return targets


def words_of(phrase: str, text: str) -> list[Span]:
    """The words of a text that stand in the phrase too."""
    meant = {word.casefold() for word in re.findall(r"\w+", phrase)}
    return [Span(*found.span()) for found in re.finditer(r"\w+", text) if found[0].casefold() in meant]


def fact_targets(row: Row, tokens: Tokens) -> Iterator[SpanTarget]:
    for fact in row.facts:
        if place := tokens.covering(fact.span.start, fact.span.end):
            yield SpanTarget(
                *place,
                1,
                int(fact.duration == "until"),
                CATEGORIES.index(Category(fact.category)),
                CHANGES.index(fact.change),
                attribute_number(fact.attribute),
                about_tokens(fact, row, tokens),
                fact.about != "user",
            )


def attribute_number(attribute: str) -> int:
    """The number of an attribute, 0 for any other word."""
    known = list(attributes())
    return 1 + known.index(attribute) if attribute in known else 0


def about_tokens(fact: Fact, row: Row, tokens: Tokens) -> tuple[int, ...]:
    """The tokens that name whom a fact is about: the words of the name, in the message or else in the one before."""
    if fact.about == "user":
        return (USER,)
    own = range(tokens.text_first, tokens.text_past)
    earlier = range(1, tokens.text_first - 1)
    for text, places in ((row.text, own), (shown_before(row.before), earlier)):
        spans = naming(fact.about, text)
        if named := [place for place in places if any(touches(tokens.offsets[place], span) for span in spans)]:
            return tuple(named)
    return ()


def naming(name: str, text: str) -> list[tuple[int, int]]:
    """The places of a text that name somebody or something: by words of the name, or by another word for a relative."""
    names = {word.casefold() for word in WORD.findall(name) if len(word) > 1} - NO_NAMES or {name.casefold()}
    words = [(found.span(), found[0].casefold()) for found in WORD.finditer(text)]
    kin = kin_of(name)
    return (
        [span for span, word in words if any(is_form_of(word, one) for one in names)]
        or spaceless_place(name, text)
        or [span for span, word in words if kin and KIN.get(word) == kin]
    )


def is_form_of(word: str, name: str) -> bool:
    """Whether two words differ in their ending alone.

    >>> is_form_of("глеба", "глеб"), is_form_of("지윤이", "지윤"), is_form_of("adapter", "ada")
    (True, True, False)
    """
    if word == name or (is_hangul(word[0]) and word.startswith(name) and len(name) > 1):
        return True
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, name, strict=False)))
    return shared >= SHORTEST_STEM and shared >= LEAST_SHARED * max(len(word), len(name))


def spaceless_place(name: str, text: str) -> list[tuple[int, int]]:
    """The longest part of a name that stands in a text, in scripts without spaces between words."""
    found = SequenceMatcher(None, name, text, autojunk=False).find_longest_match()
    part = text[found.b : found.b + found.size].strip(PARTICLES)
    if not part or not all(map(is_spaceless, part)) or (len(part) == 1 and not is_ideograph(part)):
        return []
    start = text.index(part, found.b)
    return [(start, start + len(part))]


def is_ideograph(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def is_hangul(character: str) -> bool:
    return "\uac00" <= character <= "\ud7a3"


def touches(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and one[1] > other[0]


def other_targets(row: Row, tokens: Tokens) -> Iterator[SpanTarget]:
    """Spans that are not kept: traps, and clauses and sentences without a fact."""
    parts = [trap.span for trap in row.traps]
    parts += [part for part in (*clauses(row.text), *sentences(row.text)) if not any(map(part.shared, spans_of(row)))]
    places = (tokens.covering(part.start, part.end) for part in parts)
    yield from (SpanTarget(*place, 0) for place in dict.fromkeys(places) if place)


def spans_of(row: Row) -> list[Span]:
    return [fact.span for fact in row.facts]
