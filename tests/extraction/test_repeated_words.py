"""Words of a batch that repeat one stored memory twice, once word for word and once in other words."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode, MemRevision
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.bulk import known_memories, learn
from apps.memory.services.bulk.learned_draft import LearnedDraft
from apps.memory.services.tree.node_drafts import NodeDraft, Origin
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import remember
from tests.memory.facts import current

pytestmark = pytest.mark.django_db
ADDRESS = Address("mem://user/preferences/answers")


def draft(content: str, source: str) -> LearnedDraft:
    stated = NodeDraft(ADDRESS, content, sources=[SourceRecord("import", source)], numbered=True)
    return LearnedDraft(stated, Origin(by_model=False), made_by="rules")


def test_a_memory_that_a_batch_repeats_in_two_ways_gets_both_sources(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, others = "I prefer short answers.", "I prefer answers that are short."
    with workspace(alice.workspace_id):
        learn.memories_learn(alice, drafts=[draft(words, "one")])
        [row] = MemNode.objects.filter(l2_content=words)

        def same(_draft: object, known: list[known_memories.Fact], *_: object) -> list[known_memories.Related]:
            relation = learn.Relation.SAME
            return [
                known_memories.Related(fact.id, relation, "restated", 1.0) for fact in known if fact.id == str(row.id)
            ]

        monkeypatch.setattr(known_memories, "with_advice", same)
        again = [draft(others, "two"), draft(words, "three")]
        results = learn.memories_learn(alice, drafts=again, nearby=[row.id])
        assert {(one.state, one.node_id) for one in results} == {("known", row.id)}
        assert [one.reference for one in sources_of([row.id])[row.id]] == ["one", "two", "three"]
        assert list(MemRevision.objects.filter(node_id=row.id).order_by("number").values_list("number", flat=True)) == [
            1,
            2,
            3,
        ]


def test_an_import_without_dates_brings_no_old_value_back(alice: Actor) -> None:
    told = ("I live in Rome.", "I moved to Oslo.")
    for _ in range(2):
        talk = conversation(alice)
        say(alice, talk, *told, role="user")
        remember(alice, talk)
    assert current(alice) == ["Oslo"]
