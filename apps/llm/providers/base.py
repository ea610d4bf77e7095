"""The interface of all providers: requests, stream events, and complete answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.retrieved import RetrievedItem
from apps.engine.tokens.estimate import estimate_text
from apps.llm.errors import ModelError

Schema = TypeVar("Schema", bound=BaseModel)

DEFAULT_MAX_TOKENS = 8_192
MAX_TOKENS = "max_tokens"
_PROBLEM_LIMIT = 5


class Purpose(StrEnum):
    """The purpose of a call, by which its model is chosen."""

    CHAT = "chat"
    COMPACTION = "compaction"
    EXTRACTION = "extraction"
    MERGE = "merge"
    INTENT = "intent"
    EMBEDDING = "embedding"


CHOOSABLE = tuple(purpose for purpose in Purpose if purpose is not Purpose.EMBEDDING)
"""Purposes with a configurable model. The embedding model is configured with the embedding space instead."""


class UsageSource(StrEnum):
    """Whether the provider reported a token count or we estimated it."""

    REPORTED = "reported"
    ESTIMATED = "estimated"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt outside a conversation: instructions, and the one text that they apply to."""

    system: str
    text: str


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request to a model. `timeout_s` shortens the whole call; `answer_schema` is the JSON schema of the answer.

    `matches` are what search found for the pack's current message, for a reply without a model, and `notice` is what it
    says instead.
    """

    purpose: Purpose
    model: str
    prompt: ContextPack | Prompt
    max_tokens: int = DEFAULT_MAX_TOKENS
    timeout_s: float | None = None
    answer_schema: Mapping[str, Any] | None = None
    matches: Sequence[RetrievedItem] = ()
    notice: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """All that the model wrote as reasoning before its answer; once, before the answer's first text."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of the call so far; the last event of a stream is final. `input_tokens` excludes cached tokens."""

    source: UsageSource
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The provider's confirmation that the answer is complete; a stream that ends without it has failed.

    `stop_reason` is `end_turn`, or `MAX_TOKENS` when the answer was longer than allowed.
    """

    stop_reason: str


StreamEvent = TextDelta | Reasoning | Usage | Finished
Events = AsyncGenerator[StreamEvent, None]


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    stop_reason: str
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class Structured(Generic[Schema]):
    value: Schema
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class Embedded:
    """One vector for each text, in order."""

    vectors: tuple[tuple[float, ...], ...]
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Input tokens of a request; `reported` if the provider counted them."""

    tokens: int
    source: UsageSource


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Features of a provider. Without `supports_schema`, only the prompt asks for the answer's form.
    `turns_in_a_form` is the maximum number of model turns for one structured answer."""

    supports_schema: bool = False
    caches_prompts: bool = False
    counts_tokens: bool = False
    embeds: bool = False
    turns_in_a_form: int = 1


class Provider(Protocol):
    """A language model service. Every failure is a `ModelError`. Closing a stream closes its connection."""

    name: str
    capabilities: Capabilities

    def stream(self, request: ModelRequest) -> Events: ...

    async def complete(self, request: ModelRequest) -> Completion: ...

    async def complete_structured(self, request: ModelRequest, schema: type[Schema]) -> Structured[Schema]: ...

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        """Embed the texts; raises `ModelError` (`not_supported`) if the provider has no embeddings."""

    async def count_tokens(self, request: ModelRequest) -> TokenCount: ...

    async def aclose(self) -> None:
        """Close the connections of the running event loop, before it ends."""


class StreamingProvider(ABC):
    """Base class that derives complete answers from `stream`; no embeddings, and token counts are estimates."""

    name: str
    capabilities = Capabilities()

    @abstractmethod
    def stream(self, request: ModelRequest) -> Events: ...

    @abstractmethod
    async def aclose(self) -> None: ...

    async def complete(self, request: ModelRequest) -> Completion:
        pieces: list[str] = []
        usage: Usage | None = None
        stop_reason = ""
        async with aclosing(self.stream(request)) as events:
            async for event in events:
                match event:
                    case TextDelta(text):
                        pieces.append(text)
                    case Usage():
                        usage = event
                    case Finished(reason):
                        stop_reason = reason
        return Completion("".join(pieces), stop_reason, usage)

    async def complete_structured(self, request: ModelRequest, schema: type[Schema]) -> Structured[Schema]:
        completion = await self.complete(replace(request, answer_schema=schema.model_json_schema(mode="serialization")))
        return Structured(_parsed(completion, schema), completion.usage)

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        raise ModelError("not_supported")

    async def count_tokens(self, request: ModelRequest) -> TokenCount:
        return TokenCount(requested_tokens(request.prompt), UsageSource.ESTIMATED)


def requested_tokens(prompt: ContextPack | Prompt) -> int:
    """Our estimate of the prompt's tokens."""
    if isinstance(prompt, ContextPack):
        return prompt.total_tokens
    return estimate_text(prompt.system) + estimate_text(prompt.text)


def _parsed(completion: Completion, schema: type[Schema]) -> Schema:
    """Validate an answer against its schema; prose and a code fence around the outermost braces are ignored.

    JSON that is broken inside is not repaired: what a repair guesses may lose data, and the caller retries once with
    the problem.
    """
    if completion.stop_reason == MAX_TOKENS:
        raise ModelError("malformed", "The answer was longer than allowed.", answer=completion.text)
    text = completion.text[completion.text.find("{") : completion.text.rfind("}") + 1]
    try:
        return schema.model_validate_json(text)
    except ValidationError as error:
        problem = _problem(error)
    # Raised outside the handler, since the validation error, which quotes the answer, would be its context.
    raise ModelError("malformed", problem, answer=completion.text)


def _problem(error: ValidationError) -> str:
    """A sentence naming the location and type of each problem, without the values."""
    problems = error.errors(include_input=False, include_url=False, include_context=False)
    texts = [f"{'.'.join(map(str, item['loc'])) or 'answer'}: {item['type']}" for item in problems[:_PROBLEM_LIMIT]]
    return "The answer does not follow the schema (" + "; ".join(texts) + ")."
