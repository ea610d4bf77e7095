"""The schema in which a model returns what is worth remembering."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from apps.llm.structured.answers import AnswerSchema


class MemoryAnswer(AnswerSchema):
    """One fact, with the words that state it."""

    message: str = Field(description="Label of the message that is quoted.")
    quote: str = Field(description="Words of this message, character for character.")
    category: Literal["profile", "preferences", "entities", "events", "patterns", "cases"]
    name: str = Field(default="", description="A name for it, of two to five words.")
    subject: str = Field(default="", description='"user", or the name of what it is about.')
    attribute: str = Field(default="", description="One to three English words in snake_case.")
    value: str = Field(default="", description="The value alone.")
    many: bool = Field(default=False, description="Whether several values can hold at once.")
    statement: str = Field(description="One sentence that is understood without the conversation.")
    inferred: bool = Field(default=False, description="Whether the words imply it without stating it.")
    occurred_on: str = Field(default="", description="YYYY-MM-DD, or empty.")
    ends_on: str = Field(default="", description="YYYY-MM-DD, or empty.")
    confidence: float = Field(description="From 0 to 1.")
    decision: Literal["create", "skip", "merge", "supersede"] = "create"
    target: str = Field(default="new", description='Label of a known memory, or "new".')


class MemoriesAnswer(AnswerSchema):
    """What is worth remembering; usually few, often none."""

    memories: list[MemoryAnswer]
