"""Memories, pins and search results as plain data."""

from apps.memory.records.pins_and_user_memory import (
    PIN_CATEGORIES,
    USER_MEMORY_TYPES,
    PinRecord,
    UserMemoryRecord,
    engine_memory,
    engine_pin,
    pin_record,
    user_memory_record,
)

__all__ = [
    "PIN_CATEGORIES",
    "USER_MEMORY_TYPES",
    "PinRecord",
    "UserMemoryRecord",
    "engine_memory",
    "engine_pin",
    "pin_record",
    "user_memory_record",
]
