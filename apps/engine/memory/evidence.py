"""Evidence for and against the replacement of one fact by another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from apps.engine.language.supersession import ends
from apps.engine.memory.attributes import ATTRIBUTES
from apps.engine.memory.change_cues import announces_change
from apps.engine.memory.fact_reading import FactReading, read_fact
from apps.engine.memory.values.differences import adds_up
from apps.engine.memory.values.value import Kind, Value

_SPECIFIC = {
    Kind.WEEKDAY: 1.3,
    Kind.DATE: 1.5,
    Kind.TIME: 1.3,
    Kind.FREQUENCY: 1.5,
    Kind.MONEY: 1.3,
    Kind.SHARE: 1.6,
    Kind.COUNT: 0.7,
    Kind.VERSION: 2.5,
    Kind.PRODUCT: 2.5,
    Kind.LEVEL: 1.8,
    Kind.COLOR: 1.6,
    Kind.MATERIAL: 1.6,
    Kind.CHANNEL: 1.8,
    Kind.LANGUAGE: 1.0,
    Kind.DIET: 2.0,
    Kind.PLACE: 0.8,
    Kind.NAME: 0.4,
}

# Kinds of which a topic has one value as a rule.
_CHARACTERISTIC = frozenset(
    (
        Kind.VERSION,
        Kind.PRODUCT,
        Kind.LEVEL,
        Kind.COLOR,
        Kind.MATERIAL,
        Kind.CHANNEL,
        Kind.DIET,
        Kind.SHARE,
        Kind.FREQUENCY,
    )
)
_AMOUNTS = frozenset((Kind.COUNT, Kind.MONEY, Kind.SHARE, Kind.TIME, Kind.FREQUENCY))


@dataclass(slots=True)
class Evidence:
    """What speaks for and against a replacement, by name."""

    points: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, points: float) -> None:
        if points:
            self.points[name] = round(points, 3)

    @property
    def score(self) -> float:
        return round(sum(self.points.values()), 3)

    @property
    def is_change(self) -> bool:
        """Whether the words say that something changed; two facts about one thing can both hold."""
        return bool({"change", "change announced", "gives it up", "ends it", "names what changes"} & set(self.points))

    @property
    def why(self) -> str:
        if {"gives it up", "ends it"} & set(self.points):
            return "given_up"
        return "changed" if self.is_change else "other_value"


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact's words as they are read, those before them, and when they were said."""

    reading: FactReading
    context: str
    stated_at: datetime

    @property
    def words(self) -> frozenset[str]:
        cues = self.reading.cues
        return self.reading.stems | cues.given_up | cues.changed | read_fact(self.context).stems


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The other known facts: how many speak of each word, and when those were told that a value could replace."""

    counts: Mapping[str, int]
    replaceable: Mapping[Value, Sequence[datetime]]

    @classmethod
    def of(cls, new: Statement, known: Iterable[Statement], earlier: Sequence[Statement]) -> Surroundings:
        counts: Counter[str] = Counter(new.reading.topic)
        for one in known:
            counts.update(one.reading.topic)
        times = {
            value: [one.stated_at for one in earlier if _is_replaceable(one.reading.values, value)]
            for value in new.reading.values
        }
        return cls(counts, times)


def are_unrelated(new: Statement, known: Statement) -> bool:
    """Whether they share no word and no kind of value, so that their evidence can't suffice."""
    if new.reading.statement.replaced or new.words & known.words:
        return False
    return not any(one.is_comparable(other) for one in new.reading.values for other in known.reading.values)


def _is_replaceable(values: Iterable[Value], value: Value) -> bool:
    return any(value.is_comparable(one) and not value.agrees(one) for one in values)


def evidence(new: Statement, known: Statement, around: Surroundings) -> Evidence:
    """Weigh whether a new fact replaces a known one."""
    pair = _Pair(new.reading, new.context, known.reading, known.context)
    found = Evidence()
    found.add("change", _CHANGE[pair.new.cues.strength])
    found.add("change announced", 0.8 if announces_change(new.context) else 0.0)
    _weigh_values(found, pair, around.replaceable, known.stated_at)
    _weigh_topic(found, pair, around.counts)
    _weigh_retraction(found, pair)
    _weigh_against(found, pair)
    if new.stated_at == known.stated_at:
        found.add("same message", -2.5)
    return found


_CHANGE = (0.0, 0.8, 1.6, 2.0)


