"""`make agents [RUNS=…]`: real coding agents with our hooks, against a model server on loopback.

Each is installed from npm at a pinned version, with the hooks as `continuity install` writes them, and given a prompt
that makes the model run a tool. Its session must then have the prompt, the tool with its result, and the reply, and its
end where the agent reports one. An agent that can't be had is skipped with the reason.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from config.stack.client import Client
from config.stack.process import ROOT, poll
from config.stack.throwaway_stack import temporary_stack
from tests.agents.real.model_server import REPLY, SHOWN, model_server
from tests.agents.real.programs import PROGRAMS, NotAvailable, Program, installed, run
from tests.client.installed import installed_client
from tests.own_servers import OWN_SERVERS

PACKAGES = ROOT / ".agents"
SETTINGS = {**OWN_SERVERS, "CONTINUITY_MODEL_PROVIDER": "offline"}
ENDS = {"claude-code", "gemini-cli"}
"""Agents that report the end of a session which a program asked for."""
DELIVERED_S = 20.0
RUNS = 3


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="agents")
    parser.add_argument("--runs", type=int, default=RUNS, help="sessions of each agent")
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory(prefix="continuity-", ignore_cleanup_errors=True) as folder,
        temporary_stack(SETTINGS) as stack,
    ):
        stack.start()
        with model_server() as model:
            measured = Measured(stack.client, Path(folder), model, options.runs)
            lines = []
            for program in PROGRAMS:
                lines.append(measured.line(program))
                print(json.dumps(lines[-1]), flush=True)
    tried = [line for line in lines if "missing" in line]
    failed = sum("failed" in line for line in lines)
    missing = sum(line["missing"] for line in tried)
    print(json.dumps({"agents": len(tried), "failed": failed, "missing": missing}))
    return 0 if tried and not failed and not missing else 1


class Measured:
    """Runs agents in homes of their own, with the command installed from a wheel as a person installs it."""

    def __init__(self, client: Client, folder: Path, model: str, runs: int) -> None:
        self.client, self.folder, self.model, self.runs = client, folder, model, runs
        self.command = installed_client(folder / "venv") / "continuity"

    def line(self, program: Program) -> dict[str, Any]:
        name = {"agent": program.client, "version": program.version}
        try:
            binaries = installed(program, PACKAGES)
        except NotAvailable as error:
            return {**name, "skipped": str(error)}
        try:
            return {**name, **self._compared(program, binaries)}
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return {**name, "failed": str(error)[-500:]}

    def _compared(self, program: Program, binaries: Path) -> dict[str, Any]:
        with_hooks = [self._session(program, binaries, f"{number}", hooks=True) for number in range(self.runs)]
        without = [self._session(program, binaries, f"bare-{number}", hooks=False)[0] for number in range(self.runs)]
        lost = [part for _, parts in with_hooks for part in parts]
        return {
            "sessions": self.runs,
            "missing": len(lost),
            **({"lost": sorted(set(lost))} if lost else {}),
            "seconds": round(statistics.median(seconds for seconds, _ in with_hooks), 2),
            "seconds_without_hooks": round(statistics.median(without), 2),
        }

    def _session(self, program: Program, binaries: Path, name: str, *, hooks: bool) -> tuple[float, list[str]]:
        """Run the agent in a home of its own; its seconds, and what its session lacks."""
        home = self.folder / program.client / name
        project = self.folder / program.client / f"{program.client}-{name}-project"
        home.mkdir(parents=True)
        project.mkdir()
        if hooks:
            self._continuity(home, "login", "--key", self.client.api_key, self.client.base)
            self._continuity(home, "install", "--yes", "--client", program.client)
        variables = program.set_up(home, project, self.model)
        began = time.monotonic()
        run(program, binaries, home, project, variables)
        seconds = time.monotonic() - began
        return seconds, self._lacking(program, project.name) if hooks else []

    def _lacking(self, program: Program, project: str) -> list[str]:
        """What does not arrive in time: hooks send in the background."""
        poll(lambda: not list(self._lacks(program, project)), DELIVERED_S, interval=0.5)
        return list(self._lacks(program, project))

    def _lacks(self, program: Program, project: str) -> Iterator[str]:
        named = (one for one in self._sessions() if one["agent"]["project"] == project)
        session = next((one for one in named if one["agent"]["client"] == program.client), None)
        if session is None:
            yield "session"
            return
        messages = self.client.get(f"/api/conversations/{session['id']}/messages?limit=100")["data"]
        said = {role: [one for one in messages if one["role"] == role] for role in ("user", "assistant", "tool")}
        if not any(one["content"].strip('"\n').endswith("hello.") for one in said["user"]):
            yield "prompt"
        if not any(SHOWN in json.dumps(one["parts"]) for one in said["tool"]):
            yield "tool"
        if not any(one["content"] == REPLY for one in said["assistant"]):
            yield "reply"
        if program.client in ENDS and not session["agent"]["ended_at"]:
            yield "end"

    def _sessions(self) -> list[dict[str, Any]]:
        return [one for one in self.client.get("/api/sessions?limit=100")["data"] if one["agent"]]

    def _continuity(self, home: Path, *arguments: str) -> None:
        environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
        subprocess.run([self.command, *arguments], env=environment, check=True, capture_output=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
