"""The base of the schemas that models answer in. The descriptions of their fields are read by the model."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class AnswerSchema(BaseModel):
    # A form asks for every field; an answer without one that may be empty is still read.
    model_config = ConfigDict(
        extra="ignore", coerce_numbers_to_str=True, json_schema_serialization_defaults_required=True
    )
