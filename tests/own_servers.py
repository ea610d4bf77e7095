"""The environment of a stack with servers of its own, whatever the test run around it uses."""

from __future__ import annotations

OWN_SERVERS = {"DATABASE_URL": "", "DATABASE_APP_URL": "", "REDIS_URL": ""}
