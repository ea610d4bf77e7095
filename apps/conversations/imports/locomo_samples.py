"""A streaming parser of LoCoMo files: at most one sample's conversation is in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import ijson

from apps.conversations.imports.jsonl import digest
from apps.conversations.imports.locomo import sample_messages, sample_title
from apps.conversations.imports.parsed_items import ConversationSeed, Item, Place, Skipped
from apps.conversations.limits import LONGEST_TITLE
from apps.engine.json_input.limits import DEEPEST

LARGEST_CONVERSATION = 64 * 1024 * 1024
_LONGEST_SAMPLE_ID = 100
# Memory that a value needs in addition to its text.
_OVERHEAD = 64
_STARTS = frozenset({"start_map", "start_array"})
_ENDS = frozenset({"end_map", "end_array"})


@dataclass
class Sample:
    """The relevant parts of one sample; with a `fault` it has no conversation."""

    sample_id: str = ""
    builder: ijson.ObjectBuilder = field(default_factory=ijson.ObjectBuilder)
    size: int = 0
    fault: tuple[str, str] | None = ("not_a_sample", "there is no conversation in it")

    @property
    def conversation(self) -> dict[str, Any]:
        value = self.builder.value
        return value if isinstance(value, dict) else {}

    def take(self, event: str, value: object) -> None:
        """Process one event of the conversation's JSON; a conversation that grows too large is dropped."""
        self.size += _OVERHEAD + (len(value) if isinstance(value, str) else 0)
        if self.size > LARGEST_CONVERSATION:
            self.builder = ijson.ObjectBuilder()
            self.fault = ("sample_too_large", f"a conversation holds at most {LARGEST_CONVERSATION} bytes")
        else:
            self.builder.event(event, value)
            self.fault = None


def locomo_items(file: BinaryIO, *, name: str, title: str, begin: Place) -> Iterator[Item]:
    """Yield the messages of the file from a position on: `major` counts samples, `minor` messages in the sample.

    **Identity.** A conversation is identified by its `sample_id`, a message by that and its `dia_id`, whatever the
    file's name. The decoder replaces unpaired surrogates by question marks.
    """
    for number, sample in enumerate(_samples(file)):
        if number < begin.major:
            continue
        if sample.fault or not sample.conversation:
            code, detail = sample.fault or ("not_a_sample", "its conversation is no object")
            yield Item(Skipped(number + 1, code, f"sample {number + 1}: {detail}"), Place(number + 1))
            continue
        sample_id = sample.sample_id or f"{digest(name)[-8:]}-{number + 1}"
        seed = _seed(sample, sample_id, title)
        for count, found in enumerate(sample_messages(sample.conversation, sample_id), start=1):
            if (number, count) > (begin.major, begin.minor):
                yield Item(found, Place(number, count), seed)


def _seed(sample: Sample, sample_id: str, title: str) -> ConversationSeed:
    shown = f"{title or sample_title(sample.conversation)} ({sample_id})"
    return ConversationSeed(f"locomo:{sample_id}", shown[:LONGEST_TITLE])


def _samples(file: BinaryIO) -> Iterator[Sample]:
    """Yield the samples of a list, or the single one; invalid JSON ends the stream with a fault."""
    file.seek(0)
    try:
        yield from _SampleReader().read(ijson.basic_parse(file, use_float=True))
    except (ijson.JSONError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        yield Sample(fault=("invalid_json", f"the file cannot be read beyond this sample: {reason}"))


class _SampleReader:
    """Splits the parser's events into samples by their depth.

    ijson's own paths are not used: a path grows with each level, so that brackets alone would fill the memory.
    """

    def __init__(self) -> None:
        self._sample = Sample()
        self._depth = 0
        self._samples_at = 0
        self._field = ""

    def read(self, events: Iterable[tuple[str, Any]]) -> Iterator[Sample]:
        for number, (event, value) in enumerate(events):
            if number == 0 and event == "start_array":
                self._depth = self._samples_at = 1
                continue
            level = self._enter(event)
            if self._depth > DEEPEST:
                yield Sample(fault=("too_deep", f"the file is nested more than {DEEPEST} deep"))
                return
            if level > self._samples_at:
                self._note(level, event, value)
            elif level == self._samples_at and event not in _STARTS:
                yield self._sample
                self._sample, self._field = Sample(), ""
            if level == 0 and event in _ENDS:
                return

    def _enter(self, event: str) -> int:
        """Return the number of containers around the event's value."""
        self._depth -= event in _ENDS
        level = self._depth
        self._depth += event in _STARTS
        return level

    def _note(self, level: int, event: str, value: object) -> None:
        if level == self._samples_at + 1 and event == "map_key":
            self._field = str(value)
        elif self._field == "conversation":
            self._sample.take(event, value)
        elif self._field == "sample_id" and level == self._samples_at + 1 and event == "string":
            text = str(value)
            self._sample.sample_id = text if text.isprintable() and 0 < len(text) <= _LONGEST_SAMPLE_ID else ""
