"""`python -m tests.fuzz`: fuzz a stack of its own and print the counts of failures as one line of JSON.

LONG=1 fuzzes for ten minutes. The report of the failures goes to stderr.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from config.stack import packages
from config.stack.client import Client
from config.stack.throwaway_stack import temporary_stack
from tests.own_servers import OWN_SERVERS

CHECKS = ("not_a_server_error", "status_code_conformance", "positive_data_acceptance")
# What would end the run's own key, session or account.
EXCLUDED = ("api_key_detail_delete", "sign_out_create", "member_detail_delete")
SHORT = ("--phases", "examples,fuzzing", "--max-examples", "8")
SHORTEST = ("--phases", "examples,fuzzing", "--max-examples", "1")
LONG = ("--phases", "examples,coverage,fuzzing", "--max-time", "600")
# The limits of requests are not what is tested here.
SETTINGS = {**OWN_SERVERS, "CONTINUITY_MODEL_PROVIDER": "offline", "CONTINUITY_SAMPLE": "false"}


def fuzz_stack(*options: str) -> dict[str, Any]:
    """Run schemathesis against a stack of its own."""
    with temporary_stack(SETTINGS) as stack:
        stack.start()
        return fuzz(stack.client, *options)


def fuzz(client: Client, *options: str) -> dict[str, Any]:
    """Run schemathesis; return the number of requests and of failures of each check."""
    if packages.main(["fuzz"]) != 0:
        raise SystemExit(1)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.ndjson"
        subprocess.run(_command(client, report, options), cwd=folder, stdout=sys.stderr, check=False)
        return _counts(report)


def _command(client: Client, report: Path, options: tuple[str, ...]) -> list[str]:
    program = str(Path(packages.python_of(packages.folder_of("fuzz"))).with_name("schemathesis"))
    command = [program, "run", f"{client.base}/api/schema?format=json", "--url", client.base]
    command += ["-H", f"Authorization: Bearer {client.api_key}", "--checks", ",".join(CHECKS)]
    command += ["--report", "ndjson", "--report-ndjson-path", str(report), "--no-color", "--continue-on-failure"]
    for operation in EXCLUDED:
        command += ["--exclude-operation-id", operation]
    return [*command, *options]


def _counts(report: Path) -> dict[str, Any]:
    """Count requests and failures, by check, in schemathesis's stream of events."""
    cases, failures = 0, Counter[str]()
    for line in report.read_text().splitlines():
        recorder = (json.loads(line).get("ScenarioFinished") or {}).get("recorder") or {}
        cases += len(recorder.get("interactions", {}))
        for checks in recorder.get("checks", {}).values():
            failures.update(check["name"] for check in checks if check["status"] == "failure")
    if not cases:
        raise SystemExit("No request was sent.")
    return {
        "cases": cases,
        "server_errors": failures["not_a_server_error"],
        "undocumented_statuses": failures["status_code_conformance"],
        "refused_valid_requests": failures["positive_data_acceptance"],
    }


if __name__ == "__main__":
    print(json.dumps(fuzz_stack(*(LONG if os.environ.get("LONG") else SHORT))))
