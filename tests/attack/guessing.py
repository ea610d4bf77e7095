"""Guessing passwords while naming another address each time."""

from __future__ import annotations

import json
import time

from tests.attack.target import Json, Target

ATTEMPTS = 30
# Attempts that one address has, and that it gains in a minute.
LIMIT = 10


def forged_addresses(target: Target) -> Json:
    """Guess for many accounts with forged addresses; return as how many addresses they were counted."""
    began = time.monotonic()
    statuses = [_guess(target, number) for number in range(ATTEMPTS)]
    allowed = LIMIT * (1 + (time.monotonic() - began) / 60)
    return {"forged_addresses_counted": max(1, round(statuses.count(401) / allowed))}


def _guess(target: Target, number: int) -> int:
    body = json.dumps({"email": f"nobody-{number}@example.org", "password": "a wrong guess"}).encode()
    forged = f"10.66.0.{number}"
    headers = {
        "Content-Type": "application/json",
        "X-Forwarded-For": forged,
        "X-Real-IP": forged,
        "Forwarded": f"for={forged}",
    }
    status, _ = target.send("POST", "/api/sign-in", body, headers)
    return status
