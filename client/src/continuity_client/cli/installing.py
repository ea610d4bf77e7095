"""`continuity install` and `uninstall`: show the difference, ask, back up, write."""

from __future__ import annotations

import argparse
import sys

from continuity_client.home import read_settings
from continuity_client.install.plans import Plan, install_plan, note_of, uninstall_plan
from continuity_client.terminal import GREEN, RED, CommandError, show, show_json, style


def install(options: argparse.Namespace) -> int:
    """Add the hooks."""
    plan = install_plan(options.client, options.scope)
    done = _apply(options, plan, "installed", f"The hooks are already in {plan.path}.")
    if done and not options.json:
        show(note_of(options.client))
        if read_settings() is None:
            show("No server is paired yet, so the hooks do nothing: run `continuity login URL`.")
    return 0


def uninstall(options: argparse.Namespace) -> int:
    """Remove the hooks."""
    plan = uninstall_plan(options.client, options.scope)
    _apply(options, plan, "removed", f"There are no hooks of ours in {plan.path}.")
    return 0


def _apply(options: argparse.Namespace, plan: Plan, verb: str, nothing: str) -> bool:
    """Show and make a change; return whether it was made."""
    if options.json:
        return _apply_silently(options, plan)
    if not plan.has_changes:
        show(nothing)
        return False
    show(_colored(plan.difference()).rstrip("\n"))
    if options.dry_run:
        return False
    if not options.yes and not _confirm(plan.path):
        show("Nothing was changed.")
        return False
    backup = plan.write()
    show(f"{style(f'Hooks {verb}', GREEN)}: {plan.path}" + (f" (backup: {backup})" if backup else ""))
    return True


def _apply_silently(options: argparse.Namespace, plan: Plan) -> bool:
    makes_change = plan.has_changes and options.yes and not options.dry_run
    backup = plan.write() if makes_change else None
    document = {"path": plan.path, "changes": plan.has_changes, "difference": plan.difference()}
    show_json({**document, "written": makes_change, "backup": backup})
    return makes_change


def _confirm(path: str) -> bool:
    if not sys.stdin.isatty():
        raise CommandError("Nobody can answer here. Pass --yes to make this change, or --dry-run to only see it.")
    return input(f"Change {path}? [y/N] ").strip().lower() in ("y", "yes")


def _colored(difference: str) -> str:
    colors = {"+": GREEN, "-": RED}
    lines = difference.splitlines()
    return "\n".join(style(line, colors[line[0]]) if line[:1] in colors else line for line in lines)
