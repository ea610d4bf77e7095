"""The prompt for the abstract and overview of a memory: instructions, and the memory as data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from apps.engine.memory.tiers import ABSTRACT_TOKENS, OVERVIEW_TOKENS
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN, count_text
from apps.llm.providers.base import Prompt
from apps.llm.structured.data_blocks import quoted, refusal
from apps.llm.structured.templates import prompt_file

_FILE = prompt_file(Path(__file__).with_suffix(".md"))
PROMPT_VERSION = _FILE.version


@dataclass(frozen=True, slots=True)
class TierInput:
    """A memory to abridge, with its address."""

    address: str
    content: str

    @property
    def is_long(self) -> bool:
        """Whether the memory needs an overview; a shorter one serves as its own."""
        return count_text(self.content) > OVERVIEW_TOKENS


def tiers_prompt(told: TierInput, boundary: str, problem: str = "") -> Prompt:
    """Build the prompt. `boundary` is an unguessable delimiter; `problem` is why the previous answer was rejected."""
    memory = quoted("memory", boundary, [{"address": told.address, "text": told.content}])
    sections = [memory, _FILE.part("ask")]
    if problem:
        sections.append(refusal(problem))
    return Prompt(_instructions(told), "\n\n".join(sections))


def _instructions(told: TierInput) -> str:
    length = _FILE.part("length", characters=ABSTRACT_TOKENS * CHARACTERS_PER_TOKEN)
    overview = _FILE.part("overview", characters=OVERVIEW_TOKENS * CHARACTERS_PER_TOKEN)
    long = overview if told.is_long else _FILE.part("no_overview")
    return "\n\n".join([_FILE.part("role"), length, long, _FILE.part("form")])
