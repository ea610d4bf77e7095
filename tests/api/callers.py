"""A concise API client for the people of the tests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.db import connections
from rest_framework.test import APIClient

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from tests.people import client_of, person


class Caller:
    """One person's browser; `code` is the expected error code."""

    def __init__(self, actor: Actor) -> None:
        self.client: APIClient = client_of(actor)

    def get(self, path: str, status: int = 200, **headers: str) -> Any:
        return self.call("get", path, None, status, headers)

    def post(self, path: str, body: Any = None, status: int = 201, **headers: str) -> Any:
        return self.call("post", path, {} if body is None else body, status, headers)

    def patch(self, path: str, body: Any, status: int = 200, **headers: str) -> Any:
        return self.call("patch", path, body, status, headers)

    def delete(self, path: str, status: int = 204, **headers: str) -> Any:
        return self.call("delete", path, None, status, headers)

    def call(self, method: str, path: str, body: Any, status: int, headers: dict[str, str]) -> Any:
        """Return the response's JSON; header names are written with underscores."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = getattr(self.client, method)(f"/api{path}", body, headers=sent)
        assert answer.status_code == status, (answer.status_code, answer.content[:2000])
        return answer.json() if answer.content else None

    def tag(self, path: str) -> str:
        return str(self.client.get(f"/api{path}")["ETag"])

    def pages(self, path: str, limit: int) -> list[list[Any]]:
        """Return every page of a list, following the cursors."""
        pages, cursor = [], ""
        while True:
            page = self.get(f"{path}?limit={limit}{cursor}")
            pages.append(page["data"])
            if not page["has_more"]:
                return pages
            cursor = f"&cursor={page['next_cursor']}"


def viewer_of(workspace: Workspace) -> Actor:
    return person("Vera", workspace, Role.VIEWER)


def at_once(act: Callable[[], Any], times: int = 4) -> list[Any]:
    """Return the results of several threads that run the action concurrently."""
    results: list[Any] = []
    barrier = threading.Barrier(times)

    def run() -> None:
        barrier.wait()
        try:
            results.append(act())
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def shape(value: Any) -> Any:
    """Return the keys of a value at every depth; a list is as its first item."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(item) for item in value[:1]] if isinstance(value, list) else None
