"""The contract of HTTP adapters: Retry-After, first byte timeout, and endless answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from apps.llm.errors import ModelError
from apps.llm.providers import http
from apps.llm.providers.base import Provider, StreamEvent
from tests.llm.adapters import HTTP_ADAPTERS, Adapter
from tests.llm.conftest import IMPATIENT, events_of, question, run, text_of
from tests.providers.behaviours import Behaviour


@pytest.fixture(params=HTTP_ADAPTERS, ids=lambda adapter: adapter.name)
def adapter(request: pytest.FixtureRequest) -> Iterator[Adapter]:
    kind: type[Adapter] = request.param
    with kind.running() as running:
        yield running


def failure(provider: Provider) -> tuple[ModelError, list[StreamEvent]]:
    seen: list[StreamEvent] = []
    with pytest.raises(ModelError) as caught:
        run(provider, events_of(provider, question(), seen))
    return caught.value, seen


@pytest.mark.parametrize(
    ("wish", "least", "most"),
    [
        ("90000", 86_400, 86_400),
        ("inf", 86_400, 86_400),
        # The date is of when the tests were collected.
        (format_datetime(datetime.now(UTC) + timedelta(hours=20), usegmt=True), 3_600, 72_000),
        (format_datetime(datetime.now(UTC) + timedelta(days=9), usegmt=True), 86_400, 86_400),
        (format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True), 0, 0),
        *((senseless, None, None) for senseless in ("nan", "-5", "soon", "Wed, 99 Oct 99999 07:28:00 GMT")),
    ],
    ids=["days", "for ever", "date", "far date", "past", "nan", "negative", "word", "no date"],
)
def test_every_form_of_retry_after_is_parsed(
    adapter: Adapter, wish: str, least: float | None, most: float | None
) -> None:
    adapter.script(Behaviour("status", status=429, retry_after=wish))
    retry_after = failure(adapter.provider(IMPATIENT))[0].retry_after
    assert (
        retry_after is least if least is None or retry_after is None or most is None else least <= retry_after <= most
    )


def test_the_first_byte_timeout_includes_the_connection(adapter: Adapter) -> None:
    adapter.script(Behaviour("mute", first_byte_s=0.8))
    times = replace(IMPATIENT, first_byte_s=1, idle_s=9, chat_total_s=9)
    begin = time.monotonic()
    error, _ = failure(adapter.provider(times))
    assert (error.code, time.monotonic() - begin < 1.6) == ("timeout", True)


def test_an_endless_answer_is_cut_off(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "LARGEST_STREAM", 10_000)
    adapter.script(Behaviour("trickle", after=2))
    error, seen = failure(adapter.provider(replace(IMPATIENT, chat_total_s=15)))
    assert (error.code, bool(text_of(seen))) == ("malformed", True)
