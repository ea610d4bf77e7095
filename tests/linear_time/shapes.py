"""Adversarial texts: each shape is a part that is repeated up to a length, with a beginning and an end."""

from __future__ import annotations

import base64
from dataclasses import dataclass

_BASE64 = base64.b64encode(b"The password is Hunter2!x and nothing else. " * 9).decode()


@dataclass(frozen=True, slots=True)
class Shape:
    """`part` over and over between `begin` and `end`."""

    name: str
    part: str
    begin: str = ""
    end: str = ""

    def text(self, length: int) -> str:
        """A text of exactly so many characters."""
        room = length - len(self.begin) - len(self.end)
        return self.begin + (self.part * (room // len(self.part) + 1))[:room] + self.end


SHAPES = (
    Shape("letters", "a", end=".b"),
    Shape("capitals", "A"),
    Shape("digits", "1", end="x"),
    Shape("spaces", " ", "x", "x"),
    Shape("spaced_lines", " ", "tea.\n", "\nok"),
    Shape("tabs", "\t", "x", "x"),
    Shape("blank_lines", "\n", "x:", "x"),
    Shape("crlf", "\r\n", "x", "x"),
    Shape("curly_quotes", "“"),
    Shape("low_quotes", "„"),
    Shape("guillemets", "«"),
    Shape("corner_quotes", "「『"),
    Shape("straight_quotes", ' "a', end="\n"),
    Shape("apostrophes", " 'A"),
    Shape("brackets", "[("),
    Shape("links", "[a]("),
    Shape("angle_brackets", "<"),
    Shape("private_tags", "<private>"),
    Shape("broken_tags", "< private "),
    Shape("reminders", "<system-reminder>a</continuity-memory>"),
    Shape("comments", "<!--"),
    Shape("fences", "```\na\n~~~\n"),
    Shape("backticks", "`a"),
    Shape("table", "|"),
    Shape("dashes", "-"),
    Shape("rules", "---\n"),
    Shape("underscores", "_a"),
    Shape("dots", "a."),
    Shape("slashes", "/a"),
    Shape("urls", "https://a:b", end="@"),
    Shape("addresses", "a@a-", end="."),
    Shape("base64", _BASE64),
    Shape("percent", "%41"),
    Shape("keys", "-----BEGIN PRIVATE KEY-----\nMIIE\n"),
    Shape("key_names", "password for a "),
    Shape("combining", "a\u0301\u0323"),
    Shape("marks", "\u0301\u0323", "a"),
    Shape("ligatures", "\ufdfa"),
    Shape("emoji", "\U0001f469\u200d\U0001f469\u200d\U0001f467 "),
    Shape("ideographs", "私は漢字が、"),
    Shape("bullets", "- a\n"),
    Shape("numbers", "1. ", end="a"),
    Shape("headings", "# a\n"),
    Shape("quotations", "> "),
    Shape("json", '{"a":'),
    Shape("copulas", "is the "),
    Shape("names", "Ann-Lee and "),
    Shape("changes", "no longer from a to b, "),
    Shape("expectations", " want"),
    Shape("commas", "a, "),
    Shape("questions", "why? "),
    Shape("sentences", "We moved to Bath in May 2024, and my sister Ann likes it very much. "),
    Shape("lines", "We use Postgres 16 now because it is fast\n"),
)
