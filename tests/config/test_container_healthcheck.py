"""The container health check: URL and processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from config import container_healthcheck
from config.stack.services import free_port


def process(folder: Path, pid: int, *argv: str, state: str = "S") -> None:
    (folder / str(pid)).mkdir()
    (folder / str(pid) / "cmdline").write_text("\0".join(argv) + "\0")
    (folder / str(pid) / "stat").write_text(f"{pid} (a (strange) name) {state} 1 1")


def test_processes_are_counted_by_their_arguments(tmp_path: Path) -> None:
    process(tmp_path, 1, "/sbin/docker-init", "--", "python", "-m", "celery")
    process(tmp_path, 7, "/opt/venv/bin/python", "-m", "celery", "-A", "config.celery")
    process(tmp_path, 8, "/opt/venv/bin/python3.11", "/opt/venv/bin/celery", "worker")
    process(tmp_path, 9, "/opt/venv/bin/python", "-m", "celery", state="Z")
    process(tmp_path, 10, "python", "-m", "config.container_healthcheck", "celery", "2")
    process(tmp_path, 11, "")
    (tmp_path / "12").mkdir()
    assert container_healthcheck.running("celery", tmp_path) == 2
    assert container_healthcheck.running("dispatch", tmp_path) == 0


def test_too_few_processes_are_unhealthy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container_healthcheck, "running", lambda word: 1)
    assert container_healthcheck.main(["celery", "2"]) == 1
    assert container_healthcheck.main(["dispatch"]) == 0


def test_an_unreachable_url_is_unhealthy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container_healthcheck, "ADDRESS", f"http://127.0.0.1:{free_port()}")
    assert container_healthcheck.main(["/readyz"]) == 1
