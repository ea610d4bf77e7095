"""Banks: the memories of a person, and messages with the memories that are relevant to each.

The material holds banks that were written for this purpose; besides, the memories that the reader's writers wrote with
questions, and the questions of their pairs of statements.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from studies.reading.material import MATERIAL as WRITERS
from studies.reading.material import PAIRS, content_of, lines
from studies.reading.pairs import UNRELATED

MATERIAL = Path(__file__).with_name("material")
MEMORIES, UNANSWERABLE = "memories.json", "unanswerable.json"
OTHER_STATEMENTS = 3
EVERY_PAIR = 2
"""Of so many pairs the question of one is read."""
CALIBRATING = ("r57", "r58", "r59", "r60")
"""The writers whose banks are not trained on, but tell how sure the trained network may be."""
TESTING = ("r64",)
"""The writer whose banks neither train nor calibrate."""


@dataclass(frozen=True)
class Message:
    """What a person types in a new chat, and the indexes of the memories that are relevant to it."""

    text: str
    relevant: tuple[int, ...]


@dataclass(frozen=True)
class Bank:
    """The memories of a person, and messages to it."""

    name: str
    memories: tuple[str, ...]
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Judged:
    """A message with a memory, and whether that is relevant to it."""

    message: str
    memory: str
    is_relevant: bool


def training_banks() -> list[Bank]:
    """The banks of the material but those held out, and those of the reader's writers."""
    own = [bank for bank in material_banks() if not bank.name.startswith((*CALIBRATING, *TESTING))]
    return own + [question_bank(folder) for folder in sorted(WRITERS.iterdir()) if content_of(folder, UNANSWERABLE)]


def calibration_banks() -> list[Bank]:
    return [bank for bank in material_banks() if bank.name.startswith(CALIBRATING)]


def material_banks() -> list[Bank]:
    return [bank_of(file) for file in sorted(MATERIAL.glob("*.json.gz"))]


def bank_of(file: Path) -> Bank:
    raw = json.loads(gzip.decompress(file.read_bytes()))
    messages = tuple(Message(one["text"], tuple(one["relevant"])) for one in raw["messages"])
    return Bank(file.name.partition(".")[0], tuple(raw["memories"]), messages)


def question_bank(folder: Path) -> Bank:
    """A folder with memories that each answer a question, and questions that none answers."""
    memories = json.loads(content_of(folder, MEMORIES))
    answered = (Message(one["question"], (place,)) for place, one in enumerate(memories))
    unanswered = (Message(question, ()) for question in json.loads(content_of(folder, UNANSWERABLE)))
    return Bank(folder.name, tuple(one["content"] for one in memories), (*answered, *unanswered))


def pair_groups(chance: Random) -> Iterator[list[Judged]]:
    """Questions of pairs of statements: each with the statement that answers it, and with others of its writer."""
    for folder in sorted(WRITERS.iterdir()):
        pairs = list(lines(folder, PAIRS))
        for pair in pairs[::EVERY_PAIR]:
            if pair["question"]:
                others = [one for one in pairs if one is not pair and one["lang"] == pair["lang"]]
                drawn = chance.sample(others, min(OTHER_STATEMENTS, len(others)))
                yield [*answers(pair), *(Judged(pair["question"], one["new"], False) for one in drawn)]


def answers(pair: dict[str, Any]) -> Sequence[Judged]:
    """The question of a pair is about what holds: the earlier statement if both do, as the later one is of another."""
    question = pair["question"]
    if pair["relation"] == UNRELATED:
        return [Judged(question, pair["old"], True), Judged(question, pair["new"], False)]
    return [Judged(question, pair["new"], True)]
