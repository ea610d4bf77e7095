"""`python -m tests.fork_server SOCKET [MODULE…]`: starts programs by forking, after the modules have been imported.

A web server or worker spends two to three seconds of processor time on imports, and tests start dozens of them. A
forked program gets its own environment, log and session, and becomes a child of the process that asked for it. Without
modules, only what reads no settings is imported. Modules may read them: then all programs must have one environment.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import socket
import sys
import threading
import time
from dataclasses import dataclass

import django

import apps.engine
from config.stack.child_user import die_with

PACKAGES = (
    "allauth.account.app_settings",
    "anthropic.resources.messages",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.fixups.django",
    "celery.worker",
    "channels.db",
    "detect_secrets",
    "django.contrib.admin.utils",
    "django.core.handlers.asgi",
    "django.core.management.templates",
    "django.db.backends.postgresql.base",
    "django.template.defaulttags",
    "django.test.client",
    "kombu.transport.redis",
    "numpy",
    "pgvector.django",
    "psycopg_pool",
    "pydantic_settings",
    "redis.asyncio",
    "requests",
    "rich.console",
    "structlog",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_impl",
)
"""What takes long to import and reads no settings. One that is not installed makes starts slower, and nothing else."""


@dataclass(frozen=True)
class Request:
    """A program to run, for the process `parent`."""

    argv: list[str]
    environment: dict[str, str]
    log: str
    parent: int
    death_signal: int


def main() -> None:
    path, *modules = sys.argv[1:]
    prepare(modules)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{path}.new")
        listener.listen()
        os.rename(f"{path}.new", path)
        request = next_request(listener)
    run(request.argv)


def prepare(modules: list[str]) -> None:
    """Import everything; no thread may run, for it would be missing in a forked process."""
    if modules:
        django.setup()
    else:
        modules = [*PACKAGES, *(module.name for module in pkgutil.walk_packages(apps.engine.__path__, "apps.engine."))]
    for module in modules:
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(module)
    assert threading.active_count() == 1, threading.enumerate()
    gc.collect()
    gc.freeze()


def next_request(listener: socket.socket) -> Request:
    """Fork a process for each request, for ever; return in a forked process, with its request."""
    while True:
        connection, _ = listener.accept()
        with connection:
            request = Request(**json.loads(connection.makefile("rb").readline()))
            if os.fork() == 0:
                between = os.getpid()
                if os.fork():
                    os._exit(0)  # so that the process of the request is an orphan, which `parent` inherits
                become(request, between)
                connection.sendall(f"{os.getpid()}\n".encode())
                return request
            os.wait()


def become(request: Request, between: int) -> None:
    """Take the request's session, parent, log and environment, once the process in between has ended."""
    os.setsid()
    while os.getppid() == between:
        time.sleep(0.001)
    die_with(request.parent, request.death_signal)
    log = os.open(request.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    for standard in (1, 2):
        os.dup2(log, standard)
    os.close(log)
    os.environ.clear()
    os.environ.update(request.environment)


def run(argv: list[str]) -> None:
    """Run a module (`-m module …`) or a script, as `python` does."""
    if argv[0] == "-m":
        sys.argv = argv[1:]
        runpy.run_module(argv[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = argv
        runpy.run_path(argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
