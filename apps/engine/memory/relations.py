"""Relations between facts: which one a new fact restates, replaces, or may replace.

A wrong replacement loses a memory and a missed one leaves an old value beside the new one, so that what is likely
but not certain is only said to be possible, for a person to decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from apps.engine.language.similarity import means_the_same, stems, words
from apps.engine.memory.categories import Category, Writer, may_rewrite
from apps.engine.memory.evidence import Evidence, Statement, Surroundings, are_unrelated, evidence
from apps.engine.memory.fact_reading import FactReading, read_fact
from apps.engine.memory.slots import Slot, same_value
from apps.engine.memory.trust import Trust
from apps.engine.memory.values.reading import values_of
from apps.engine.memory.values.value import Kind, Value


class Relation(StrEnum):
    """`EXTENDS`: it says the same and more; `MAY_SUPERSEDE`: a possible contradiction; `OUTDATED`: the known fact is a
    later value of the same slot."""

    SAME = "same"
    EXTENDS = "extends"
    SUPERSEDES = "supersedes"
    MAY_SUPERSEDE = "may_supersede"
    OUTDATED = "outdated"


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory as it is compared; `context` are the words before its quote, which may name its topic."""

    id: str
    category: Category
    statement: str
    quote: str
    stated_at: datetime
    slot: Slot | None
    trust: Trust
    address: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    """How a new fact is related to a known one.

    `why` is a code for the reason: slot, restated, given_up (it names what is no more), changed (it says that something
    changed), other_value or advised (a model says so). `score` tells how certain it is.
    """

    id: str
    relation: Relation
    why: str
    score: float


CERTAIN, POSSIBLE = 5.0, 3.6
"""Scores from which one fact replaces another, or may replace it."""

# Verbs that statements about different things share.
_OF_ANYTHING = stems("prefer like love hate enjoy dislike favor favour want need always never usually often must")
STILL_HOLDS, NO_LONGER_HOLDS, OTHER_TOPIC_ENDED = 0.5, 0.75, 0.85
"""Chances that a statement no longer holds, as the reader judges it.

Below the first, words that suggest a change do not count. From the second on a statement on the same topic is replaced,
and from the third on one that shares no word.
"""
NO_ENDINGS: Mapping[str, float] = {}
_MARGIN = 0.6
_SLOT_SCORE = 10.0
_MOST_POSSIBLE = 1


def relate(new: Fact, known: Sequence[Fact], endings: Mapping[str, float] = NO_ENDINGS) -> list[Related]:
    """The known facts that a new one restates, replaces or may replace, most certain first.

    What the words suggest, unless they name it, counts only where the reader does not take both to hold: `endings` has
    the chances that known statements no longer hold after the new one, as far as it has compared them.

    >>> from datetime import UTC
    >>> def fact(name, text, day):
    ...     said = datetime(2026, 1, day, tzinfo=UTC)
    ...     return Fact(name, Category.ENTITIES, text, text, said, None, Trust.DIRECT_USER, "")
    >>> old = fact("old", "We use Square for the till", 1)
    >>> [(one.id, str(one.relation)) for one in relate(fact("new", "We left Square for Lightspeed", 2), [old])]
    [('old', 'supersedes')]
    >>> relate(fact("new", "The till is next to the door", 2), [old])
    []
    """
    others = [one for one in known if one.id != new.id]
    same = [one for one in others if _is_same(new, one)]
    if same:
        return [Related(one.id, Relation.SAME, "restated", CERTAIN) for one in same]
    in_slot = [one for one in others if _excludes_in_slot(new, one)]
    if in_slot:
        return [Related(one.id, _in_time(new, one), "slot", _SLOT_SCORE) for one in in_slot]
    several = [one for one in others if _is_one_of_several(new, one)]
    if several:
        return [Related(one.id, Relation.MAY_SUPERSEDE, "slot", POSSIBLE) for one in several]
    extended = [one for one in others if _extends(new, one)]
    if extended:
        return [Related(extended[0].id, Relation.EXTENDS, "restated", CERTAIN)]
    named = [one for one in others if _puts_in_its_place(new, one)]
    if len(named) == 1:
        return [Related(named[0].id, Relation.SUPERSEDES, "given_up", _SLOT_SCORE)]
    return _ended(new, known, endings)


