"""Serializer fields for memory addresses; invalid ones are rejected with their own error code."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework.fields import empty

from apps.api.framework.serializers import Text
from apps.common.errors import Invalid
from apps.engine.memory.addresses import LONGEST_ADDRESS, Address, AddressError
from apps.engine.memory.categories import category_of

# Normalize to composed characters before measuring the length of an address.
_LONGEST_WRITTEN = 4 * LONGEST_ADDRESS


@extend_schema_field({"type": "string", "pattern": "^mem://", "maxLength": _LONGEST_WRITTEN})
class AddressText(Text):
    """`mem://…`, given to the handler as an `Address` within one of the tree's categories, or above them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": _LONGEST_WRITTEN, **options})

    def run_validation(self, data: Any = empty) -> Any:
        text = super().run_validation(data)
        return address_of(text, f"/{self.field_name}") if isinstance(text, str) else text


def address_of(text: str, pointer: str) -> Address:
    """The address that a text is, or a refusal that points at it."""
    try:
        address = Address.parse(text)
        category_of(address)
    except AddressError as error:
        raise bad_address(error, pointer) from error
    return address


def bad_address(error: AddressError, pointer: str) -> Invalid:
    reason = str(error)
    detail = f"{reason[:1].upper()}{reason[1:]}."
    return Invalid(
        detail, code="bad_address", extra={"errors": [{"pointer": pointer, "code": "bad_address", "detail": detail}]}
    )
