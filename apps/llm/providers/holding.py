"""What a call holds of a day's spending before it is made, and who decides whether it may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from apps.llm.providers.base import Purpose


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call is about to ask: tokens of the prompt by our own estimate, and the most that may come back."""

    purpose: Purpose
    provider: str
    model: str
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Held:
    """What a call keeps of a day while nobody knows what it takes; nothing where the workspace has no ceiling."""

    day: date
    tokens: int = 0
    cost_micros: int = 0


class Guard(Protocol):
    """Stands in front of every attempt at a call; raises `ModelError` where there must be none."""

    async def hold(self, asked: Asked) -> Held: ...
