"""Reader of LoCoMo data: recorded conversations, questions, and the turns that answer them."""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.conversations.imports.formats import Source, read_items
from apps.conversations.imports.parsed_items import Place, ReadMessage

CATEGORIES = frozenset({1, 2, 3, 4})
_UNANSWERABLE = 5
_TURN = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Question:
    """`category` is the data's own: 1 needs several turns, 2 a time, 3 knowledge of the world, 4 one turn."""

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """A conversation: its turns by name, in order, and its questions, whose evidence names turns.

    `unanswerable` are the questions of category 5: most ask one person about what only the other one said.
    """

    name: str
    turns: dict[str, ReadMessage]
    questions: list[Question]
    unanswerable: Sequence[str] = ()


def file_named(program: str, arguments: Sequence[str]) -> Path:
    """Parse the file argument of a study; exits if there is no such file."""
    parser = argparse.ArgumentParser(prog=program)
    parser.add_argument("file", type=Path)
    path: Path = parser.parse_args(arguments).file
    if not path.is_file():
        parser.error(f"There is no file {path}.")
    return path


def samples_of(path: Path) -> Iterator[Sample]:
    turns: dict[str, dict[str, ReadMessage]] = defaultdict(dict)
    with path.open("rb") as file:
        for item in read_items(file, Source(path.name), Place()):
            if isinstance(item.found, ReadMessage) and item.found.external_id:
                sample, _, turn = item.found.external_id.partition(":")
                turns[sample][turn] = item.found
    for raw in json.loads(path.read_text()):
        name = str(raw["sample_id"])
        unanswerable = [str(one["question"]) for one in raw["qa"] if one["category"] == _UNANSWERABLE]
        yield Sample(name, turns[name], list(_questions(raw["qa"], turns[name])), unanswerable)


def _questions(raw_questions: list[dict[str, Any]], turns: dict[str, ReadMessage]) -> Iterator[Question]:
    for one in raw_questions:
        if one["category"] in CATEGORIES and (named := list(_named(one.get("evidence", ()), turns))):
            yield Question(str(one["question"]), one["category"], tuple(dict.fromkeys(named)))


def _named(evidence: Iterable[str], turns: Mapping[str, ReadMessage]) -> Iterator[str]:
    """Yield existing turns; the data names some in pairs, with an extra colon, or with leading zeros."""
    for session, turn in (match for text in evidence for match in _TURN.findall(text)):
        if (name := f"D{int(session)}:{int(turn)}") in turns:
            yield name
