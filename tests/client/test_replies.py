"""Replies of VS Code, which only its transcript has."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from continuity_client.hook.replies import LONGEST_TAIL, with_reply
from tests.client.fake_server import FakeServer
from tests.client.machine import Machine, eventually

STOP = {"timestamp": "2026-11-20T10:00:08.000Z", "sessionId": "s-1", "hookEventName": "Stop", "stop_hook_active": False}
TURN = [
    {"type": "session.start", "data": {"sessionId": "s-1"}},
    {"type": "user.message", "data": {"content": "Before"}},
    {"type": "assistant.message", "data": {"content": "An earlier reply."}},
    {"type": "user.message", "data": {"content": "Fix the cart."}},
    {"type": "assistant.message", "data": {"content": "I look.", "toolRequests": [{"toolCallId": "c1"}]}},
    {"type": "tool.execution_complete", "data": {"toolCallId": "c1", "success": True}},
    {"type": "assistant.message", "data": {"content": "Fixed. <private>By Sam.</private>", "reasoningText": "Hm."}},
    {"type": "assistant.message", "data": {"content": " "}},
    {"type": "assistant.turn_end", "data": {}},
]


def transcript(folder: Path, events: list[Any], *, before: str = "", after: str = "") -> Path:
    path = folder / "s-1.jsonl"
    path.write_text(before + "".join(f"{json.dumps(event)}\n" for event in events) + after)
    return path


@pytest.mark.parametrize("client", ["vscode", "claude-code"])
def test_the_end_of_a_turn_arrives_with_its_last_words(paired: Machine, server: FakeServer, client: str) -> None:
    path = transcript(paired.folder, TURN)
    assert paired.hook("stop", {**STOP, "transcript_path": str(path)}, client=client) == b""
    assert eventually(lambda: server.payloads)
    assert server.payloads[0]["last_assistant_message"] == "Fixed. [private]"
    assert server.paths() == ["/api/hooks/vscode/batch"]


def test_other_agents_transcripts_are_not_read(paired: Machine, server: FakeServer) -> None:
    path = transcript(paired.folder, TURN)
    event = {"session_id": "s-1", "hook_event_name": "Stop", "transcript_path": str(path)}
    paired.hook("stop", event)
    assert eventually(lambda: server.payloads)
    assert server.payloads == [event]


def test_a_turn_without_words_has_not_those_of_the_turn_before(tmp_path: Path) -> None:
    payload = {**STOP, "transcript_path": str(transcript(tmp_path, TURN[:4]))}
    assert with_reply(payload) == payload


def test_a_damaged_or_huge_transcript_loses_only_its_damage(tmp_path: Path) -> None:
    long = json.dumps({"type": "assistant.message", "data": {"content": "x" * LONGEST_TAIL}})
    path = transcript(tmp_path, TURN, before=f"{long}\n", after='[1]\n\n{"type": "assistant.mess')
    uri = {"$mid": 1, "fsPath": str(path), "scheme": "file"}
    assert with_reply({**STOP, "transcript_path": uri})["last_assistant_message"].startswith("Fixed.")


def test_without_a_transcript_the_event_stays_as_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (None, 5, "", "\x00", str(tmp_path), str(tmp_path / "pipe"), str(tmp_path / "missing")):
        payload = {**STOP, "transcript_path": path}
        assert with_reply(payload) == payload
    known = {**STOP, "transcript_path": str(transcript(tmp_path, TURN)), "last_assistant_message": "Known."}
    assert with_reply(known) == known
