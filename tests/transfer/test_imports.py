"""Imports from other stores: what each item becomes, once, and what harms no other."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession, Observation
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.memory.models import MemNode, MemSource
from apps.transfer.formats.items import ImportSource
from apps.transfer.formats.readers import KINDS
from apps.transfer.models import ImportedItem
from apps.transfer.records import ImportedResult
from apps.transfer.selectors.imports import import_report
from apps.transfer.services.imports.run import items_import
from apps.turns.services.delete import conversation_delete
from tests.engine.agent_transcripts import SAMPLE, SESSION, lines, user
from tests.people import client_of

AT = "2026-03-01T10:00:00Z"
SESSION_ITEMS: list[dict[str, Any]] = [
    {"key": "s", "kind": "session", "session_id": "s1", "project": "booking", "title": "Limits", "started_at": AT},
    {"key": "p", "kind": "prompt", "session_id": "s1", "content": "Limit the bookings a day.", "at": AT, "number": 1},
    {
        "key": "t",
        "kind": "tool_use",
        "session_id": "s1",
        "tool_use_id": "t1",
        "tool_name": "Bash",
        "tool_input": '{"command": "pytest"}',
        "tool_response": "2 passed",
        "at": "2026-03-01T10:01:00Z",
    },
    {
        "key": "o",
        "kind": "observation",
        "session_id": "s1",
        "project": "booking",
        "type": "bugfix",
        "title": "The limit counted cancelled bookings",
        "narrative": "The query now filters by status.",
        "facts": ["models.py filters by status"],
        "concepts": ["problem-solution: a query", "how-it-works"],
        "files": ["models.py"],
        "at": "2026-03-01T10:02:00Z",
        "number": 1,
    },
    {"key": "y", "kind": "summary", "session_id": "s1", "request": "Limit bookings", "completed": "It works", "at": AT},
]


def run(
    actor: Actor,
    items: list[Any],
    *,
    source: ImportSource = ImportSource.CLAUDE_MEM,
    import_id: UUID | None = None,
    dry_run: bool = False,
    confirmed: bool = True,
) -> list[ImportedResult]:
    """Import a person's own items, unless they are not `confirmed`."""
    import_id = import_id or uuid4()
    with workspace(actor.workspace_id):
        return items_import(
            actor, source=source, import_id=import_id, batch_items=items, dry_run=dry_run, confirmed=confirmed
        )


def statuses(results: list[ImportedResult]) -> list[tuple[str, str]]:
    return [(result.status, result.reason) for result in results]


def counts(actor: Actor) -> dict[str, int]:
    with workspace(actor.workspace_id):
        models = (AgentSession, Observation, Conversation, Message, MemNode, ImportedItem)
        return {model.__name__: model.objects.count() for model in models}


def test_a_session_becomes_a_conversation_with_observations_and_memories(alice: Actor) -> None:
    results = run(alice, SESSION_ITEMS)
    assert statuses(results) == [("created", "")] * 5
    with workspace(alice.workspace_id):
        session = AgentSession.objects.get()
        assert (session.client, session.client_session_id, session.project) == ("import", "s1", "booking")
        assert (session.prompt_count, session.tool_count, session.end_reason) == (1, 1, "imported")
        assert session.started_at.isoformat() == "2026-03-01T10:00:00+00:00"
        assert session.conversation.title == "Limits"
        message = Message.objects.get()
        assert (message.content, message.created_at.isoformat()) == (
            "Limit the bookings a day.",
            "2026-03-01T10:00:00+00:00",
        )
        assert sorted(Observation.objects.values_list("kind", "title")) == [
            ("imported", "The limit counted cancelled bookings"),
            ("summary", "Limit bookings"),
            ("tool", 'Bash {"command": "pytest"}'),
        ]


def test_an_observation_becomes_a_memory_with_its_date_its_trust_and_its_sources(alice: Actor) -> None:
    result = run(alice, SESSION_ITEMS)[3]
    with workspace(alice.workspace_id):
        row = MemNode.objects.get(pk=result.node_id)
        assert (row.uri, row.category) == ("mem://agent/cases/the-limit-counted-cancelled-bookings", "cases")
        assert (row.trust, row.arrival, row.owner_id) == ("model_inference", "accepted", alice.user_id)
        assert row.occurred_at.isoformat() == "2026-03-01T10:02:00+00:00"
        assert row.tags == ["bugfix", "problem-solution", "how-it-works"]
        assert row.l2_content == (
            "The limit counted cancelled bookings\n\nThe query now filters by status.\n\n- models.py filters by status"
        )
        kinds = dict(MemSource.objects.filter(node=row).values_list("kind", "reference"))
        assert kinds["message"] == str(Message.objects.get().pk)
        assert kinds["hook"] == str(Observation.objects.get(kind="imported").pk)
        assert "import" in kinds


