"""The quick start of docs/applications.md, as it stands there: one bot, two customers, and nothing crosses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Membership
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from tests.processes import Web

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "applications.md"
TYPESCRIPT = ROOT / "frontend" / "node_modules" / "typescript" / "bin" / "tsc"
NODE = shutil.which("node")
MOST_LINES = 24

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def environment(web: Web, alice: Actor) -> dict[str, str]:
    scopes = frozenset({"read", "write", "act_for_users"})
    key = api_key_create(alice, draft=ApiKeyDraft("support bot", scopes)).secret
    path = os.pathsep.join([str(ROOT / "client" / "src"), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "CONTINUITY_URL": web.url, "CONTINUITY_API_KEY": key, "PYTHONPATH": path}


def example(language: str) -> str:
    (code,) = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= MOST_LINES
    return str(code)


def check(output: str) -> None:
    for_priya, for_tom = output.strip().splitlines()
    assert "400 euros" in for_priya and "nuts" not in for_priya
    assert "nuts" in for_tom and "400 euros" not in for_tom
    assert Membership.objects.filter(role="end_user").count() == 2


def run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_in_python_keeps_two_customers_apart(environment: dict[str, str]) -> None:
    check(run([sys.executable, "-c", example("python")], environment))


@pytest.mark.skipif(NODE is None or not TYPESCRIPT.is_file(), reason="Node or TypeScript is not installed.")
def test_the_example_in_typescript_keeps_two_customers_apart(environment: dict[str, str], tmp_path: Path) -> None:
    source = tmp_path / "bot.mts"
    source.write_text(example("typescript"))
    options = ["--target", "es2022", "--module", "nodenext", "--skipLibCheck", "--types", "node"]
    roots = ["--typeRoots", str(TYPESCRIPT.parents[2] / "@types")]
    run([str(NODE), str(TYPESCRIPT), *options, *roots, str(source)], environment)
    check(run([str(NODE), str(source.with_suffix(".mjs"))], environment))
