"""The schema in which a model returns the intent of a search."""

from __future__ import annotations

from pydantic import Field

from apps.engine.memory.search.intent import SubQueryKind
from apps.llm.structured.answers import AnswerSchema


class SubQueryAnswer(AnswerSchema):
    """One thing that the query asks for."""

    kind: SubQueryKind = Field(description="MEMORY, PATTERN or RESOURCE: where it is looked for.")
    text: str = Field(description="A query that stands alone, in the language of the query.")


class IntentAnswer(AnswerSchema):
    """What a query asks for."""

    sub_queries: list[SubQueryAnswer] = Field(description="One to three.")
