"""Commands that search, read and write memories."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from continuity_client.client import Client
from continuity_client.terminal import BOLD, CYAN, DIM, YELLOW, CommandError, paragraph, show, show_json, style
from continuity_client.terminal import without_escapes as safe

LONGEST_TITLE = 60
ABSTAINED = {
    "chit_chat": "Nothing was searched: the words ask for nothing.",
    "nothing_relevant": "Nothing relevant is known.",
}


def search(options: argparse.Namespace) -> int:
    """Search by intent."""
    return _show_hits(options, Client().search(" ".join(options.query), options.limit, **_filters(options)))


def find(options: argparse.Namespace) -> int:
    """Find by words and meaning."""
    return _show_hits(options, Client().find(" ".join(options.query), options.limit, **_filters(options)))


def _filters(options: argparse.Namespace) -> dict[str, Any]:
    return {"category": options.category, "corpus": "all" if options.messages else None}


def _show_hits(options: argparse.Namespace, result: dict[str, Any]) -> int:
    if options.json:
        show_json(result)
        return 0
    for number, hit in enumerate(result["hits"], 1):
        show(f"{style(f'{number:>2}.', DIM)} {style(safe(_place(hit)), CYAN)}  {style(_notes(hit), DIM)}")
        show(paragraph(safe(hit["abstract"] or hit["snippet"]), "    "))
    if not result["hits"]:
        show(ABSTAINED.get(result.get("abstained", ""), "Nothing matches. Try other words, or `continuity tree`."))
    return 0


def _place(hit: dict[str, Any]) -> str:
    """A memory's address, a message's conversation, or the name of an item of user memory."""
    if hit["uri"]:
        return str(hit["uri"])
    if hit.get("key"):
        return f"user memory, {hit['type']}: {hit['key']}"
    title = hit["conversation_title"] or "Untitled"
    title = title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"
    return f"{title}, message {hit['index']}"


def _notes(hit: dict[str, Any]) -> str:
    notes = [str(hit["occurred_at"])[:10], f"score {hit['score']:.2f}"]
    notes += [f"trust {hit['trust']}"] if hit["trust"] else []
    notes += ["superseded"] if hit["valid_to"] or hit["replaced_by"] else []
    return " · ".join(notes)


def profile(options: argparse.Namespace) -> int:
    """Show the profile."""
    found = Client().profile()
    if options.json:
        show_json(found)
        return 0
    for item in found["user_memory"]:
        show(f"{style(safe(item['key']), BOLD)} {style(item['type'], DIM)}")
        show(paragraph(safe(item["content"]), "  "))
    for memory in found["memories"]:
        show(style(safe(memory["uri"]), CYAN) + style("  inferred" if memory["inferred"] else "", YELLOW))
        show(paragraph(safe(memory["overview"] or memory["abstract"]), "  "))
    if not found["user_memory"] and not found["memories"]:
        show('Nothing is known about you yet. Store something with `continuity remember "I prefer …"`.')
    return 0


def tree(options: argparse.Namespace) -> int:
    """List the tree below an address."""
    uri = options.path if options.path.startswith("mem://") else f"mem://{options.path.strip('/')}"
    lines = list(Client().tree(uri, options.depth))
    if options.json:
        show_json(lines)
        return 0
    for line in lines:
        indent = "  " * max(0, line["depth"] - 1)
        if line["node_type"] == "dir":
            show(f"{indent}{style(safe(line['name']) + '/', BOLD)} {style(str(line['child_count']), DIM)}")
        else:
            show(f"{indent}{style(safe(line['name']), CYAN)}  {_one_line(line['abstract'])}")
    if not lines:
        show(f"Nothing is below {uri}.")
    return 0


def _one_line(text: str) -> str:
    text = " ".join(safe(text).split())
    return text if len(text) <= 80 else f"{text[:79]}…"


def read(options: argparse.Namespace) -> int:
    """Show one memory."""
    memory = Client().read(options.address, options.tier)
    if options.json:
        show_json(memory)
        return 0
    show(style(safe(memory["uri"]), CYAN))
    details = [memory["category"], f"trust {memory['trust']}", str(memory["occurred_at"])[:10], *memory["tags"]]
    show(style(safe(" · ".join(filter(None, details))), DIM))
    show()
    show(safe(memory.get("content") or memory.get("overview") or memory["abstract"]))
    return 0


def remember(options: argparse.Namespace) -> int:
    """Store a memory."""
    text = sys.stdin.read() if options.text == ["-"] else " ".join(options.text)
    if not text.strip():
        raise CommandError("There is nothing to remember: the text is empty.")
    if options.at and (options.category or options.name):
        raise CommandError("Give an address with --at, or a category and a name, not both.")
    if options.category == "entities" and "/" not in (options.name or ""):
        raise CommandError("A memory of an entity needs its name and what it is about: --name acme/deadline.")
    where = (options.category or "", options.name or "", options.at or "")
    # An older server knows no such field.
    more: dict[str, Any] = {"allow_duplicate": True} if options.allow_duplicate else {}
    memory = Client().remember(text.strip(), *where, options.tag, **more)
    if options.json:
        show_json(memory)
    else:
        verb = "Already remembered" if memory.get("existing") else "Remembered"
        show(f"{verb} at {style(safe(memory['uri']), CYAN)}.")
    return 0
