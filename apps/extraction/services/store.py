"""Store what was found: memories with their sources, and a row for each candidate that tells what became of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.conversations.models import Conversation, Message
from apps.conversations.services.messages import messages_make_unretrievable
from apps.engine.extraction.candidate import Extraction
from apps.engine.memory.trust import Mode, Source
from apps.extraction.models import ExtractionCandidate
from apps.extraction.selectors.candidates import nearby_memories
from apps.extraction.selectors.unread import undated_at
from apps.extraction.services.candidate_drafts import candidate_draft
from apps.extraction.services.candidate_rows import candidate_row, refused_row
from apps.extraction.services.comparing.ended_messages import messages_end
from apps.extraction.services.comparing.similar import Similar
from apps.extraction.services.forgetting.forget import forget
from apps.memory.services.bulk.learn import memories_learn

_REASON = "Found in a conversation"


def candidates_store(actor: Actor, *, conversation_id: UUID, run_id: UUID, found: Extraction, similar: Similar) -> None:
    """Forget what is asked for, and write the memories of one batch, then the candidates.

    Memories that are similar may be repeated or replaced. The candidates have passed the check for secrets. Where an
    import that nobody confirmed brought messages, all of them wait, and nothing known is ended or forgotten.
    """
    messages_make_unretrievable([UUID(message_id) for message_id in found.unretrievable])
    dates = _lock_messages(found)
    confirmed = Conversation.objects.values_list("confirmed", flat=True).get(pk=conversation_id)
    if confirmed:
        messages_end(similar.ended_messages, dates)
    else:
        found = _of_other_store(found)
    undated = undated_at(conversation_id, dates.values())
    candidates = [one for one in found.candidates if one.quote.message_id in dates]
    nearby = {*nearby_memories(conversation_id), *similar.ids}
    mode = Mode(policy_for_workspace().memory_mode)
    drafts = [
        candidate_draft(one, said_at := dates[one.quote.message_id], mode, similar, is_undated=said_at in undated)
        for one in candidates
    ]
    results = memories_learn(actor, drafts=drafts, reason=_REASON, nearby=nearby)
    rows = [candidate_row(one, result) for one, result in zip(candidates, results, strict=True)]
    rows += [refused_row(one) for one in found.refused]
    rows += forget(actor, {one: similar.to_forget.get(one, ()) for one in found.forgets})
    for row in rows:
        row.run, row.conversation_id = run_id, conversation_id
    ExtractionCandidate.objects.bulk_create(rows)


def _of_other_store(found: Extraction) -> Extraction:
    candidates = tuple(replace(one, source=Source.OTHER_STORE) for one in found.candidates)
    return replace(found, candidates=candidates, forgets=())


def _lock_messages(found: Extraction) -> dict[str, datetime]:
    """Lock the quoted messages; return the times of those that nobody excluded or deleted since they were read."""
    ids = {UUID(one.quote.message_id) for one in found.candidates}
    rows = Message.objects.select_for_update(no_key=True).filter(pk__in=ids, excluded=False).exclude(content="")
    return {str(message_id): at for message_id, at in rows.order_by("index").values_list("pk", "created_at")}
