"""Alice's project "Atlas": the workspace that the API's examples are sent to, and what single operations need first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from apps.accounts.services.invitations import invitation_create
from apps.api.openapi.examples import documented_examples
from apps.common.tenancy import every_workspace, workspace
from apps.compaction.services.archive.scheduling import KIND as SESSION_ARCHIVE
from apps.context.models import UsedItems
from apps.conversations.models import Message
from apps.extraction.models import ExtractionCandidate
from apps.jobs.models import DueJob
from apps.jobs.services import canary_record_return
from apps.memory.models import MemConflict, MemNode, MemSource
from apps.memory.services.index.embedding_job import KIND as MEMORY_VECTORS
from tests.api.callers import Caller
from tests.api.routes import end_user_of, key_of, operation_of
from tests.compaction.runs import compact, run_due_jobs
from tests.conversations.long_conversations import conversation, say
from tests.people import person

Ids = dict[str, Any]
RELEASE, BETA = "mem://user/events/atlas-release", "mem://user/events/atlas-beta-2"
_TALK = (
    "We decided to use PostgreSQL for Atlas because it is consistent.",
    "Understood: Atlas uses PostgreSQL.",
    "The release of Atlas is planned for May.",
    "Noted. Who is responsible for the release?",
)


def atlas_of(alice: Actor, bob: Actor) -> Ids:
    """Create the workspace's rows and return their ids by the names that examples and paths use."""
    caller = Caller(alice)
    talk = conversation(alice, title="Atlas", system_prompt="You help with the Atlas project.")
    say(alice, talk, *_TALK * 8)
    run = compact(alice, talk)
    (message,) = say(alice, talk, "When do we release Atlas?", role="user")
    accounts = {"workspace_id": alice.workspace_id, "user_id": bob.user_id, "key_id": key_of(alice)}
    accounts["end_user_id"] = end_user_of(alice, "customer-1042")
    rows = {"conversation_id": talk, "run_id": run.id, "message_id": message.id, "operation_id": operation_of(alice)}
    return {**accounts, **rows, **_pins(caller, talk), **_memories(caller)}


def _pins(caller: Caller, talk: object) -> Ids:
    pin = {"content": "Atlas is written in Python.", "category": "requirement"}
    fact = {"type": "fact", "key": "project", "content": "Alice works on Atlas."}
    pin_id = caller.post(f"/conversations/{talk}/pins", pin)["id"]
    return {"pin_id": pin_id, "memory_id": caller.post("/user-memory", fact)["id"]}


def _memories(caller: Caller) -> Ids:
    node = caller.post("/memories", {"uri": RELEASE, "content": "Atlas 1.0 was released on 4 May.", "tags": ["atlas"]})
    other = caller.post("/memories", {"uri": BETA, "content": "The second beta of Atlas was released on 6 April."})
    revision = caller.get(f"/memories/{node['id']}/revisions")["data"][0]
    return {
        "node_id": node["id"],
        "other_node_id": other["id"],
        "revision_id": revision["id"],
        "change_id": revision["change_id"],
    }


def _requested_run(caller: Caller, ids: Ids) -> None:
    answer = caller.post(f"/conversations/{ids['conversation_id']}/compactions", {"level": "deep"}, 202)
    ids["run_id"] = answer["compaction"]["id"]


def _exclusion(caller: Caller, ids: Ids) -> None:
    body = {"message_ids": [str(ids["message_id"])], "excluded": True}
    caller.post(f"/conversations/{ids['conversation_id']}/exclusions", body, 200)


def _correction(caller: Caller, ids: Ids) -> None:
    summary = f"/conversations/{ids['conversation_id']}/summary"
    body = {"field": "goals", "place": None, "line": {"text": "Release Atlas in May"}}
    caller.post(f"{summary}/corrections", body, 200, If_Match=caller.tag(summary))


def _share(caller: Caller, ids: Ids) -> None:
    caller.post(f"/conversations/{ids['conversation_id']}/shares", {"email": "bob@example.org"})


def _key(caller: Caller, ids: Ids) -> None:
    caller.call("put", "/models/keys/anthropic", {"key": "sk-0123456789-of-the-workspace"}, 200, {})


def _archived(caller: Caller, ids: Ids) -> None:
    caller.post(f"/memories/{ids['node_id']}/archive", {}, 200)


def _proposed(caller: Caller, ids: Ids) -> None:
    with every_workspace():
        MemNode.objects.filter(pk=ids["node_id"]).update(arrival="proposed", trust="tool")


def _item(caller: Caller, ids: Ids) -> None:
    """Let one memory wait that may replace another one, with the words that it is based on."""
    _proposed(caller, ids)
    ids["item_id"] = ids["node_id"]
    with every_workspace():
        MemNode.objects.filter(pk=ids["node_id"]).update(trust="model_inference")
        message = Message.objects.get(pk=ids["message_id"])
        named = {"workspace_id": ids["workspace_id"], "node_id": ids["node_id"]}
        MemSource.objects.create(**named, kind="message", reference=str(message.id))
        MemConflict.objects.create(
            workspace_id=ids["workspace_id"],
            earlier_id=ids["other_node_id"],
            later_id=ids["node_id"],
            reason="another_value",
        )
        ExtractionCandidate.objects.create(
            **named,
            run=ids["operation_id"],
            conversation_id=ids["conversation_id"],
            message=message,
            start=0,
            end=len(message.content),
            category="events",
            rule="dated",
            extractor="rules-3",
            source="said",
            confidence=0.72,
            outcome="proposed",
        )