def test_summaries_become_the_archive_of_their_session(alice: Actor) -> None:
    result = run(alice, SESSION_ITEMS)[4]
    later = {"key": "z", "kind": "summary", "session_id": "s1", "learned": "Tests need Redis", "at": 1772362000000}
    run(alice, [later])
    with workspace(alice.workspace_id):
        session = AgentSession.objects.get()
        row = MemNode.objects.get(pk=result.node_id)
        assert row.uri == f"mem://sessions/{session.conversation_id}/summary"
        assert row.l2_content == "Goal: Limit bookings\nDone: It works\n\nFacts: Tests need Redis"


def test_a_persons_edit_of_an_archive_is_not_overwritten(alice: Actor) -> None:
    result = run(alice, SESSION_ITEMS)[4]
    client_of(alice).patch(f"/api/memories/{result.node_id}", {"content": "My own words"}, headers={"If-Match": "*"})
    run(alice, [{"key": "z", "kind": "summary", "session_id": "s1", "learned": "Tests need Redis"}])
    with workspace(alice.workspace_id):
        assert MemNode.objects.get(pk=result.node_id).l2_content == "My own words"


def test_a_second_import_creates_nothing(alice: Actor) -> None:
    first = run(alice, SESSION_ITEMS)
    before = counts(alice)
    second = run(alice, SESSION_ITEMS)
    assert statuses(second) == [("existing", "")] * 5
    assert [one.node_id for one in second] == [one.node_id for one in first]
    assert [one.address for one in second] == [one.address for one in first]
    assert counts(alice) == before


def test_a_batch_that_is_sent_again_gets_the_same_results(alice: Actor) -> None:
    import_id = uuid4()
    first = run(alice, SESSION_ITEMS, import_id=import_id)
    assert run(alice, SESSION_ITEMS, import_id=import_id) == first


def test_a_dry_run_reports_the_same_and_stores_nothing(alice: Actor) -> None:
    before = counts(alice)
    dry = run(alice, SESSION_ITEMS, dry_run=True)
    assert counts(alice) == before
    assert statuses(dry) == statuses(run(alice, SESSION_ITEMS))
    assert {one.conversation_id for one in dry} == {None}


def test_bad_items_harm_no_other(alice: Actor) -> None:
    bad: list[Any] = [
        7,
        {"kind": "prompt"},
        {"key": "a", "kind": "unheard"},
        {"key": "b", "kind": "prompt", "session_id": "s1"},
        {"key": "c", "kind": "prompt", "session_id": "s1", "content": "x", "at": "yesterday"},
        {"key": "d", "kind": "observation", "session_id": "s1"},
        {"key": "e", "kind": "observation", "session_id": "s1", "title": "x", "facts": {"a": 1}},
        {"key": "f", "kind": "session", "session_id": " "},
        {"key": "g", "kind": "conversation", "external_id": "c", "messages": "none"},
        {"key": "h", "kind": "problem", "reason": "bad_row", "detail": "row 7"},
        {"key": "i", "kind": "skip", "reason": "observer_session"},
        {"key": "j", "kind": "node", "node": {"uri": "nowhere"}},
        {"key": "k", "kind": "memory", "content": "x" * 500_000},
    ]
    results = run(alice, [*bad, *SESSION_ITEMS])
    assert statuses(results[:-5]) == [
        ("refused", "bad_key"),
        ("refused", "bad_key"),
        ("refused", "unknown_kind"),
        ("refused", "missing_field"),
        ("refused", "bad_date"),
        ("refused", "empty_content"),
        ("refused", "wrong_type"),
        ("refused", "bad_id"),
        ("refused", "wrong_type"),
        ("refused", "bad_row"),
        ("skipped", "observer_session"),
        ("refused", "bad_item"),
        ("refused", "too_long"),
    ]
    assert statuses(results[-5:]) == [("created", "")] * 5


def test_the_report_counts_every_item(alice: Actor) -> None:
    first, second = uuid4(), uuid4()
    run(alice, [*SESSION_ITEMS, {"key": "h", "kind": "problem", "reason": "bad_row"}], import_id=first)
    run(alice, SESSION_ITEMS, import_id=second)
    with workspace(alice.workspace_id):
        report, again = import_report(alice, first), import_report(alice, second)
    created = {one.kind: one.created for one in report.counts}
    assert created == dict.fromkeys(("observation", "prompt", "session", "summary", "tool_use"), 1) | {"problem": 0}
    assert [(one.key, one.status, one.reason) for one in report.items] == [("h", "refused", "bad_row")]
    assert report.messages == 1
    assert {(one.created, one.existing) for one in again.counts} == {(0, 1)}


