"""The Python SDK: search, read and write memories and conversations on a Continuity server, of one user at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any
from urllib.parse import quote

from continuity_client.home import read_settings
from continuity_client.http import SECONDS, Connection, ServerError, check_identity, is_same_address

Json = dict[str, Any]
PREFERENCES, EVENTS = "preferences", "events"
CATEGORIES = ("profile", PREFERENCES, "entities", EVENTS, "patterns", "cases")
TIERS = ("abstract", "overview", "full")
LONGEST_NAME = 60
_SEARCH, _LONGEST_IN_ADDRESS = "/api/search", 2_000
_STANDING = re.compile(r"\b(prefer|always|never|like to|don't|do not|instead of)\b", re.IGNORECASE)


class Client:
    """A client of one server: the given one, that of `CONTINUITY_URL` and `CONTINUITY_API_KEY`, or the paired one.

    A key goes only to the server that it belongs to: a given address needs a given key, unless it is the paired one.

    >>> client = Client("http://127.0.0.1:37777", "ctk_…")  # doctest: +SKIP
    >>> client.find("which database do we use")["hits"][0]["abstract"]  # doctest: +SKIP
    """

    def __init__(self, url: str = "", api_key: str = "", timeout: float = SECONDS) -> None:
        settings = read_settings() or {}
        url = url or os.environ.get("CONTINUITY_URL") or settings.get("url", "")
        if not url:
            raise ServerError("No server is paired. Pair one with `continuity login http://127.0.0.1:37777`.")
        self._connection = Connection(url, api_key or _key_for(url, settings), timeout)
        self._unchecked = settings if is_same_address(url, settings.get("url", "")) else None

    @property
    def connection(self) -> Connection:
        """The connection; the server is checked before it is used first."""
        self.check_server()
        return self._connection

    def check_server(self) -> None:
        """Raise `WrongServer` if another server answers at the paired address. Each client asks once."""
        if self._unchecked is not None:
            check_identity(self._connection, self._unchecked)
            self._unchecked = None

    def for_user(self, user: str) -> Client:
        """A client for one user of your application, by your own id of them: what it reads and writes is theirs.

        They are made by the first request that writes. The key needs the scope `act_for_users`.
        """
        client = copy(self)
        connection = self.connection
        client._connection = Connection(connection.url, connection.api_key, connection.timeout, user)
        return client

    def conversation(self, external_id: str, title: str = "") -> Json:
        """The conversation with your own id of it, made on first use."""
        return self._post("/api/conversations", {"external_id": external_id, "title": title})

    def add_messages(self, conversation_id: str, messages: Sequence[Mapping[str, Any]]) -> Json:
        """Append messages to a conversation: each with `role` and `content`."""
        return self._post(f"/api/conversations/{conversation_id}/messages", {"messages": list(messages)})

    def pack(self, conversation_id: str, token_budget: int | None = None, form: str = "openai") -> Json:
        """What a model should see of a conversation; `rendered` has it in the form of a provider, or `plain`."""
        query = {"token_budget": token_budget, "format": form}
        return self._get(f"/api/conversations/{conversation_id}/context", query)

    def search(self, query: str, top_k: int = 10, **parameters: Any) -> Json:
        """Search memories and messages by intent, and look around the best memories in the tree."""
        return self._searched({"mode": "search", "q": query, "top_k": top_k, **parameters})

    def find(self, query: str, top_k: int = 10, **parameters: Any) -> Json:
        """Find memories by words and meaning, without a language model."""
        return self._searched({"mode": "find", "q": query, "top_k": top_k, **parameters})

    def profile(self) -> Json:
        """What the server knows about you."""
        return self._get("/api/profile")

    def tree(self, uri: str = "mem://", depth: int = 1) -> Iterator[Json]:
        """The memories and folders below an address."""
        query = {"uri": uri, "depth": depth} if uri != "mem://" else {"uri": uri}
        return self._pages("/api/tree", query)

    def read(self, address: str, tier: str = "full") -> Json:
        """One memory by its address or id."""
        if address.startswith("mem://"):
            return self._get("/api/memories", {"uri": address, "tier": tier})
        return self._get(f"/api/memories/{quote(address, safe='')}", {"tier": tier})

    def remember(
        self, text: str, category: str = "", name: str = "", uri: str = "", tags: Sequence[str] = (), **more: Any
    ) -> Json:
        """Store a memory at an address, or in a category: by default preferences or events, as its words suggest.

        If a memory there has the same text already, it is returned, with `existing` set. `more` are other fields, such
        as the `reason`, or `allow_duplicate=True` to store the text in any case.
        """
        where = {"uri": uri} if uri else {"category": category or category_of(text), "name": name or name_of(text)}
        return self._post("/api/memories", {**where, "content": text, "tags": list(tags), **more})

    def context(self, session: str = "", token_budget: int = 4_000, max_bytes: int | None = None) -> Json:
        """What is known about you, composed for a new session or for one by its id."""
        path = f"/api/context/{quote(session or 'new', safe='')}"
        return self._get(path, {"token_budget": token_budget, "max_bytes": max_bytes, "format": "json"})

    def sessions(self, limit: int = 20) -> Iterator[Json]:
        """Your sessions, most recently active first."""
        return self._pages("/api/sessions", {"limit": min(limit, 200)})

    def session(self, session: str) -> Json:
        """One session with its summary and its memories."""
        return self._get(f"/api/sessions/{quote(session, safe='')}")

    def observations(self, session: str) -> Iterator[Json]:
        """What an agent did in a session."""
        return self._pages(f"/api/sessions/{quote(session, safe='')}/observations", {})

    def inbox(self, limit: int = 50) -> Iterator[Json]:
        """Memories that wait for your decision."""
        return self._pages("/api/inbox", {"limit": min(limit, 200)})

    def decide(self, decision: str, ids: Sequence[str]) -> Json:
        """Approve or decline items of the inbox: `approve` or `decline`."""
        return self._post("/api/inbox/decisions", {"decision": decision, "ids": list(ids)})

    def me(self) -> Json:
        """The user and workspace of the key."""
        return self._get("/api/me")

    def import_items(
        self,
        source: str,
        import_id: str,
        items: Sequence[Mapping[str, Any]],
        dry_run: bool,
        confirmed: bool = False,
    ) -> Json:
        """Import one batch of items; the same items again change nothing.

        `confirmed`: the person has seen them and says that they are their own. Otherwise memories wait in the inbox.
        """
        body = {"import_id": import_id, "dry_run": dry_run, "confirmed": confirmed, "items": list(items)}
        return self._post(f"/api/imports/{source}", body)

    def export(self) -> Iterator[bytes]:
        """All that belongs to you as JSON Lines, in pieces."""
        return self.connection.pieces("/api/export")

    def _searched(self, query: Mapping[str, Any]) -> Json:
        """A long query does not fit into an address."""
        is_long = len(query["q"]) > _LONGEST_IN_ADDRESS
        return self._post(_SEARCH, query) if is_long else self._get(_SEARCH, query)

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> Json:
        return _object(self.connection.get(path, query))

    def _post(self, path: str, body: Any) -> Json:
        return _object(self.connection.post(path, body))

    def _pages(self, path: str, query: Mapping[str, Any]) -> Iterator[Json]:
        cursor = ""
        while True:
            page = self._get(path, {**query, "cursor": cursor})
            yield from page.get("data", ())
            cursor = page.get("next_cursor") or ""
            if not cursor:
                return


def _key_for(url: str, settings: Mapping[str, Any]) -> str:
    """The key of the environment or of the pairing, if it belongs to this address."""
    key, its_url = os.environ.get("CONTINUITY_API_KEY", ""), os.environ.get("CONTINUITY_URL", "")
    if key and (not its_url or is_same_address(url, its_url)):
        return key
    if is_same_address(url, settings.get("url", "")):
        return str(settings["api_key"])
    raise ServerError(
        f"There is no key for {url}. Give one with CONTINUITY_API_KEY or `api_key`, or pair with `continuity login`."
    )


def category_of(text: str) -> str:
    """The category of a sentence to remember.

    >>> category_of("I always use tabs."), category_of("We moved the database to Frankfurt.")
    ('preferences', 'events')
    """
    return PREFERENCES if _STANDING.search(text) else EVENTS


def name_of(text: str) -> str:
    """A short name from the first words of a text.

    >>> name_of("We moved the database to Frankfurt. It took a day.")
    'We moved the database to Frankfurt.'
    """
    first = re.split(r"(?<=[.!?。！？])\s|\n", text.strip(), maxsplit=1)[0]
    return first if len(first) <= LONGEST_NAME else first[:LONGEST_NAME].rsplit(" ", 1)[0]


def _object(answer: Any) -> Json:
    if not isinstance(answer, dict):
        raise ServerError("The server answered with something else than a JSON object. Is it a Continuity server?", 502)
    return answer
