"""The cast in the running product: each with an account made over the API, a key, and the password for the form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

from config.stack.client import Client, Json

PASSWORD = "correct horse battery"
_numbers = count(1)


@dataclass(frozen=True)
class Talk:
    """A conversation: where the browser shows it and where the API has it."""

    id: str

    @property
    def page(self) -> str:
        return f"/c/{self.id}"

    @property
    def api(self) -> str:
        return f"/api/conversations/{self.id}"


@dataclass(frozen=True)
class Person:
    """Somebody with an account."""

    url: str
    name: str
    email: str
    password: str
    workspace: str = ""
    """Where they work, if not in a workspace of their own."""

    @cached_property
    def session(self) -> Client:
        """A caller with a session, as the page itself is."""
        client = Client(self.url)
        client.post("/api/sign-in", {"email": self.email, "password": self.password})
        if self.workspace:
            client.patch("/api/me", {"workspace_id": self.workspace})
        return client

    @cached_property
    def id(self) -> str:
        return str(self.client.get("/api/me")["user"]["id"])

    @cached_property
    def client(self) -> Client:
        """A caller with a key, for what a test does behind the page's back."""
        made = self.session.post("/api/api-keys", {"name": "tests", "scopes": ["read", "write", "admin"]})
        return Client(self.url, made["secret"])

    def talk(self, title: str = "A talk", said: Sequence[str] = ()) -> Talk:
        """A new conversation in which this was said, by the person first and then in turns."""
        talk = Talk(str(self.client.post("/api/conversations", {"title": title})["id"]))
        messages = [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)]
        self.tell(talk, messages)
        return talk

    def tell(self, talk: Talk, messages: Sequence[Json]) -> None:
        """Store messages as they are, in as few requests as possible."""
        for start in range(0, len(messages), 500):
            self.client.post(f"{talk.api}/messages", {"messages": list(messages[start : start + 500])})


def sign_up(url: str, name: str) -> Person:
    """A person with a workspace of their own."""
    person = Person(url, name, f"{name.lower()}-{next(_numbers)}@example.org", PASSWORD)
    Client(url).post("/api/sign-up", {"email": person.email, "password": PASSWORD, "name": name})
    return person


def make_member(owner: Person, person: Person, role: str = "member") -> Person:
    """The same person, now at work in the owner's workspace."""
    owner.client.post("/api/members", {"email": person.email, "role": role})
    return replace(person, workspace=owner.client.get("/api/me")["workspace"]["id"])
