"""Time zones of people, by their names in the IANA database."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.utils import timezone


@lru_cache(maxsize=1)
def time_zone_names() -> frozenset[str]:
    return frozenset(available_timezones())


def zone_of(name: str) -> tzinfo:
    """The zone with a name; UTC for none, and for one that this machine does not know.

    >>> str(zone_of("Asia/Tokyo")), str(zone_of(""))
    ('Asia/Tokyo', 'UTC')
    """
    if not name:
        return UTC
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        return UTC


def in_zone(name: str) -> timezone.override:
    """Count days in this zone within the block.

    >>> with in_zone("Asia/Tokyo"):
    ...     local_day(datetime(2026, 5, 31, 16, tzinfo=UTC))
    '2026-06-01'
    """
    return timezone.override(zone_of(name))


def local_day(at: datetime) -> str:
    """The day of a moment in the present person's zone, in ISO format."""
    return timezone.localtime(at).date().isoformat()
