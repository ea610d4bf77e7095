"""The prompt for a conversation's memories: instructions, and messages and known memories as data."""

from __future__ import annotations

from pathlib import Path

from apps.engine.extraction.extract import EXTRACTOR
from apps.extraction.extractors.transcript import Transcript, label_of
from apps.llm.providers.base import Prompt
from apps.llm.structured.data_blocks import quoted, refusal
from apps.llm.structured.templates import prompt_file

_FILE = prompt_file(Path(__file__).with_suffix(".md"))
PROMPT_VERSION = f"prompt-{_FILE.version}"
WITH_MODEL = f"{PROMPT_VERSION}+{EXTRACTOR}"
"""Name of what read a conversation, of which a model with this prompt read at least a part."""
CURRENT = (EXTRACTOR, WITH_MODEL)
"""What another version read is read again. What only the rules read is not: a key set later is for new messages."""


def memories_prompt(transcript: Transcript, boundary: str, problem: str = "") -> Prompt:
    """Build the prompt. `boundary` is an unguessable delimiter; `problem` is why the previous answer was rejected."""
    earlier = {label_of(one) for one in transcript.earlier}
    rows = transcript.rows
    sections = [
        quoted("known", boundary, transcript.known_rows()),
        quoted("earlier", boundary, (row for label, row in rows.items() if label in earlier)),
        quoted("messages", boundary, (row for label, row in rows.items() if label not in earlier)),
        _FILE.part("ask"),
    ]
    if problem:
        sections.append(refusal(problem))
    parts = ("role", "slot", "decision", "categories", "form")
    return Prompt("\n\n".join(map(_FILE.part, parts)), "\n\n".join(sections))
