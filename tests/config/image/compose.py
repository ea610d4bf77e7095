"""A reader of docker-compose.yml without any environment: anchors merged, defaults substituted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

Service = dict[str, Any]


def read_compose(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(path.read_text())
    found: dict[str, Any] = interpolated(read)
    return found


def interpolated(value: Any) -> Any:
    """Put the default in the place of every ${NAME:-default}, and one dollar in that of two."""
    if isinstance(value, dict):
        return {name: interpolated(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [interpolated(inner) for inner in value]
    if isinstance(value, str):
        return re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", value).replace("$$", "$")
    return value


def environment_of(service: Service) -> dict[str, str]:
    """A service's environment; a name without a value is passed through only if set."""
    return {name: str(value) for name, value in service.get("environment", {}).items() if value is not None}
