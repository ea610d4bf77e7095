"""Property: the same transcript gives the same tree, in whatever runs it is read.

The reader has no judgment of its own here on what has ended: it sees the memories nearest to a passage, which depend on
the runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import chain, count, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from apps.common.tenancy import workspace
from apps.conversations.records import MessageDraft
from apps.engine.memory.relations import STILL_HOLDS
from apps.extraction.services.comparing import ended_messages, endings
from apps.memory.models import MemNode, NodeType
from apps.turns.services.messages import messages_store
from studies.engine.update_histories import History, histories
from tests.conversations.long_conversations import conversation
from tests.extraction.runs import remember
from tests.people import person

_BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
# Besides facts that change: words with a signal, a repetition, and facts without a slot that replace others.
_TALK = (
    "Remember that the bins go out on Tuesdays.",
    "We use Square for the till.",
    "I prefer short code reviews.",
    "I prefer short reviews of code.",
    "We left Square for Lightspeed.",
    "The launch is on 3 May.",
    "The launch moved to 9 May.",
)
_numbers = count(1)
_histories = list(histories(40))


@pytest.fixture(autouse=True)
def undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "ended_chances", lambda pairs: [STILL_HOLDS] * len(pairs))
    monkeypatch.setattr(ended_messages, "ended_chances", lambda pairs: [STILL_HOLDS] * len(pairs))


@pytest.mark.slow("it reads a transcript in many ways")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=6)
@given(st.lists(st.sampled_from(_histories), min_size=1, max_size=3, unique_by=id), st.data())
@pytest.mark.django_db(transaction=True)
def test_a_transcript_in_any_split_into_runs_gives_the_same_tree(
    acme: Workspace, told: list[History], data: st.DataObject
) -> None:
    talk = [*_TALK, *chain.from_iterable((*one.statements[:1], *one.others, *one.statements[1:]) for one in told)]
    cuts = data.draw(st.sets(st.integers(1, len(talk) - 1), min_size=1, max_size=4))
    assert _tree(acme, talk, cuts) == _tree(acme, talk, ())


def _tree(acme: Workspace, talk: list[str], cuts: Iterable[int]) -> list[tuple[object, ...]]:
    """Let a new person tell the talk, with a run at each cut and at the end; return their memories."""
    actor = person(f"Person{next(_numbers)}", acme, Role.MEMBER)
    conversation_id = conversation(actor)
    for first, end in pairwise((0, *sorted(cuts), len(talk))):
        drafts = [
            MessageDraft("user", text, created_at=_BEGIN + timedelta(hours=first + place))
            for place, text in enumerate(talk[first:end])
        ]
        with workspace(actor.workspace_id):
            messages_store(actor, conversation_id=conversation_id, drafts=drafts)
        remember(actor, conversation_id)
    return _memories(actor)


def _memories(actor: Actor) -> list[tuple[object, ...]]:
    with workspace(actor.workspace_id):
        rows = MemNode.objects.filter(owner_id=actor.person_id, node_type=NodeType.LEAF)
        addresses = {row.id: row.uri for row in rows}
        return sorted(
            (
                row.uri,
                row.l2_content,
                (row.subject, row.attribute, row.value),
                (str(row.valid_from), str(row.valid_to), addresses.get(row.superseded_by_id, "")),
                (row.trust, row.arrival, row.version),
            )
            for row in rows
        )
