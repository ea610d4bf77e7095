"""What an agent has read in its own files is not repeated, and the text says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from apps.agents.models import Observation
from apps.common.tenancy import workspace
from apps.transfer.selectors.imported_files import memory_file_key
from continuity_client.imports.items import Keys
from tests.agents.agents import Agent, claude, observations_of
from tests.agents.test_answers import fact, start, text_of
from tests.agents.test_cleaning import is_stored
from tests.people import client_of
from tests.transfer.round_trips import exported
from tests.transfer.test_import_sources import created, run

pytestmark = pytest.mark.django_db(transaction=True)

RULES = "# Rules\n\n- Use **pnpm**, never npm.\n- Deploy on Mondays only. Ask Dora before.\n"
PATH = "/home/alice/shop/CLAUDE.md"


def loaded(text: str | None = RULES, path: str = PATH, session: str = "s1", reason: str = "session_start") -> Any:
    fields = {} if text is None else {"file_text": text}
    return claude("InstructionsLoaded", session, file_path=path, memory_type="Project", load_reason=reason, **fields)


@pytest.fixture
def agent(alice: Actor) -> Agent:
    fact(alice, "tool", "Use pnpm, never npm.")
    fact(alice, "day", "Deploy on Mondays only.")
    fact(alice, "tea", "Alice likes green tea.")
    return Agent(alice)


def test_what_stands_in_a_file_that_the_agent_read_is_left_out(agent: Agent) -> None:
    agent.send(loaded())
    text = text_of(start(agent))
    assert "pnpm" not in text and "Mondays" not in text and "> Alice likes green tea." in text
    assert "Omitted: 2 already in CLAUDE.md." in text


def test_the_words_of_the_file_are_not_stored(agent: Agent, alice: Actor) -> None:
    agent.send(loaded(f"{RULES}\n- The marmalade is in the cellar.\n<private>- A quicksilver rule of mine.</private>"))
    assert is_stored("marmalade") == []
    (observation,) = observations_of(alice)
    assert observation.title == f"InstructionsLoaded {PATH}"
    (listed,) = agent.http.get("/api/sessions/s1/observations").json()["data"]
    assert listed["details"] == {}


def test_a_file_read_again_is_one_observation_and_its_newest_text_counts(agent: Agent, alice: Actor) -> None:
    for _ in range(2):
        agent.send(loaded())
    agent.send(loaded("- Use pnpm, never npm."))
    assert len(observations_of(alice)) == 2
    text = text_of(start(agent, source="resume"))
    assert "pnpm" not in text and "> Deploy on Mondays only." in text


def test_until_the_agent_reports_what_it_read_its_last_session_in_the_directory_counts(agent: Agent) -> None:
    agent.send(loaded())
    agent.send(loaded("- Alice likes green tea.", "/home/alice/shop/sub/CLAUDE.md", reason="nested_traversal"))
    text = text_of(start(agent, session="s2"))
    assert "pnpm" not in text and "> Alice likes green tea." in text
    other = claude("SessionStart", "s3", source="startup") | {"cwd": "/home/alice/other"}
    assert "pnpm" in text_of(agent.send(other))


def test_after_a_compaction_only_what_is_read_again_counts(agent: Agent) -> None:
    nested = "/home/alice/shop/sub/CLAUDE.md"
    agent.send(loaded())
    agent.send(loaded("- Alice likes green tea.", nested, reason="nested_traversal"))
    assert "green tea" not in str(start(agent))
    text = text_of(start(agent, source="compact"))
    assert "> Alice likes green tea." in text and "pnpm" not in text
    agent.send(claude("PostCompact", trigger="auto", compact_summary="We work on the shop."))
    assert "> Alice likes green tea." in text_of(start(agent, source="resume"))
    agent.send(loaded("- Alice likes green tea.\n- And cake.", nested, reason="nested_traversal"))
    assert "green tea" not in str(start(agent, source="resume"))


@pytest.mark.parametrize("damaged", [{"file": PATH}, {"file": 1, "reason": [], "lines": "x"}, "text", None])
def test_damaged_details_of_an_observation_harm_no_session(agent: Agent, alice: Actor, damaged: Any) -> None:
    agent.send(loaded())
    with workspace(alice.workspace_id):
        Observation.objects.update(details={"instructions": damaged})
    assert "pnpm" in text_of(start(agent)) and "pnpm" in text_of(start(agent, session="s2"))


def test_an_import_brings_no_files_that_an_agent_has_read(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    agent = Agent(alice)
    agent.send(claude("UserPromptSubmit", prompt="Look at the cart.", prompt_id="p1"))
    agent.send(loaded())
    file, lines = exported(alice, tmp_path)
    (observation,) = [line for line in lines if line.get("kind") == "agent_observation"]
    observation["details"] = {"instructions": {"file": PATH}, "task": "Read"}
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert created(run(charlie, "json", file))
    assert observations_of(charlie)[-1].details == {"task": "Read"}


def test_the_text_for_a_session_names_the_reason(agent: Agent) -> None:
    agent.send(loaded())
    context = agent.http.get("/api/context/s1").json()
    omitted = {one["origin"]: one["reason"] for one in context["omitted"]}
    assert omitted == {"user memory, fact: tool": "already_read", "user memory, fact: day": "already_read"}
    assert context["text"].endswith("\n\nOmitted: 2 already in CLAUDE.md.")
    assert agent.http.get("/api/context/new").json()["omitted"] == []


def test_a_prompt_recalls_nothing_that_the_agent_has_read(agent: Agent) -> None:
    prompt = {"prompt": "Do we deploy on Mondays only, or use pnpm?", "prompt_id": "p1"}
    agent.send(loaded())
    agent.send(claude("UserPromptSubmit", "s9", **prompt) | {"cwd": "/elsewhere"})
    again = claude("UserPromptSubmit", **prompt)
    elsewhere = claude("UserPromptSubmit", "s9", **prompt) | {"cwd": "/elsewhere", "prompt_id": "p2"}
    assert "Mondays" in text_of(agent.send(elsewhere, recall=True))
    assert "Mondays" not in str(agent.send(again, recall=True))


def test_a_memory_imported_from_the_file_is_left_out_until_it_is_changed(alice: Actor) -> None:
    """Without our client, an event has no text."""
    agent, path = Agent(alice), "/home/alice/.claude/projects/-home-alice-shop/memory/tabs.md"
    item = {"key": memory_file_key(path), "kind": "memory", "type": "feedback", "name": "tabs"}
    body = {"import_id": str(uuid4()), "confirmed": True, "items": [{**item, "content": "Prefers tabs over spaces."}]}
    (result,) = agent.http.post("/api/imports/claude-memory", body).json()["results"]
    agent.send(loaded(None, path))
    assert "tabs over" not in str(start(agent))
    owner = client_of(alice)
    address = f"/api/memories/{result['node_id']}"
    changed = owner.patch(address, {"content": "Prefers tabs over two spaces."}, headers={"If-Match": '"1"'})
    assert changed.status_code == 200, changed.content
    assert "tabs over two" in text_of(start(agent))


def test_memory_files_have_the_keys_that_the_client_gives_them() -> None:
    for path in ("/h/.claude/projects/-home-shop/memory/tabs.md", "C:\\u\\projects\\-c-shop\\memory\\größe.md"):
        parts = path.replace("\\", "/").split("/")
        assert memory_file_key(path) == Keys().key("memory", f"{parts[-3]}/{parts[-1]}")
