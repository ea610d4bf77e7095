"""Harness of the relevance study: a bank as an account of the product, and its questions as searches."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

from apps.accounts.actors import Actor
from apps.memory.records.search import SearchQuery
from apps.memory.services.search.tree_search import memories_search
from studies.reading.material import content_of
from studies.relevance.banks import MEMORIES, Message, question_bank
from studies.relevance.score import Answer
from studies.retrieval_harness import memories_store
from studies.workspaces import alice


def answers_of(folder: Path) -> list[Answer]:
    """Store a bank's memories, and search for each of its messages, without a limit to the chance."""
    actor = alice(folder.name)
    ids = memories_store(actor, json.loads(content_of(folder, MEMORIES)))
    return [_answer(actor, message, ids) for message in question_bank(folder).messages]


def _answer(actor: Actor, message: Message, ids: list[UUID]) -> Answer:
    found = [one.hit for one in memories_search(actor, query=SearchQuery(message.text), abstains=False).hits]
    wanted = {ids[place] for place in message.relevant}
    place = next((place for place, hit in enumerate(found) if hit.id in wanted), None)
    return Answer(bool(wanted), place, max((hit.chance or 0.0 for hit in found), default=0.0))
