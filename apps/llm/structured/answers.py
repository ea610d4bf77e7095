"""Base class of answer schemas. Models read the descriptions of the fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class AnswerSchema(BaseModel):
    # The schema requires every field, but an answer that omits an optional one is accepted.
    model_config = ConfigDict(
        extra="ignore", coerce_numbers_to_str=True, json_schema_serialization_defaults_required=True
    )
