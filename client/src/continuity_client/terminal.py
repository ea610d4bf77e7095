"""Readable output: colors on a terminal alone, JSON where it is requested."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from typing import Any, TextIO

from continuity_client.home import WINDOWS

BOLD, DIM, RED, GREEN, YELLOW, CYAN = "1", "2", "31", "32", "33", "36"
WIDEST = 100


class CommandError(Exception):
    """A command that cannot go on; its text is a sentence with the next step."""


def has_colors(stream: TextIO) -> bool:
    """Whether a stream shows colors: a terminal, unless NO_COLOR is set. The old console of Windows shows none."""
    if WINDOWS and not {"WT_SESSION", "TERM", "TERM_PROGRAM", "ANSICON"} & os.environ.keys():
        return False
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def style(text: str, *codes: str) -> str:
    """The text in a color or weight, where standard output shows it."""
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if has_colors(sys.stdout) and text else text


def show(text: str = "") -> None:
    """Print a line, also where the terminal's encoding lacks a character."""
    encoding = sys.stdout.encoding or "utf-8"
    print(_plain(text).encode(encoding, "replace").decode(encoding))


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=sys.stdout.encoding.lower() not in ("utf-8", "utf8")))


def complain(text: str) -> None:
    """Print a line to standard error."""
    print(_plain(text), file=sys.stderr)


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "event"), counted(2, "event"), counted(2, "memory", "memories")
    ('1 event', '2 events', '2 memories')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {nouns or f'{noun}s'}"


def paragraph(text: str, indent: str = "") -> str:
    """The text in lines that fit into the terminal."""
    width = max(40, min(WIDEST, shutil.get_terminal_size().columns))
    lines = (textwrap.fill(line, width, initial_indent=indent, subsequent_indent=indent) for line in text.splitlines())
    return "\n".join(lines)


def _plain(text: str) -> str:
    """The text without control characters, which would command the terminal; our own colors stay."""
    return "".join(letter for letter in text if letter in "\n\t\x1b" or (ord(letter) >= 32 and ord(letter) != 127))


def without_escapes(text: str) -> str:
    """Text of others without the character that begins a terminal's commands."""
    return text.replace("\x1b", "")
