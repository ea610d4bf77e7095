"""The layers of a pack: what each asked for and got, and what of it stands before the messages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from apps.engine.layers import Layer
from apps.engine.pack import ContextPack
from apps.engine.segments import ToldSegment


def layers_shown(pack: ContextPack) -> list[dict[str, Any]]:
    """In their order. Grants are those the epoch began with; the history's window may have grown since."""
    used = pack.layer_tokens()
    return [
        {
            **asdict(grant),
            "used": used.get(grant.layer, 0),
            "text": _text(pack, grant.layer),
            "told": _told(pack, grant.layer),
        }
        for grant in pack.epoch.negotiation.grants
    ]


def _text(pack: ContextPack, layer: Layer) -> str:
    sections = {
        Layer.PREFERENCES: "user_memory",
        Layer.CONVERSATION: "rolling_summary",
        Layer.HISTORY: "earlier",
    }
    return pack.sections[sections[layer]] if layer in sections else ""


def _told(pack: ContextPack, layer: Layer) -> list[dict[str, Any]]:
    told = {Layer.CONVERSATION: pack.told, Layer.HISTORY: pack.earlier.told}
    return [_segment(one) for one in told.get(layer, ())]


def _segment(told: ToldSegment) -> dict[str, Any]:
    return {
        "level": told.segment.level,
        "first_index": told.first,
        "last_index": told.last,
        "tokens": told.tokens,
    }