def _ended(new: Fact, known: Sequence[Fact], endings: Mapping[str, float]) -> list[Related]:
    """What the new fact ends or may end by its words and by the reader's judgment."""
    decided = _decided([pair for pair in _weighed(new, known) if _may_have_ended(*pair, endings)])
    if any(one.relation is Relation.SUPERSEDES for one in decided):
        return decided
    return _surely_ended(new, known, endings) or decided


def _may_have_ended(found: Evidence, known: Fact, endings: Mapping[str, float]) -> bool:
    return found.why == "given_up" or endings.get(known.statement, 1.0) >= STILL_HOLDS


def _surely_ended(new: Fact, known: Sequence[Fact], endings: Mapping[str, float]) -> list[Related]:
    """The earlier fact that most surely no longer holds by the reader's judgment."""
    earlier = [one for one in known if one.id != new.id and one.stated_at <= new.stated_at]
    sure = [
        one
        for one in earlier
        if endings.get(one.statement, 0.0) >= enough_to_end(new.statement, one.statement) and _may_be_ended(new, one)
    ]
    ended = sorted(sure, key=lambda one: -endings[one.statement])[:1]
    return [Related(one.id, Relation.SUPERSEDES, "changed", endings[one.statement]) for one in ended]


def enough_to_end(new: str, known: str) -> float:
    """The chance from which on the reader's judgment alone lets a new statement end a known one."""
    return NO_LONGER_HOLDS if share_topic(new, known) else OTHER_TOPIC_ENDED


def _may_be_ended(new: Fact, known: Fact) -> bool:
    """Whether no more than the reader's judgment is needed."""
    return not (_told_apart(new, known) or _hold_at_once(new, known))


def _weighed(new: Fact, known: Sequence[Fact]) -> list[tuple[Evidence, Fact]]:
    """The earlier facts that it may replace with the evidence for each, most likely first."""
    told, others = _told(new), [(one, _told(one)) for one in known]
    earlier = [pair for pair in others if pair[0].id != new.id and pair[0].stated_at <= new.stated_at]
    around = Surroundings.of(told, [words for _, words in others], [words for _, words in earlier])
    fitting = [pair for pair in earlier if not (are_unrelated(told, pair[1]) or _told_apart(new, pair[0]))]
    scored = [(evidence(told, words, around), one) for one, words in fitting]
    return sorted(scored, key=lambda pair: (-pair[0].score, pair[1].id))


def with_advice(
    new: Fact, known: Sequence[Fact], advice: Related | None, endings: Mapping[str, float] = NO_ENDINGS
) -> list[Related]:
    """The relations of a new fact; a model's advice on one of the known facts counts where the words don't decide.

    Advice against the words makes no more than a possible contradiction.

    >>> from datetime import UTC
    >>> def fact(name, text, day):
    ...     said = datetime(2026, 1, day, tzinfo=UTC)
    ...     return Fact(name, Category.PREFERENCES, text, text, said, None, Trust.DIRECT_USER, "")
    >>> nuts, tea = fact("nuts", "The user is allergic to nuts", 1), fact("tea", "The user likes green tea", 1)
    >>> later = fact("new", "The user likes tea with milk", 2)
    >>> for one in (tea, nuts):
    ...     advice = Related(one.id, Relation.SUPERSEDES, "advised", 0.9)
    ...     print([(one.id, str(one.relation)) for one in with_advice(later, [nuts, tea], advice)])
    [('tea', 'supersedes')]
    [('nuts', 'may_supersede')]
    """
    found = relate(new, known, endings)
    advised = next((one for one in known if advice and one.id == advice.id), None)
    if advice is None or advised is None or any(one.relation is not Relation.MAY_SUPERSEDE for one in found):
        return found
    is_possible = advice.relation is Relation.SUPERSEDES and any(one.id == advice.id for one in found)
    if is_possible or _MAY_BE[advice.relation](new, advised):
        return [advice]
    others = [one for one in found if one.id != advice.id]
    return others if _hold_at_once(new, advised) else [replace(advice, relation=Relation.MAY_SUPERSEDE), *others]


