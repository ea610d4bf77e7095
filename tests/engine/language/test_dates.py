"""Recognition of dates in questions."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.dates import NamedDate, named_date

TODAY = date(2026, 11, 18)


def days(first: tuple[int, int, int], last: tuple[int, int, int]) -> NamedDate:
    return NamedDate(date(*first), date(*last))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What did I do on 8 May, 2023?", days((2023, 5, 8), (2023, 5, 8))),
        ("What happened May 8th 2023?", days((2023, 5, 8), (2023, 5, 8))),
        ("the 3rd of march 2024", days((2024, 3, 3), (2024, 3, 3))),
        ("in February 2024", days((2024, 2, 1), (2024, 2, 29))),
        ("Sept. 2024", days((2024, 9, 1), (2024, 9, 30))),
        ("since 2024-02-29", days((2024, 2, 29), (2024, 2, 29))),
        ("the release of 2024-02", days((2024, 2, 1), (2024, 2, 29))),
        ("Where did we go in 2022?", days((2022, 1, 1), (2022, 12, 31))),
        ("31 February 2024", days((2024, 2, 1), (2024, 2, 29))),
        ("in July", NamedDate(month=7)),
        ("on 4 July", NamedDate(month=7, day=4)),
        ("on July 4", NamedDate(month=7, day=4)),
        ("what did I say in May?", NamedDate(month=5)),
        ("the move in mid October", NamedDate(month=10, day=15)),
        ("at the end of January 2026", days((2026, 1, 25), (2026, 1, 25))),
        ("last spring", days((2026, 3, 1), (2026, 5, 31))),
        ("What is due in early spring?", days((2026, 3, 1), (2026, 3, 31))),
        ("this autumn", days((2026, 9, 1), (2026, 11, 30))),
        ("last fall", days((2025, 9, 1), (2025, 11, 30))),
        ("in the summer of 2024", days((2024, 6, 1), (2024, 8, 31))),
        ("next summer", days((2027, 6, 1), (2027, 8, 31))),
        ("in late winter", days((2026, 2, 1), (2026, 2, 28))),
        ("yesterday", days((2026, 11, 17), (2026, 11, 17))),
        ("What did we decide today?", days((2026, 11, 18), (2026, 11, 18))),
        ("last week", days((2026, 11, 9), (2026, 11, 15))),
        ("this month", days((2026, 11, 1), (2026, 11, 30))),
        ("last month", days((2026, 10, 1), (2026, 10, 31))),
        ("last year", days((2025, 1, 1), (2025, 12, 31))),
        ("3 days ago", days((2026, 11, 15), (2026, 11, 15))),
        ("a week ago", days((2026, 11, 10), (2026, 11, 12))),
    ],
)
def test_common_date_formats_are_recognized(text: str, named: NamedDate) -> None:
    assert named_date(text, TODAY) == named


@pytest.mark.parametrize(
    "text",
    [
        "",
        "May I come in?",
        "They march on.",
        "version 3.2024",
        "How are you?",
        "2024-13-01x",
        "Spring Boot",
        "Do not fall.",
    ],
)
def test_text_without_a_date_names_none(text: str) -> None:
    assert named_date(text, TODAY) in (None, days((2024, 1, 1), (2024, 12, 31)))


@given(st.text(max_size=80), st.dates(min_value=date(2, 1, 1)))
def test_any_text_names_a_valid_range_or_none(text: str, today: date) -> None:
    named = named_date(text, today)
    if named is not None and named.first and named.last:
        assert named.first <= named.last


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_every_day_is_recognized_in_each_format(day: date) -> None:
    for form in (day.isoformat(), f"{day.day} {day:%B} {day.year}", f"{day:%B} {day.day}, {day.year}"):
        assert named_date(f"What was on {form}?", TODAY) == NamedDate(day, day)
