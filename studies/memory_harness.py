"""Harness of the memory study: after extraction, each conversation's questions are asked in packs and in searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.engine.pack.provider_formats import render_plain
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.query_vectors import with_vectors
from studies.engine.extraction_score import Labeled
from studies.engine.memory_score import MemoryScore, PackView
from studies.extraction_harness import ReadConversation, read_conversations
from studies.relevance_decision import finds_relevant

OTHERS = 5
"""Each conversation is asked the questions of this many others of its language, which it cannot answer."""


def measured(conversations: Sequence[Labeled]) -> MemoryScore:
    score = MemoryScore()
    for read in read_conversations(conversations):
        _ask_packs(read, score)
        _ask_searches(read, conversations, score)
    return score


def _ask_packs(read: ReadConversation, score: MemoryScore) -> None:
    """Ask each question in a new conversation, and in the same one."""
    with workspace(read.actor.workspace_id):
        new = Conversation.objects.create(owner_id=read.actor.user_id)
    for question in read.labeled.questions:
        for which, conversation_id in (("new", new.id), ("same", read.id)):
            score.note_pack(read.labeled, question, which, _view(read, conversation_id, question.question))


def _view(read: ReadConversation, conversation_id: UUID, question: str) -> PackView:
    built = read.built_pack(conversation_id, question)
    return PackView(render_plain(built.pack), sum(built.tokens.values()), built.pack.retrieved)


def _ask_searches(read: ReadConversation, conversations: Sequence[Labeled], score: MemoryScore) -> None:
    """Search for the answers of the conversation's questions, and for those of other conversations' questions."""
    asked = [(one.question, True) for one in read.labeled.questions]
    asked += [(text, False) for text in _questions_of_others(read.labeled, conversations)]
    queries = with_vectors(read.actor, [SearchQuery(text, corpus="all") for text, _ in asked])
    for query, (text, is_answerable) in zip(queries, asked, strict=True):
        is_found = finds_relevant(read.actor, query)
        score.note_search(read.labeled, text, is_answerable=is_answerable, is_found=is_found)


def _questions_of_others(labeled: Labeled, conversations: Sequence[Labeled]) -> Iterator[str]:
    """Questions of the next conversations in the same language, which begin again after the last."""
    same = [one for one in conversations if one.language == labeled.language]
    place = same.index(labeled)
    for other in [*same[place + 1 :], *same[:place]][:OTHERS]:
        yield from (one.question for one in other.questions)
