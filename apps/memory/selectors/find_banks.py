"""Among what somebody may look: the banks of memories and talks that are theirs to read, and who is named in there."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors.policies import policy_effective
from apps.conversations.selectors.access import conversation_access, conversations_of
from apps.conversations.selectors.search import MOST_CONVERSATIONS, MOST_MESSAGES
from apps.engine.policy import Policy
from apps.engine.retrieval import ASKER, ROLE_ACTORS, Question, phrases, read_question
from apps.memory.records.found import FindWish, SpaceRecord

MOST_SPEAKERS = 50
# All that a search must know before it begins, in one read and only as far as it needs it. The search's own statement
# has the same plan whatever is asked, and to plan it anew takes longer than to carry it out; it sets the switch back.
_SPACE = """
SELECT 'space', json_build_array(id, model, dimension, state, chosen)::text FROM mem_spaces
WHERE workspace_id = %(workspace)s AND state = 'serving'
UNION ALL SELECT 'policy', overrides::text FROM accounts_workspacepolicy WHERE workspace_id = %(workspace)s
UNION ALL SELECT 'asker', lower(name) FROM accounts_user WHERE id = %(user)s AND name <> ''
UNION ALL SELECT 'plan', set_config('plan_cache_mode', 'force_generic_plan', true)
"""
# The names of those who speak are read one by one along their index.
_SPEAKERS = """
UNION ALL SELECT DISTINCT 'speaker', named.actor FROM unnest(%(talks)s::uuid[]) AS talk (bank) CROSS JOIN LATERAL (
    WITH RECURSIVE named AS (
        (SELECT actor FROM mem_passages
            WHERE workspace_id = %(workspace)s AND bank = talk.bank AND actor > '' ORDER BY actor LIMIT 1)
        UNION ALL
        SELECT (SELECT p.actor FROM mem_passages AS p
            WHERE p.workspace_id = %(workspace)s AND p.bank = talk.bank AND p.actor > named.actor
            ORDER BY p.actor LIMIT 1)
        FROM named WHERE named.actor IS NOT NULL
    )
    SELECT actor FROM named WHERE actor IS NOT NULL LIMIT %(most)s
) AS named
"""
# What memories are about is asked for by name. That they are about the asker needs no asking. There are two banks at
# most: a list would count as ten to the planner, who then plans anew each time.
_SUBJECTS = """
UNION ALL SELECT DISTINCT 'subject', actor FROM mem_passages
WHERE workspace_id = %(workspace)s AND bank IN (%(first)s, %(last)s) AND actor = ANY(%(phrases)s::varchar[])
"""


@dataclass(frozen=True, slots=True)
class Banks:
    memories: tuple[UUID, ...]
    talks: tuple[UUID, ...]

    @property
    def every(self) -> list[UUID]:
        return [*self.memories, *self.talks]


def banks_for(actor: Actor, wish: FindWish) -> Banks:
    """One's own memories and the workspace's; one conversation, or the newest that one may read, as many as is quick.

    Raises `NotFound` for a conversation that is not the actor's to see.
    """
    memories = _memories(actor, wish) if wish.corpus != "messages" else ()
    if wish.corpus == "memories" or wish.of_memories:
        return Banks(memories, ())
    if wish.conversation_id is not None:
        return Banks(memories, (conversation_access(actor, wish.conversation_id).id,))
    return Banks(memories, tuple(_talks(actor)))


def _memories(actor: Actor, wish: FindWish) -> tuple[UUID, ...]:
    banks = {"mine": actor.person_id, "team": actor.workspace_id}
    return tuple(banks.values()) if wish.owner is None else (banks[wish.owner],)


@dataclass(frozen=True, slots=True)
class Known:
    """The question as it is looked up, the space that answers it, and the policy that holds."""

    question: Question
    space: SpaceRecord | None
    policy: Policy


def known_for(actor: Actor, wish: FindWish, banks: Banks) -> Known:
    """What a search among these banks goes by."""
    told = _told(actor, wish, banks)
    question = read_question(
        wish.query,
        speakers=told["speaker"],
        subjects=[*told["subject"], ASKER] if banks.memories else [],
        asker=(ASKER, *told["asker"]),
        today=timezone.now().date(),
    )
    space = [_space(*json.loads(text)) for text in told["space"]]
    overrides = json.loads(next(iter(told["policy"]), "{}"))
    return Known(question, next(iter(space), None), policy_effective(overrides))


def _told(actor: Actor, wish: FindWish, banks: Banks) -> dict[str, list[str]]:
    values: dict[str, Any] = {
        "workspace": actor.workspace_id,
        "user": actor.person_id,
        "talks": list(banks.talks),
        "first": next(iter(banks.memories), None),
        "last": next(reversed(banks.memories), None),
        "phrases": [phrase for phrase in phrases(wish.query) if phrase not in ROLE_ACTORS],
        "most": MOST_SPEAKERS,
    }
    told: dict[str, list[str]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_SPACE + (_SPEAKERS if banks.talks else "") + (_SUBJECTS if banks.memories else ""), values)
        for kind, text in cursor.fetchall():
            told[kind].append(text)
    return told


def _space(space_id: str, model: str, dimension: int, state: str, chosen: bool) -> SpaceRecord:
    return SpaceRecord(UUID(space_id), model, dimension, state, chosen)


def _talks(actor: Actor) -> Iterator[UUID]:
    """The newest first, until as many messages as may be read are reached; always one."""
    left = MOST_MESSAGES
    rows = conversations_of(actor).order_by("-active_at", "-id").values_list("id", "message_count")
    for talk_id, count in rows[:MOST_CONVERSATIONS]:
        if left <= 0:
            break
        yield talk_id
        left -= count
