"""Filling a workspace with the memories of many, and giving them their vectors, by the product's own functions."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.addresses import Address
from apps.jobs.models import DueJob
from apps.jobs.services import Later, Lease, claim_named
from apps.jobs.services.leases import lease_take
from apps.memory.services.bulk import MOST_ITEMS, nodes_create_bulk
from apps.memory.services.nodes import NodeDraft
from apps.memory.services.vectors import KEY, KIND, vectors_run
from bench._find.texts import memory_date, memory_text

PLACE = Address("mem://user/events")


@dataclass
class Filled:
    """How many memories there are, and how long it took to add them and to give them vectors."""

    count: int = 0
    add_s: float = 0.0
    embed_s: float = 0.0

    def fill(self, people: Sequence[Actor], each: int) -> None:
        """Give everybody so many memories more, and all of them their vectors."""
        print(f"Adding {len(people) * each:,} memories.", file=sys.stderr)
        for person in people:
            for begin in range(0, each, MOST_ITEMS):
                self._add(person, min(MOST_ITEMS, each - begin))
        begun = time.perf_counter()
        embed_all(people[0])
        self.embed_s += time.perf_counter() - begun

    def _add(self, person: Actor, count: int) -> None:
        """The texts are made before the clock runs."""
        drafts = [
            NodeDraft(PLACE.child(f"m-{number}"), memory_text(number), occurred_at=memory_date(number))
            for number in range(self.count, self.count + count)
        ]
        begun = time.perf_counter()
        with workspace(person.workspace_id):
            nodes_create_bulk(person, drafts=drafts)
        self.add_s += time.perf_counter() - begun
        self.count += count


def embed_all(person: Actor) -> None:
    """Run the job until nothing waits."""
    while (lease := _lease(person)) is not None:
        try:
            vectors_run(lease)
        except Later:
            DueJob.objects.filter(pk=lease.job_id).update(lease_token=None, lease_until=None, attempts=0)
        else:
            DueJob.objects.filter(pk=lease.job_id).delete()


def _lease(person: Actor) -> Lease | None:
    claim = claim_named(workspace_id=person.workspace_id, kind=KIND, key=KEY)
    return lease_take(job_id=claim.job_id, sent_token=claim.token) if claim else None
