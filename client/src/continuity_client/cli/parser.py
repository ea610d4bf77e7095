"""The command line: commands, their options, and what runs them."""

from __future__ import annotations

import argparse
from typing import Any, Callable

from continuity_client.client import CATEGORIES, TIERS
from continuity_client.hook.events import CLIENTS, EVENTS
from continuity_client.imports import SOURCES

Action = Callable[[argparse.Namespace], int]
EXPORT_FILE = "continuity-export.jsonl"
CLIENT_HELP = "the coding agent (default: claude-code)"


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = argparse.ArgumentParser(
        prog="continuity", description="A coding agent's memory, on a Continuity server.", allow_abbrev=False
    )
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for add in (_memory, _sessions, _inbox, _imports, _exports, _pairing, _installing, _hooks, _others):
        add(commands)
    return top


def _command(commands: Any, name: str, module: str, function: str, text: str) -> argparse.ArgumentParser:
    """Add a command whose module is imported when it runs."""

    def action(options: argparse.Namespace) -> int:
        from importlib import import_module

        return int(getattr(import_module(f"continuity_client.cli.{module}"), function)(options) or 0)

    one: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
    one.add_argument("--json", action="store_true", help="print JSON")
    one.set_defaults(action=action)
    return one


def _memory(commands: Any) -> None:
    for name, text in (
        ("search", "Search memories by intent, and look around the best ones in the tree."),
        ("find", "Find memories by words and meaning, without a language model."),
    ):
        one = _command(commands, name, "memory", name, text)
        one.add_argument("query", nargs="+", help="a question or search terms")
        one.add_argument("-n", "--limit", type=_count, default=10, help="most results (default: 10)")
        one.add_argument("--messages", action="store_true", help="search messages too")
        one.add_argument("--category", choices=CATEGORIES, help="only memories of this category")
    _command(commands, "profile", "memory", "profile", "Show what the server knows about you.")
    one = _command(commands, "tree", "memory", "tree", "List the memory tree.")
    one.add_argument("path", nargs="?", default="mem://", help="an address such as mem://user/profile")
    one.add_argument("-d", "--depth", type=_count, default=1, help="levels (default: 1)")
    one = _command(commands, "read", "memory", "read", "Show one memory.")
    one.add_argument("address", help="its address (mem://…) or id")
    one.add_argument("--tier", choices=TIERS, default="full", help="how much of it (default: full)")
    one = _command(commands, "remember", "memory", "remember", "Store a memory.")
    one.add_argument("text", nargs="+", help="what to remember; - reads standard input")
    one.add_argument("--category", choices=CATEGORIES, help="where it belongs (default: preferences or events)")
    one.add_argument("--name", help="its name in the category")
    one.add_argument("--at", metavar="ADDRESS", help="its address, instead of a category")
    one.add_argument("--tag", action="append", default=[], help="a tag; may be given several times")
    one.add_argument("--allow-duplicate", action="store_true", help="store it even if the same text is remembered")


def _sessions(commands: Any) -> None:
    one = _command(commands, "sessions", "sessions", "sessions", "List sessions, or show one.")
    one.add_argument("session", nargs="?", help="a session's id")
    one.add_argument("-n", "--limit", type=_count, default=20, help="most sessions (default: 20)")


def _inbox(commands: Any) -> None:
    one = _command(commands, "inbox", "inbox", "inbox", "List what waits for your decision, approve or decline it.")
    one.add_argument("decision", nargs="?", choices=("list", "approve", "decline"), default="list")
    one.add_argument("ids", nargs="*", help="ids, or the beginning of one")
    one.add_argument("-n", "--limit", type=_count, default=50, help="most items (default: 50)")


def _imports(commands: Any) -> None:
    one = _command(
        commands, "import", "importing", "run_import", "Import memories and sessions; the source is only read."
    )
    one.add_argument("--from", dest="source", choices=tuple(SOURCES), required=True, help="the kind of source")
    one.add_argument("path", nargs="?", help="a file or folder (default: where the source usually is)")
    one.add_argument("--path", dest="named_path", metavar="PATH", help="the same")
    one.add_argument("--dry-run", action="store_true", help="show what would be imported")
    whose = one.add_mutually_exclusive_group()
    whose.add_argument(
        "--mine", dest="confirmed", action="store_true", default=None, help="these are your own memories; do not ask"
    )
    whose.add_argument(
        "--not-mine", dest="confirmed", action="store_false", default=None, help="they wait in your inbox; do not ask"
    )


def _exports(commands: Any) -> None:
    one = _command(commands, "export", "exporting", "run_export", "Export all that belongs to you to a file.")
    one.add_argument("path", nargs="?", default=EXPORT_FILE, help=f"the file (default: {EXPORT_FILE})")
    one.add_argument("--force", action="store_true", help="replace the file if it exists")


def _pairing(commands: Any) -> None:
    one = _command(commands, "login", "login", "login", "Pair this machine with a server.")
    one.add_argument("url", nargs="?", default="http://127.0.0.1:37777", help="(default: http://127.0.0.1:37777)")
    one.add_argument("--key", help="an API key, instead of a code to confirm in the browser")
    one.add_argument("--client", choices=CLIENTS, default=CLIENTS[0], help=CLIENT_HELP)
    one.add_argument("--name", help="this machine's name in the list of paired clients")
    one.add_argument("--no-browser", action="store_true", help="do not open the browser")


def _installing(commands: Any) -> None:
    for name, text in (
        ("install", "Add the hooks to an agent's settings. Shows the difference first."),
        ("uninstall", "Remove the hooks from an agent's settings. Shows the difference first."),
    ):
        one = _command(commands, name, "installing", name, text)
        one.add_argument("--client", choices=CLIENTS, default=CLIENTS[0], help=CLIENT_HELP)
        one.add_argument("--scope", choices=("user", "project"), default="user", help="whose settings (default: user)")
        one.add_argument("--dry-run", action="store_true", help="print the difference alone")
        one.add_argument("-y", "--yes", action="store_true", help="do not ask")


def _hooks(commands: Any) -> None:
    one = _command(commands, "hook", "hooks", "explain", "Handle an event of a coding agent (for hooks).")
    # A hook always ends with 0, so no word is refused.
    one.add_argument("event", nargs="*", metavar="event", help=f"one of {', '.join(EVENTS)}; `event` reads the name")
    one.add_argument("--client", default=CLIENTS[0], help=CLIENT_HELP)
    _command(commands, "flush", "hooks", "flush", "Send the events that wait in the spool, and wait for it.")


def _others(commands: Any) -> None:
    _command(commands, "doctor", "doctor", "doctor", "Check the server, the key, the spool and the hooks.")
    one = _command(commands, "completion", "completion", "completion", "Print the completion script for a shell.")
    one.add_argument("shell", choices=("bash", "zsh", "fish"))
    _command(commands, "version", "hooks", "version", "Show the version.")


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1_000:
        raise argparse.ArgumentTypeError("must be a number from 1 to 1000")
    return int(text)
