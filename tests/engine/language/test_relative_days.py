"""Words for the days around today, and what only looks like one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from apps.engine.language.relative_days import day_named

TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("My driving test is tomorrow", 1),
        ("We signed for the flat the day after tomorrow", 2),
        ("Übermorgen zieht Ada aus", 2),
        ("Seit gestern bin ich Opa", -1),
        ("Mañana me operan", 1),
        ("Pasado mañana me operan", 2),
        ("J'ai signé hier", -1),
        ("Minha mãe fez 70 anos ontem", -1),
        ("послезавтра экзамен", 2),
        ("明日引っ越します", 1),
        ("어제 도장 찍음", -1),
        ("It's called Whimbrel from today", 0),
    ],
)
def test_a_day_is_counted_from_the_message(text: str, days: int) -> None:
    assert day_named(text, TODAY) == TODAY + timedelta(days=days)


@pytest.mark.parametrize(
    "text",
    [
        "Guten Morgen, ich wohne in Ulm",
        "Ich wohne hier",
        "Corro por la mañana",
        "Hoy en día trabajo en casa",
        "Every day, also tomorrow, I swim",
        "=TODAY() is not allowed",
        "Tomorrowland was in July 2025",
        "The exam is tomorrow, 29 November 2026",
    ],
)
def test_what_names_no_day_or_its_year_too_has_none(text: str) -> None:
    assert day_named(text, TODAY) is None
