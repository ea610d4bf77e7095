"""Adversarial texts derived from a pattern: what leads to each of its repetitions, the repetition over and over, and
then something that does not match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]  # the only parser of this syntax
from re import _parser as parser  # type: ignore[attr-defined]  # likewise
from typing import Any

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_ALPHABET = "a0 A_-.\n\t\"'(<[{,:;/@#$%&*+=!?|`~“”„«»「」『』、。é漢ß🙄\\^>)]}"
_IN_CATEGORY = {
    codes.CATEGORY_DIGIT: "0",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_WORD: " ",
}
_LONG = 30
"""A repetition of more than this many counts as one without end."""


def pumps(regex: re.Pattern[Any]) -> list[tuple[str, str, str]]:
    """Beginning, part to repeat and end of texts that a backtracking matcher finds hard.

    >>> ("", "a", "") in pumps(re.compile(r"a+b"))
    True
    """
    pattern = regex.pattern.decode("latin-1") if isinstance(regex.pattern, bytes) else regex.pattern
    tree = parser.parse(pattern, regex.flags & ~re.DEBUG)
    whole = _shortest(tree)
    found: dict[tuple[str, str, str], None] = {}
    for before, repeated in _repeats(tree, ""):
        for piece in repeated:
            for shape in (
                ("", piece, ""),
                (before, piece, ""),
                (before, piece, "\0"),
                ("", before + piece, ""),
                ("", before + piece * 3, ""),
                ("", before + piece * 40, "\n"),
                ("", piece + before, ""),
                ("", f" {piece}", ""),
            ):
                found[shape] = None
    for cut in range(1, len(whole) + 1):
        found["", whole[:cut], ""] = None
        found["", whole[:cut] + " ", ""] = None
    return [shape for shape in found if shape[1]]


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, list[str]]]:
    """Each repetition without end: the shortest text before it, and what it may repeat."""
    for code, value in tree:
        if code in _REPEATS:
            _, most, inner = value
            if most >= _LONG:
                yield before, _pieces(inner)
            yield from _repeats(inner, before)
        else:
            for inner in _children(code, value):
                yield from _repeats(inner, before)
        before += _shortest([(code, value)])


def _pieces(tree: Any) -> list[str]:
    """Several texts that a repeated part matches once."""
    if len(tree) == 1 and tree[0][0] in (codes.IN, codes.NOT_LITERAL, codes.ANY):
        return _characters(*tree[0])[:6]
    one = _shortest(tree)
    return [one] if one else []


def _children(code: Any, value: Any) -> list[Any]:
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.ATOMIC_GROUP:
        return [value]
    if code is codes.GROUPREF_EXISTS:
        return [one for one in value[1:] if one]
    return []


def _shortest(tree: Any) -> str:
    return "".join(_of_node(code, value) for code, value in tree)


def _of_node(code: Any, value: Any) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code in (codes.IN, codes.NOT_LITERAL, codes.ANY):
        return next(iter(_characters(code, value)), "")
    if code in _REPEATS:
        return "".join([_shortest(value[2])] * min(value[0], 60))
    if code is codes.BRANCH:
        return min((_shortest(branch) for branch in value[1]), key=len)
    if code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
        return _shortest(_children(code, value)[0])
    return ""


def _characters(code: Any, value: Any) -> list[str]:
    """Some characters that a class matches."""
    if code is codes.ANY:
        return ["a", " "]
    if code is codes.NOT_LITERAL:
        return [one for one in _ALPHABET if one != chr(value)]
    found = [one for item in value for one in _of_item(item)]
    if value[0][0] is not codes.NEGATE:
        return list(dict.fromkeys(found))
    compiled = [one for one in _ALPHABET if not any(_matches(item, one) for item in value[1:])]
    return compiled


def _of_item(item: Any) -> list[str]:
    code, value = item
    if code is codes.LITERAL:
        return [chr(value)]
    if code is codes.RANGE:
        return [chr(value[0])]
    return [_IN_CATEGORY[value]] if code is codes.CATEGORY else []


def _matches(item: Any, one: str) -> bool:
    code, value = item
    if code is codes.LITERAL:
        return bool(value == ord(one))
    if code is codes.RANGE:
        return bool(value[0] <= ord(one) <= value[1])
    if code is not codes.CATEGORY:
        return False
    return {
        codes.CATEGORY_DIGIT: one.isdigit(),
        codes.CATEGORY_NOT_DIGIT: not one.isdigit(),
        codes.CATEGORY_SPACE: one.isspace(),
        codes.CATEGORY_NOT_SPACE: not one.isspace(),
        codes.CATEGORY_WORD: one.isalnum() or one == "_",
        codes.CATEGORY_NOT_WORD: not (one.isalnum() or one == "_"),
    }[value]
