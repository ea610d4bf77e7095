"""Commands of the inbox: what waits for a decision."""

from __future__ import annotations

import argparse
from itertools import islice
from typing import Any

from continuity_client.client import Client
from continuity_client.terminal import CYAN, DIM, CommandError, paragraph, show, show_json, style
from continuity_client.terminal import without_escapes as safe

SHOWN_ID = 13
WHOLE_ID = 36


def inbox(options: argparse.Namespace) -> int:
    """List the inbox, or decide items."""
    client = Client()
    if options.decision == "list":
        return _list(options, list(islice(client.inbox(options.limit), options.limit)))
    if not options.ids:
        raise CommandError(f"Name what to {options.decision}: `continuity inbox` lists the ids.")
    decided = client.decide(options.decision, _whole_ids(client, options.ids))
    if options.json:
        show_json(decided)
        return 0
    done = "approved" if options.decision == "approve" else "declined"
    show(f"{len(decided['ids'])} {done}, {decided['waiting']} still wait.")
    for skipped in decided["skipped"]:
        show(f"  {skipped['id'][:SHOWN_ID]}: {safe(skipped['detail'])}")
    return 1 if decided["skipped"] and not decided["ids"] else 0


def _list(options: argparse.Namespace, items: list[dict[str, Any]]) -> int:
    if options.json:
        show_json(items)
        return 0
    for item in items:
        memory = item["memory"]
        show(f"{style(item['id'][:SHOWN_ID], CYAN)}  {style(safe(memory['uri']), DIM)}  {style(item['reason'], DIM)}")
        show(paragraph(safe(memory["content"] or memory["abstract"]), "  "))
        for other in item["replaces"]:
            show(paragraph(f"may replace: {safe(other['abstract'])}", "    "))
    show("`continuity inbox approve ID …` or `decline ID …` decides." if items else "Nothing waits for your decision.")
    return 0


def _whole_ids(client: Client, given: list[str]) -> list[str]:
    """The ids that begin with what was given."""
    if all(len(one) == WHOLE_ID for one in given):
        return given
    known = [item["id"] for item in client.inbox()]
    return [_whole_id(known, one) for one in given]


def _whole_id(known: list[str], given: str) -> str:
    matches = [one for one in known if one.startswith(given.lower())]
    if len(matches) != 1:
        problem = "Nothing that waits has" if not matches else f"{len(matches)} items have"
        raise CommandError(f"{problem} an id that begins with {given}. `continuity inbox` lists the ids.")
    return matches[0]
