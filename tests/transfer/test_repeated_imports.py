"""Imports into sessions that hooks or other imports recorded in part: nothing is stored twice, and nothing is lost."""

from __future__ import annotations

from typing import Any

from apps.accounts.actors import Actor
from apps.agents.services.deletion import message_delete
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.transfer.formats.items import ImportSource
from tests.engine.agent_transcripts import SAMPLE, SESSION, assistant, call, text, user
from tests.engine.agent_transcripts import result as answer_of
from tests.people import client_of
from tests.transfer.test_imports import SESSION_ITEMS, counts, run, statuses, transcript_item

SAMPLE_AT = "2026-03-01T10:00:20Z"
PROMPTS = ("Add a limit of 3 bookings a day.", "Write it as 5, not 3. Naïve café ☕ 東京")


def hook(actor: Actor, name: str, **fields: Any) -> None:
    """An event of the sample's session, recorded when the sample was written."""
    event = {"hook_event_name": name, "session_id": SESSION, "cwd": "/home/alice/booking", **fields}
    headers = {"X-Continuity-Recorded-At": SAMPLE_AT}
    answer = client_of(actor).post("/api/hooks/claude-code", event, headers=headers)
    assert answer.status_code == 200, answer.content


def record_sample(actor: Actor) -> None:
    """What hooks store of the sample's session."""
    hook(actor, "UserPromptSubmit", prompt=PROMPTS[0], prompt_id="p1")
    hook(actor, "PostToolUse", tool_use_id="t1", tool_name="Read", tool_input={}, tool_response="class Booking:")
    hook(actor, "PostToolUse", tool_use_id="t2", tool_name="Bash", tool_input={}, tool_response="2 failed")
    hook(actor, "Stop", prompt_id="p1", last_assistant_message="Done: at most 3 bookings a day.")
    hook(actor, "UserPromptSubmit", prompt=PROMPTS[1], prompt_id="p2")
    hook(actor, "Stop", prompt_id="p2", last_assistant_message="It is 5 now.")


def said(actor: Actor) -> list[tuple[str, str]]:
    with workspace(actor.workspace_id):
        rows = Message.objects.exclude(content="").order_by("index")
        return list(rows.values_list("role", "content"))


def tools(actor: Actor) -> list[tuple[str, str]]:
    with workspace(actor.workspace_id):
        rows = Message.objects.order_by("index").values_list("parts", flat=True)
        return [(part["kind"], part["call_id"]) for parts in rows for part in parts]


def test_a_session_that_hooks_recorded_is_not_imported_again(alice: Actor) -> None:
    record_sample(alice)
    before = counts(alice)
    # Only what a subagent did is new.
    results = run(alice, [transcript_item(*SAMPLE)], source=ImportSource.TRANSCRIPTS)
    assert statuses(results) == [("existing", "updated")]
    prompt = {**SESSION_ITEMS[1], "content": PROMPTS[0]}
    items = [{**item, "session_id": SESSION} for item in (SESSION_ITEMS[0], prompt, *SESSION_ITEMS[2:])]
    assert statuses(run(alice, items)) == [
        ("existing", "session_recorded"),
        ("existing", "session_recorded"),
        ("existing", "session_recorded"),
        ("created", ""),
        ("created", ""),
    ]
    assert counts(alice)["Message"] == before["Message"]
    assert counts(alice)["AgentSession"] == 1


def test_prompts_of_another_tool_are_not_stored_again_from_the_transcript(alice: Actor) -> None:
    items = [
        {"key": f"prompt:{place}", "kind": "prompt", "session_id": SESSION, "content": content, "at": SAMPLE_AT}
        for place, content in enumerate(PROMPTS)
    ]
    run(alice, items)
    (result,) = run(alice, [transcript_item(*SAMPLE)], source=ImportSource.TRANSCRIPTS)
    assert (result.status, result.messages) == ("created", 4)
    assert sorted(content for role, content in said(alice) if role == "user") == sorted(PROMPTS)
    assert ("assistant", "It is 5 now.") in said(alice)
    (result,) = run(alice, [transcript_item(*SAMPLE)], source=ImportSource.TRANSCRIPTS)
    assert (result.status, result.messages) == ("existing", 0)
    other = {"key": "prompt:2", "kind": "prompt", "session_id": SESSION, "content": "And the docs?", "at": SAMPLE_AT}
    assert statuses(run(alice, [other])) == [("created", "")]


def test_prompts_of_a_transcript_are_not_stored_again_from_another_tool(alice: Actor) -> None:
    run(alice, [transcript_item(*SAMPLE)], source=ImportSource.TRANSCRIPTS)
    prompt = {**SESSION_ITEMS[1], "session_id": SESSION, "content": PROMPTS[0]}
    more = {**prompt, "key": "more", "content": "And the docs?"}
    assert statuses(run(alice, [prompt, more])) == [("existing", "session_recorded"), ("created", "")]
    assert [content for role, content in said(alice) if role == "user"] == [*PROMPTS, "And the docs?"]


