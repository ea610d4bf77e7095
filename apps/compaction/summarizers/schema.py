"""The schemas in which a model returns a rolling summary or a segment summary."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from apps.llm.structured.answers import AnswerSchema


class _Sourced(AnswerSchema):
    sources: list[str] = Field(description="Labels of the messages or summary lines that it comes from.")


class LineAnswer(_Sourced):
    text: str


class DecisionAnswer(_Sourced):
    text: str = Field(description="What was decided.")
    reason: str = Field(description="Why, if it was said; else empty.")


class DefinitionAnswer(_Sourced):
    term: str
    text: str


class ReferenceAnswer(_Sourced):
    type: Literal["file", "url", "id", "code", "other"]
    value: str = Field(description="Exactly as it was written.")
    note: str = Field(description="What it is, in a few words; may be empty.")


class RemovedLineAnswer(AnswerSchema):
    line: str = Field(description="Label of a line of the present notes that is not in the new ones.")
    reason: Literal["superseded", "answered", "done", "limit"]
    by: list[str] = Field(description="Labels of the messages that replaced, answered or finished it.")


class SummaryAnswer(AnswerSchema):
    """The rolling summary; every field runs from its oldest to its newest line."""

    goals: list[LineAnswer]
    decisions: list[DecisionAnswer]
    requirements: list[LineAnswer]
    current_plan: list[LineAnswer]
    open_questions: list[LineAnswer]
    definitions: list[DefinitionAnswer]
    references: list[ReferenceAnswer]
    removed: list[RemovedLineAnswer] = Field(
        default=[], description="What of the present notes is not in these, and why."
    )


class SegmentAnswer(AnswerSchema):
    """The summary of a segment."""

    overview: str = Field(description="One sentence on what it is about.")
    points: list[str] = Field(description="Other things worth keeping, in the order in which they came up.")
    decisions: list[str] = Field(description="What was decided, with the reason if one was given.")
    open_questions: list[str]
