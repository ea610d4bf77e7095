"""Exports of two people compared: the same items, once ids are named by their first occurrence."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.trust import Source, Trust, lowest, trust_of
from apps.transfer.services.export.account import account_export
from tests.transfer.test_import_sources import Result, run

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_SESSION = re.compile(rf"mem://sessions/{_ID.pattern}")
"""The folder of a conversation, which has the id of the conversation where it is."""


def exported(actor: Actor, folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    with workspace(actor.workspace_id):
        text = "".join(account_export(actor))
    file = folder / f"{actor.user_id}.jsonl"
    file.write_text(text, encoding="utf-8")
    return file, [json.loads(line) for line in text.splitlines()]


def moved(file: Path, to: Actor, folder: Path) -> tuple[list[Result], list[dict[str, Any]]]:
    """Import a file for another person; return the results, and what that person exports then."""
    return run(to, "json", file), exported(to, folder)[1]


def comparable(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The items as an import may give them back: with the trust of one's own store, and without imports as sources."""
    numbers: dict[str, str] = {}

    def number(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"#{len(numbers)}")

    plain = json.dumps(list(map(_plain, lines)), ensure_ascii=False)
    named: list[dict[str, Any]] = json.loads(_ID.sub(number, _SESSION.sub("mem://sessions/…", plain)))
    return [{**line, "key": str(line.get("kind"))} for line in named]


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value if not (isinstance(one, dict) and one.get("kind") == "import")]
    if not isinstance(value, dict):
        return value
    plain = {name: _plain(inner) for name, inner in value.items() if name != "key"}
    if plain.get("trust"):
        plain["trust"] = lowest([trust_of(Source.OWN_STORE), Trust(plain["trust"])]).value
    if "sources" in plain and not plain["sources"]:
        del plain["sources"]
    return plain
