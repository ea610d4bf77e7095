"""Time other libraries on a conversation; runs in their own environment.

It reads the messages from a file, prints the names of the libraries, and answers each line on stdin with one time. The
messages are Python objects already: the times exclude reading from a database.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, trim_messages
from langchain_core.messages.utils import count_tokens_approximately
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer

LANGCHAIN = {"user": HumanMessage, "assistant": AIMessage}


class TooSlowError(BaseException):
    """Not an Exception, so that no library catches it."""


class Peers:
    """The timed libraries, each on the first messages of the conversation."""

    def __init__(self, messages: list[tuple[str, str]], budget: int) -> None:
        self.messages, self.budget = messages, budget
        self.for_langchain = [LANGCHAIN[role](content) for role, content in messages]
        trim, buffer = f"langchain-core {version('langchain-core')}", f"llama-index-core {version('llama-index-core')}"
        self.calls: dict[str, Callable[[int], Callable[[], object]]] = {
            f"{trim} trim_messages, characters/4": lambda count: self.trimmed(count, _quarter),
            f"{trim} trim_messages, count_tokens_approximately": lambda count: self.trimmed(
                count, count_tokens_approximately
            ),
            f"{buffer} ChatMemoryBuffer.get, characters/4": lambda count: self.buffer(count).get,
        }

    def trimmed(self, count: int, counter: Callable[[list[BaseMessage]], int]) -> Callable[[], object]:
        messages = self.for_langchain[:count]
        return lambda: trim_messages(messages, max_tokens=self.budget, token_counter=counter, strategy="last")

    @cache  # noqa: B019  # one instance for the program
    def buffer(self, count: int) -> ChatMemoryBuffer:
        history = [ChatMessage(role=role, content=content) for role, content in self.messages[:count]]
        return ChatMemoryBuffer.from_defaults(
            chat_history=history, token_limit=self.budget, tokenizer_fn=lambda text: range(len(text) // 4)
        )


def _quarter(messages: list[BaseMessage]) -> int:
    return sum(len(message.content) // 4 + 4 for message in messages)


def _timed_ms(call: Callable[[], object], most_s: float) -> float | None:
    """Return the time of a call in ms; None after a timeout."""
    signal.setitimer(signal.ITIMER_REAL, most_s)
    began = time.perf_counter()
    try:
        call()
    except TooSlowError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return 1_000 * (time.perf_counter() - began)


def _give_up(*_: object) -> None:
    raise TooSlowError


def main(file: str, budget: str) -> None:
    signal.signal(signal.SIGALRM, _give_up)
    peers = Peers(json.loads(Path(file).read_text(encoding="utf-8")), int(budget))
    for call in peers.calls.values():
        # The first call of each imports modules.
        call(1)()
    print(json.dumps(list(peers.calls)), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        ready = peers.calls[request["peer"]](request["messages"])
        print(json.dumps({"took_ms": _timed_ms(ready, request["most_s"])}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
