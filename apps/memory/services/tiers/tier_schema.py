"""The schema in which a model returns a memory's abstract and overview."""

from __future__ import annotations

from pydantic import Field

from apps.llm.structured.answers import AnswerSchema


class TiersAnswer(AnswerSchema):
    """A memory in short."""

    abstract: str = Field(description="One line: what somebody who looks for this would ask for.")
    overview: str = Field(default="", description="What it holds, in order, under headings; empty for a short one.")