def may_restate(new: Fact, known: Fact) -> bool:
    """Whether nothing in the words speaks against a model's advice that a new fact only repeats a known one.

    What the known one doesn't say, or says of something else, would be lost.
    """
    first, second = _reading(new), _reading(known)
    if first.is_negated != second.is_negated or first.cues.given_up & second.content:
        return False
    if new.slot and known.slot and not same_value(new.slot.value, known.slot.value):
        return False
    return _has_values(second, first) and _share_topic(new, known)


def may_concern_the_same(new: Fact, known: Fact) -> bool:
    """Whether a model's advice suffices for one fact to take the other's place, though no words say so."""
    if new.slot and known.slot and new.slot.is_same(known.slot):
        return True
    return not (new.slot or known.slot) and new.category is known.category and _share_topic(new, known)


def may_extend(new: Fact, known: Fact) -> bool:
    """Whether nothing in the words speaks against a model's advice that a new fact says all that a known one does."""
    first, second = _reading(new), _reading(known)
    if new.category is not known.category or new.slot != known.slot or first.is_negated != second.is_negated:
        return False
    return _has_values(first, second) and _share_topic(new, known)


_MAY_BE = {
    Relation.SAME: may_restate,
    Relation.EXTENDS: may_extend,
    Relation.SUPERSEDES: may_concern_the_same,
}


def _share_topic(new: Fact, known: Fact) -> bool:
    return bool(_shared_topic(_reading(new), _reading(known))) and not _told_apart(new, known)


def are_same_statement(statement: str, other: str) -> bool:
    """Whether two statements say the same of the same person or thing, whatever the words.

    >>> are_same_statement("I drink green tea", "I drink green teas")
    True
    >>> are_same_statement("My brother Tom lives in Rome", "My brother Tim lives in Rome")
    False
    """
    first, second = read_fact(statement, statement), read_fact(other, other)
    return first.claims == second.claims and _is_same_reading(first, second)


def share_topic(statement: str, other: str) -> bool:
    """Whether two statements have a word for their topic in common.

    >>> share_topic("Dominoes is on Thursdays", "We moved the dominoes"), share_topic("I like tea", "I like Rome")
    (True, False)
    """
    return bool(_shared_topic(read_fact(statement, statement), read_fact(other, other)))


def _shared_topic(new: FactReading, known: FactReading) -> frozenset[str]:
    return frozenset((new.topic & known.topic) - _OF_ANYTHING)


def _hold_at_once(new: Fact, known: Fact) -> bool:
    """Whether they are two values of a slot that has several."""
    return bool(new.slot and known.slot and new.slot.is_same(known.slot) and (new.slot.many or known.slot.many))


def _decided(scored: Sequence[tuple[Evidence, Fact]]) -> list[Related]:
    """The best one replaced if it is certain and well before the second, else what is possible."""
    likely = [(found, one) for found, one in scored if found.score >= POSSIBLE]
    if not likely:
        return []
    best, fact = likely[0]
    second = likely[1][0].score if len(likely) > 1 else 0.0
    if best.is_change and best.score >= CERTAIN and best.score - second >= _MARGIN:
        return [Related(fact.id, Relation.SUPERSEDES, best.why, best.score)]
    return [Related(one.id, Relation.MAY_SUPERSEDE, found.why, found.score) for found, one in likely[:_MOST_POSSIBLE]]


def _is_same(new: Fact, known: Fact) -> bool:
    """Whether both say the same of the same thing, whatever the words."""
    if new.slot and known.slot and new.slot.is_same(known.slot):
        return same_value(new.slot.value, known.slot.value)
    return _is_same_reading(_reading(new), _reading(known))


def _is_same_reading(first: FactReading, second: FactReading) -> bool:
    if first.is_negated != second.is_negated or first.is_of_other_people(second):
        return False
    if not _values_agree(first, second) or _says_other(first, second):
        return False
    return means_the_same(first.bare, second.bare) if first.values else means_the_same(first.stems, second.stems)


def _says_other(new: FactReading, known: FactReading) -> bool:
    """Whether the new words add something: "short reviews" and "long reviews" are alike, but not the same."""
    added = new.claims - known.claims
    return bool(added and (known.claims - new.claims or not new.values))


