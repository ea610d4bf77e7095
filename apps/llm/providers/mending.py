"""Mending JSON that a model wrote with a slip of the pen: a comma too many, a quote or a bracket missing.

In a process of its own, which can be ended: over some texts the library that mends sits for minutes, and what a model
writes is not ours.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE

_LONGEST_S = 5
_PROGRAM = """
import sys
from json_repair import repair_json
sys.stdout.write(repair_json(sys.stdin.buffer.read().decode()))
"""


async def mended(text: str) -> str:
    """The JSON that was meant; the text as it is where that cannot be found out in time."""
    command = (sys.executable, "-I", "-c", _PROGRAM)
    child = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env={})
    try:
        async with asyncio.timeout(_LONGEST_S):
            told, _ = await child.communicate(text.encode())
    except TimeoutError:
        return text
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return told.decode() if child.returncode == 0 else text