@dataclass(frozen=True)
class _Pair:
    """A new fact and a known one, each with what was told before it."""

    new: FactReading
    context: str
    old: FactReading
    old_context: str

    @cached_property
    def kind(self) -> Value | None:
        """The most telling value of the new fact that differs from the known one's of the same kind."""
        return max(self._differing, key=self.specificity, default=None)

    @cached_property
    def _differing(self) -> list[Value]:
        found = []
        for one in self.new.values:
            rivals = [other for other in self.old.values if one.is_comparable(other)]
            if rivals and not any(one.agrees(other) for other in rivals):
                found.append(one)
        return found

    def specificity(self, value: Value) -> float:
        """How much it tells that both have a value of this kind; a plain number more if the sentence is about it."""
        kinds = [one.kind for one in self.old.values if one.is_comparable(value)]
        points = max(_SPECIFIC[kind] for kind in (value.kind, *kinds))
        if value.kind is Kind.COUNT and (value.group or _STATES.search(self.new.text, 0, value.start)):
            points += 0.7
        return points

    @cached_property
    def part(self) -> FactReading:
        """The part of the new fact that gives its value."""
        return self.new.part_with(self.kind)

    @cached_property
    def adds_up(self) -> bool:
        """Whether the old value and a difference that the new words give make the new value."""
        return adds_up(self.new.text, self.new.values, self.old.values)

    @cached_property
    def before(self) -> FactReading:
        return read_fact(self.context)

    @cached_property
    def shared(self) -> frozenset[str]:
        return self.new.topic & (self.old.topic | self.old.content & self.new.names)


# What comes right before the number that a sentence is about.
_STATES = re.compile(
    r"(?:\bso|\bto|\bit's|\bmake it|\bnow|\bbe|\bat|\bis|\bare|'re|'s)(?: about| around| only| just)? ?[£$€]?$",
    re.IGNORECASE,
)


def _weigh_values(
    found: Evidence, pair: _Pair, replaceable: Mapping[Value, Sequence[datetime]], stated_at: datetime
) -> None:
    kind = pair.kind
    if kind is None:
        return
    # The known fact is one of them.
    rivals = replaceable[kind][1:]
    found.add(str(kind.kind), pair.specificity(kind))
    found.add("only one of its kind", 0.0 if rivals else 1.0 if kind.kind in _CHARACTERISTIC else 0.6)
    found.add("attribute", _shared_attribute(pair))
    if not pair.new.cues.strength:
        return
    mentioned = (*pair.new.values, *pair.before.values)
    if kind.kind not in _AMOUNTS and any(
        one.kind is kind.kind and other.agrees(one) for one in pair.old.values for other in mentioned
    ):
        found.add("names the old value", 1.2)
    if kind.kind is Kind.NAME and pair.new.cues.is_succession:
        found.add("somebody else", 1.0)
    found.add("adds up", 2.5 if pair.adds_up else 0.0)
    is_latest = max(replaceable[kind]) <= stated_at
    is_short = not pair.part.topic and not pair.part.subject
    if is_latest and kind.kind is not Kind.NAME and (pair.new.is_anaphoric or is_short):
        found.add("says the value alone", 0.9)
    if pair.shared and pair.part.topic <= pair.old.content:
        found.add("all else the same", 0.8)


def _weigh_topic(found: Evidence, pair: _Pair, counts: Mapping[str, int]) -> None:
    found.add("topic", min(2.4, sum(_weight(counts[one]) for one in pair.shared)))
    more = pair.before.topic & (pair.old.topic | read_fact(pair.old_context).topic) - pair.shared
    weight = 1.0 if pair.new.is_anaphoric else 0.6
    found.add("topic before", weight * min(2.0, sum(_weight(counts[one]) for one in more)))
    if pair.new.cues.changed & pair.old.content:
        found.add("names what changes", 2.0 if pair.new.cues.changed & pair.old.subject else 1.2)


def _weigh_retraction(found: Evidence, pair: _Pair) -> None:
    found.add("gives it up", _given_up(pair))
    if ends(pair.new.statement, pair.old.statement):
        found.add("ends it", 2.0)


