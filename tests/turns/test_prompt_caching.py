"""The share of a long conversation's input that comes from the provider's cache, thanks to stable prefixes."""

from __future__ import annotations

import random
from uuid import UUID

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob
from apps.llm.models import ModelUsage
from tests.compaction.runs import run_due_jobs, runs_of
from tests.conversations.long_conversations import conversation
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour
from tests.turns.streams import Talker, events

pytestmark = pytest.mark.django_db(transaction=True)

TURNS = 60
WORDS = ("invoice", "pool", "migration", "shed", "paint", "release", "review", "budget", "cache", "index", "worker")


def passage(seed: int, tokens: int) -> str:
    """Return a unique text of this many tokens."""
    chance, text = random.Random(seed), ""
    while len(text) < 4 * tokens:
        text += f"{chance.choice(WORDS)} {chance.randrange(1_000)} "
    return text.strip()


def compactions_carried_out(actor: Actor, talk: UUID) -> int:
    DueJob.objects.update(due_at=timezone.now())
    run_due_jobs()
    return len(runs_of(actor, talk))


@pytest.mark.slow("it takes a hundred turns")
def test_between_compactions_most_of_the_input_comes_from_the_provider_s_cache(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    """The fake server caches like Anthropic's: up to breakpoints, from 1,024 tokens on, looking back 20 blocks.

    Retrieval is disabled, because retrieved content differs each time and never comes from a cache; and extraction,
    which would read every turn.
    """
    with workspace(alice.workspace_id):
        WorkspacePolicy.objects.create(overrides={"lookups_enabled": False, "extraction_enabled": False})
    talk, anew, runs = conversation(alice), set[int](), 0
    for turn in range(TURNS):
        provider.usual = Behaviour(text=passage(1_000 + turn, 120))
        assert list(events(talker.turn(talk, passage(turn, 120))))[-1][1]["reply"]["status"] == "complete"
        now = compactions_carried_out(alice, talk)
        if now > runs:
            anew.add(turn + 1)
        runs = now
    with workspace(alice.workspace_id):
        calls = list(ModelUsage.objects.filter(purpose="chat").order_by("id"))
    assert len(calls) == TURNS
    assert runs >= 2
    counted = [call for turn, call in enumerate(calls) if turn >= 10 and turn not in anew]
    read = sum(call.cache_read_tokens for call in counted)
    asked = sum(call.input_tokens + call.cache_read_tokens + call.cache_write_tokens for call in counted)
    assert read / asked >= 0.8, f"{read:,} of {asked:,} tokens"