def test_what_a_person_deleted_does_not_come_back(alice: Actor) -> None:
    results = run(alice, SESSION_ITEMS[:2])
    with workspace(alice.workspace_id):
        assert results[0].conversation_id is not None
        conversation_delete(alice, conversation_id=results[0].conversation_id)
    again = run(alice, [*SESSION_ITEMS[:2], {"key": "q", "kind": "prompt", "session_id": "s1", "content": "More"}])
    assert statuses(again) == [("existing", ""), ("existing", ""), ("skipped", "deleted")]
    assert counts(alice)["Conversation"] == 0


def test_secrets_and_private_parts_are_not_stored(alice: Actor) -> None:
    secret = "Use postgres://app:s3cret@db/app <private>for me</private>"
    run(alice, [{"key": "p", "kind": "prompt", "session_id": "s1", "content": secret}])
    assert statuses(
        run(alice, [{"key": "q", "kind": "prompt", "session_id": "s1", "content": "<private>all</private>"}])
    ) == [("skipped", "private")]
    with workspace(alice.workspace_id):
        assert Message.objects.get().content == "Use postgres://app:[redacted:url-password]@db/app [private]"


def transcript_item(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"key": SESSION, "kind": "transcript", "session_id": SESSION, "lines": list(entries), **more}


def test_a_transcript_becomes_the_messages_of_its_session(alice: Actor) -> None:
    (result,) = run(alice, [transcript_item(*SAMPLE)], source=ImportSource.TRANSCRIPTS)
    assert (result.status, result.messages) == ("created", 6)
    with workspace(alice.workspace_id):
        session = AgentSession.objects.get()
        assert (session.client, session.project, session.model) == ("claude-code", "booking", "claude-opus-5-5")
        assert (session.prompt_count, session.tool_count) == (2, 2)
        assert session.conversation.external_id == SESSION
        assert session.conversation.title == "Booking rules"
        assert list(Message.objects.order_by("index").values_list("role", flat=True)) == [
            *("user", "assistant", "tool", "assistant", "user", "assistant"),
        ]


def test_a_transcript_that_grew_adds_only_what_is_new(alice: Actor) -> None:
    run(alice, [transcript_item(*SAMPLE)], source=ImportSource.TRANSCRIPTS)
    more = transcript_item(*SAMPLE, user("u9", "a7", "And the tests?"))
    (result,) = run(alice, [more], source=ImportSource.TRANSCRIPTS)
    assert (result.status, result.reason, result.messages) == ("existing", "updated", 1)
    assert counts(alice)["Message"] == 7


def test_the_parts_of_a_long_transcript_go_into_one_session(alice: Actor) -> None:
    parts = [
        transcript_item(*SAMPLE[:11]),
        {**transcript_item(*SAMPLE[11:]), "key": f"{SESSION}:2", "first_line": 12},
    ]
    results = run(alice, parts, source=ImportSource.TRANSCRIPTS)
    assert [(result.status, result.messages) for result in results] == [("created", 4), ("created", 2)]
    assert counts(alice)["AgentSession"] == 1
    assert counts(alice)["Message"] == 6


def test_an_item_that_fails_leaves_no_session(alice: Actor) -> None:
    long = {"key": "x", "kind": "tool_use", "session_id": "s9", "tool_name": "Bash", "agent_id": "a"}
    deleted = {"key": "y", "kind": "prompt", "session_id": "s9", "content": "<private>all</private>"}
    assert statuses(run(alice, [deleted]))[0] == ("skipped", "private")
    assert counts(alice)["AgentSession"] == 0
    assert statuses(run(alice, [deleted, long])) == [("skipped", "private"), ("created", "")]
    assert counts(alice)["AgentSession"] == 1


def test_damaged_lines_are_reported_with_their_numbers(alice: Actor) -> None:
    damaged: list[Any] = [*SAMPLE[:5], '{"type": "user", "uu', *SAMPLE[5:]]
    item = {**transcript_item(), "lines": damaged, "first_line": 1}
    (result,) = run(alice, [item], source=ImportSource.TRANSCRIPTS)
    assert [(one.line, one.code) for one in result.problems] == [(6, "invalid_json")]
    assert result.messages == 6
    text = {**transcript_item(), "key": "other", "session_id": "other", "text": lines(SAMPLE).decode() + "nonsense"}
    (result,) = run(alice, [text], source=ImportSource.TRANSCRIPTS)
    assert [(one.line, one.code) for one in result.problems] == [(len(SAMPLE) + 1, "truncated")]


