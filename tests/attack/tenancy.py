"""People who know every id of somebody else, on every route of the API: of another workspace, of the same one, and the
users of an application."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from config.stack.client import Client
from tests.attack.target import Json, Target, strings_in

_PARAMETER = re.compile(r"\{\w+\}")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_METHODS = ("get", "post", "put", "patch", "delete")
MOST_PROBES = 4_000


@dataclass(frozen=True)
class Owned:
    """Somebody's private words, and the ids of what is theirs alone."""

    canary: str
    ids: list[str]


def tenancy(target: Target, most: int = MOST_PROBES) -> Json:
    """Ask for what is Ann's and Priya's, a user of Ann's application, as others: no request with their ids may succeed,
    and no response may show their words."""
    ann = target.stranger()
    bot = target.application_of(ann)
    priya, tom = (Client(bot.base, bot.api_key, end_user=name) for name in ("priya", "tom"))
    others = [target.stranger(), target.member_of(ann), tom]
    shared = {ann.get("/api/me")["workspace"]["id"]}
    tries = [(others, _owned(target, ann, "Ann", shared)), ([*others, ann], _owned(target, priya, "Priya", shared))]
    probes = [*chain.from_iterable(_probes(target, intruders, owned) for intruders, owned in tries)]
    probes = probes[:: max(1, len(probes) // most)][:most]
    leaks = [path for intruder, owned, method, path in probes if _leaks(target, intruder, owned, method, path)]
    return {"tenancy_probes": len(probes), "leaks": len(leaks), "leaks_where": sorted(set(leaks))[:5]}


def _owned(target: Target, person: Client, name: str, shared: set[str]) -> Owned:
    """A small account: a chat with messages and a pin, memories, user memory, an agent's session."""
    canary = f"canary of {name}"
    chat = person.post("/api/conversations", {"title": canary})["id"]
    person.post(f"/api/conversations/{chat}/messages", {"messages": [{"role": "user", "content": canary}]})
    person.post(f"/api/conversations/{chat}/pins", {"content": canary})
    person.post("/api/memories", {"uri": "mem://user/events/canary", "content": canary})
    person.post("/api/user-memory", {"type": "fact", "key": "canary", "content": canary})
    event = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "canary", "cwd": f"/home/{name}"}
    person.post("/api/hooks/claude-code", event)
    lists = (f"/api/conversations/{chat}/messages", f"/api/conversations/{chat}/pins", "/api/sessions")
    known = [*map(person.get, lists), *target.export(person), person.get("/api/user-memory"), person.get("/api/me")]
    ids = {one for value in known for text in strings_in(value) for one in _ID.findall(text)}
    return Owned(canary, sorted((ids | {chat}) - shared))


Probe = tuple[Client, Owned, str, str]


def _probes(target: Target, intruders: list[Client], owned: Owned) -> Iterator[Probe]:
    """Every route with each id, and every list, by each of them."""
    _, body = target.send("GET", "/api/schema", headers={"Accept": "application/json"})
    for path, operations in json.loads(body)["paths"].items():
        for method in (one for one in _METHODS if one in operations):
            if "{" not in path and method != "get":
                continue
            addresses = [_PARAMETER.sub(one, path) for one in owned.ids] if "{" in path else [path]
            yield from ((intruder, owned, method.upper(), one) for one in addresses for intruder in intruders)


def _leaks(target: Target, intruder: Client, owned: Owned, method: str, path: str) -> bool:
    headers = {**intruder.headers(), "If-Match": "*"}
    status, body = target.send(method, path, b"{}" if method != "GET" else None, headers)
    names_id = any(one in path for one in owned.ids)
    return (names_id and status < 300) or owned.canary.encode() in body
