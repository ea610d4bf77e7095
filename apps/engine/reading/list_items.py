"""Items of the lists in a text: what stands behind a bullet or a number, and the heading that it stands under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

BULLET = r"(?:(?:[-*+–·]|\d{1,3}[.)])(?=[ \t])|[•‣・･●○◦▪■◆✓✔]|\d{1,3}[、．）](?!\d))"
"""What an item begins with: a sign that also stands in words has a space behind it."""
_LINE = re.compile(r"[^\n]+")
_ITEM = re.compile(rf"(?P<indent>[ \t]*){BULLET}[ \t]*+(?=\S)")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ListItem:
    """The characters from `start` to `end` of a text, of which those from `words` on stand behind the bullet.

    An item below another one has that as its `heading`, others the last line before the list; it may be empty.
    """

    start: int
    words: int
    end: int
    heading: str


def list_items(text: str, start: int, end: int) -> list[ListItem]:
    """Return the items in some characters of a text, in order, with the indented lines that continue them.

    Numbers must count up from 1: "3. Mai" is a date.

    >>> text = "About me:\\n- nurse\\n  in Leeds\\n- Ada\\n  - my dog"
    >>> [(text[one.words : one.end], one.heading) for one in list_items(text, 0, len(text))]
    [('nurse\\n  in Leeds', 'About me:'), ('Ada', 'About me:'), ('my dog', 'Ada')]
    >>> list_items("Termine:\\n3. Mai Zahnarzt", 0, 24)
    []
    >>> list_items("家賃は\\n１．５万円上がった", 0, 13)
    []
    >>> text = "自己紹介\\n・看護師\\n・東京に住んでいる"
    >>> [text[one.words : one.end] for one in list_items(text, 0, len(text))]
    ['看護師', '東京に住んでいる']
    """
    found: list[ListItem] = []
    place = _Place("")
    for line in _lines(text, start, end):
        item = _ITEM.match(text, line.start(), line.end())
        if item and place.counts_on(item):
            heading = place.heading_of(len(item["indent"]), text[item.end() : line.end()].strip())
            found.append(ListItem(line.start(), item.end(), line.end(), heading))
        elif place.open_items and line.group()[0] in " \t":
            found[-1] = replace(found[-1], end=line.end())
        else:
            place = _Place(line.group().strip())
    return found


def _lines(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return (line for line in _LINE.finditer(text, start, end) if line.group().strip())


class _Place:
    """Where in a list one is: its heading, the open items with their indents, and the last number at each indent."""

    def __init__(self, heading: str) -> None:
        self.heading = heading
        self.open_items: list[tuple[int, str]] = []
        self._numbers: dict[int, int] = {}

    def counts_on(self, item: re.Match[str]) -> bool:
        """Whether its number is the next one, if it has one."""
        number, indent = _NUMBER.search(item.group()), len(item["indent"])
        if not number:
            return True
        is_next = int(number.group()) in (1, self._numbers.get(indent, 0) + 1)
        if is_next:
            self._numbers[indent] = int(number.group())
        return is_next

    def heading_of(self, indent: int, words: str) -> str:
        """The heading of a next item, which is open from now on."""
        while self.open_items and self.open_items[-1][0] >= indent:
            self.open_items.pop()
        heading = self.open_items[-1][1] if self.open_items else self.heading
        self.open_items.append((indent, words))
        return heading
