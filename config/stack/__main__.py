"""`python -m config.stack up | check | down | status | demo FILE | schema`: the commands behind the make targets."""

import argparse
import json
import os
import signal
import sys
from pathlib import Path

from config.stack import schema
from config.stack.data_dir import Home
from config.stack.demo import demo
from config.stack.errors import StackError, StopRequested
from config.stack.process import poll
from config.stack.services import Services
from config.stack.smoke_test import up_check
from config.stack.supervisor import Supervisor

DOWN_SECONDS = 40


def up(_: argparse.Namespace) -> None:
    """Start everything and stay in the foreground until stopped."""
    Supervisor(Services.from_environment()).run()


def check(_: argparse.Namespace) -> None:
    """Start, use and stop a stack, twice."""
    print(json.dumps(up_check()))


def down(_: argparse.Namespace) -> None:
    """Stop the stack that runs in this home."""
    home = Home.from_environment()
    if not home.is_locked():
        print(f"No stack is running in {home.path}.", file=sys.stderr)
        return
    os.kill(home.read_status()["pid"], signal.SIGTERM)
    if not poll(lambda: not home.is_locked(), DOWN_SECONDS):
        raise StackError(f"The stack did not stop within {DOWN_SECONDS} s.")


def status(_: argparse.Namespace) -> None:
    """Print the status of this home as JSON."""
    home = Home.from_environment()
    print(
        json.dumps(home.read_status() if home.is_locked() else {"state": "stopped", "home": str(home.path)}, indent=2)
    )


def demonstrate(arguments: argparse.Namespace) -> None:
    """Send a recorded conversation through the HTTP API."""
    print(json.dumps(demo(arguments.file)))


def write_schema(_: argparse.Namespace) -> None:
    """Write the schema that the migrations make to schema.sql."""
    schema.write()


def parser() -> argparse.ArgumentParser:
    """Return the argument parser with its commands."""
    commands = argparse.ArgumentParser(prog="python -m config.stack", description=__doc__)
    choices = commands.add_subparsers(required=True)
    for name, action in COMMANDS.items():
        command = choices.add_parser(name, help=action.__doc__)
        command.set_defaults(action=action)
        if name == "demo":
            command.add_argument("file", type=Path)
    return commands


COMMANDS = {
    "up": up,
    "check": check,
    "down": down,
    "status": status,
    "demo": demonstrate,
    "schema": write_schema,
}


def main() -> int:
    """Run one command; print errors as sentences, not as tracebacks."""
    arguments = parser().parse_args()
    try:
        arguments.action(arguments)
    except StackError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except StopRequested:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
