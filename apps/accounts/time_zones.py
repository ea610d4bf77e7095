"""Time zones of people, by their names in the IANA database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from datetime import timezone as fixed_zone
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


def utc_offset_of(at: datetime) -> int | None:
    """The minutes east of UTC with which a time was given; None for UTC, which programs write wherever they are.

    >>> utc_offset_of(datetime.fromisoformat("2026-06-01T01:00:00+09:00"))
    540
    """
    return int((at.utcoffset() or timedelta()) / timedelta(minutes=1)) or None


def where_written(at: datetime, utc_offset: int | None, zone: tzinfo) -> datetime:
    """The moment by the clock of who wrote: with the offset that their message came with, or else in their zone.

    >>> where_written(datetime(2026, 5, 31, 16, tzinfo=UTC), 540, UTC).date().isoformat()
    '2026-06-01'
    """
    offset = zone if utc_offset is None else fixed_zone(timedelta(minutes=utc_offset))
    try:
        return at.astimezone(offset)
    except OverflowError:
        # The first or the last day that there is.
        return at


def local_day(at: datetime) -> str:
    """The day of a moment in the present person's zone, in ISO format."""
    return timezone.localtime(at).date().isoformat()
