"""Commands of sessions."""

from __future__ import annotations

import argparse
from itertools import islice
from typing import Any

from continuity_client.client import Client
from continuity_client.terminal import BOLD, CYAN, DIM, paragraph, show, show_json, style
from continuity_client.terminal import without_escapes as safe


def sessions(options: argparse.Namespace) -> int:
    """List sessions, or show one."""
    client = Client()
    if options.session:
        return _show_one(options, client.session(options.session))
    found = list(islice(client.sessions(options.limit), options.limit))
    if options.json:
        show_json(found)
        return 0
    for session in found:
        show(f"{style(safe(session['title'] or 'Untitled'), BOLD)}  {style(_details(session), DIM)}")
        show(f"  {style(safe(session['external_id'] or session['id']), CYAN)}")
        if session.get("archive"):
            show(paragraph(safe(session["archive"]["abstract"]), "  "))
    if not found:
        show("There are no sessions yet. `continuity install` adds the hooks to an agent.")
    return 0


def _details(session: dict[str, Any]) -> str:
    agent = session.get("agent") or {}
    details = [str(session["active_at"])[:16].replace("T", " "), f"{session['message_count']} messages"]
    details += [str(agent[name]) for name in ("client", "project", "end_reason") if agent.get(name)]
    return safe(" · ".join(details))


def _show_one(options: argparse.Namespace, session: dict[str, Any]) -> int:
    if options.json:
        show_json(session)
        return 0
    show(f"{style(safe(session['title'] or 'Untitled'), BOLD)}  {style(_details(session), DIM)}")
    if session.get("archive"):
        show(safe(session["archive"]["overview"]))
    for memory in session["memories"]:
        show(f"{style(safe(memory['uri']), CYAN)} {style(memory['state'], DIM)}")
        show(paragraph(safe(memory["statement"]), "  "))
    return 0
