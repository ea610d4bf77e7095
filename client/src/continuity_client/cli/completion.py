"""Completion scripts for shells, made from the parser of the command line."""

from __future__ import annotations

import argparse
from typing import Any

from continuity_client.cli.parser import parser
from continuity_client.terminal import show

_BASH = """\
_continuity() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" words
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    [ "$COMP_CWORD" -eq 1 ] && words="{commands}"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _continuity continuity"""
_ZSH = """\
#compdef continuity
_continuity() {{
    local -a commands
    commands=(
{commands}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    case "$words[2]" in
{cases}
    esac
    _files
}}
compdef _continuity continuity"""


def completion(options: argparse.Namespace) -> int:
    """Print a completion script."""
    commands = _commands()
    show({"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell](commands))
    return 0


def _commands() -> dict[str, argparse.ArgumentParser]:
    (action,) = (one for one in parser()._actions if isinstance(one, argparse._SubParsersAction))
    return dict(action.choices)


def _words(command: argparse.ArgumentParser) -> list[str]:
    """Options and choices of a command."""
    words: list[str] = []
    for action in command._actions:
        words += action.option_strings[-1:]
        words += map(str, action.choices or ())
    return words


def _bash(commands: dict[str, argparse.ArgumentParser]) -> str:
    cases = "\n".join(f'        {name}) words="{" ".join(_words(one))}" ;;' for name, one in commands.items())
    return _BASH.format(cases=cases, commands=" ".join(commands))


def _zsh(commands: dict[str, argparse.ArgumentParser]) -> str:
    listed = "\n".join(f"        '{name}:{_quoted(one.description)}'" for name, one in commands.items())
    cases = "\n".join(f"        {name}) compadd -- {' '.join(_words(one))} ;;" for name, one in commands.items())
    return _ZSH.format(commands=listed, cases=cases)


def _fish(commands: dict[str, argparse.ArgumentParser]) -> str:
    lines = [
        f"complete -c continuity -n __fish_use_subcommand -f -a {name} -d '{_quoted(one.description)}'"
        for name, one in commands.items()
    ]
    for name, one in commands.items():
        condition = f"'__fish_seen_subcommand_from {name}'"
        options = [word[2:] for word in _words(one) if word.startswith("--")]
        choices = [word for word in _words(one) if not word.startswith("-")]
        lines += [f"complete -c continuity -n {condition} -l {option}" for option in options]
        lines += [f"complete -c continuity -n {condition} -f -a '{' '.join(choices)}'"] if choices else []
    return "\n".join(lines)


def _quoted(text: Any) -> str:
    return str(text).replace("'", "").replace(":", "")
