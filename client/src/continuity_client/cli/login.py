"""`continuity login`: pair this machine with a server."""

from __future__ import annotations

import argparse
import platform
import sys
from typing import Any

from continuity_client.home import read_settings
from continuity_client.pairing import Code, await_key, check_key, request_code, store
from continuity_client.terminal import BOLD, CYAN, GREEN, complain, show, show_json, style


def login(options: argparse.Namespace) -> int:
    """Pair by a code, or with a key."""
    before = read_settings() or {}
    if options.key:
        settings = check_key(options.url, options.key)
    else:
        code = request_code(options.url, options.client, options.name or platform.node() or "unnamed")
        _show_code(options, code)
        settings = await_key(options.url, code)
    settings["recall_on_submit"] = bool(before.get("recall_on_submit"))
    path = store(settings)
    return _report(options, settings, path)


def _show_code(options: argparse.Namespace, code: Code) -> None:
    # With --json the result alone is on standard output.
    print_line = complain if options.json else show
    print_line(f"Open {style(code.address, CYAN)}")
    print_line(f"and confirm the code {style(code.user_code, BOLD)}. Waiting …")
    if not options.no_browser and sys.stdout.isatty():
        import webbrowser

        webbrowser.open(code.address)


def _report(options: argparse.Namespace, settings: dict[str, Any], path: str) -> int:
    if options.json:
        show_json({**{name: value for name, value in settings.items() if name != "api_key"}, "settings": path})
        return 0
    show(f"{style('Paired', GREEN)} with {settings['url']} as {settings['user']} in {settings['workspace']}.")
    show("Next: `continuity install` adds the hooks to Claude Code; `--client codex` and others to other agents.")
    return 0
