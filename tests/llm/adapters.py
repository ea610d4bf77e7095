"""All adapters with a scripted counterpart, for the contract tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import ClassVar, Protocol, Self

from apps.llm.providers import anthropic, openai
from apps.llm.providers.base import StreamingProvider
from apps.llm.providers.offline import OfflineProvider
from apps.llm.routing.providers import provider_spec
from apps.llm.timeouts import ModelTimes
from tests.llm.claude_cli_adapter import ClaudeCliAdapter
from tests.llm.conftest import KEY
from tests.providers import anthropic_server, openai_server
from tests.providers.behaviours import KINDS, Behaviour
from tests.providers.server import ProviderServer

OPENAI, OPENROUTER = (provider_spec(name).dialect for name in ("openai", "openrouter"))


class Adapter(Protocol):
    """An adapter whose file is another imports this under TYPE_CHECKING alone, for `ADAPTERS` imports that file.

    `kinds` are the behaviours that this wire can have; `usual` is what all calls meet after those that were scripted.
    """

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    usual: Behaviour

    @classmethod
    def running(cls) -> AbstractContextManager[Self]:
        """Run the counterpart until the block ends."""

    def provider(self, times: ModelTimes) -> StreamingProvider:
        """The adapter, without retries."""

    def script(self, *following: Behaviour) -> None:
        """Script the behavior of the next calls, one each."""

    def requests_made(self) -> int: ...

    def open_calls(self) -> int:
        """The number of calls in progress at the counterpart; zero once the reader has disconnected."""


class _Served:
    """An adapter over HTTP."""

    def __init__(self, server: ProviderServer) -> None:
        self.server = server

    @property
    def usual(self) -> Behaviour:
        return self.server.usual

    @usual.setter
    def usual(self, behaviour: Behaviour) -> None:
        self.server.usual = behaviour

    def script(self, *following: Behaviour) -> None:
        self.server.script(*following)

    def requests_made(self) -> int:
        return len(self.server.requests)

    def open_calls(self) -> int:
        return self.server.open_streams


class AnthropicAdapter(_Served):
    name: ClassVar[str] = "anthropic"
    kinds: ClassVar[frozenset[str]] = frozenset(KINDS) - {"no_done"}

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Self]:
        # Short timeouts must not include the first import of the SDK.
        anthropic.sdk_load()
        with anthropic_server.running_server() as server:
            yield cls(server)

    def provider(self, times: ModelTimes) -> StreamingProvider:
        return anthropic.AnthropicProvider(KEY, self.server.url, times)


class OpenAIAdapter(_Served):
    name: ClassVar[str] = "openai"
    kinds: ClassVar[frozenset[str]] = frozenset(KINDS)
    plays: ClassVar[str] = openai_server.OPENAI

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Self]:
        openai.sdk_load()
        with openai_server.running_server(cls.plays) as server:
            yield cls(server)

    def provider(self, times: ModelTimes) -> StreamingProvider:
        dialect = OPENROUTER if self.plays == openai_server.OPENROUTER else OPENAI
        return openai.OpenAIProvider(self.name, KEY, f"{self.server.url}/v1", times, dialect)


class OpenRouterAdapter(OpenAIAdapter):
    """Sends comments instead of empty chunks, and numeric error codes."""

    name: ClassVar[str] = "openrouter"
    plays: ClassVar[str] = openai_server.OPENROUTER


class OfflineAdapter:
    """Cannot fail, so it only runs the tests that apply to every answer."""

    name: ClassVar[str] = "offline"
    kinds: ClassVar[frozenset[str]] = frozenset({"answer"})
    usual = Behaviour()

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Self]:
        yield cls()

    def provider(self, times: ModelTimes) -> StreamingProvider:
        return OfflineProvider()

    def script(self, *following: Behaviour) -> None:
        assert not following

    def requests_made(self) -> int:
        return 0

    def open_calls(self) -> int:
        return 0


HTTP_ADAPTERS: tuple[type[Adapter], ...] = (AnthropicAdapter, OpenAIAdapter, OpenRouterAdapter)
ADAPTERS: tuple[type[Adapter], ...] = (*HTTP_ADAPTERS, ClaudeCliAdapter)
