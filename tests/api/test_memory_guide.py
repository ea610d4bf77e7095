"""The examples of docs/memory.md: every request is made, and every response compared."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.accounts.actors import Actor
from tests.api.answers import body_of
from tests.people import client_of

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "memory.md"
_BLOCK = re.compile(r"^```(sh|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.django_db(transaction=True)


class Reader:
    """A reader who makes the guide's requests in order, with values of earlier responses."""

    def __init__(self, actor: Actor) -> None:
        self.client: APIClient = client_of(actor)
        self.known = {"API": "/api", "KEY": "key"}
        self.files: dict[str, str] = {}

    def run(self, command: str) -> Any:
        words = iter(shlex.split(command.replace("\\\n", " ")))
        assert next(words) == "curl"
        method, path, body, headers, file = "", "", None, {}, ""
        for word in words:
            if word == "-H":
                name, value = self.filled(next(words)).split(": ", 1)
                headers[name] = value
            elif word == "-X":
                method = next(words)
            elif word == "-d":
                given = next(words)
                body = json.loads(self.files[given[1:]] if given.startswith("@") else self.filled(given))
            elif word == ">":
                file = next(words)
            elif word != "-s":
                path = self.filled(word)
        return self.ask(method or ("GET" if body is None else "POST"), path, body, headers, file)

    def ask(self, method: str, path: str, body: Any, headers: dict[str, str], file: str) -> Any:
        own = {name: value for name, value in headers.items() if name == "If-Match"}
        answer = getattr(self.client, method.lower())(path, body, headers=own)
        text = body_of(answer).decode()
        assert answer.status_code < 300, text
        told = json.loads(text)
        if file:
            self.files[file] = text
        if "id" in told:
            self.known |= {"ID": told["id"], "TAG": answer["ETag"]}
        if "/revisions" in path:
            self.known["CHANGE"] = told["data"][0]["change_id"]
        return told

    def filled(self, text: str) -> str:
        return re.sub(r"\$([A-Z]+)", lambda found: self.known[found[1]], text)


def commands(block: str) -> Iterator[str]:
    yield from re.split(r"(?<!\\)\n(?=curl )", block.strip())


def test_every_request_in_the_guide_gets_the_documented_response(alice: Actor) -> None:
    reader, told, compared = Reader(alice), None, 0
    for language, block in _BLOCK.findall(GUIDE.read_text("utf-8")):
        if language == "sh":
            for command in commands(block):
                told = reader.run(command)
        else:
            compared += 1
            assert shown(told, json.loads(block)) == json.loads(block)
    assert compared > 10


def shown(told: Any, wanted: Any) -> Any:
    """Return the part of a response that the guide shows."""
    if isinstance(wanted, dict) and isinstance(told, dict):
        return {name: shown(told.get(name), value) for name, value in wanted.items()}
    if isinstance(wanted, list) and isinstance(told, list) and len(told) == len(wanted):
        return [shown(one, value) for one, value in zip(told, wanted, strict=True)]
    return told
