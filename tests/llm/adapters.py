"""Every adapter with somebody behind it who answers or misbehaves as told: what the contract's tests run against."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import ClassVar, Protocol

from typing_extensions import Self

from apps.llm.providers.anthropic import AnthropicProvider, sdk_load
from apps.llm.providers.base import StreamingProvider
from apps.llm.times import ModelTimes
from tests.llm.conftest import KEY
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.behaviours import KINDS, Behaviour


class Adapter(Protocol):
    """An adapter whose file is another imports this under TYPE_CHECKING alone, for `ADAPTERS` imports that file.

    `kinds` are the behaviours that this wire can have; `usual` is what all calls meet after those that were scripted.
    """

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    usual: Behaviour

    @classmethod
    def running(cls) -> AbstractContextManager[Self]:
        """The other side, until the block ends."""

    def provider(self, times: ModelTimes) -> StreamingProvider:
        """Asks once: nothing is tried again."""

    def script(self, *following: Behaviour) -> None:
        """What the next calls meet, one each."""

    def requests_made(self) -> int: ...

    def open_calls(self) -> int:
        """How many calls the other side is busy with: none any more when the reader has gone."""


class AnthropicAdapter:
    name: ClassVar[str] = "anthropic"
    kinds: ClassVar[frozenset[str]] = frozenset(KINDS)

    def __init__(self, server: ProviderServer) -> None:
        self._server = server

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Self]:
        sdk_load()
        with running_server() as server:
            yield cls(server)

    @property
    def usual(self) -> Behaviour:
        return self._server.usual

    @usual.setter
    def usual(self, behaviour: Behaviour) -> None:
        self._server.usual = behaviour

    def provider(self, times: ModelTimes) -> StreamingProvider:
        return AnthropicProvider(KEY, self._server.url, times)

    def script(self, *following: Behaviour) -> None:
        self._server.script(*following)

    def requests_made(self) -> int:
        return len(self._server.requests)

    def open_calls(self) -> int:
        return self._server.open_streams


ADAPTERS: tuple[type[Adapter], ...] = (AnthropicAdapter,)
