"""Serializers of summary corrections and the validation of each section's line format."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.compaction.compaction_serializers import REFERENCE_TYPES
from apps.api.framework.serializers import Choice, Input, Text, Whole
from apps.compaction.summarizers.parse import LONGEST_TERM, LONGEST_TEXT, LONGEST_VALUE
from apps.engine.language.similarity import normalized
from apps.engine.summary.corrections import Correction
from apps.engine.summary.rolling_summary import FIELDS, Decision, Definition, Entry, Line, Reference, ReferenceType

MOST_PLACES = 10_000
_NEEDED = {"definitions": ("term", "text"), "references": ("type", "value")}
_MORE = {"decisions": ("reason",), "references": ("note",)}


class CorrectedLineInput(Input):
    """`decisions` have text and reason, `definitions` term and text, `references` type, value and note, all others
    only text. Line breaks are removed."""

    text = Text(max_length=LONGEST_TEXT, required=False)
    reason = Text(max_length=LONGEST_TEXT, required=False, allow_blank=True)
    term = Text(max_length=LONGEST_TERM, required=False)
    type = Choice(choices=REFERENCE_TYPES, required=False)
    value = Text(max_length=LONGEST_VALUE, required=False)
    note = Text(max_length=LONGEST_TEXT, required=False, allow_blank=True)


class CorrectionInput(Input):
    """With `place` and `line`, rewrite a line; without `place`, append one; without `line`, remove one."""

    field = Choice(choices=FIELDS)
    place = Whole(min_value=0, max_value=MOST_PLACES, allow_null=True, help_text="Its index in the section.")
    line = CorrectedLineInput(allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["line"] is not None:
            _check_kind(attrs["field"], attrs["line"])
        elif attrs["place"] is None:
            fault = serializers.ErrorDetail(
                "Send a line to add, or the place of a line to remove.", code="nothing_to_change"
            )
            raise serializers.ValidationError({"line": [fault]})
        return attrs


def correction_of(values: dict[str, Any]) -> Correction:
    return Correction(values["field"], values["place"], _entry(values["field"], values["line"]))


def _check_kind(field: str, line: dict[str, Any]) -> None:
    needed = _NEEDED.get(field, ("text",))
    foreign = {
        name: _fault("not_of_this_field", field) for name in line if name not in (*needed, *_MORE.get(field, ()))
    }
    missing = {name: _fault("required", field) for name in needed if name not in line}
    if foreign or missing:
        raise serializers.ValidationError({"line": foreign | missing})


def _fault(code: str, field: str) -> serializers.ErrorDetail:
    detail = (
        f"Lines in {field} require this field." if code == "required" else f"Lines in {field} do not have this field."
    )
    return serializers.ErrorDetail(detail, code=code)


def _entry(field: str, line: dict[str, Any] | None) -> Entry | None:
    if line is None:
        return None
    parts = {name: normalized(text) for name, text in line.items()}
    if field == "decisions":
        return Decision(parts["text"], parts.get("reason", ""), ())
    if field == "definitions":
        return Definition(parts["term"], parts["text"], ())
    if field == "references":
        return Reference(ReferenceType(parts["type"]), parts["value"], parts.get("note", ""), ())
    return Line(parts["text"], ())