def _extends(new: Fact, known: Fact) -> bool:
    """Whether the new words say all that the known ones do, and more; where extraction may change a memory."""
    if new.category is not known.category or not may_rewrite(new.category, Writer.EXTRACTION):
        return False
    if new.slot != known.slot or known.stated_at > new.stated_at:
        return False
    first, second = _reading(new), _reading(known)
    if first.is_negated != second.is_negated or first.cues.strength or not second.claims < first.claims:
        return False
    keeps = all(any(one.agrees(other) for other in first.values) for one in second.values)
    return keeps and means_the_same(first.stems, second.stems)


def _values_agree(first: FactReading, second: FactReading) -> bool:
    return _has_values(first, second) and _has_values(second, first)


def _has_values(whole: FactReading, part: FactReading) -> bool:
    return all(any(one.agrees(other) for other in whole.values) for one in part.values)


def _puts_in_its_place(new: Fact, known: Fact) -> bool:
    """Whether the new words name the value of the known fact's slot as what another value took the place of."""
    if known.slot is None or known.stated_at > new.stated_at or _told_apart(new, known):
        return False
    reading = _reading(new)
    given_up = (reading.cues.given_up, reading.statement.replaced)
    return stems(known.slot.value) in given_up and inherited_slot(replace(new, slot=None), known) is not None


def _in_time(new: Fact, known: Fact) -> Relation:
    return Relation.SUPERSEDES if known.stated_at <= new.stated_at else Relation.OUTDATED


def _excludes_in_slot(new: Fact, known: Fact) -> bool:
    """Whether both are values of a slot that has one."""
    if not new.slot or not known.slot or not new.slot.is_same(known.slot):
        return False
    return not (new.slot.many or known.slot.many)


def _is_one_of_several(new: Fact, known: Fact) -> bool:
    """Whether a person kept several values of a slot that has one as a rule, of which the new one may replace each."""
    if not new.slot or not known.slot or new.slot.many or not known.slot.many:
        return False
    return new.slot.is_same(known.slot)


def _told(fact: Fact) -> Statement:
    return Statement(_reading(fact), fact.context, fact.stated_at)


def _reading(fact: Fact) -> FactReading:
    return read_fact(fact.statement, fact.quote)


def _told_apart(new: Fact, known: Fact) -> bool:
    """Whether one can't replace the other, whatever the words: they are about different people or things."""
    if _reading(new).is_of_other_people(_reading(known)):
        return True
    if not new.slot or not known.slot or new.slot.is_same(known.slot):
        return False
    pairs = ((new.slot.subject, known.slot.subject), (new.slot.attribute, known.slot.attribute))
    return not all(_may_name_the_same(*pair) for pair in pairs)


def _may_name_the_same(first: str, second: str) -> bool:
    """Whether one name is a part of the other: "site", "booking-site"; the person is nobody else."""
    one, other = (set(words(name.replace("-", " ").replace("_", " "))) for name in (first, second))
    return one <= other or other <= one


def inherited_slot(new: Fact, replaced: Fact) -> Slot | None:
    """The slot of a fact whose words don't tell it, from the one that it replaces, with its own value.

    >>> from datetime import UTC
    >>> def fact(text, slot=None):
    ...     said = datetime(2026, 1, 1, tzinfo=UTC)
    ...     return Fact(text, Category.ENTITIES, text, text, said, slot, Trust.DIRECT_USER, "")
    >>> old = fact("I work at Cobalt", Slot("user", "employer", "Cobalt"))
    >>> inherited_slot(fact("I switched from Cobalt to Meridian"), old)
    Slot(subject='user', attribute='employer', value='Meridian', many=False)
    """
    slot = replaced.slot
    if new.slot or slot is None or slot.many:
        return None
    text = _reading(new).text
    old = values_of(slot.value)
    found = [one for one in values_of(text) if any(_of_one_kind(one, other) for other in old)]
    values = {text[one.start : one.end] for one in found if not same_value(text[one.start : one.end], slot.value)}
    return Slot.of(slot.subject, slot.attribute, values.pop()) if len(values) == 1 else None


def _of_one_kind(first: Value, second: Value) -> bool:
    return first.is_comparable(second) or {first.kind, second.kind} == {Kind.NAME, Kind.PLACE}
