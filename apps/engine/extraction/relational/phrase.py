"""A phrase: words at the beginning of a part of a sentence that show a trait of working with their author."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """`value` is the trait's value, or empty if the pattern's first group is it.

    `of_reply`: it is a judgement of the assistant message before it, and means nothing without one. `of_long_reply`:
    it could be about anything that takes long, unless that message is long. `of_chat`: it could be about a text that is
    to be written, unless the message requests none.
    """

    trait: str
    value: str
    pattern: re.Pattern[str]
    of_reply: bool = False
    of_long_reply: bool = False
    of_chat: bool = False


def phrase(
    trait: str,
    value: str,
    *patterns: str,
    of_reply: bool = False,
    of_long_reply: bool = False,
    of_chat: bool = False,
) -> Phrase:
    """Build a phrase of alternative patterns."""
    compiled = re.compile("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE)
    return Phrase(trait, value, compiled, of_reply or of_long_reply, of_long_reply, of_chat)
