"""The layers of a pack: requested and granted tokens, and the content before the messages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from apps.context.records import BuiltPack
from apps.engine.compaction.segments import SegmentText
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.estimators import estimator_state
from apps.engine.pack.layers import Layer


def pack_state_of(built: BuiltPack) -> dict[str, Any]:
    """Statistics of a pack: of all its parts, and of the parts sent to a model."""
    return {
        "budget": built.settings.budget,
        "budget_source": built.settings.budget_source,
        "pack_tokens": built.total_tokens,
        "free_tokens": max(0, built.settings.budget - built.total_tokens),
        "fill_percent": round(100 * built.total_tokens / built.settings.budget, 1),
        "estimator": estimator_state(built.estimator),
        "strategy": built.pack.epoch.strategy,
        "coverage": built.pack.coverage,
        "epoch": built.epoch,
        "stability": built.stability,
    }


def layers_state(pack: ContextPack) -> list[dict[str, Any]]:
    """In their order. Grants are those the epoch began with; the history's window may have grown since."""
    used, texts = pack.layer_tokens(), pack.layer_texts()
    return [
        {
            **asdict(grant),
            "used": used.get(grant.layer, 0),
            "text": texts.get(grant.layer, ""),
            "segments": _segments(pack, grant.layer),
            "memories": _memories(pack, grant.layer),
        }
        for grant in pack.epoch.negotiation.grants
    ]


def _memories(pack: ContextPack, layer: Layer) -> list[dict[str, Any]]:
    return [
        {"id": memory.id, "uri": memory.address, "text": memory.text, "tokens": memory.tokens}
        for memory in pack.memories.get(layer, ())
    ]


def _segments(pack: ContextPack, layer: Layer) -> list[dict[str, Any]]:
    segments = {Layer.CONVERSATION: pack.segments, Layer.HISTORY: pack.earlier.segments}
    return [_segment(one) for one in segments.get(layer, ()) if one.has_content]


def _segment(segment: SegmentText) -> dict[str, Any]:
    return {
        "level": segment.segment.level,
        "first_index": segment.first,
        "last_index": segment.last,
        "tokens": segment.tokens,
    }
