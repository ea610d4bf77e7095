"""The prompt for the intent of a search: instructions, and the query as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.engine.memory.search.intent import MOST_SUB_QUERIES
from apps.llm.providers.base import Prompt
from apps.llm.structured.data_blocks import quoted, refusal
from apps.llm.structured.templates import prompt_file

_FILE = prompt_file(Path(__file__).with_suffix(".md"))
PROMPT_VERSION = _FILE.version


@dataclass(frozen=True, slots=True)
class IntentInput:
    """A query, and the last messages of the conversation in which it is asked, oldest first."""

    query: str
    messages: Sequence[str] = ()


def intent_prompt(asked: IntentInput, boundary: str, problem: str = "") -> Prompt:
    """Build the prompt. `boundary` is an unguessable delimiter; `problem` is why the previous answer was rejected."""
    sections = [quoted("query", boundary, [{"text": asked.query}]), _FILE.part("ask")]
    if asked.messages:
        sections.insert(0, quoted("messages", boundary, ({"text": text} for text in asked.messages)))
    if problem:
        sections.append(refusal(problem))
    return Prompt(_instructions(), "\n\n".join(sections))


def _instructions() -> str:
    role = _FILE.part("role", most=MOST_SUB_QUERIES)
    return "\n\n".join([role, _FILE.part("kinds"), _FILE.part("form")])
