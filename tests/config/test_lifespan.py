"""Start-up of the ASGI process: heavy imports happen after it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from config.stack.process import clean_environment

PROGRAM = """
import asyncio, sys
from config.asgi import application

assert "anthropic" not in sys.modules
events = iter(["lifespan.startup", "lifespan.shutdown"])
told = []

async def receive():
    await asyncio.sleep(0)
    return {"type": next(events)}

async def send(message):
    told.append(message["type"])

asyncio.run(application({"type": "lifespan"}, receive, send))
assert told == ["lifespan.startup.complete", "lifespan.shutdown.complete"], told
print("anthropic" in sys.modules)
"""


@pytest.mark.parametrize("key", ["", "sk-test"], ids=["without a key", "with a key"])
def test_a_provider_sdk_is_imported_after_start_up_and_only_with_a_key(key: str) -> None:
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings.web", "ANTHROPIC_API_KEY": key}
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**clean_environment(), **settings},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert answer.stdout.strip() == str(bool(key))
