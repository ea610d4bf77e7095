"""Tests of slots: what a sentence gives as the current value of whom or what, and when it gives none."""

from __future__ import annotations

import pytest

from apps.engine.extraction.slots import SlotReader
from apps.engine.memory.slots import Slot

RESIDENCE = (
    ("I live in Tartu", "Tartu"),
    ("We're living in Aarhus these days", "Aarhus"),
    ("My apartment is in Lviv, right by the park", "Lviv"),
    ("Home is Galway for us", "Galway"),
    ("Bergen is home now", "Bergen"),
    ("We left Ghent for Antwerp in May, so that's where we live now", "Antwerp"),
    ("I no longer live in Tartu, I'm in Riga now", "Riga"),
    ("I don't live in Tartu any more, it's Riga now", "Riga"),
    ("I used to live in Tartu, now I live in Riga", "Riga"),
    ("Small update: we moved from Tartu to Riga last month", "Riga"),
    ("I've relocated to San Sebastian", "San Sebastian"),
    ("I live in Riga now, no longer in Tartu", "Riga"),
    ("I'm based in Riga, not Tartu", "Riga"),
    ("I moved back to Den Haag", "Den Haag"),
)
EMPLOYER = (
    ("I work for Osterman & Sons", "Osterman & Sons"),
    ("I don't work at Zenit any more, I'm at Polaris", "Polaris"),
    ("I no longer work for Zenit, I joined Polaris", "Polaris"),
    ("I'm not at Zenit any longer, I work for Polaris", "Polaris"),
    ("As of Monday I work for Polaris Foods", "Polaris Foods"),
    ("I left Zenit and joined Polaris", "Polaris"),
    ("I started a new job at Polaris", "Polaris"),
    ("My new job is at Polaris", "Polaris"),
    ("Polaris hired me", "Polaris"),
    ("I got a job at Polaris last week", "Polaris"),
)
PEOPLE = (
    ("My sister Ines lives in Cádiz", "ines", "lives_in", "Cádiz"),
    ("My brother Tom, the oldest, is a nurse", None, None, None),
    ("My husband Marek works for Polaris now", "marek", "employer", "Polaris"),
    ("My parents moved to Gdynia", "parents", "lives_in", "Gdynia"),
    ("Ines no longer lives in Cádiz, she moved to Faro", "ines", "lives_in", "Faro"),
    ("Our friend Piet is based in Delft now", "piet", "lives_in", "Delft"),
)
DATABASES = (
    ("Ledgerly runs on MariaDB", "ledgerly", "MariaDB"),
    ("The ticket shop uses PostgreSQL 16", "ticket-shop", "PostgreSQL 16"),
    ("We keep the data of the ticket shop in SQLite", "ticket-shop", "SQLite"),
    ("The data of our intranet is stored in MySQL", "intranet", "MySQL"),
    ("We migrated the ticket shop from MySQL to CockroachDB", "ticket-shop", "CockroachDB"),
    ("The ticket shop was moved off MySQL to Postgres", "ticket-shop", "Postgres"),
    ("The ticket shop doesn't use MySQL any more, we switched it to Postgres", "ticket-shop", "Postgres"),
    ("The ticket shop no longer runs on MySQL but on Postgres", "ticket-shop", "Postgres"),
    ("We swapped MySQL for Postgres behind the ticket shop", "ticket-shop", "Postgres"),
    ("For the ticket shop we replaced MySQL with Postgres", "ticket-shop", "Postgres"),
    ("Postgres replaced MySQL in the ticket shop", "ticket-shop", "Postgres"),
    ("Ledgerly's database is DuckDB now", "ledgerly", "DuckDB"),
    ("The database behind Ledgerly is DuckDB", "ledgerly", "DuckDB"),
    ("Instead of MySQL, Ledgerly uses Postgres", "ledgerly", "Postgres"),
    ("Ledgerly runs on Redis now", "ledgerly", "Redis"),
)
DEADLINES = (
    ("The deadline for the tender is 8 March", "tender", "8 March"),
    ("Our conference paper is due on 8 March", "conference-paper", "8 March"),
    ("The new deadline for the tender is 9 April", "tender", "9 April"),
    ("The deadline for the tender was pushed back from 8 March to 9 April", "tender", "9 April"),
    ("The tender's deadline moved to 9 April", "tender", "9 April"),
    ("The tender is no longer due on 8 March, it's 9 April now", "tender", "9 April"),
    ("The tender is due on 9 April, not 8 March", "tender", "9 April"),
    ("The tender isn't due on 8 March any more but on 9 April", "tender", "9 April"),
    ("They moved the deadline for the tender to 9 April", "tender", "9 April"),
    ("We have to hand in the tender by 9 April", "tender", "9 April"),
    ("The tender has to be submitted by Friday", "tender", "Friday"),
)
ROLES = (
    ("Our florist is Odile", "florist", "Odile"),
    ("My thesis advisor is Prof. Lund", "thesis_advisor", "Prof. Lund"),
    ("Odile Marchand is our florist now", "florist", "Odile Marchand"),
    ("Our bookkeeper is called Sanne", "bookkeeper", "Sanne"),
    ("Pavel took over from Sanne as our bookkeeper", "bookkeeper", "Pavel"),
    ("Pavel has replaced Sanne as our bookkeeper", "bookkeeper", "Pavel"),
    ("We have a new bookkeeper: Pavel", "bookkeeper", "Pavel"),
    ("We've got a new bookkeeper, Pavel", "bookkeeper", "Pavel"),
    ("We hired Pavel as our bookkeeper", "bookkeeper", "Pavel"),
    ("Sanne is no longer our bookkeeper, Pavel is", "bookkeeper", "Pavel"),
    ("Our bookkeeper is no longer Sanne, it's Pavel", "bookkeeper", "Pavel"),
    ("Sanne left, so Pavel is our bookkeeper now", "bookkeeper", "Pavel"),
    ("Our bookkeeper isn't Sanne any more but Pavel", "bookkeeper", "Pavel"),
    ("Pavel became our bookkeeper in spring", "bookkeeper", "Pavel"),
)
NONE = (
    "I no longer live in Tartu",
    "I don't work at Zenit any more",
    "Sanne is no longer our bookkeeper",
    "The ticket shop doesn't use MySQL any more",
    "I might move to Riga",
    "We moved to Slack",
    "I live in a small flat",
    "We don't use MySQL, it's slow",
    "The ticket shop no longer uses MySQL, it's too slow",
    "I no longer live in Tartu, my sister is happy",
    "Our chef is Italian",
    "Our old accountant is Pavel",
    "The ticket shop uses Elasticsearch",
    "The ticket shop uses Postgres and Redis",
    "Everything in the shop runs on Postgres",
    "The team moved to Thursday",
    "My brother thinks Odile is right",
    "The rent is due soon",
)


def _of_user(attribute: str, value: str) -> Slot:
    return Slot("user", attribute, value)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        *((text, _of_user("lives_in", value)) for text, value in RESIDENCE),
        *((text, _of_user("employer", value)) for text, value in EMPLOYER),
        *((text, Slot.of("user", role, value)) for text, role, value in ROLES),
        *((text, Slot(thing, "database", value)) for text, thing, value in DATABASES),
        *((text, Slot(thing, "deadline", value)) for text, thing, value in DEADLINES),
        *((text, Slot(subject, attribute, value) if subject else None) for text, subject, attribute, value in PEOPLE),
    ],
)
def test_a_sentence_gives_the_current_value_of_its_slot(text: str, slot: Slot | None) -> None:
    assert SlotReader().read(text) == slot


@pytest.mark.parametrize("text", NONE)
def test_a_sentence_that_only_denies_or_leaves_a_doubt_gives_no_slot(text: str) -> None:
    assert SlotReader().read(text) is None


def test_what_members_say_of_themselves_is_about_them() -> None:
    assert SlotReader("Bob").read("I no longer live in Tartu, it's Riga now") == Slot("bob", "lives_in", "Riga")
