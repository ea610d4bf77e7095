"""Django's database settings: the owner's login for migrations, the application's role for everything else."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from apps.common.database_role import APPLICATION_ROLE, ROLE_TIMEOUTS

# Prepare a statement on the server once a connection has executed it this often.
PREPARED_AFTER = 3
CONNECTION_AGE_S = 60

DatabaseConfig = dict[str, Any]


def owner_database(url: str, *, prepared: bool = True) -> DatabaseConfig:
    """Return settings for the login that owns the tables."""
    return _from_url(url, prepared=prepared)


def application_database(url: str, app_url: str, *, prepared: bool = True) -> DatabaseConfig:
    """Return settings for the application: its own login, or the owner's login with `role` set to the application's.

    `prepared` enables prepared statements on the server.
    """
    config = _from_url(app_url or url, prepared=prepared)
    if app_url:
        return config
    settings = {"role": APPLICATION_ROLE, **ROLE_TIMEOUTS}
    config["OPTIONS"]["options"] = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return config


def application_password(app_url: str) -> str:
    """Return the password to set for the application's role; empty if the URL names another login."""
    parts = urlsplit(app_url)
    is_the_role = unquote(parts.username or "") == APPLICATION_ROLE
    return unquote(parts.password or "") if is_the_role else ""


def with_pool(config: DatabaseConfig) -> DatabaseConfig:
    """Add a connection pool, for the ASGI process, where persistent connections leak.

    The short `reconnect_timeout` finds a restarted server within seconds: a waiting request starts a new attempt.
    """
    pool = {"min_size": 2, "max_size": 8, "timeout": 10, "max_waiting": 256, "reconnect_timeout": 5}
    return {**config, "ENGINE": "config.db_pool_backend", "OPTIONS": {**config["OPTIONS"], "pool": pool}}


def with_persistent_connections(config: DatabaseConfig) -> DatabaseConfig:
    """Keep connections open between jobs, for workers, because connecting takes longer than most jobs.

    A connection is checked before each job.
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
