"""Every compiled pattern of the product: those of modules, whatever holds them, and literals inside functions."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import apps
import continuity_client
from continuity_client.secrets.checks import compiled
from continuity_client.secrets.rules import all_checks, all_labels, all_rules

_CALLS = frozenset({"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"})
_NOT_IMPORTED = (".migrations", ".management", "continuity_client.__main__")


@dataclasses.dataclass(frozen=True, slots=True)
class Found:
    """A pattern and where it is, as `module:name`."""

    where: str
    regex: re.Pattern[Any]


def every_pattern() -> list[Found]:
    """The patterns of all packages, each once."""
    found: dict[tuple[Any, int], Found] = {}
    for module in modules():
        for one in (*_of_module(module), *_in_functions(module)):
            found.setdefault((one.regex.pattern, one.regex.flags), one)
    for one in _of_secrets():
        found.setdefault((one.regex.pattern, one.regex.flags), one)
    return list(found.values())


def modules() -> Iterator[ModuleType]:
    """Every module of the server and of the client."""
    for package in (apps, continuity_client):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not any(part in info.name for part in _NOT_IMPORTED):
                yield importlib.import_module(info.name)


def _of_secrets() -> Iterator[Found]:
    """The patterns of the rules for secrets, which are data."""
    for rule in all_rules():
        yield Found(f"rules.json:{rule.id}", compiled(rule.pattern, rule.flags))
    for name, label in all_labels().items():
        yield Found(f"rules.json:{name}", compiled(label.pattern, 0))
        if label.nearby:
            yield Found(f"rules.json:{name}, nearby", compiled(label.nearby, 0))
    for name, check in all_checks().items():
        for pattern in (*check.has, *check.lacks):
            yield Found(f"rules.json:{name}", compiled(pattern, check.flags))


def _of_module(module: ModuleType) -> Iterator[Found]:
    for name, value in vars(module).items():
        for regex in _held_by(value, depth=4):
            yield Found(f"{module.__name__}:{name}", regex)


def _held_by(value: Any, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, (tuple, list, set, frozenset)):
        for one in value:
            yield from _held_by(one, depth - 1)
    elif depth and isinstance(value, Mapping):
        for one in (*value, *value.values()):
            yield from _held_by(one, depth - 1)
    elif depth and dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from _held_by(getattr(value, field.name, None), depth - 1)


def _in_functions(module: ModuleType) -> Iterator[Found]:
    """Patterns that functions write as literals, or hand by name to `re`."""
    source = Path(module.__file__ or "").read_text()
    for node in ast.walk(ast.parse(source)) if "re." in source else ():
        if isinstance(node, ast.Call) and node.args and _is_of_re(node.func):
            pattern = _value(node.args[0], module)
            if isinstance(pattern, str | bytes):
                yield Found(f"{module.__name__}:{node.lineno}", re.compile(pattern, _flags(node, module)))


def _is_of_re(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and function.attr in _CALLS and ast.unparse(function.value) == "re"


def _value(node: ast.expr, module: ModuleType) -> Any:
    """What an expression is in its module; nothing if it needs a function's variables."""
    try:
        return eval(ast.unparse(node), dict(vars(module)))  # noqa: S307  # our own sources
    except NameError:
        return None


def _flags(node: ast.Call, module: ModuleType) -> Any:
    flags = [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
    names = [part for part in node.args[1:] if "re." in ast.unparse(part)]
    return _value((flags + names)[0], module) or 0 if flags or names else 0
