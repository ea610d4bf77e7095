"""The text inside the element of injected memory."""

from __future__ import annotations

import re

from apps.engine.messages.agent_text import MEMORY_TAG

_ELEMENT = re.compile(rf"<({MEMORY_TAG}-[0-9a-f]{{12}})>\n(?P<inner>.*)\n</\1>", re.DOTALL)


def inner_of(text: str) -> str:
    found = _ELEMENT.fullmatch(text)
    assert found is not None, text[:200]
    return found["inner"]
