"""Splitting of a message into sentences with their heading or label, without code.

Every text here is the author's own: Markdown's markers and superfluous white space go, no word is changed or added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from apps.engine.language.similarity import normalized

_FENCE = re.compile(r"^\s{0,3}(?:>\s?)*(```+|~~~+)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*)")
_QUOTE = re.compile(r"^\s{0,3}(?:>\s?)+")
_BULLET = re.compile(r"^\s*(?:[-*+•‣]|(\d{1,3})[.)])\s+(?:\[([ xX])\]\s+)?")
_TABLE = re.compile(r"^\s*\|")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_EMPHASIS = re.compile(r"(?<!\w)\*\*(?=\S)|(?<=\S)\*\*(?!\w)|~~")
_LABEL = re.compile(
    r"^(final decision|decisions?|decided|goals?|objectives?|aims?|requirements?|constraints?|to-?dos?"
    r"|next steps?|next"
    r"|plan|steps?|action items?|open questions?|questions?|blockers?|unresolved|tbd|reasons?|rationale|definitions?"
    r"|note|glossary)\s*(?:\(\w+\)\s*)?(?::|\s[–—-]\s)\s*",
    re.IGNORECASE,
)
QUESTION_ENDS = "?？؟"
ASKING_END = "か。"
"""The end of a question in Japanese, which needs no mark."""
_END = re.compile(r"(?<=[.!?؟…])[\"'”’)\]*]*\s+|(?<=[。！？])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|mr|mrs|ms|dr|st|prof|fig|max|min|incl)|\b[A-Za-z])\.$", re.I
)
_LEAD_IN_WORDS = 12


@dataclass(frozen=True, slots=True)
class Sentence:
    """`heading` is the heading, lead-in or label above it (lower case); `step` its number in a list, 0 outside one."""

    text: str
    heading: str = ""
    step: int = 0
    done: bool = False

    @property
    def is_question(self) -> bool:
        return self.text.rstrip("\"'”’)*").endswith((*QUESTION_ENDS, ASKING_END))


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block and the sentence that leads to it."""

    text: str
    lead: str = ""


def plain(text: str) -> str:
    """The text as sentences show it: one line, without Markdown's markers.

    >>> plain("## Plan\\n- **First** step\\n> quoted")
    'Plan First step quoted'
    """
    return normalized(" ".join(_unmarked(line)[0] for line in text.splitlines() if not _FENCE.match(line)))


def sentences_of(text: str) -> tuple[list[Sentence], list[CodeBlock]]:
    """The sentences of a message outside its code, and its code blocks; an open fence runs to the end.

    >>> [(s.text, s.heading, s.step) for s in sentences_of("## Goals\\n1. Ship it\\n2. Sleep. Eat.")[0]]
    [('Ship it', 'goals', 1), ('Sleep.', 'goals', 2), ('Eat.', 'goals', 2)]
    """
    reader = _Reader()
    for line in text.splitlines():
        reader.read(line)
    return reader.close()


class _Reader:
    """A single pass over the lines of a message that tracks the current heading."""

    def __init__(self) -> None:
        self.sentences: list[Sentence] = []
        self.blocks: list[CodeBlock] = []
        self._heading = self._lead = self._fence = ""
        self._code: list[str] = []
        self._paragraph: list[str] = []
        self._item = Sentence("")
        self._count = 0

    def read(self, line: str) -> None:
        fence = _FENCE.match(line)
        if self._fence or fence:
            self._read_code(line, fence.group(1) if fence else "")
        elif heading := _HEADING.match(line):
            self._flush()
            self._heading, self._lead, self._count = (
                normalized(_EMPHASIS.sub("", heading.group(1))).rstrip(" #:").lower(),
                "",
                0,
            )
        elif not line.strip() or _TABLE.match(line) or _RULE.match(line):
            self._flush()
        else:
            self._read_prose(line)

    def close(self) -> tuple[list[Sentence], list[CodeBlock]]:
        self._flush()
        if self._code:
            self._close_code()
        return self.sentences, self.blocks

    def _read_code(self, line: str, fence: str) -> None:
        if not self._fence:
            self._flush()
            self._fence = fence
        elif fence.startswith(self._fence):
            self._close_code()
        else:
            self._code.append(line)

    def _close_code(self) -> None:
        lead = self.sentences[-1].text if self.sentences else ""
        self.blocks.append(CodeBlock("\n".join(self._code), lead))
        self._code, self._fence = [], ""

    def _read_prose(self, line: str) -> None:
        text, bullet = _unmarked(line)
        if bullet:
            self._flush()
            self._count += 1
            number = int(bullet.group(1)) if bullet.group(1) else self._count
            done = (bullet.group(2) or " ") in "xX" or "~~" in line
            self._item = Sentence("", step=number, done=done)
        elif self._paragraph and not _continues(self._paragraph[-1], text, line):
            self._flush()
        if text:
            self._paragraph.append(text)

    def _flush(self) -> None:
        """Ends the paragraph; when it ends with a colon, its last sentence is the lead-in of what follows."""
        paragraph, item = normalized(" ".join(self._paragraph)), self._item
        self._paragraph, self._item = [], Sentence("")
        if not paragraph:
            return
        found = list(_split(paragraph, (self._lead if item.step else "") or self._heading))
        if not item.step:
            self._lead, self._count = "", 0
            if paragraph.endswith(":"):
                self._lead = _lead_in(found.pop().text) if len(found[-1].text.split()) <= _LEAD_IN_WORDS else ""
        self.sentences.extend(replace(sentence, step=item.step, done=item.done) for sentence in found)


def _lead_in(text: str) -> str:
    return text.rstrip(" :").lower()


def _unmarked(line: str) -> tuple[str, re.Match[str] | None]:
    """A line without its markers, and the bullet it had."""
    text = _QUOTE.sub("", line)
    if heading := _HEADING.match(text):
        text = heading.group(1)
    bullet = _BULLET.match(text)
    if bullet:
        text = text[bullet.end() :]
    return normalized(_EMPHASIS.sub("", text)), bullet


def _continues(before: str, text: str, line: str) -> bool:
    """Whether a line is the rest of a wrapped one, not a line of its own."""
    return not before.endswith((".", "!", "?", ":", ";", "…")) and (text[:1].islower() or line[:1].isspace())


def _split(paragraph: str, heading: str) -> Iterator[Sentence]:
    """The sentences of a paragraph; a label such as "Goal:" counts for the first of them."""
    label = _LABEL.match(paragraph)
    labeled = label.group(1).lower() if label and label.end() < len(paragraph) else ""
    for text in sentence_texts(paragraph[label.end() :] if label and labeled else paragraph):
        yield Sentence(text, labeled or heading)
        labeled = ""


def sentence_texts(paragraph: str) -> Iterator[str]:
    """Split a paragraph into sentences.

    >>> list(sentence_texts("We met Dr. Ash. It went well!"))
    ['We met Dr. Ash.', 'It went well!']
    """
    for start, end in sentence_spans(paragraph):
        if text := paragraph[start:end].strip():
            yield text


def sentence_spans(paragraph: str) -> Iterator[tuple[int, int]]:
    """The places of a paragraph's sentences, with the white space after them.

    >>> list(sentence_spans("One. Two"))
    [(0, 5), (5, 8)]
    """
    start = 0
    for end in _END.finditer(paragraph):
        if not _ABBREVIATION.search(paragraph, max(start, end.start() - 12), end.start()):
            yield start, end.end()
            start = end.end()
    if start < len(paragraph):
        yield start, len(paragraph)
