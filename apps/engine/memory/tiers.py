"""Abstract and overview of a memory, extracted from its content without a model.

They contain only text of the content; "[…]" marks omissions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice, pairwise

from apps.engine.language.sentences import plain, sentence_texts
from apps.engine.language.similarity import normalized, speaker_of, specificity, stems
from apps.engine.language.truncation import FENCE, truncated
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN, count_text
from apps.engine.tokens.estimate import estimate_text

ABSTRACT_TOKENS = 100
OVERVIEW_TOKENS = 2_000
# An abstract is taken from the beginning, which is most likely to describe the whole.
_SENTENCES_READ = 50
_MIN_STEMS = 3
_FIRST_ITEMS = 3
_LEFT_OUT = "[…]"
# Limited lengths bound the number of searches for the end of unclosed fences.
_LONGEST_READ = 200_000
_FENCE = re.compile(r"^\s{0,3}(`{3,8}|~{3,8})")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+\S")
_ROW = re.compile(r"^\s*\|")
_ITEM = re.compile(rf"^\s*(?:[-*+•‣]|\d{{1,3}}[.)])\s+\S|{_ROW.pattern}")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")


class _Kind(Enum):
    """Kinds of blocks; `GAP` is an empty line, a rule, or an unclosed fence."""

    HEADING = auto()
    PROSE = auto()
    ITEM = auto()
    CODE = auto()
    GAP = auto()


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, a paragraph, a list item, a table row, or code with its fences."""

    kind: _Kind
    start: int
    text: str

    @property
    def level(self) -> int:
        heading = _HEADING.match(self.text)
        return len(heading.group(1)) if heading else 0

    @property
    def sentences(self) -> Iterator[str]:
        return sentence_texts(normalized(self.text))


@dataclass(frozen=True, slots=True)
class _Part:
    """A unit that an overview includes whole or not at all: `sentence` of `block`, below `heading`."""

    block: int
    sentence: int
    heading: int
    kind: _Kind
    text: str

    @property
    def place(self) -> tuple[int, int]:
        return self.block, self.sentence


def abstract(content: str) -> str:
    """Compose one line of at most 100 tokens: the leading heading and the informative sentences that fit.

    >>> abstract("# Deploys\\n\\nHi! Acme deploys on **Fridays** at noon.\\n")
    'Deploys: Hi! Acme deploys on Fridays at noon.'
    >>> abstract("Hello there. Acme deploys on Fridays. " + "And so it goes on and on. " * 20)[:33]
    'Acme deploys on Fridays. And so i'
    """
    if _is_short_line(content):
        line = normalized(content)
        return plain(line) or line
    return _abstract(content[:_LONGEST_READ])


def _is_short_line(content: str) -> bool:
    """Whether the content is a single ASCII line that fits; other scripts end sentences without a space."""
    is_plain = content.isascii() and FENCE not in content
    return is_plain and count_text(content) <= ABSTRACT_TOKENS and len(content.splitlines()) == 1


def _abstract(content: str) -> str:
    first = next(_blocks(content), None)
    title = plain(first.text) if first and first.kind is _Kind.HEADING else ""
    line = _line(title, list(islice(_sentences(content), _SENTENCES_READ))) or plain(content) or normalized(content)
    # A fence has no effect within one line.
    return truncated(normalized(line.replace(FENCE, " ")), ABSTRACT_TOKENS)


def overview(content: str) -> str:
    """Select at most 2,000 tokens in the content's order: headings, section openings, then the most specific parts.

    >>> overview("Short enough to stay as it is.\\n")
    'Short enough to stay as it is.'
    """
    whole = content.strip()
    if count_text(whole) <= OVERVIEW_TOKENS:
        return whole
    blocks = list(_blocks(content[:_LONGEST_READ]))
    parts = _parts(blocks)
    return _written(_chosen(parts, blocks), parts) or abstract(content)


def cut_at_heading(overview: str, tokens: int) -> str:
    """Keep as many whole leading sections as fit into the tokens; empty if none does.

    >>> cut_at_heading("# One\\nFirst.\\n\\n# Two\\nSecond.", 4)
    '# One\\nFirst.'
    """
    if estimate_text(overview) <= tokens:
        return overview
    starts = [block.start for block in _blocks(overview) if block.kind is _Kind.HEADING]
    fitting = (cut for start in reversed(starts) if estimate_text(cut := overview[:start].rstrip()) <= tokens)
    return next(fitting, "")


def _line(title: str, sentences: Sequence[str]) -> str:
    """Join the title and the sentences; if they do not all fit, start at the first informative one."""
    remaining = ABSTRACT_TOKENS * CHARACTERS_PER_TOKEN
    begin = f"{title} " if title.endswith((":", ".", "!", "?")) or not sentences else f"{title}: " if title else ""
    if len(begin) + len(" ".join(sentences)) > remaining:
        first = next((place for place, text in enumerate(sentences) if _is_informative(text)), 0)
        sentences = sentences[first:]
    line = begin + "".join(sentences[:1])
    for sentence in sentences[1:]:
        if len(line) + len(" ") + len(sentence) > remaining:
            break
        line += f" {sentence}"
    return line.strip()


def _sentences(content: str) -> Iterator[str]:
    """Yield sentences of paragraphs and lists, without table rows and code."""
    for block in _blocks(content):
        if block.kind is _Kind.PROSE or (block.kind is _Kind.ITEM and not _ROW.match(block.text)):
            yield from sentence_texts(plain(block.text))