def test_conversations_of_other_applications_are_stored_with_their_dates(alice: Actor) -> None:
    messages = [
        {"external_id": "m1", "role": "user", "content": "When is Easter?", "created_at": AT},
        {"external_id": "m2", "role": "robot", "content": "?"},
        {"external_id": "m3", "role": "assistant", "content": "On 5 April 2026."},
        "nothing",
    ]
    item = {"key": "c1", "kind": "conversation", "external_id": "c1", "title": "Easter", "messages": messages}
    (result,) = run(alice, [item], source=ImportSource.CHATGPT)
    assert (result.status, result.messages) == ("created", 2)
    assert [(one.line, one.code) for one in result.problems] == [(2, "unknown_role"), (4, "wrong_type")]
    with workspace(alice.workspace_id):
        row = Conversation.objects.get()
        assert (row.title, row.external_id) == ("Easter", "chatgpt:c1")
    messages.append({"external_id": "m4", "role": "user", "content": "Thanks"})
    (result,) = run(alice, [item], source=ImportSource.CHATGPT)
    assert (result.status, result.reason, result.messages) == ("existing", "updated", 1)


def test_a_memory_that_is_known_already_gains_a_source(alice: Actor) -> None:
    first = {"key": "1", "kind": "memory", "content": "Prefers tabs over spaces.", "at": AT}
    (created,) = run(alice, [first], source=ImportSource.JSON)
    (known,) = run(alice, [{**first, "key": "2"}], source=ImportSource.CLAUDE_MEMORY)
    assert created.address == "mem://user/preferences/prefers-tabs-over-spaces"
    assert (known.status, known.reason, known.node_id) == ("existing", "known_memory", created.node_id)
    with workspace(alice.workspace_id):
        assert MemSource.objects.filter(node_id=created.node_id, kind="import").count() == 2


def test_nodes_of_our_own_export_return_to_their_addresses(alice: Actor) -> None:
    node = {"uri": "mem://user/events/release", "content": "We released.", "occurred_at": AT, "tags": ["atlas"]}
    (created,) = run(alice, [{"key": "1", "kind": "node", "node": node}], source=ImportSource.JSON)
    assert (created.status, created.address) == ("created", "mem://user/events/release")
    (again,) = run(alice, [{"key": "other", "kind": "node", "node": node}], source=ImportSource.JSON)
    assert (again.status, again.node_id) == ("existing", created.node_id)


def test_imports_belong_to_one_person(alice: Actor, bob: Actor, charlie: Actor) -> None:
    import_id = uuid4()
    run(alice, SESSION_ITEMS, import_id=import_id)
    assert statuses(run(bob, SESSION_ITEMS, import_id=import_id)) == [("created", "")] * 5
    for actor in (bob, charlie):
        own = client_of(actor).get(f"/api/imports/{import_id}").status_code
        assert own == (200 if actor is bob else 404)
    with workspace(alice.workspace_id):
        assert set(AgentSession.objects.values_list("user_id", flat=True)) == {alice.user_id, bob.user_id}
        assert {row.owner_id for row in MemNode.objects.filter(uri__startswith="mem://agent/cases/")} == {
            alice.user_id,
            bob.user_id,
        }


def test_the_endpoint_reports_each_item(alice: Actor) -> None:
    client, import_id = client_of(alice), str(uuid4())
    body = {"import_id": import_id, "items": [*SESSION_ITEMS, {"key": "x", "kind": "prompt"}]}
    answer = client.post("/api/imports/claude-mem", body)
    assert answer.status_code == 200, answer.content
    assert [one["status"] for one in answer.json()["results"]] == [*["created"] * 5, "refused"]
    report = client.get(f"/api/imports/{import_id}").json()
    assert {one["kind"]: one["created"] for one in report["counts"]}["observation"] == 1
    assert client.post("/api/imports/elsewhere", body).status_code == 404


@pytest.mark.parametrize("body", [{}, {"import_id": "x", "items": [{}]}, {"import_id": str(uuid4()), "items": []}])
def test_a_malformed_body_is_refused(alice: Actor, body: dict[str, Any]) -> None:
    assert client_of(alice).post("/api/imports/json", body).status_code in (400, 422)


def test_results_and_reports_name_every_kind_in_full(alice: Actor) -> None:
    import_id = uuid4()
    results = run(alice, [{"key": kind, "kind": kind} for kind in KINDS], import_id=import_id)
    assert [result.kind for result in results] == list(KINDS)
    with workspace(alice.workspace_id):
        assert {one.kind for one in import_report(alice, import_id).counts} == set(KINDS)
