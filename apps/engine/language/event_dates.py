"""Dates that a query names relative to an event, such as "two weeks before the move", in five languages."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta

from apps.engine.language.date_words import COUNTS, UNIT_DAYS, any_of
from apps.engine.language.dates import NamedDate
from apps.engine.language.japanese_dates import japanese_event

_BEFORE = r"before|vor|antes de|avant"
_AFTER = r"after|nach|después de|despues de|après"
_ONE = r"the|der|die|das|am|la|el|le|les"
_LONGEST_EVENT = 80
_RELATIVE = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{any_of(COUNTS)}|{_ONE}) (?P<unit>{any_of(UNIT_DAYS)}) "
    rf"(?:(?P<before>{_BEFORE})|{_AFTER})\b ?(?P<event>[^?!.,;:\n]{{3,{_LONGEST_EVENT}}})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EventDate:
    """So many days after an event, or before it if negative; `unit` are the days that the query counts in.

    `phrase` is the whole of it in the query.
    """

    event: str
    days: int
    unit: int
    phrase: str = ""

    def around(self, day: date) -> NamedDate | None:
        """The days that are meant if the event was on that day; a week before means about a week.

        >>> EventDate("the move", -14, 7).around(date(2026, 3, 20))
        NamedDate(first=datetime.date(2026, 3, 3), last=datetime.date(2026, 3, 9), month=None, day=None)
        """
        with suppress(OverflowError):
            middle, about = day + timedelta(days=self.days), timedelta(days=self.unit // 2)
            return NamedDate(middle - about, middle + about)
        return None


def event_date(text: str) -> EventDate | None:
    """The first date relative to an event that a text names.

    >>> event_date("What did we buy two weeks before the move?")
    EventDate(event='the move', days=-14, unit=7, phrase='two weeks before the move')
    >>> event_date("Was war eine Woche nach dem Umzug?").event
    'dem Umzug'
    >>> event_date("引っ越しの三日後に").days
    3
    >>> event_date("Two weeks ago we moved.") is None
    True
    """
    if found := japanese_event(text):
        event, span, phrase = found
        read = event_date(f"{span} the event")
        return replace(read, event=event, phrase=phrase) if read else None
    match = _RELATIVE.search(text)
    if match is None:
        return None
    given, unit = match["count"].lower(), UNIT_DAYS[match["unit"].lower()]
    count = int(given) if given.isdigit() else COUNTS.get(given, 1)
    return EventDate(match["event"].strip(), count * unit * (-1 if match["before"] else 1), unit, match[0])
