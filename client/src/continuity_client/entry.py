"""Entry point of the command. A hook takes a path of its own, which imports as little as possible."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; a hook ends the process itself, always with code 0."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"] and not {"-h", "--help"} & set(arguments):
        if not _is_person():
            from continuity_client.hook.command import run

            run(arguments[1:])
        # Whatever else a person typed, a hook does not fail.
        arguments = ["hook"]
    from continuity_client.cli.main import main as run_command

    return run_command(arguments)


def _is_person() -> bool:
    """Whether a person typed the command: an agent writes to standard input."""
    return sys.stdin is not None and sys.stdin.isatty()
