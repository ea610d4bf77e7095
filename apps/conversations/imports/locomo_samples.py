"""A streaming parser of LoCoMo files: at most one sample's conversation is in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import ijson

from apps.conversations.imports.jsonl import digest
from apps.conversations.imports.locomo import sample_messages, sample_title
from apps.conversations.imports.parsed_items import ConversationSeed, Item, Place, Skipped
from apps.conversations.limits import LONGEST_TITLE

LARGEST_CONVERSATION = 256 * 1024 * 1024
_LONGEST_SAMPLE_ID = 100
# Memory that a value needs in addition to its text.
_OVERHEAD = 64


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
    sample, base = Sample(), None
    try:
        for prefix, event, value in ijson.parse(file, use_float=True):
            if base is None:
                base = "item" if event == "start_array" else ""
                if base:
                    continue
            _note(sample, prefix.removeprefix(base).removeprefix("."), event, value)
            if prefix == base and event not in ("start_map", "start_array", "map_key"):
                yield sample
                sample = Sample()
            if (prefix, event) == ("", "end_array"):
                return
    except ijson.JSONError as error:
        reason = str(error).partition("\n")[0]
        yield Sample(fault=("invalid_json", f"the file cannot be read beyond this sample: {reason}"))


def _note(sample: Sample, path: str, event: str, value: object) -> None:
    if path == "sample_id" and event == "string":
        text = str(value)
        usable = text.isprintable() and 0 < len(text) <= _LONGEST_SAMPLE_ID
        sample.sample_id = text if usable else ""
    elif path == "conversation" or path.startswith("conversation."):
        sample.take(event, value)
