"""The recorded event of every kind of every client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from apps.agents.clients.registry import CLIENTS

_SAMPLES = Path(__file__).with_name("samples")


def samples_of(client: str) -> dict[str, dict[str, Any]]:
    """Return the payloads by the name of the event."""
    samples: dict[str, dict[str, Any]] = json.loads((_SAMPLES / f"{client}.json").read_text("utf-8"))
    return samples


EVERY = [(client, name) for client in CLIENTS for name in samples_of(client)]
