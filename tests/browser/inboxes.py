"""A person whose inbox has items: another value of a fact, what somebody else said, and a near-duplicate."""

from __future__ import annotations

from config.stack.client import Client, Json
from tests.browser.people import Person, Talk, sign_up

ROME, OSLO = "I live in Rome.", "I live in Oslo."
TREASURER, SECRETARY = "I'm the treasurer.", "I'm the club secretary."
REVIEWS, SHORT_REVIEWS = "I prefer short code reviews.", "I prefer brief code reviews."


class Overwriting(Client):
    """A client that changes whatever version there is."""

    def headers(self) -> dict[str, str]:
        return {**super().headers(), "If-Match": "*"}


def read(person: Person, talk: Talk) -> None:
    """Make memories from a conversation, and wait until that is done."""
    operation = person.client.post(f"{talk.api}/extraction", {})
    assert person.client.await_operation(operation)["state"] == "succeeded"


def set_mode(person: Person, name: str) -> None:
    """Set which memories of the workspace wait for a person."""
    set_policy(person, memory_mode=name)


def set_policy(person: Person, **overrides: object) -> None:
    """Change constants of the workspace's policy."""
    client = Overwriting(person.url, person.client.api_key)
    client.patch("/api/policy", {"overrides": overrides})


def said(person: Person, title: str, *messages: Json) -> Talk:
    """Say something in a new chat, which the reader reads: the model of the stack would find nothing."""
    set_policy(person, model_calls_enabled=False)
    talk = person.talk(title)
    person.tell(talk, [{"role": "user", **message} for message in messages])
    read(person, talk)
    return talk


def decider(url: str) -> Person:
    """Sign up a person for whom four memories wait, one of which contradicts a memory in use."""
    person = sign_up(url, "Newcomer")
    said(person, "Where I live", {"content": ROME}, {"content": REVIEWS})
    said(
        person,
        "The club",
        {"content": "Hi all, who does what?", "name": "Alice"},
        {"content": TREASURER, "name": "Bob"},
        {"content": SECRETARY, "name": "Carol"},
    )
    set_mode(person, "nothing")
    said(person, "Moving", {"content": SHORT_REVIEWS}, {"content": OSLO})
    return person
