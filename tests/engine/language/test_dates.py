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
        ("four weeks ago", days((2026, 10, 20), (2026, 10, 22))),
        ("a couple of months ago", days((2026, 9, 12), (2026, 9, 26))),
        ("the day before yesterday", days((2026, 11, 16), (2026, 11, 16))),
        ("over the last three months", days((2026, 8, 20), (2026, 11, 18))),
        ("in the past 10 days", days((2026, 11, 8), (2026, 11, 18))),
        ("2023年5月8日に何をしましたか？", days((2023, 5, 8), (2023, 5, 8))),
        ("２０２４年２月", days((2024, 2, 1), (2024, 2, 29))),
        ("2022年にどこへ行きましたか？", days((2022, 1, 1), (2022, 12, 31))),
        ("七月に", NamedDate(month=7)),
        ("五月二十日", NamedDate(month=5, day=20)),
        ("去年の春はどこにいましたか？", days((2025, 3, 1), (2025, 5, 31))),
        ("今年の秋", days((2026, 9, 1), (2026, 11, 30))),
        ("去年の三月", days((2025, 3, 1), (2025, 3, 31))),
        ("昨年は何をしましたか？", days((2025, 1, 1), (2025, 12, 31))),
        ("昨日", days((2026, 11, 17), (2026, 11, 17))),
        ("一昨日", days((2026, 11, 16), (2026, 11, 16))),
        ("先週の会議", days((2026, 11, 9), (2026, 11, 15))),
        ("先月", days((2026, 10, 1), (2026, 10, 31))),
        ("三日前に", days((2026, 11, 15), (2026, 11, 15))),
        ("2週間前", days((2026, 11, 3), (2026, 11, 5))),
    ],
)
def test_common_date_formats_are_recognized(text: str, named: NamedDate) -> None:
    assert named_date(text, TODAY) == named


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("am 8. Mai 2023", "el 8 de mayo de 2023", "le 8 mai 2023"), days((2023, 5, 8), (2023, 5, 8))),
        (("am 1. März", "el 1 de marzo", "le 1er mars"), NamedDate(month=3, day=1)),
        (("im Februar 2024", "en febrero de 2024", "en février 2024"), days((2024, 2, 1), (2024, 2, 29))),
        (("im Mai", "en mayo", "en mai"), NamedDate(month=5)),
        (("Anfang März", "a principios de marzo", "début mars"), NamedDate(month=3, day=5)),
        (("letzten Sommer", "el verano pasado", "l'été dernier"), days((2026, 6, 1), (2026, 8, 31))),
        (("nächsten Winter", "el próximo invierno", "l'hiver prochain"), days((2026, 12, 1), (2027, 2, 28))),
        (("im Frühjahr 2024", "en la primavera de 2024", "au printemps 2024"), days((2024, 3, 1), (2024, 5, 31))),
        (("diesen Herbst", "este otoño", "cet automne"), days((2026, 9, 1), (2026, 11, 30))),
        (("letzten Monat", "el mes pasado", "le mois dernier"), days((2026, 10, 1), (2026, 10, 31))),
        (("letzte Woche", "la semana pasada", "la semaine dernière"), days((2026, 11, 9), (2026, 11, 15))),
        (("letztes Jahr", "el año pasado", "l’année dernière"), days((2025, 1, 1), (2025, 12, 31))),
        (("diesen Monat", "este mes", "ce mois"), days((2026, 11, 1), (2026, 11, 30))),
        (("vor vier Wochen", "hace cuatro semanas", "il y a quatre semaines"), days((2026, 10, 20), (2026, 10, 22))),
        (("vor einem Tag", "hace un día", "il y a un jour"), days((2026, 11, 17), (2026, 11, 17))),
        (("vor 2 Jahren", "hace 2 años", "il y a 2 ans"), days((2024, 8, 19), (2025, 2, 17))),
        (
            ("in den letzten drei Monaten", "los últimos tres meses", "les trois derniers mois"),
            days((2026, 8, 20), (2026, 11, 18)),
        ),
        (("gestern", "ayer", "qu'ai-je dit hier ?"), days((2026, 11, 17), (2026, 11, 17))),
        (("vorgestern", "anteayer", "avant-hier"), days((2026, 11, 16), (2026, 11, 16))),
        (("heute", "hoy", "aujourd'hui"), days((2026, 11, 18), (2026, 11, 18))),
    ],
)
def test_dates_are_recognized_in_german_spanish_and_french(texts: tuple[str, ...], named: NamedDate) -> None:
    assert [named_date(text, TODAY) for text in texts] == [named] * len(texts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3. May I come in?",
        "two eggs with mayo",
        "Wie funktioniert das hier?",
        "Il a été malade.",
        "sept jours de vacances",
        "un abrigo de invierno",
        "Mars has two moons.",
        "the last one",
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


@pytest.mark.parametrize("today", [date.min, date(1, 1, 31), date(9999, 12, 31)])
@pytest.mark.parametrize("text", ["last year", "last winter", "last month", "next summer", "this week", "0 years ago"])
def test_the_first_and_the_last_days_of_the_calendar_are_no_error(text: str, today: date) -> None:
    named_date(text, today)


@pytest.mark.parametrize(
    ("text", "plain"),
    [("3 week\u017f ago", "3 weeks ago"), ("on 3 Augu\u017ft", "on 3 August"), ("s\u0131x days ago", "six days ago")],
)
def test_letters_that_a_pattern_takes_for_others_are_read_as_these(text: str, plain: str) -> None:
    assert named_date(text, TODAY) == named_date(plain, TODAY) is not None
