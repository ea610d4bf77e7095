"""Short answers, which the reader reads alone too: some need the question before them, others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.engine.extraction.parts import Part
from apps.engine.extraction.statements import can_be_read_alone, doubtful_answer
from apps.engine.reading.chances import MessageInput, MessageRead
from apps.llm.reading.installed import read_messages


def without_needless_questions(parts: Sequence[Part], reads: Sequence[MessageRead], least: float) -> list[Part]:
    """Return the parts, without the question where a short answer can be read alone; raises `ModelError`.

    It can if the reader gives it at least the chance of a memory.
    """
    doubtful = [doubtful_answer(part, read) for part, read in zip(parts, reads, strict=True)]
    answers = list(dict.fromkeys(filter(None, doubtful)))
    alone = read_messages([MessageInput(one) for one in answers])
    clear = {one for one, read in zip(answers, alone, strict=True) if can_be_read_alone(read, least)}
    return [replace(part, question="") if one in clear else part for part, one in zip(parts, doubtful, strict=True)]
