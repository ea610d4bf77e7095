"""`continuity import`: read a source and upload it in batches, with progress and an exact report.

Memories of a file count as the person's own only if they say so; otherwise they wait in the inbox.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

from continuity_client.client import Client
from continuity_client.hook.spool import new_id
from continuity_client.http import ServerError
from continuity_client.imports import Item, SourceError, reader_of
from continuity_client.imports.batching import batches
from continuity_client.terminal import BOLD, DIM, CommandError, counted, show, show_json, style
from continuity_client.terminal import without_escapes as safe

TRIES, PAUSE = 4, 2.0
MOST_SHOWN = 20
STATUSES = ("created", "existing", "skipped", "refused")
AGAIN = "Run the same command again: what is there already is not imported twice."


class Report:
    """The results so far. `confirmed`: the person says that what is imported is their own."""

    def __init__(self, source: str, *, dry_run: bool, confirmed: bool) -> None:
        self.import_id, self.source = new_id(), source
        self.dry_run, self.confirmed = dry_run, confirmed
        self.waiting = 0
        self.statuses: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.problems: list[dict[str, Any]] = []

    @property
    def total(self) -> int:
        return sum(self.statuses.values())

    def add(self, items: list[Item], results: Iterable[dict[str, Any]]) -> None:
        """Count the results of a batch; an item without one counts as refused."""
        by_key = {str(result.get("key")): result for result in results}
        for item in items:
            result = by_key.get(str(item["key"]), {"status": "refused", "reason": "The server gave no result."})
            self.statuses[str(result["status"])] += 1
            self.kinds[str(item["kind"])] += 1
            self.waiting += result.get("reason") == "waiting"
            if result["status"] in ("skipped", "refused"):
                self.problems.append(
                    {"key": item["key"], "status": result["status"], "reason": result.get("reason") or ""}
                )

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        counts = {status: self.statuses[status] for status in STATUSES}
        head = {"import_id": self.import_id, "source": self.source, "dry_run": self.dry_run, "items": self.total}
        inbox = {"confirmed": self.confirmed, "waiting": self.waiting}
        return {**head, **inbox, **counts, "kinds": dict(self.kinds), "problems": self.problems}


def run_import(options: argparse.Namespace) -> int:
    """Import from a source."""
    client = Client()
    client.check_server()
    confirmed = _is_confirmed(client, options)
    report = Report(options.source, dry_run=options.dry_run, confirmed=confirmed)
    _import(client, options, report)
    _show_report(options, report)
    return 1 if report.statuses["refused"] else 0


def _is_confirmed(client: Client, options: argparse.Namespace) -> bool:
    """Whether the person says that it is their own: what their own tools keep in the usual place is."""
    if options.confirmed is not None:
        return bool(options.confirmed)
    if not (options.path or options.named_path):
        return True
    is_asked = sys.stdin.isatty() and sys.stdout.isatty() and not options.json and not options.dry_run
    return is_asked and _confirm(client, options)


def _confirm(client: Client, options: argparse.Namespace) -> bool:
    """Show what would be imported, and ask."""
    preview = Report(options.source, dry_run=True, confirmed=True)
    _import(client, options, preview)
    _show_report(options, preview)
    show("Memories that are not your own wait in your inbox, and no agent is told of them before you approve them.")
    return input("Are these your own memories? [y/N] ").strip().lower() in ("y", "yes")


def _import(client: Client, options: argparse.Namespace, report: Report) -> None:
    try:
        for batch in batches(reader_of(options.source)(options.path or options.named_path)):
            report.add(batch, _upload(client, report, batch))
            _show_progress(options, report)
    except SourceError as error:
        raise CommandError(str(error)) from None
    finally:
        _end_progress(options)


def _upload(client: Client, report: Report, batch: list[Item]) -> list[dict[str, Any]]:
    for attempt in range(TRIES):
        try:
            answer = client.import_items(report.source, report.import_id, batch, report.dry_run, report.confirmed)
            results: list[dict[str, Any]] = answer.get("results", [])
            return results
        except ServerError as error:
            if not error.may_pass or attempt == TRIES - 1:
                raise CommandError(f"{error} {report.total} items are done. {AGAIN}") from None
            time.sleep(PAUSE * 2**attempt)
    raise AssertionError


def _show_progress(options: argparse.Namespace, report: Report) -> None:
    if sys.stderr.isatty() and not options.json:
        sys.stderr.write(f"\r\x1b[K{report.total} items · {_counts(report)}")
        sys.stderr.flush()


def _end_progress(options: argparse.Namespace) -> None:
    if sys.stderr.isatty() and not options.json:
        sys.stderr.write("\r\x1b[K")


def _counts(report: Report) -> str:
    return " · ".join(f"{report.statuses[status]} {status}" for status in STATUSES if report.statuses[status])


def _show_report(options: argparse.Namespace, report: Report) -> None:
    if options.json:
        show_json(report.document())
        return
    verb = "would be imported" if report.dry_run else "imported"
    show(f"{style(str(report.total), BOLD)} items read from {report.source}, {report.statuses['created']} {verb}.")
    show(f"  {_counts(report) or 'nothing to import'}")
    for kind, count in sorted(report.kinds.items()):
        show(style(f"  {count:>6} {kind}", DIM))
    if report.waiting:
        waits = "would wait" if report.dry_run else "waits" if report.waiting == 1 else "wait"
        show(f"{counted(report.waiting, 'memory', 'memories')} {waits} in your inbox: `continuity inbox` lists them.")
    for problem in report.problems[:MOST_SHOWN]:
        show(safe(f"  {problem['status']}: {problem['key']}: {problem['reason']}"))
    if len(report.problems) > MOST_SHOWN:
        show(f"  … and {len(report.problems) - MOST_SHOWN} more; `--json` lists them all.")
