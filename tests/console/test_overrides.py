"""What the console replaces of unfold: Alpine and some templates, each recorded with the original that it replaces."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
import unfold
from django.contrib.staticfiles import finders
from django.template.loader import get_template

ROOT = Path(__file__).resolve().parents[2]
ALPINE = ROOT / "apps/api/static/unfold/js/alpine"
OURS = ROOT / "apps/api/templates/unfold"
ORIGINALS = Path(unfold.__file__).parent / "templates/unfold"
RECORD = OURS / "originals.sha256"
"""In the format of `sha256sum`."""
RECORDED = {name: digest for digest, name in (line.split() for line in RECORD.read_text().splitlines())}


def digest_of(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def test_every_replaced_template_has_its_original_recorded() -> None:
    assert {str(file.relative_to(OURS)) for file in OURS.rglob("*.html")} == RECORDED.keys()


@pytest.mark.parametrize("name", RECORDED)
def test_a_replaced_template_has_not_changed_in_unfold(name: str) -> None:
    assert get_template(f"unfold/{name}").origin.name == str(OURS / name)
    digest = digest_of(ORIGINALS / name)
    assert digest == RECORDED[name], (
        f"unfold has changed its template unfold/{name}. Bring {(OURS / name).relative_to(ROOT)} up to date with"
        f" {ORIGINALS / name}, then record {digest} in {RECORD.relative_to(ROOT)}."
    )


def test_alpine_is_the_recorded_build_and_the_one_that_is_served() -> None:
    served = ALPINE / "alpine.js"
    assert re.findall(r"SHA-256: `(\w+)`", (ALPINE / "README.md").read_text()) == [digest_of(served)]
    assert finders.find("unfold/js/alpine/alpine.js") == str(served)
