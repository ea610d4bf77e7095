"""The model settings of the installation's settings file, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """`names` are models by purpose, with the default under the empty key; `own_names`, `keys` and `addresses` are by
    backend. All are empty without a file."""

    backend: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    own_names: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, SecretStr] = field(default_factory=dict)
    addresses: Mapping[str, str] = field(default_factory=dict)
