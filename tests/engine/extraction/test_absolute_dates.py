"""Dates for words that count from today, and what only looks like one."""

from __future__ import annotations

from datetime import date

import pytest

from apps.engine.extraction.absolute_dates import absolute

TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("My driving test is tomorrow.", "My driving test is on 2026-11-29."),
        ("We sign for the flat the day after tomorrow", "We sign for the flat on 2026-11-30"),
        ("Kofi does the spraying from today", "Kofi does the spraying from 2026-11-28"),
        ("I adopted a greyhound yesterday", "I adopted a greyhound on 2026-11-27"),
        ("In three weeks I start on the harbour ferry", "On 2026-12-19 I start on the harbour ferry"),
        ("Last month we got the keys", "In 2026-10 we got the keys"),
        ("My mum flies in next Saturday", "My mum flies in on 2026-12-05"),
        ("I was there two years ago", "I was there in 2024"),
        ("The audit is next week", "The audit is on 2026-11-30/2026-12-06"),
        ("Übermorgen zieht Ada aus", "2026-11-30 zieht Ada aus"),
        ("Seit gestern bin ich Opa", "Seit 2026-11-27 bin ich Opa"),
        ("Ich ziehe in zwei Wochen um", "Ich ziehe 2026-12-12 um"),
        ("Nächsten Freitag ist Elternabend", "2026-12-04 ist Elternabend"),
        ("Mañana me operan", "2026-11-29 me operan"),
        ("Empiezo el mes que viene", "Empiezo 2026-12"),
        ("J'ai signé hier", "J'ai signé 2026-11-27"),
        ("On part samedi prochain", "On part 2026-12-05"),
        ("Ci sposiamo tra due mesi", "Ci sposiamo 2027-01"),
        ("Minha mãe fez 70 anos ontem", "Minha mãe fez 70 anos 2026-11-27"),
        ("послезавтра экзамен", "2026-11-30 экзамен"),
        ("明日引っ越します", "2026-11-29引っ越します"),
        ("I start in three week\u017f", "I start on 2026-12-19"),
        ("I start in s\u0131x weeks", "I start on 2027-01-09"),
    ],
)
def test_what_counts_from_the_message_becomes_a_date(text: str, dated: str) -> None:
    assert absolute(text, TODAY) == dated


@pytest.mark.parametrize(
    ("text", "written_on"),
    [
        ("My test is tomorrow", date.max),
        ("My test was yesterday", date.min),
    ],
)
def test_what_no_calendar_has_stays(text: str, written_on: date) -> None:
    assert absolute(text, written_on) == text


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
        "I learned Go in three weeks",
        "We run in a week-long relay",
        "I work on Fridays",
    ],
)
def test_what_names_no_day_or_its_year_too_stays(text: str) -> None:
    assert absolute(text, TODAY) == text
