"""A planned change of one file: shown as a difference, and written with a backup."""

from __future__ import annotations

import difflib
import os
import shutil
import sys
import time
from shlex import quote
from typing import NamedTuple

from continuity_client.home import WINDOWS
from continuity_client.install.dialects import DIALECTS, groups, settings_file
from continuity_client.install.settings import (
    in_background,
    is_ours_or_contains,
    parse,
    render,
    with_hooks,
    without_hooks,
)
from continuity_client.terminal import CommandError

OPENCODE_FILE = "continuity.ts"
OPENCODE_COMMAND = 'const COMMAND = ["continuity"]'
OPENCODE_MARKER = " * OpenCode plugin: stores what happens in a session on a Continuity server"
"""The beginning of a line that every version of the plugin has, by which it is recognized. It never changes."""


class Plan(NamedTuple):
    """What a file is now and what it will be; None where there is no file."""

    path: str
    before: str | None
    after: str | None

    @property
    def has_changes(self) -> bool:
        return self.before != self.after

    def difference(self) -> str:
        """The change as a unified difference."""
        lines = difflib.unified_diff(
            (self.before or "").splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            "/dev/null" if self.before is None else self.path,
            "/dev/null" if self.after is None else self.path,
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    def write(self) -> str | None:
        """Make the change; return the path of the backup. A file that changed in the meantime is left as it is."""
        if _read(self.path) != self.before:
            raise CommandError(f"{self.path} changed in the meantime, so it is left as it is. Run the command again.")
        # A linked settings file stays a link.
        path = os.path.realpath(self.path)
        backup = _back_up(path) if self.before is not None else None
        if self.after is None:
            os.unlink(path)
            return backup
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = f"{path}.{os.getpid()}"
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            file.write(self.after)
        if backup:
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
        return backup


def install_plan(client: str, scope: str) -> Plan:
    """The change that adds the hooks."""
    if client == "opencode":
        path = opencode_file(scope)
        return Plan(path, _plugin_at(path), _opencode_plugin(scope))
    path = settings_file(client, scope)
    before = _read(path)
    document = parse(before or "", path)
    after = with_hooks(document, groups(client, command_line(scope)), {"version": 1} if client == "cursor" else None)
    return Plan(path, before, before if after == document and before else render(after, before or ""))


def uninstall_plan(client: str, scope: str) -> Plan:
    """The change that removes the hooks."""
    if client == "opencode":
        path = opencode_file(scope)
        return Plan(path, _plugin_at(path), None)
    path = settings_file(client, scope)
    before = _read(path)
    if before is None:
        return Plan(path, None, None)
    document = parse(before, path)
    after = without_hooks(document)
    if client == "vscode" and after != document and not after:
        # The file is ours alone.
        return Plan(path, before, None)
    return Plan(path, before, before if after == document else render(after, before))


def _plugin_at(path: str) -> str | None:
    """Our plugin, of any version and also with a person's changes: these are shown, and kept in the backup."""
    text = _read(path)
    if text is not None and not is_our_plugin(text):
        raise CommandError(f"{path} is not a plugin of ours, so it is not changed. Move it away, and try again.")
    return text


def is_our_plugin(text: str) -> bool:
    return any(line.startswith(OPENCODE_MARKER) for line in text.splitlines())


def installed_hooks(client: str, scope: str) -> int:
    """How many of a client's events run our hooks."""
    path = opencode_file(scope) if client == "opencode" else settings_file(client, scope)
    text = _read(path)
    if text is None or client == "opencode":
        return int(text is not None and is_our_plugin(text))
    hooks = parse(text, path).get("hooks")
    events = hooks.values() if isinstance(hooks, dict) else ()
    return sum(isinstance(entries, list) and any(map(is_ours_or_contains, entries)) for entries in events)


def is_outdated(client: str, scope: str) -> bool:
    """Whether events get lost by hooks of an earlier version: in the background, or by an older plugin."""
    if client == "opencode":
        with open(plugin_file("opencode", OPENCODE_FILE), encoding="utf-8") as file:
            return _without_command(_read(opencode_file(scope)) or "") != _without_command(file.read())
    path = settings_file(client, scope)
    hooks = parse(_read(path) or "", path).get("hooks")
    return any(map(in_background, hooks.values())) if isinstance(hooks, dict) else False


def _without_command(plugin: str) -> list[str]:
    """The lines of our plugin but the one with the path of the command, which is another on each machine."""
    return [line for line in plugin.splitlines() if not line.startswith("const COMMAND = [")]


def note_of(client: str) -> str:
    """What else a person must do for a client."""
    return DIALECTS[client].note if client in DIALECTS else "Restart OpenCode to load the plugin."


def command_line(scope: str) -> str:
    """The command in a user's hooks is an absolute path: agents started from a desktop have another PATH."""
    return "continuity" if scope == "project" else quote_path(command_path())


def command_path() -> str:
    """The path of the installed command."""
    started = os.path.abspath(sys.argv[0])
    if WINDOWS and not started.endswith(".exe"):
        # The launcher that pip writes takes its suffix out of the arguments.
        started += ".exe"
    if os.path.basename(started).startswith("continuity") and os.access(started, os.X_OK):
        return started
    found = shutil.which("continuity")
    if not found:
        raise CommandError(
            "The command `continuity` is not on the PATH. Install it with `pip install continuity-client`."
        )
    return found


def quote_path(path: str) -> str:
    """The path as one word of a shell's command line."""
    if WINDOWS:
        return f'"{path}"' if " " in path else path
    return quote(path)


def opencode_file(scope: str) -> str:
    """The path of the plugin for OpenCode."""
    if scope == "project":
        return os.path.join(os.getcwd(), ".opencode", "plugins", OPENCODE_FILE)
    configuration = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(configuration, "opencode", "plugins", OPENCODE_FILE)


def plugin_file(*parts: str) -> str:
    """A file of the plugins: in the installed package, or in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder in (os.path.join(package, "plugins"), os.path.join(package, "..", "..", "plugins")):
        path = os.path.join(folder, *parts)
        if os.path.exists(path):
            return path
    raise CommandError(f"The package has no file {os.path.join(*parts)}. Install it again.")


def _opencode_plugin(scope: str) -> str:
    import json

    command = "continuity" if scope == "project" else command_path()
    with open(plugin_file("opencode", OPENCODE_FILE), encoding="utf-8") as file:
        return file.read().replace(OPENCODE_COMMAND, f"const COMMAND = [{json.dumps(command)}]")


def _back_up(path: str) -> str:
    """Copy a file to a name of its own: several changes in one second have several backups."""
    name = f"{path}.backup-{time.strftime('%Y%m%d-%H%M%S')}"
    number = 1
    while True:
        backup = name if number == 1 else f"{name}-{number}"
        try:
            os.close(os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            number += 1
            continue
        shutil.copy2(path, backup)
        return backup


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise CommandError(f"{path} is not UTF-8, so it is not changed.") from None