def _used(caller: Caller, ids: Ids) -> None:
    item = {"kind": "memory", "id": ids["node_id"], "version": 1, "layer": "L5_jit", "tokens": 18}
    with every_workspace():
        UsedItems.objects.create(
            workspace_id=ids["workspace_id"],
            conversation_id=ids["conversation_id"],
            reply_id=ids["message_id"],
            user_id=ids["user_id"],
            items=[{**item, "score": 3.05, "similarity": 0.71}],
        )


def _decided(caller: Caller, ids: Ids) -> None:
    _item(caller, ids)
    ids["change_id"] = caller.post(f"/inbox/{ids['item_id']}/approve", {}, 200)["change_id"]


def _shareable(caller: Caller, ids: Ids) -> None:
    case = {"uri": "mem://agent/cases/atlas-migration", "content": "Migrate the tables of Atlas one at a time."}
    ids["node_id"] = caller.post("/memories", case)["id"]


def _invitation(caller: Caller, ids: Ids) -> None:
    ids["invitation_id"] = caller.post("/invitations", {"email": "dora@example.org"})["id"]


def _pairing(caller: Caller, ids: Ids) -> None:
    made = caller.post("/pairings", {"client": "claude-code", "name": "alice-laptop", "version": "1.0.0"})
    ids["user_code"], ids["device_code"] = made["user_code"], made["device_code"]


def _approved_pairing(caller: Caller, ids: Ids) -> None:
    _pairing(caller, ids)
    caller.post(f"/pairings/{ids['user_code']}/approve", {}, 200)


def _agent(caller: Caller, ids: Ids) -> None:
    _approved_pairing(caller, ids)
    ids["key_id"] = caller.post("/pairings/token", {"device_code": ids["device_code"]}, 200)["key_id"]
    ids["agent_id"] = caller.get("/agents")["data"][0]["id"]


def _received_invitation(caller: Caller, ids: Ids) -> None:
    charlie = person("Charlie", Workspace.objects.get(name="Charlie's"), Role.OWNER)
    with workspace(charlie.workspace_id):
        ids["invitation_secret"] = invitation_create(charlie, email="alice@example.org", role="member").secret


def _branch(caller: Caller, ids: Ids) -> None:
    caller.post(f"/conversations/{ids['conversation_id']}/fork", {"through_index": 4})


def _extracted(caller: Caller, ids: Ids) -> None:
    caller.post(f"/conversations/{ids['conversation_id']}/extraction", {}, 202)
    run_due_jobs()


def _embedded(caller: Caller, ids: Ids) -> None:
    DueJob.objects.filter(kind=MEMORY_VECTORS).update(due_at=timezone.now())
    run_due_jobs()


def _profiled(caller: Caller, ids: Ids) -> None:
    style = {"uri": "mem://user/profile/communication", "content": "Alice prefers short answers."}
    ids["node_id"] = caller.post("/memories", style)["id"]


def _archived_session(caller: Caller, ids: Ids) -> None:
    """Let the conversation have memories and a summary in the tree."""
    _profiled(caller, ids)
    DueJob.objects.filter(kind=SESSION_ARCHIVE).update(due_at=timezone.now())
    _extracted(caller, ids)


def _imported(caller: Caller, ids: Ids) -> None:
    ids["import_id"] = str(uuid4())
    items = documented_examples()["import_items_create"]["request"]["items"]
    caller.post("/imports/claude-mem", {"import_id": ids["import_id"], "confirmed": True, "items": items}, 200)


def _agent_session(caller: Caller, ids: Ids) -> None:
    """Let a coding agent have edited a file."""
    given = {"file_path": "atlas/settings.py"}
    event = {"hook_event_name": "PostToolUse", "session_id": "agent-1", "tool_use_id": "t1", "tool_name": "Edit"}
    caller.post("/hooks/claude-code", {**event, "tool_input": given, "tool_response": "The file was edited."}, 200)
    ids["conversation_id"] = caller.get("/sessions/agent-1")["id"]


def _ready(caller: Caller, ids: Ids) -> None:
    canary_record_return()


# What an operation needs beyond the workspace.
FIRST: dict[str, Callable[[Caller, Ids], None]] = {
    "compaction_stop_create": _requested_run,
    "exclusions_get": _exclusion,
    "import_report_get": _imported,
    "summary_correction_undo_create": _correction,
    "audience_get": _share,
    "shares_get": _share,
    "share_detail_delete": _share,
    "model_key_delete": _key,
    "memory_approve_create": _proposed,
    "memory_restore_create": _archived,
    "memory_share_create": _shareable,
    "invitations_get": _invitation,
    "invitation_detail_delete": _invitation,
    "invitation_preview_create": _received_invitation,
    "invitation_accept_create": _received_invitation,
    "invitation_decline_create": _received_invitation,
    **dict.fromkeys(("pairing_detail_get", "pairing_approve_create", "pairing_deny_create"), _pairing),
    "pairing_token_create": _approved_pairing,
    **dict.fromkeys(("agents_get", "agent_detail_delete", "agent_test_create"), _agent),
    "branches_get": _branch,
    "extraction_candidates_get": _extracted,
    "new_session_context_get": _profiled,
    "profile_get": _profiled,
    **dict.fromkeys(("session_context_get", "sessions_get", "session_detail_get"), _archived_session),
    **dict.fromkeys(
        (
            *("inbox_get", "inbox_count_get", "inbox_item_get", "inbox_decisions_create", "inbox_quarantine_create"),
            *(f"inbox_{name}_create" for name in ("approve", "decline", "edit", "use_both", "merge", "replace")),
            "inbox_decline_source_create",
        ),
        _item,
    ),
    **dict.fromkeys(("inbox_decided_get", "inbox_undo_create"), _decided),
    **dict.fromkeys(("search_get", "search_create"), _embedded),
    "health_get": _ready,
    "ready_get": _ready,
    "used_items_get": _used,
    "observations_get": _agent_session,
}
