"""Test users of the running product: each has an account created by the API, a key and a password."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

from config.stack.client import Client, Json

PASSWORD = "correct horse battery"
_numbers = count(1)


@dataclass(frozen=True)
class Talk:
    """A conversation with its paths in the web app and the API."""

    id: str

    @property
    def page(self) -> str:
        return f"/c/{self.id}"

    @property
    def api(self) -> str:
        return f"/api/conversations/{self.id}"


@dataclass(frozen=True)
class Person:
    """A user with an account."""

    url: str
    name: str
    email: str
    password: str
    workspace: str = ""
    """Where they work, if not in a workspace of their own."""

    signed_up: Client | None = field(default=None, compare=False, repr=False)
    """The client that has signed up, and has a session since; nobody has to sign in again."""

    @cached_property
    def session(self) -> Client:
        """A client with a session, like the web app."""
        client = self.signed_up or signed_in(self)
        if self.workspace:
            client.patch("/api/me", {"workspace_id": self.workspace})
        return client

    @cached_property
    def id(self) -> str:
        return str(self.client.get("/api/me")["user"]["id"])

    @cached_property
    def client(self) -> Client:
        """A client with a key, for changes outside the web app."""
        made = self.session.post("/api/api-keys", {"name": "tests", "scopes": ["read", "write", "admin"]})
        return Client(self.url, made["secret"])

    @property
    def cookies(self) -> list[dict[str, object]]:
        """Those of the session, as a browser keeps them."""
        return [
            {"name": one.name, "value": one.value, "domain": one.domain, "path": one.path}
            for one in self.session.cookies
        ]

    def talk(self, title: str = "A talk", said: Sequence[str] = ()) -> Talk:
        """Create a conversation with these messages, alternating between user and assistant."""
        talk = Talk(str(self.client.post("/api/conversations", {"title": title})["id"]))
        messages = [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)]
        self.tell(talk, messages)
        return talk

    def tell(self, talk: Talk, messages: Sequence[Json]) -> None:
        """Append messages in as few requests as possible."""
        for start in range(0, len(messages), 500):
            self.client.post(f"{talk.api}/messages", {"messages": list(messages[start : start + 500])})


def signed_in(person: Person) -> Client:
    client = Client(person.url)
    client.post("/api/sign-in", {"email": person.email, "password": person.password})
    return client


def sign_up(url: str, name: str) -> Person:
    """Sign up a person with their own workspace."""
    client, email = Client(url), f"{name.lower()}-{next(_numbers)}@example.org"
    client.post("/api/sign-up", {"email": email, "password": PASSWORD, "name": name})
    return Person(url, name, email, PASSWORD, signed_up=client)


def make_member(owner: Person, person: Person, role: str = "member") -> Person:
    """Invite the person to the owner's workspace, and accept."""
    made = owner.client.post("/api/invitations", {"email": person.email, "role": role})
    person.session.post("/api/invitations/accept", {"secret": made["secret"]})
    return replace(person, workspace=owner.client.get("/api/me")["workspace"]["id"])
