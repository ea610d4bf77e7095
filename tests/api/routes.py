"""Every route of the API, from Django's resolver, and the data that a test needs to call each of them.

New routes are included automatically. A route with an id needs an entry in `BELONGINGS`, one with a body an entry in
`BODIES`; until then the tests that visit every route fail with that hint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from django.urls import URLPattern, URLResolver, get_resolver

from apps.accounts.actors import Actor
from apps.accounts.models import KeyScope
from apps.accounts.records import KeyHolder
from apps.accounts.selectors.paired_clients import paired_client_list
from apps.accounts.selectors.users import user_get
from apps.accounts.services.end_users import end_user_ensure
from apps.accounts.services.invitations import invitation_create
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from apps.accounts.services.pairings import pairing_approve, pairing_redeem, pairing_request
from apps.common.tenancy import workspace
from apps.jobs.services import operation_start
from apps.transfer.formats.items import ImportSource
from apps.transfer.services.imports.run import items_import
from tests.api.belongings import CONVERSATION_BELONGINGS

METHODS = ("get", "post", "put", "patch", "delete")
PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")

# Routes without authentication, each with its reason.
OPEN = {
    "healthz": "supervisors ask it",
    "readyz": "load balancers ask it",
    "health": "clients ask whether the server is there",
    "sign-up": "before one has an account",
    "sign-in": "before one has a session",
    "pairings": "a client asks for its first key",
    "pairing-token": "a client collects its first key, by the secret that it was given",
    "schema": "what the API is, is no secret",
    "docs": "the same, to read",
}

# Routes that accept any file: parse errors are reported by the operation.
STREAMS = {"imports", "import-files"}

# Routes that take what other programs send: fields that are not known are ignored.
TOLERANT = {"hook-event"}

# POST routes that store nothing, and are allowed with a read-only key.
READS = {"ws-ticket", "agent-test", "trim", "context", "context-negotiate", "search"}

# Routes for which a key needs other scopes than its owner's role gives it by default.
SCOPES = {"end-user": ("write", "act_for_users")}

# A valid body for each route and method that reads one.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("sign-up", "post"): {"email": "dora@example.org", "password": "a long enough one", "name": "Dora"},
    ("sign-in", "post"): {"email": "alice@example.org", "password": "wrong"},
    ("sign-out", "post"): {},
    ("me", "patch"): {"name": "Somebody"},
    ("context-settings", "patch"): {"knowledge_depth": "deep"},
    ("workspaces", "post"): {"name": "Another"},
    ("workspace", "patch"): {"name": "Renamed"},
    ("invitations", "post"): {"email": "charlie@example.org", "role": "member"},
    ("invitation-preview", "post"): {"secret": "no-such-secret"},
    ("invitation-accept", "post"): {"secret": "no-such-secret"},
    ("invitation-decline", "post"): {"secret": "no-such-secret"},
    ("member", "patch"): {"role": "viewer"},
    ("api-keys", "post"): {"name": "ci", "scopes": ["read"]},
    ("pairings", "post"): {"client": "claude-code", "name": "laptop", "version": "1.0"},
    ("pairing-token", "post"): {"device_code": "no-such-code"},
    ("pairing-approve", "post"): {},
    ("pairing-deny", "post"): {},
    ("agent-test", "post"): {},
    ("ws-ticket", "post"): {},
    ("policy", "patch"): {"overrides": {"max_goals": 4}},
    ("models", "patch"): {"by_purpose": {"chat": "a-model"}},
    ("model-test", "post"): {"backend": "openrouter"},
    # Not a key, so no provider is asked to test it.
    ("model-key", "put"): {"key": "no key"},
    ("conversations", "post"): {},
    ("turns", "post"): {"content": "Hello"},
    ("turn-retry", "post"): {},
    ("turn-stop", "post"): {},
    ("conversation", "patch"): {"archived": True},
    ("conversation-fork", "post"): {"through_index": 0},
    ("shares", "post"): {"email": "bob@example.org", "access": "read"},
    ("messages", "post"): {"messages": [{"role": "user", "content": "Hello"}]},
    ("message", "patch"): {"excluded": True},
    ("context", "post"): {"message": "When do we release?"},
    ("context-negotiate", "post"): {"token_budget": 1_000},
    ("exclusions", "post"): {"message_ids": ["01890a5d-ac96-774b-bcce-b302099a8057"], "excluded": True},
    ("compactions", "post"): {"level": "deep"},
    ("extraction", "post"): {},
    ("compaction-undo", "post"): {},
    ("compaction-stop", "post"): {},
    ("summary-corrections", "post"): {"field": "goals", "place": None, "line": {"text": "Ship it"}},
    ("summary-correction-undo", "post"): {},
    ("pins", "post"): {"category": "decision"},
    ("pin", "patch"): {"category": "decision"},
    ("user-memory", "post"): {"type": "fact", "key": "editor", "content": "Vim"},
    ("user-memory-item", "patch"): {"type": "fact", "is_active": False},
    ("memories", "post"): {"uri": "mem://user/events/release", "content": "We released.", "tags": ["release"]},
    ("search", "post"): {"mode": "find", "q": "Which tea do I drink?"},
    ("memory", "patch"): {"content": "We released twice.", "tags": ["release"]},
    ("memory-move", "post"): {"to": "mem://user/events/second-release"},
    ("memory-merge", "post"): {"source_ids": ["01890a5d-ac96-774b-bcce-b302099a8057"]},
    ("memory-approve", "post"): {},
    ("memory-archive", "post"): {},
    ("memory-restore", "post"): {},
    ("memory-share", "post"): {},
    ("memory-undo", "post"): {"change_id": "01890a5d-ac96-774b-bcce-b302099a8057"},
    ("inbox-approve", "post"): {},
    ("inbox-replace", "post"): {},
    ("inbox-keep-both", "post"): {},
    ("inbox-decline", "post"): {},
    ("inbox-edit", "post"): {"content": "We released twice.", "tags": ["release"]},
    ("inbox-merge", "post"): {"into_id": "01890a5d-ac96-774b-bcce-b302099a8057"},
    ("inbox-decisions", "post"): {"ids": ["01890a5d-ac96-774b-bcce-b302099a8057"], "decision": "approve"},
    ("inbox-undo", "post"): {"change_id": "01890a5d-ac96-774b-bcce-b302099a8057"},
    ("inbox-decline-source", "post"): {"source": {"kind": "import", "reference": "notes"}},
    ("inbox-quarantine", "post"): {"source": {"kind": "tool", "reference": "web_search"}, "action": "archive"},
    ("memories-bulk", "post"): {"items": [{"uri": "mem://user/events/release", "content": "We released."}]},
    ("memories-import", "post"): {"nodes": [{"uri": "mem://user/events/release", "content": "We released."}]},
    ("embeddings", "put"): {"model": "wordllama-256"},
    ("imports", "post"): {},
    ("import-files", "post"): {},
    ("import-files-cancel", "post"): {"import_id": "01a20911-0292-7f50-94e2-0f9aefca3b49"},
    ("import-items", "post"): {
        "import_id": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "items": [{"key": "1", "kind": "memory", "content": "Alice likes tea."}],
    },
    ("hook-event", "post"): {"hook_event_name": "SessionStart", "session_id": "s1", "source": "startup"},
    ("hook-batch", "post"): {"events": [{"id": "01890a5d-ac96-774b-bcce-b302099a8057", "payload": {}}]},
    ("trim", "post"): {"context_limit": 1_000, "current": [{"role": "assistant", "content": "Done."}]},
    ("conversation-trim", "post"): {"context_limit": 1_000, "current": [{"role": "assistant", "content": "Done."}]},
}


def key_of(alice: Actor) -> UUID:
    return api_key_create(alice, draft=ApiKeyDraft("hers", frozenset({"read"}))).key.id


def end_user_of(alice: Actor, external_id: str = "") -> UUID:
    key = replace(alice, scopes=frozenset({KeyScope.WRITE, KeyScope.ACT_FOR_USERS}), key_id=uuid4())
    holder = KeyHolder(user_get(alice.user_id), key)
    return end_user_ensure(holder, external_id or f"customer {uuid4()}").actor.user_id


def invitation_of(alice: Actor) -> UUID:
    with workspace(alice.workspace_id):
        return invitation_create(alice, email=f"{uuid4()}@example.org", role="member").invitation.id


def user_code_of(alice: Actor) -> str:
    """Return the code of a pairing that she has approved."""
    made = pairing_request(client="claude-code", name="laptop", version="1.0")
    with workspace(alice.workspace_id):
        return pairing_approve(alice, user_code=made.user_code).user_code


def agent_of(alice: Actor) -> UUID:
    made = pairing_request(client="claude-code", name="laptop", version="1.0")
    with workspace(alice.workspace_id):
        pairing_approve(alice, user_code=made.user_code)
        assert pairing_redeem(device_code=made.device_code)
        return paired_client_list(alice, after=None, limit=1).data[0].id


def operation_of(alice: Actor) -> UUID:
    with workspace(alice.workspace_id):
        return operation_start(alice, kind="compaction", subject=str(uuid4())).id


def import_of(alice: Actor) -> UUID:
    import_id, item = uuid4(), {"key": str(uuid4()), "kind": "memory", "content": "Alice likes tea."}
    with workspace(alice.workspace_id):
        items_import(alice, source=ImportSource.JSON, import_id=import_id, batch_items=[item])
    return import_id


# URL parameters that are not ids.
WORDS = {"backend": "anthropic", "client": "claude-code", "source": "json"}

# A row of Alice's for each id that a URL may contain.
BELONGINGS: dict[str, Callable[[Actor], UUID | str]] = {
    "workspace_id": lambda alice: alice.workspace_id,
    "user_id": lambda alice: alice.user_id,
    "key_id": key_of,
    "end_user_id": end_user_of,
    "invitation_id": invitation_of,
    "operation_id": operation_of,
    "user_code": user_code_of,
    "agent_id": agent_of,
    "import_id": import_of,
    **CONVERSATION_BELONGINGS,
}


@dataclass(frozen=True)
class Route:
    """A URL pattern with one method."""

    name: str
    path: str
    method: str
    view: object

    @property
    def parameters(self) -> list[str]:
        """The names of the ids in the path."""
        return [name for _, name in PARAMETER.findall(self.path) if name not in WORDS]

    def address(self, values: Mapping[str, object] | None = None) -> str:
        """Return a URL with the given ids, or random ones."""
        known = {**WORDS, **(values or {})}
        return "/" + PARAMETER.sub(lambda found: str(known.get(found[2], uuid4())), self.path)

    @property
    def body(self) -> dict[str, Any]:
        return BODIES.get((self.name, self.method), {})

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def every_route() -> list[Route]:
    """Return all routes except the console's, which has its own authentication and tests."""
    return [route for route in _walk(get_resolver(), "") if not route.path.startswith("admin/")]


def _walk(resolver: URLResolver, prefix: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _walk(entry, path)
        elif isinstance(entry, URLPattern):
            for method in METHODS:
                if hasattr(getattr(entry.callback, "cls", None), method):
                    yield Route(entry.name or "", path, method, entry.callback)
