"""The rules of `rules.json`.

A rule has an `id`, the `kind` that stands in place of its secrets, `keywords`, a `pattern` for plain texts
(`plain_text.py`), and `check`s of the value: the first group that took part, or all of the match. The pattern begins at
one of the keywords, in any case, or at the end of one of the `labels`, which have keywords and a pattern themselves;
with `around` it is searched for in so many characters of the label's line, before and after its end, unless they look
like code (`CODE_SIGNS`). Where `anchored` is false, it is searched for within 400 characters of one of the keywords, or
everywhere if there are none. With `digits_within` a keyword counts if a digit follows within so many characters, and
one of a label with `nearby` if that pattern matches within 60: few texts then need a pattern that takes long to
compile. `%NAME%` stands for one of the `parts`. `columns` are those of tables, by their header (`tables.py`).

One of the `checks` has patterns that the value must have and must lack, and names lists of `words` that it must be
`unlike`, or be `without`; others are functions (`checks.py`). `examples` and `counterexamples` are for tests. Patterns
have one meaning in Python and in JavaScript (flag u), and take linear time.
"""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from continuity_client.secrets.plain_text import plain

_FILE = os.path.join(os.path.dirname(__file__), "rules.json")
_PART = re.compile(r"%([A-Z_]{2,20})%")


class Rule(NamedTuple):
    """A kind of secret, ready to be compiled. Where `announced_by` has words, a text without any of them has none."""

    id: str
    kind: str
    keywords: tuple[str, ...]
    labels: tuple[str, ...]
    announced_by: frozenset[str]
    digits_within: int
    around: int
    pattern: str
    flags: int
    anchored: bool
    checks: tuple[str, ...]


class Label(NamedTuple):
    """Words that announce secrets of several rules, as a pattern for the text in lower case."""

    keywords: tuple[str, ...]
    digits_within: int
    nearby: str
    pattern: str


class Column(NamedTuple):
    """A column of tables, by a pattern of its header."""

    kind: str
    header: str
    checks: tuple[str, ...]


class Check(NamedTuple):
    """Patterns of which a value has all, and none; words that it must not be, and of which it must have none."""

    has: tuple[str, ...]
    lacks: tuple[str, ...]
    unlike: frozenset[str]
    without: frozenset[str]
    flags: int


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    return tuple(_rule(one) for one in _data()["rules"])


@lru_cache(maxsize=1)
def all_labels() -> dict[str, Label]:
    return {
        name: Label(_keywords(one), one.get("digits_within", 0), one.get("nearby", ""), one["pattern"])
        for name, one in _data()["labels"].items()
    }


@lru_cache(maxsize=1)
def all_keywords() -> tuple[str, ...]:
    """Those of all rules and labels, each one once."""
    keywords = [one.keywords for one in all_rules()] + [one.keywords for one in all_labels().values()]
    return tuple(dict.fromkeys(chain.from_iterable(keywords)))


@lru_cache(maxsize=1)
def all_columns() -> tuple[Column, ...]:
    return tuple(Column(one["kind"], one["header"], tuple(one["check"])) for one in _data()["columns"])


@lru_cache(maxsize=1)
def all_checks() -> dict[str, Check]:
    return {name: _check(one) for name, one in _data()["checks"].items()}


def _check(one: dict[str, Any]) -> Check:
    unlike, without = (_words(one.get(name, "")) for name in ("unlike", "without"))
    return Check(tuple(one.get("has", ())), tuple(one.get("lacks", ())), unlike, without, _flags(one))


def _words(name: str) -> frozenset[str]:
    return frozenset(plain(" ".join(_data()["words"].get(name, ()))).text.split())


def pattern_of(rule: str) -> str:
    """The pattern of the rule with an id."""
    return filled(next(one.pattern for one in all_rules() if one.id == rule))


def _rule(one: dict[str, Any]) -> Rule:
    keywords, labels = _keywords(one), tuple(one.get("labels", ()))
    return Rule(
        one["id"],
        one["kind"],
        keywords,
        labels,
        frozenset(keywords).union(*(all_labels()[label].keywords for label in labels)),
        one.get("digits_within", 0),
        one.get("around", 0),
        one["pattern"],
        _flags(one),
        one.get("anchored", True),
        tuple(one.get("check", ())),
    )


def filled(pattern: str) -> str:
    """The pattern with its parts in their places, plain as the texts are."""
    while _PART.search(pattern):
        pattern = _PART.sub(lambda name: _parts()[name.group(1)], pattern)
    return plain(pattern).text


def _keywords(one: dict[str, Any]) -> tuple[str, ...]:
    return tuple(plain(keyword).text.lower() for keyword in one.get("keywords", ()))


def _flags(one: dict[str, Any]) -> int:
    return re.IGNORECASE if one.get("flags") == "i" else 0


@lru_cache(maxsize=1)
def _parts() -> dict[str, str]:
    return {name: one if isinstance(one, str) else "|".join(one) for name, one in _data()["parts"].items()}


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    with open(_FILE, encoding="utf-8") as file:
        data: dict[str, Any] = json.load(file)
    return data
