"""The application's database role: its name, and the time limits of its connections.

The settings import it, so it must not import Django.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

APPLICATION_ROLE = "continuity_app"
ROLE_TIMEOUTS: Mapping[str, str] = MappingProxyType(
    {
        "statement_timeout": "30s",
        "lock_timeout": "5s",
        "idle_in_transaction_session_timeout": "15s",
    }
)