def test_what_hooks_recorded_after_a_transcript_was_imported_is_not_stored_again(alice: Actor) -> None:
    run(alice, [transcript_item(*SAMPLE[:12])], source=ImportSource.TRANSCRIPTS)
    hook(alice, "UserPromptSubmit", prompt=PROMPTS[1], prompt_id="p2")
    hook(alice, "PostToolUse", tool_use_id="t3", tool_name="Edit", tool_input={}, tool_response="ok")
    hook(alice, "Stop", prompt_id="p2", last_assistant_message="It is 5 now.")
    before = said(alice), tools(alice)
    resumed = [
        *SAMPLE[:-1],
        assistant("a6b", "u2", text("I edit it."), call("t3", "Edit")),
        user("r3", "a6b", [answer_of("t3", "ok")]),
        assistant("a7", "r3", text("It is 5 now.")),
    ]
    (result,) = run(alice, [transcript_item(*resumed)], source=ImportSource.TRANSCRIPTS)
    assert (result.status, result.messages) == ("existing", 0)
    assert (said(alice), tools(alice)) == before


def test_what_was_said_before_a_client_was_paired_in_mid_session_is_imported(alice: Actor) -> None:
    hook(alice, "PostToolUse", tool_use_id="t2", tool_name="Bash", tool_input={}, tool_response="2 failed")
    hook(alice, "Stop", prompt_id="p1", last_assistant_message="Done: at most 3 bookings a day.")
    hook(alice, "UserPromptSubmit", prompt=PROMPTS[1], prompt_id="p2")
    (result,) = run(alice, [transcript_item(*SAMPLE)], source=ImportSource.TRANSCRIPTS)
    assert (result.status, result.messages) == ("created", 4)
    assert sorted(said(alice)) == sorted(
        [
            ("user", PROMPTS[0]),
            ("user", PROMPTS[1]),
            ("assistant", "I will look at the model first."),
            ("assistant", "Done: at most 3 bookings a day."),
            ("assistant", "It is 5 now."),
        ]
    )
    kinds = ("tool_call", "tool_result")
    assert tools(alice) == [(kind, call_id) for call_id in ("t2", "t1") for kind in kinds]
    (again,) = run(alice, [transcript_item(*SAMPLE)], source=ImportSource.TRANSCRIPTS)
    assert (again.status, again.messages) == ("existing", 0)


def test_the_same_words_again_are_another_message(alice: Actor) -> None:
    hook(alice, "UserPromptSubmit", prompt="yes", prompt_id="p1")
    entries = [
        user("y1", None, "yes", timestamp="2026-03-01T10:00:19Z"),
        user("y2", "y1", "yes", timestamp="2026-03-01T10:00:50Z"),
        user("y3", "y2", "yes", timestamp="2026-03-01T11:00:00Z"),
    ]
    (result,) = run(alice, [transcript_item(*entries)], source=ImportSource.TRANSCRIPTS)
    assert result.messages == 2
    assert len(said(alice)) == 3


def test_what_a_person_deleted_does_not_come_back_from_the_transcript(alice: Actor) -> None:
    record_sample(alice)
    with workspace(alice.workspace_id):
        for row in Message.objects.order_by("index"):
            message_delete(alice, conversation_id=row.conversation_id, message_id=row.id)
    run(alice, [transcript_item(*SAMPLE)], source=ImportSource.TRANSCRIPTS)
    assert (said(alice), tools(alice)) == ([], [])
    items = [{**one, "session_id": SESSION} for one in (SESSION_ITEMS[1], SESSION_ITEMS[2])]
    items[0]["content"] = PROMPTS[0]
    assert statuses(run(alice, items)) == [("existing", "session_recorded")] * 2


def test_a_transcript_that_was_imported_in_the_middle_of_a_turn_is_completed(alice: Actor) -> None:
    entries = [
        user("u1", None, "Look."),
        assistant("a1", "u1", text("I look."), call("c1", "Read")),
        user("r1", "a1", [answer_of("c1", "one")]),
        assistant("a2", "r1", text("And there."), call("c2", "Read")),
        user("r2", "a2", [answer_of("c2", "two")]),
        assistant("a3", "r2", text("Done.")),
    ]
    whole = [(kind, one) for one in ("c1", "c2") for kind in ("tool_call", "tool_result")]
    for size in range(1, len(entries) + 1):
        run(alice, [transcript_item(*entries[:size])], source=ImportSource.TRANSCRIPTS)
        seen = tools(alice)
        assert len(seen) == len(set(seen))
        assert {one for kind, one in seen if kind == "tool_result"} == {
            one for kind, one in seen if kind == "tool_call"
        }
    assert tools(alice) == whole
    assert {content for _, content in said(alice)} >= {"Look.", "I look.", "Done."}
