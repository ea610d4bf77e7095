"""The offline provider."""

from __future__ import annotations

import pytest

from apps.compaction.summarizers.schema import SummaryAnswer
from apps.engine.messages.canned_replies import NO_MODEL
from apps.engine.pack.offline_reply import offline_reply
from apps.llm.errors import ModelError
from apps.llm.providers.base import Finished, ModelRequest, Prompt, Purpose, TextDelta, Usage, UsageSource
from apps.llm.providers.offline import OfflineProvider
from tests.llm.conftest import events_of, question, run, text_of


def test_the_offline_provider_streams_and_identifies_itself() -> None:
    provider, request = OfflineProvider(), question("What did we decide about the database?")
    events = run(provider, events_of(provider, request))
    assert text_of(events) == offline_reply(request.prompt)  # type: ignore[arg-type]  # the prompt is a pack
    assert text_of(events).startswith(NO_MODEL)
    assert max(len(event.text) for event in events if isinstance(event, TextDelta)) <= 24
    assert events[-1] == Finished("end_turn")


def test_the_offline_provider_s_usage_is_estimated() -> None:
    provider = OfflineProvider()
    usage = run(provider, provider.complete(question())).usage
    assert isinstance(usage, Usage)
    assert usage.source is UsageSource.ESTIMATED


def test_the_offline_provider_gives_no_structured_answers() -> None:
    provider = OfflineProvider()
    request = ModelRequest(Purpose.COMPACTION, "offline", Prompt("", "Summarise"))
    with pytest.raises(ModelError) as caught:
        run(provider, provider.complete_structured(request, SummaryAnswer))
    assert caught.value.code == "not_configured"
