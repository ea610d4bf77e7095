"""Separation of reasoning that a model writes into its answer: between tags, at the very beginning.

Many local models send `<think>…</think>` as text, in as many chunks as they like.
"""

from __future__ import annotations

import re

_NAMES = ("think", "thinking", "thought", "reasoning")
_OPENINGS = tuple(f"<{name}>" for name in _NAMES)
_OPENING = re.compile(rf"<({'|'.join(_NAMES)})>", re.IGNORECASE)
_CLOSINGS = {name: re.compile(rf"</{name}>", re.IGNORECASE) for name in _NAMES}
_MOST_SPACE = 100
"""White space before the reasoning; an answer that begins with more is passed on."""
LONGEST_REASONING = 100_000


class ThinkingFilter:
    """Passes on the answer of one stream and collects the reasoning before it, at most `LONGEST_REASONING` characters.

    Reasoning that is never closed leaves no answer.

    >>> thinking = ThinkingFilter()
    >>> [thinking.feed(piece) for piece in (" <th", "ink>The user asks", " for tea.</thi", "nk>\\n\\nTea", " <think>")]
    ['', '', '', 'Tea', ' <think>']
    >>> thinking.reasoning
    'The user asks for tea.'
    """

    def __init__(self) -> None:
        self._state = self._begin
        self._undecided = ""
        self._closing = _CLOSINGS[_NAMES[0]]
        self._thoughts: list[str] = []
        self._room = LONGEST_REASONING

    @property
    def reasoning(self) -> str:
        return "".join(self._thoughts).strip()

    def feed(self, piece: str) -> str:
        """Return what belongs to the answer."""
        return self._state(piece) if piece else ""

    def note(self, thought: str) -> None:
        """Add reasoning that came as such."""
        if thought and self._room:
            self._thoughts.append(thought[: self._room])
            self._room -= len(self._thoughts[-1])

    def end(self) -> str:
        """End the stream; return what could have been the beginning of a tag and is not."""
        rest, self._undecided = self._undecided, ""
        if self._state == self._think:
            self.note(rest)
            return ""
        return rest

    def _begin(self, piece: str) -> str:
        self._undecided += piece
        beginning = self._undecided.lstrip()
        is_near = len(self._undecided) - len(beginning) <= _MOST_SPACE
        if is_near and (found := _OPENING.match(beginning)):
            self._closing, self._undecided = _CLOSINGS[found[1].lower()], ""
            self._state = self._think
            return self._think(beginning[found.end() :])
        if is_near and _may_open(beginning):
            return ""
        text, self._undecided = self._undecided, ""
        self._state = self._answer
        return text

    def _think(self, piece: str) -> str:
        text = self._undecided + piece
        if found := self._closing.search(text):
            self.note(text[: found.start()])
            self._undecided, self._state = "", self._begin_answer
            return self._begin_answer(text[found.end() :])
        cut = max(0, len(text) - len(self._closing.pattern) + 1)
        self.note(text[:cut])
        self._undecided = text[cut:]
        return ""

    def _begin_answer(self, piece: str) -> str:
        text = piece.lstrip()
        if text:
            self._state = self._answer
        return text

    def _answer(self, piece: str) -> str:
        return piece


def _may_open(beginning: str) -> bool:
    return any(opening.startswith(beginning.lower()) for opening in _OPENINGS)
