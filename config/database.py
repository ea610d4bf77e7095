"""Two logins for one database: the owner migrates, the application's role does everything else."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from apps.common.database_role import APPLICATION_ROLE, ROLE_TIMEOUTS

# A statement that a connection has carried out so often is prepared: parsed once, planned once where that is as good.
PREPARED_AFTER = 3
CONNECTION_AGE_S = 60

DatabaseConfig = dict[str, Any]


def owner_database(url: str, *, prepared: bool = True) -> DatabaseConfig:
    """Django's settings for the login that owns the tables."""
    return _from_url(url, prepared=prepared)


def application_database(url: str, app_url: str, *, prepared: bool = True) -> DatabaseConfig:
    """Django's settings for the application: its own login, or the owner's put into the application's role.

    `prepared` lets the server keep statements.
    """
    config = _from_url(app_url or url, prepared=prepared)
    if app_url:
        return config
    settings = {"role": APPLICATION_ROLE, **ROLE_TIMEOUTS}
    config["OPTIONS"]["options"] = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return config


def application_password(app_url: str) -> str:
    """The password that the application's role is to have; empty where its login is somebody else's business."""
    parts = urlsplit(app_url)
    is_the_role = unquote(parts.username or "") == APPLICATION_ROLE
    return unquote(parts.password or "") if is_the_role else ""


def with_pool(config: DatabaseConfig) -> DatabaseConfig:
    """The same for the ASGI process: persistent connections leak there, a pool does not.

    A server that comes back is found within seconds: whoever waits begins a new attempt, once one took too long.
    """
    pool = {"min_size": 2, "max_size": 8, "timeout": 10, "max_waiting": 256, "reconnect_timeout": 5}
    return {**config, "ENGINE": "config.pooled", "OPTIONS": {**config["OPTIONS"], "pool": pool}}


def kept_open(config: DatabaseConfig) -> DatabaseConfig:
    """The same for a worker, which has one job after the other: to connect takes longer than most of them.

    Before each job it is asked whether its connection still stands.
    """
    return {**config, "CONN_MAX_AGE": CONNECTION_AGE_S, "CONN_HEALTH_CHECKS": True}


def _from_url(url: str, *, prepared: bool = True) -> DatabaseConfig:
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    threshold = PREPARED_AFTER if prepared else None
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", unquote(parts.hostname or "")),
        "PORT": str(parts.port or query.pop("port", "")),
        "CONN_MAX_AGE": 0,
        "DISABLE_SERVER_SIDE_CURSORS": True,
        "OPTIONS": {"server_side_binding": True, "prepare_threshold": threshold, **query},
    }
