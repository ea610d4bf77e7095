"""Whether a later statement ends an earlier one."""

from __future__ import annotations

import pytest

from apps.engine.language.supersession import Statement, ends


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("Use Kafka instead of RabbitMQ.", {"rabbitmq"}),
        ("We switched from Jenkins to Buildkite", {"jenkin"}),
        ("Replace Celery with Dramatiq", {"celery"}),
        ("We no longer use Memcached for sessions", {"memcach"}),
        ("Timescale is out after all: the licence is too strict.", {"timescal"}),
        ("Not the Rheinsteig any more, the knee says no.", {"rheinsteig"}),
        ("Kafka was too much for two people to run, hence NATS.", {"kafka"}),
        ("The dentist is on the 19th, not the 9th.", {"9th"}),
        ("The retention is 45 days, I wrote 90 earlier.", {"90"}),
        ("Use Kafka.", set()),
        ("The pool is out of connections.", set()),
    ],
)
def test_replaced_items_are_extracted(text: str, old: set[str]) -> None:
    assert Statement(text).replaced == old


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("We store events in TimescaleDB, it has retention.", "Timescale is out: events go to PostgreSQL."),
        ("The partner interface will be GraphQL.", "Forget GraphQL for partners; REST it is."),
        ("We walk the Rheinsteig in May.", "Not the Rheinsteig any more, we rent a boat instead."),
        ("I use a lease row instead of an advisory lock.", "Scrap the lease row, the lock is fine."),
        ("Raw positions are kept for 90 days.", "The retention for raw positions is 45 days, I wrote 90 earlier."),
        ("The dentist is on the 9th.", "The dentist is on the 19th, not the 9th."),
    ],
)
def test_a_later_statement_about_the_same_thing_ends_the_earlier_one(earlier: str, later: str) -> None:
    assert ends(Statement(later), Statement(earlier))
    assert not ends(Statement(earlier), Statement(later))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("We store events in PostgreSQL.", "Timescale is out: events go to PostgreSQL."),
        ("We dropped Kafka last year.", "Forget Kafka, NATS it is."),
        ("Mail answers within 10 ms.", "Chat answers within 20 ms."),
        ("The party is on the 9th.", "The dentist is on the 19th, not the 9th."),
        ("The pool holds 10 connections.", "The pool holds 10 connections at night."),
        ("Reads go to the replica.", "We store events in PostgreSQL."),
    ],
)
def test_another_thing_or_the_same_value_ends_nothing(earlier: str, later: str) -> None:
    assert not ends(Statement(later), Statement(earlier))


def test_another_number_for_the_same_thing_ends_the_earlier_one() -> None:
    assert ends(Statement("The pool holds 20 connections."), Statement("The pool holds 10 connections."))