def _is_informative(sentence: str) -> bool:
    asks = sentence.endswith(("?", "？"))
    return not asks and (specificity(sentence) > 0 or len(stems(sentence)) >= _MIN_STEMS)


def _blocks(text: str) -> Iterator[_Block]:
    lines = text.splitlines(keepends=True)
    place = start = 0
    while place < len(lines):
        kind, end = _block_at(lines, place)
        written = "".join(lines[place:end])
        if kind is not _Kind.GAP:
            yield _Block(kind, start, written.rstrip())
        place, start = end, start + len(written)


def _block_at(lines: Sequence[str], place: int) -> tuple[_Kind, int]:
    """The kind and the end of the block at a line."""
    kind, end = _kind(lines[place]), place + 1
    if kind is _Kind.CODE:
        closed = _fence_end(lines, place)
        return (_Kind.CODE, closed) if closed else (_Kind.GAP, end)
    if kind in (_Kind.PROSE, _Kind.ITEM):
        while end < len(lines) and _goes_on(kind, lines[end]):
            end += 1
    return kind, end


def _goes_on(kind: _Kind, line: str) -> bool:
    """Whether a line continues the paragraph or item before it; a speaker label starts a new paragraph."""
    return _kind(line) is _Kind.PROSE and (line[:1].isspace() if kind is _Kind.ITEM else not speaker_of(line))


def _kind(line: str) -> _Kind:
    if line.isspace():
        return _Kind.GAP
    if _FENCE.match(line):
        return _Kind.CODE
    if _HEADING.match(line):
        return _Kind.HEADING
    if not line.strip() or _RULE.match(line):
        return _Kind.GAP
    return _Kind.ITEM if _ITEM.match(line) else _Kind.PROSE


def _fence_end(lines: Sequence[str], place: int) -> int:
    """The line after the closing fence; zero if the fence is not closed."""
    opening = _FENCE.match(lines[place])
    for end in range(place + 1, len(lines)):
        closing = _FENCE.match(lines[end])
        if opening and closing and closing.group(1).startswith(opening.group(1)):
            return end + 1
    return 0


def _parts(blocks: Sequence[_Block]) -> list[_Part]:
    """Candidate parts of an overview, without parts that would leave a fence open."""
    heading = -1
    parts: list[_Part] = []
    for place, block in enumerate(blocks):
        if block.kind is _Kind.HEADING:
            heading = place
        for number, text in enumerate(_texts(block)):
            if text and text.count(FENCE) % 2 == 0:
                parts.append(_Part(place, number, heading, block.kind, text))
    return parts


def _texts(block: _Block) -> Iterator[str]:
    if block.kind is _Kind.CODE:
        yield block.text
    elif block.kind is _Kind.PROSE:
        yield from (truncated(sentence, ABSTRACT_TOKENS) for sentence in block.sentences)
    else:
        yield truncated(block.text, ABSTRACT_TOKENS)


def _chosen(parts: Sequence[_Part], blocks: Sequence[_Block]) -> list[_Part]:
    """Select parts by rank, each only with its heading, in the order of the content."""
    remaining = OVERVIEW_TOKENS * CHARACTERS_PER_TOKEN
    chosen: dict[tuple[int, int], _Part] = {}
    for _, part in sorted(zip(_ranks(parts, blocks), parts, strict=True), key=lambda ranked: ranked[0]):
        # Includes the separator before it and the omission marker that may follow an item.
        cost = len(part.text) + 2 + (len(_LEFT_OUT) + 1 if part.kind is _Kind.ITEM else 0)
        headed = part.heading in (-1, part.block) or (part.heading, 0) in chosen
        if headed and cost <= remaining:
            chosen[part.place] = part
            remaining -= cost
    return [chosen[place] for place in sorted(chosen)]


def _ranks(parts: Sequence[_Part], blocks: Sequence[_Block]) -> Iterator[tuple[float, ...]]:
    """Rank headings by level, each with the opening of its section, then the rest by specificity."""
    begun: set[int] = set()
    items = 0
    for part in parts:
        items = items + 1 if part.kind is _Kind.ITEM else 0
        level = blocks[part.heading].level if part.heading >= 0 else 0
        if part.kind is _Kind.HEADING or (part.heading not in begun and part.kind is not _Kind.CODE):
            begun |= {part.heading} if part.kind is not _Kind.HEADING else set()
            yield (0, level, *part.place)
        elif part.kind is _Kind.CODE:
            yield (2, *part.place)
        else:
            early = part.sentence == 0 and items <= _FIRST_ITEMS
            yield (1 if early else 3, -specificity(part.text), *part.place)


def _written(chosen: Sequence[_Part], parts: Sequence[_Part]) -> str:
    chosen_places = {part.place for part in chosen}
    after = {part.place: following for part, following in pairwise(parts)}
    text, before = "", None
    for part in chosen:
        text += _between(before, part) + part.text
        following = after.get(part.place)
        is_last_item = following is None or following.kind is not _Kind.ITEM or following.place in chosen_places
        if part.kind is _Kind.ITEM and not is_last_item:
            text += f"\n{_LEFT_OUT}"
        before = part
    return text


def _between(before: _Part | None, part: _Part) -> str:
    if before is None:
        return ""
    if before.block == part.block:
        return " "
    return "\n" if before.kind is part.kind is _Kind.ITEM else "\n\n"
