"""A chat that somebody else reads: nothing private of its owner is in anything that its readers or its model get."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from config.stack.client import Client
from config.stack.process import poll
from tests.attack.target import Json, Target

_SUBJECTS = ("harbour", "greenhouse", "bakery", "observatory", "sawmill", "lighthouse")
_PREVIEWED = 2
KNOWN_S = 120
_KINDS = ("events", "preferences", "entities")
_SECRET_KINDS = (*_KINDS, "user", "chat")
_QUESTION = "What do you know about the {subject}, and what do I like there?"


def shared_chat_leaks(target: Target) -> Json:
    """Share chats about private memories and other chats, with one who reads and one who writes; count what shows."""
    ann = target.stranger()
    secrets = list(_private(ann))
    _await_known(ann, secrets)
    shared = {access: _shared(ann, target.member_of(ann), access) for access in ("read", "write")}
    texts = {
        f"{who}, {access}, {name}": text
        for access, (chat, member) in shared.items()
        for who, client in (("owner", ann), ("member", member))
        for name, text in _texts(client, chat)
    }
    leaks = {where: [secret for secret in secrets if secret in text] for where, text in texts.items()}
    return {
        "shared_chat_texts": len(texts),
        "shared_chat_leaks": sum(map(len, leaks.values())),
        "shared_chat_leaks_where": sorted(where for where, found in leaks.items() if found)[:5],
    }


def _await_known(ann: Client, secrets: Sequence[str]) -> None:
    """Wait until a chat of the owner's own has something of each kind: otherwise no leak could show."""
    alone = _about(ann, _SUBJECTS)

    def unknown() -> list[str]:
        text = "".join(text for _, text in _texts(ann, alone))
        shown = [secret for secret in secrets if secret in text]
        return [kind for kind in _SECRET_KINDS if not any(secret.endswith(kind) for secret in shown)]

    assert poll(lambda: not unknown(), KNOWN_S, interval=1), f"not even their owner's own chat has {unknown()}"


def _private(ann: Client) -> Iterator[str]:
    """Store memories, user memory and other chats; give the word of each that nothing else has."""
    for number, subject in enumerate(_SUBJECTS):
        for kind in _KINDS:
            secret = f"PRIV{number}{kind}"
            content = f"I keep the spare key of the {subject} with {secret}, and I like the {subject} at night."
            ann.post("/api/memories", {"uri": f"mem://user/{kind}/{subject}", "content": content})
            yield secret
        content = f"Always mention PRIV{number}user when the {subject} comes up."
        ann.post("/api/user-memory", {"type": "preference", "key": subject, "content": content})
        yield f"PRIV{number}user"
        chat = ann.post("/api/conversations", {"title": f"The {subject}"})["id"]
        words = [{"role": "user", "content": f"In the {subject} PRIV{number}chat rings at night, and I like it there."}]
        ann.post(f"/api/conversations/{chat}/messages", {"messages": words})
        yield f"PRIV{number}chat"


def _shared(ann: Client, member: Client, access: str) -> tuple[str, Client]:
    """A chat about all of it, shared with the member."""
    chat = _about(ann, _SUBJECTS)
    email = member.get("/api/me")["user"]["email"]
    ann.post(f"/api/conversations/{chat}/shares", {"email": email, "access": access})
    return chat, member


def _about(ann: Client, subjects: tuple[str, ...]) -> str:
    chat: str = ann.post("/api/conversations", {"title": "Places"})["id"]
    messages = [{"role": "user", "content": _QUESTION.format(subject=subject)} for subject in subjects]
    ann.post(f"/api/conversations/{chat}/messages", {"messages": messages})
    return chat


def _texts(client: Client, chat: str) -> Iterator[tuple[str, str]]:
    """Everything that the routes of a chat show of what its model is sent."""
    path = f"/api/conversations/{chat}"
    yield "live", json.dumps(client.get(f"{path}/live"))
    yield "session", json.dumps(client.get(f"/api/context/{chat}?format=json"))
    for form in ("plain", "openai", "anthropic"):
        yield form, json.dumps(client.get(f"{path}/context?format={form}&token_budget=32000"))
    for subject in _SUBJECTS[:_PREVIEWED]:
        asked = {"message": _QUESTION.format(subject=subject), "format": "plain"}
        yield f"preview of {subject}", json.dumps(client.post(f"{path}/context", asked))
