"""Commands around the hooks: explain them, send the spool, show the version."""

from __future__ import annotations

import argparse

from continuity_client import __version__
from continuity_client.home import home
from continuity_client.hook.events import EVENTS
from continuity_client.sender import send_all
from continuity_client.terminal import CommandError, complain, counted, show, show_json

INPUT = "The event is JSON on standard input. `continuity install` adds the hooks to an agent's settings."

PATIENCE = 30.0


def explain(options: argparse.Namespace) -> int:
    """Explain the command that agents run. Whatever happens, a hook ends with 0."""
    complain(f"`continuity hook EVENT` is for agents. EVENT is one of: {', '.join(EVENTS)}. {INPUT}")
    return 0


def flush(options: argparse.Namespace) -> int:
    """Send what waits in the spool."""
    sent = send_all(home(), patience=PATIENCE, pauses=())
    if options.json:
        show_json(sent._asdict())
    else:
        show(f"{counted(sent.delivered, 'event')} delivered, {sent.refused} refused, {sent.left} left.")
    if sent.error:
        raise CommandError(sent.error)
    return 0


def version(options: argparse.Namespace) -> int:
    """Show the version."""
    if options.json:
        show_json({"version": __version__})
    else:
        show(f"continuity {__version__}")
    return 0
