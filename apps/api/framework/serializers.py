"""Strict serializer fields without type coercion: a number is not a string, "yes" is not true."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any, Generic, TypeVar

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from apps.api.framework.parsers import LARGEST_WHOLE
from apps.common.errors import TooLarge
from apps.engine.pack.negotiation import LARGEST_BUDGET

Instance = TypeVar("Instance")
Serializer = TypeVar("Serializer", bound=serializers.Serializer[Any])


class Text(serializers.CharField):
    """`max_bytes` bounds long texts: beyond it the request is too large rather than wrong."""

    def __init__(self, *, max_bytes: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.max_bytes = max_bytes

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if self.max_bytes is not None and len(data.encode("utf-8", "replace")) > self.max_bytes:
            raise TooLarge(f"{self.field_name} can have at most {self.max_bytes} bytes.")
        return super().to_internal_value(data)


class ZonedTime(serializers.DateTimeField):
    """A time that keeps the offset with which it was sent; without one it is in the caller's time zone."""

    def enforce_timezone(self, value: datetime) -> datetime:
        try:
            in_utc = super().enforce_timezone(value).astimezone(UTC)
        except OverflowError:
            self.fail("overflow")
        return value if value.tzinfo else in_utc


class Email(serializers.EmailField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": -LARGEST_WHOLE, "max_value": LARGEST_WHOLE, **options})

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class Number(serializers.FloatField):
    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


class TokenBudget(Whole):
    """In tokens; may be absent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": LARGEST_BUDGET, "required": False, **options})


class Flag(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


@cache
def prepared(serializer: type[Serializer]) -> Serializer:
    """Return a serializer instance shared by all requests; copying its fields costs more than using them.

    The instance stores no request state.
    """
    return serializer()


class OutputSerializer(serializers.Serializer[Instance], Generic[Instance]):
    """Base of response serializers; fields are attributes of a dataclass."""

    @property
    def data(self) -> Any:
        return prepared(type(self)).to_representation(self.instance)


class Input(serializers.Serializer[Any]):
    """Base of request serializers; unknown fields are errors, so that typos do not go unnoticed."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, dict) else []
        if unknown:
            error = ErrorDetail("Unknown field.", code="unknown_field")
            raise serializers.ValidationError({name: [error] for name in unknown})
        return super().to_internal_value(data)


class Changes(Input):
    """Base of PATCH bodies: absent fields stay unchanged, and at least one field is required."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Send at least one field to change.", code="nothing_to_change")
        return attrs


def read_body(serializer: type[Input], data: Any) -> dict[str, Any]:
    """Return the validated body; raise `ValidationError`, which points to each invalid field."""
    values: dict[str, Any] = prepared(serializer).run_validation(data)
    return values


def read_query(serializer: type[Input], params: Any) -> dict[str, Any]:
    """Return the validated query parameters, without those of pagination."""
    named = {name: value for name, value in params.items() if name not in ("cursor", "limit")}
    return read_body(serializer, named)
