"""Files of instructions: the event that an agent has read one carries its text."""

from __future__ import annotations

import os

from tests.client.fake_server import FakeServer
from tests.client.machine import Machine, eventually


def test_a_file_of_instructions_that_an_agent_read_arrives_with_its_text(paired: Machine, server: FakeServer) -> None:
    file = paired.folder / "CLAUDE.md"
    file.write_text("Use pnpm. <private>Ask Sam.</private>")
    event = {"session_id": "s-1", "hook_event_name": "InstructionsLoaded", "load_reason": "session_start"}
    os.mkfifo(paired.folder / "pipe.md")
    for path in (file, paired.folder / "missing.md", paired.folder / "pipe.md", paired.folder):
        assert paired.hook("event", {**event, "file_path": str(path)}) == b""
    assert eventually(lambda: len(server.payloads) == 4)
    texts = {payload["file_path"]: payload.get("file_text") for payload in server.payloads}
    assert texts.pop(str(file)) == "Use pnpm. [private]"
    assert set(texts.values()) == {None}
