"""The one interface of every provider: what is asked, the events of an answer, and the answer as a whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from apps.engine.pack.context_pack import ContextPack
from apps.engine.tokens.counting import count_text
from apps.llm.errors import ModelError

Schema = TypeVar("Schema", bound=BaseModel)

DEFAULT_MAX_TOKENS = 8_192
MAX_TOKENS = "max_tokens"
_PROBLEMS_TOLD = 5


class Purpose(StrEnum):
    """What a call is for."""

    CHAT = "chat"
    COMPACTION = "compaction"
    EXTRACTION = "extraction"
    MERGE = "merge"
    INTENT = "intent"
    EMBEDDING = "embedding"


CHOOSABLE = tuple(purpose for purpose in Purpose if purpose is not Purpose.EMBEDDING)
"""Those that may have a model of their own; which one makes vectors is chosen with the vectors that are there."""


class UsageSource(StrEnum):
    """Whether the provider told how many tokens a call took, or we guessed."""

    REPORTED = "reported"
    ESTIMATED = "estimated"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request that is not a conversation's: instructions, and the one text they are about."""

    system: str
    text: str


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """`timeout_s` shortens the whole call; `answer_schema` is a JSON schema that the answer must follow."""

    purpose: Purpose
    model: str
    prompt: ContextPack | Prompt
    max_tokens: int = DEFAULT_MAX_TOKENS
    timeout_s: float | None = None
    answer_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of the call so far: the last one of a stream stands. `input_tokens` leaves cached ones out."""

    source: UsageSource
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The provider's own word that the answer is complete; a stream that ends without it has failed.

    `stop_reason` is `end_turn`, or `MAX_TOKENS` when the answer was longer than allowed.
    """

    stop_reason: str


StreamEvent = TextDelta | Usage | Finished
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
    """One vector for each text, in their order."""

    vectors: tuple[tuple[float, ...], ...]
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class TokenCount:
    """What a request would take before its answer: `reported` where the provider counts for us."""

    tokens: int
    source: UsageSource


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a provider does by itself. Where it holds no schema, the answer's form is asked for in words alone; for an
    answer in a form it may ask its model `turns_in_a_form` times."""

    supports_schema: bool = False
    caches_prompts: bool = False
    counts_tokens: bool = False
    embeds: bool = False
    turns_in_a_form: int = 1


class Provider(Protocol):
    """Whatever goes wrong is a `ModelError`. Closing a stream closes what stands behind it."""

    name: str
    capabilities: Capabilities

    def stream(self, request: ModelRequest) -> Events: ...

    async def complete(self, request: ModelRequest) -> Completion: ...

    async def complete_structured(self, request: ModelRequest, schema: type[Schema]) -> Structured[Schema]: ...

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        """Raises `ModelError` (`not_supported`) where the provider makes no vectors."""

    async def count_tokens(self, request: ModelRequest) -> TokenCount: ...

    async def aclose(self) -> None:
        """Release what the running event loop holds, before it ends."""


class StreamingProvider(ABC):
    """A provider that knows how to stream knows the rest; it makes no vectors, and its counts are estimates."""

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
    """Our own estimate of what is asked."""
    if isinstance(prompt, ContextPack):
        return prompt.total_tokens
    return count_text(prompt.system) + count_text(prompt.text)


def _parsed(completion: Completion, schema: type[Schema]) -> Schema:
    """Validate an answer against its schema; prose and a code fence around the outermost braces are ignored.

    JSON that is broken inside is not repaired: what a repair guesses may lose data, and the caller asks once more with
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
    """What is wrong, by place and without the values."""
    problems = error.errors(include_input=False, include_url=False, include_context=False)
    told = [f"{'.'.join(map(str, found['loc'])) or 'answer'}: {found['type']}" for found in problems[:_PROBLEMS_TOLD]]
    return "The answer does not follow the schema (" + "; ".join(told) + ")."