def _weigh_against(found: Evidence, pair: _Pair) -> None:
    found.add("one more", -2.0 if pair.new.cues.is_addition and not pair.adds_up else 0.0)
    # What is given up need not be told of the same subject: "the workshop closed, parcels now go to …".
    lowest = -0.8 if "gives it up" in found.points else -4.0
    found.add("other subject", max(lowest, _other_subject(pair)))
    if pair.kind is None and not {"gives it up", "ends it", "names what changes"} & set(found.points):
        found.add("other kind", -1.5)
    shared = pair.new.attributes & pair.old.attributes
    several = [one for one in shared if ATTRIBUTES[one].many and pair.kind and pair.kind.kind in ATTRIBUTES[one].kinds]
    if several and not (pair.kind and pair.kind.kind is Kind.NAME and pair.new.cues.strength > 1):
        found.add("several hold", -2.0)
    if _says_more(pair):
        found.add("says more", -1.2)


def _says_more(pair: _Pair) -> bool:
    """Whether the known fact names another product, which the new one does not replace."""
    kind = pair.kind
    if kind is None or kind.kind not in (Kind.PRODUCT, Kind.VERSION):
        return False
    products = [one for one in pair.old.values if one.kind is Kind.PRODUCT]
    return any(one.text not in (kind.group, kind.text) and not _does_the_same(one, kind) for one in products)


def _does_the_same(product: Value, kind: Value) -> bool:
    return product.group == kind.group or (product.is_store and kind.is_store)


def _weight(count: int) -> float:
    """A word that few facts have tells more."""
    return 1.0 if count <= 2 else 0.6 if count <= 4 else 0.3


def _shared_attribute(pair: _Pair) -> float:
    shared, kind = pair.new.attributes & pair.old.attributes, pair.kind
    if not shared or kind is None:
        return 0.0
    if any(kind.kind in ATTRIBUTES[one].kinds for one in shared):
        return 2.0 if any(ATTRIBUTES[one].kinds == {kind.kind} == {Kind.NAME} for one in shared) else 1.4
    return 0.4


def _given_up(pair: _Pair) -> float:
    """Whether the new words name what the known fact says as something that is no more."""
    new, content = pair.new, pair.old.content
    named = (new.cues.given_up | new.statement.replaced) & content
    if named:
        covers = len(named) >= 0.4 * len(content)
        return 3.0 if covers or pair.kind is not None else 1.2
    if new.cues.is_end and new.topic and len(new.topic & content) >= 0.75 * len(new.topic):
        return 3.0
    return 1.5 if pair.before.cues.given_up & content else 0.0


def _other_subject(pair: _Pair) -> float:
    """Whether each speaks of its own thing, or of its own one of two: "the front door", "the garage door"."""
    new, old, is_name = pair.part, pair.old, pair.kind is not None and pair.kind.kind is Kind.NAME
    if _differ(new.subject_values, old.subject_values, pair.kind) or "" != new.which != old.which != "":
        return -3.5
    if _are_told_apart(pair) or _other_people(pair):
        return -2.0
    if old.is_first_person and new.subject and not pair.new.is_about_self and not new.subject & old.content:
        return 0.0 if is_name else -1.0
    if new.subject & old.subject:
        return _other_of_two(pair, is_name=is_name)
    if not new.subject or not old.subject or new.subject & old.content or old.subject & new.content:
        return 0.0
    return -0.4 if is_name else -1.2 if pair.shared else -2.0


def _are_told_apart(pair: _Pair) -> bool:
    """Whether the value only tells which one is meant, and nothing changed: "the red team", "the blue team"."""
    kind = pair.kind
    if kind is None or kind.kind is Kind.NAME or pair.new.cues.strength:
        return False
    return kind in pair.new.subject_values and any(kind.is_comparable(one) for one in pair.old.subject_values)


def _other_people(pair: _Pair) -> bool:
    """Whether one is about a relative and the other about oneself: "I live in …", "my sister lives in …"."""
    new, old = pair.part, pair.old
    is_theirs = bool((old.subject & old.has_kin) - pair.new.has_kin) and new.is_first_person
    return is_theirs or (bool((new.subject & new.has_kin) - old.has_kin) and old.is_first_person)


def _differ(first: Sequence[Value], second: Sequence[Value], kind: Value | None) -> bool:
    """Whether subjects are told apart by a value: "my German", "my Spanish"."""
    return any(
        one.kind is other.kind and one != kind and one.kind is not Kind.NAME and not one.agrees(other)
        for one in first
        for other in second
    )


def _other_of_two(pair: _Pair, *, is_name: bool) -> float:
    new, old = pair.part, pair.old
    rest = new.subject - old.subject, old.subject - new.subject - pair.new.cues.given_up - pair.new.statement.replaced
    if not all(rest):
        return 0.0
    return -4.0 if rest[0] & new.names and rest[1] & old.names and not is_name else -2.0
