"""The parts of a context pack as the API shows them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from apps.api.context.pack_layers import layers_state, pack_state_of
from apps.context.records import BuiltPack, PackState, private_omission
from apps.conversations.records import part_to_json
from apps.engine.messages.display import shown_tokens
from apps.engine.messages.message import Message
from apps.engine.pack.context_pack import OmittedContent
from apps.engine.pack.retrieved import RetrievedItem
from apps.engine.policy import Level, Policy
from apps.engine.summary.rendering import entry_text
from apps.engine.summary.rolling_summary import FIELDS, summary_to_json


def pack_parts(built: BuiltPack, state: PackState, policy: Policy) -> dict[str, Any]:
    pack = built.pack
    excerpts = frozenset(pack.omitted.excerpts)
    return {
        "system_prompt": pack.system_prompt,
        "user_memory": pack.user_memory,
        "pinned_memory": pack.pins,
        "rolling_summary": summary_to_json(pack.summary),
        "recent_messages": [_message(message, is_excerpt=message.id in excerpts) for message in pack.recent],
        "retrieved": [_retrieved(one) for one in pack.retrieved],
        "current_message": _message(pack.current) if pack.current else None,
        "metadata": _metadata(built, state, policy),
        "layers": layers_state(pack),
    }


def _message(message: Message, *, is_excerpt: bool = False) -> dict[str, Any]:
    return {
        "id": message.id,
        "index": message.index,
        "role": message.role.value,
        "name": message.name,
        "content": message.content,
        "parts": [part_to_json(part) for part in message.parts],
        "tokens": shown_tokens(message),
        "is_excerpt": is_excerpt,
    }


def _retrieved(item: RetrievedItem) -> dict[str, Any]:
    kind = "memory" if item.is_memory else "message"
    return {**asdict(item), "tokens": item.tokens, "kind": kind, "conversation_id": item.conversation_id or None}


def _metadata(built: BuiltPack, state: PackState, policy: Policy) -> dict[str, Any]:
    pack = built.pack
    return {
        **asdict(state),
        **pack_state_of(built),
        "tokens": {**built.tokens, "total": built.total_tokens},
        "limits": _limits(policy),
        "omitted": {**_omitted(pack.omitted), "private_memory": private_omission(built.audience)},
    }


def _limits(policy: Policy) -> dict[str, Any]:
    first = policy.light_compaction_threshold
    return {
        "thresholds": {
            "light": first,
            "deep": policy.deep_compaction_threshold,
            "aggressive": policy.aggressive_compaction_threshold,
        },
        "targets": {level.value: first * policy.target_percent(level) // 100 for level in Level},
        "summary_lines": {field: policy.field_limit(field) for field in FIELDS},
        "preservation": {"target": policy.target_preservation_ratio, "minimum": policy.min_preservation_ratio},
    }


def _omitted(omitted: OmittedContent) -> dict[str, Any]:
    return {
        "user_memory": omitted.user_memory,
        "summary_lines": [{"field": field, "text": entry_text(entry)} for field, entry in omitted.summary_lines],
        "excerpts": omitted.excerpts,
        "messages_before": omitted.messages_before,
        "retrieved": omitted.retrieved,
        "identity": omitted.identity,
        "preferences": omitted.preferences,
        "topics": omitted.topics,
        "entities": omitted.entities,
    }
