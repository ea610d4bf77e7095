"""The coding agents themselves: where each comes from, how it is set up for a model server, and one run of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.agents.real.model_server import WORD

PROMPT = f"{WORD} please say hello."
LONGEST_S = 120
INSTALL_S = 600


@dataclass(frozen=True)
class Program:
    """A coding agent: its package at a version, its command, and what it needs to run without a person."""

    client: str
    package: str
    version: str
    command: tuple[str, ...]
    set_up: Callable[[Path, Path, str], Mapping[str, str]]
    """Writes settings into a home and a project for a model server; returns variables of the environment."""


class NotAvailable(Exception):
    """A program cannot be had from npm here."""


def installed(program: Program, folder: Path) -> Path:
    """Install the program from npm unless it is there; the folder of its commands. Raises `NotAvailable`."""
    target = folder / f"{program.client}-{program.version}"
    binaries, npm = target / "node_modules" / ".bin", shutil.which("npm")
    if (binaries / program.command[0]).exists():
        return binaries
    if not npm:
        raise NotAvailable("npm is not installed")
    target.mkdir(parents=True, exist_ok=True)
    package = f"{program.package}@{program.version}"
    status, output = _ended([npm, "install", "--no-audit", "--no-fund", "--prefix", target, package], INSTALL_S)
    if status:
        raise NotAvailable(f"{package}: {output.strip()[-200:]}")
    return binaries


def run(program: Program, binaries: Path, home: Path, project: Path, variables: Mapping[str, str]) -> None:
    """Give the agent one prompt and wait until it has ended; raise an error with what it printed if it fails."""
    path = os.pathsep.join((str(binaries), *os.environ["PATH"].split(os.pathsep)))
    environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "NO_PROXY": "*", **variables}
    status, output = _ended([binaries / program.command[0], *program.command[1:]], LONGEST_S, project, environment)
    if status:
        raise RuntimeError(f"{program.client} ended with {status}: {output[-500:]}")


def _ended(
    command: Sequence[str | Path],
    seconds: float,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Run a command in a session of its own; its status and output. After the time all its processes are ended."""
    process = subprocess.Popen(  # npm, or an agent that it has installed
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, output


def _claude_code(home: Path, project: Path, url: str) -> Mapping[str, str]:
    names = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "IS_SANDBOX")
    return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "key", **dict.fromkeys(names, "1")}


def _codex(home: Path, project: Path, url: str) -> Mapping[str, str]:
    provider = f'[model_providers.local]\nname = "Local"\nbase_url = "{url}/v1"\nwire_api = "responses"\n'
    _write(home / ".codex" / "config.toml", f'model = "m"\nmodel_provider = "local"\n\n{provider}')
    return {}


def _gemini_cli(home: Path, project: Path, url: str) -> Mapping[str, str]:
    settings = home / ".gemini" / "settings.json"
    known = json.loads(settings.read_text()) if settings.exists() else {}
    own: dict[str, Any] = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"disableAutoUpdate": True},
        "privacy": {"usageStatisticsEnabled": False},
    }
    _write(settings, json.dumps({**known, **own}))
    return {"GEMINI_API_KEY": "key", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}


def _opencode(home: Path, project: Path, url: str) -> Mapping[str, str]:
    options = {"baseURL": f"{url}/v1", "apiKey": "key"}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "Local", "options": options, "models": {"m": {"name": "M"}}}
    own = {
        **{"model": "local/m", "small_model": "local/m", "provider": {"local": provider}},
        **{"autoupdate": False, "share": "disabled", "permission": {"bash": "allow"}},
    }
    _write(project / "opencode.json", json.dumps(own))
    return {}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


PROGRAMS = (
    Program(
        "claude-code",
        "@anthropic-ai/claude-code",
        "2.1.197",
        ("claude", "-p", PROMPT, "--allowedTools", "Bash", "--model", "claude-sonnet-5"),
        _claude_code,
    ),
    Program("opencode", "opencode-ai", "1.18.33", ("opencode", "run", PROMPT), _opencode),
    Program(
        "gemini-cli",
        "@google/gemini-cli",
        "0.61.0",
        ("gemini", "-p", PROMPT, "--yolo", "-m", "gemini-3-pro-preview"),
        _gemini_cli,
    ),
    Program(
        "codex",
        "@openai/codex",
        "0.171.0",
        (
            *("codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"),
            *("--dangerously-bypass-approvals-and-sandbox", PROMPT),
        ),
        _codex,
    ),
)
