"""Logs never contain provider URLs."""

from __future__ import annotations

import subprocess

import pytest

from config.stack.process import PYTHON, ROOT

_PROGRAM = """
import logging
from config.logs import configure_logs
configure_logs(level="{level}", style="{style}")
logging.getLogger("continuity").error("ours")
logging.getLogger("httpx2").info("GET https://somebodys-secret.example")
logging.getLogger("httpcore2.connection").debug("https://somebodys-secret.example")
logging.getLogger("httpx2").error("trouble")
"""


@pytest.mark.parametrize("style", ["json", "text"])
@pytest.mark.parametrize("level", ["DEBUG", "INFO", "ERROR"])
def test_requested_urls_are_not_logged(level: str, style: str) -> None:
    argv = [PYTHON, "-c", _PROGRAM.format(level=level, style=style)]
    told = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True).stderr
    assert "ours" in told
    assert "trouble" in told
    assert "somebodys-secret" not in told
