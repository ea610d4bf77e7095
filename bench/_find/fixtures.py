"""Fill a workspace with memories and embed them, by the product's own services."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from django.db import connections

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.jobs.models import DueJob
from apps.jobs.services import Lease, RescheduleJob, claim_named
from apps.jobs.services.leases import lease_take
from apps.memory.services.bulk.create import MOST_ITEMS, nodes_create_bulk
from apps.memory.services.index import embedding_job
from apps.memory.services.index.embedding_job import vectors_run
from apps.memory.services.tree.node_drafts import NodeDraft
from bench._find.corpus import memory_date, memory_text

PLACE = Address("mem://user/events")
PEOPLE_AT_ONCE = 10
MANY = 900
"""Smaller additions are not counted in the rates."""


@dataclass
class Filled:
    """Number of memories; those added in bulk and the seconds taken, by number of clients; the seconds of embedding.

    `spent_s` is the total with generating texts.
    """

    count: int = 0
    added: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    add_s: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    embed_s: float = 0.0
    spent_s: float = 0.0

    def fill(self, people: Sequence[Actor], each: int, *, clients: int = 1) -> None:
        """Add `each` memories per person, and embed them."""
        print(f"Adding {len(people) * each:,} memories.", file=sys.stderr)
        started = time.perf_counter()
        for begin in range(0, len(people), PEOPLE_AT_ONCE):
            self._add(people[begin : begin + PEOPLE_AT_ONCE], each, clients)
        begun = time.perf_counter()
        run_all(people[0], embedding_job.KIND, embedding_job.KEY, vectors_run)
        self.embed_s += time.perf_counter() - begun
        self.spent_s += time.perf_counter() - started

    def added_per_s(self, clients: int) -> int | None:
        return round(self.added[clients] / self.add_s[clients]) if self.added[clients] else None

    def _add(self, people: Sequence[Actor], each: int, clients: int) -> None:
        """Add the memories; texts are generated before the time is measured."""
        calls = [(person, self._drafts(size)) for person in people for size in _sizes(each)]
        with ThreadPoolExecutor(clients) as threads:
            begun = time.perf_counter()
            list(threads.map(_add_all, [calls[number::clients] for number in range(clients)]))
            took = time.perf_counter() - begun
        if each >= MANY:
            self.added[clients] += len(people) * each
            self.add_s[clients] += took

    def _drafts(self, count: int) -> list[NodeDraft]:
        self.count += count
        return [
            NodeDraft(PLACE.child(f"m-{number}"), memory_text(number), occurred_at=memory_date(number))
            for number in range(self.count - count, self.count)
        ]


def _sizes(each: int) -> list[int]:
    return [min(MOST_ITEMS, each - begin) for begin in range(0, each, MOST_ITEMS)]


def _add_all(calls: Sequence[tuple[Actor, Sequence[NodeDraft]]]) -> None:
    try:
        for person, drafts in calls:
            with workspace(person.workspace_id):
                nodes_create_bulk(person, drafts=drafts)
    finally:
        connections.close_all()


def run_all(person: Actor, kind: str, key: str, run: Callable[[Lease], None]) -> None:
    """Run the job until nothing is due."""
    while (lease := _lease(person, kind, key)) is not None:
        try:
            run(lease)
        except RescheduleJob:
            DueJob.objects.filter(pk=lease.job_id).update(lease_token=None, lease_until=None, attempts=0)
        else:
            DueJob.objects.filter(pk=lease.job_id).delete()


def _lease(person: Actor, kind: str, key: str) -> Lease | None:
    claim = claim_named(workspace_id=person.workspace_id, kind=kind, key=key)
    return lease_take(job_id=claim.job_id, sent_token=claim.token) if claim else None
