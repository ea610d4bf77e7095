"""Calibration of the token estimator by the usage of replies, over a real server."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.pack.estimators import EstimatorState, estimator_state
from apps.engine.policy import Policy
from apps.llm.models import ModelCalibration, ModelUsage
from apps.llm.selectors.calibration import estimator_for
from tests.conversations.long_conversations import conversation
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour
from tests.turns.streams import Talker, ended, events

pytestmark = pytest.mark.django_db(transaction=True)


def test_after_five_replies_the_factor_shows(alice: Actor, talker: Talker) -> None:
    talk = conversation(alice, system_prompt="Be short.")
    marks = []
    for number in range(6):
        list(events(talker.turn(talk, f"Question {number}: " + "what did we decide about the harbour? " * 20)))
        assert ended(alice, talk) == ("complete", "")
        marks.append(mark(alice))
    assert [(told.name, told.calls) for told in marks] == [("characters by script", number) for number in range(1, 7)]
    assert {told.factor for told in marks[:4]} == {1.0}
    with workspace(alice.workspace_id):
        learned, calls = ModelCalibration.objects.get(), list(ModelUsage.objects.all())
    asked = sum(call.input_tokens + call.cache_read_tokens + call.cache_write_tokens for call in calls)
    assert learned.reported_tokens == asked
    ratio = min(max(asked / learned.estimated_tokens, 0.5), 3.0)
    assert marks[4].factor == marks[5].factor == pytest.approx(ratio, abs=0.05)
    assert marks[4].factor != 1.0


def test_a_reply_that_breaks_off_teaches_nothing(alice: Actor, talker: Talker, provider: ProviderServer) -> None:
    provider.script(Behaviour("cut"))
    talk = conversation(alice)
    list(events(talker.turn(talk, "Hello")))
    assert ended(alice, talk)[0] == "partial"
    with workspace(alice.workspace_id):
        assert not ModelCalibration.objects.exists()


def mark(actor: Actor) -> EstimatorState:
    with workspace(actor.workspace_id):
        model = ModelUsage.objects.latest("id").model
        return estimator_state(estimator_for(Policy(), model))
