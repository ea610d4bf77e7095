"""Schedule of `bench.pack`: rounds over four conversation sizes, with every variant in each round."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db import connection

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import use_index_order, workspace
from apps.context.selectors.pack_requests import PackRequest
from apps.context.services.cache_epochs import end_epochs_by_exclusion
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import pack_of
from apps.conversations.models import Message
from apps.conversations.selectors.access import conversation_access
from apps.engine.pack.layers import Layer, Situation, terms_of
from apps.engine.pack.negotiation import negotiate
from apps.llm.providers.base import Purpose
from apps.llm.services.registry import provider_for
from bench._packs.competitors import Peers, peers
from bench._packs.percentiles import p50, p95, ratio, took_ms
from bench._packs.summarized_conversation import segments_made, summarized_conversation
from config.stack.postgres import Postgres
from tests.conversations.long_conversations import huge_talk
from tests.people import person

BUDGET = 12_000
# Every n-th round imports a conversation of the size and builds its first pack.
COLD_EVERY = {100: 1, 1_000: 1, 10_000: 2, 100_000: 3}
SIZES = tuple(COLD_EVERY)
VARIANTS = ("warm", "new_epoch", "cold", "excluded", "floor")
SMALL, LARGE = 1_000, 100_000
EXCLUDED = 10_000
ROUNDS = 15
BUILDS = 6
NEGOTIATIONS = 100

# The newest live messages that fit, by their stored counts, in the order of the index that holds them.
FLOOR = """
SELECT role, content FROM (
    SELECT role, content, sum(live_cost) OVER (ORDER BY place DESC) AS through FROM (
        SELECT "index"::bigint AS place, role, content, live_cost FROM conversations_message
        WHERE workspace_id = %s AND conversation_id = %s AND compacted_in IS NULL AND NOT excluded
        ORDER BY place DESC LIMIT 400
    ) AS newest
) AS counted WHERE through <= %s
"""
TERMS = terms_of(
    Situation(
        BUDGET, message_count=1_000, conversation_tokens=104_000, message_tokens=104, topic_count=3, entity_count=4
    )
)
FIXED = {"system": 200, "pins": 150, "message": 104}
CONTENTS = {
    Layer.IDENTITY: 300,
    Layer.PREFERENCES: 500,
    Layer.TOPICS: 2_600,
    Layer.ENTITIES: 900,
    Layer.CONVERSATION: 1_700,
    Layer.JUST_IN_TIME: 1_400,
    Layer.HISTORY: 104_000,
}

Line = dict[str, Any]


def measured(postgres: Postgres) -> Iterator[Line]:
    schedule = Schedule(person("Alice", Workspace.objects.create(name="Acme"), Role.OWNER))
    # Later imports are not in these statistics.
    postgres.execute(f"\\connect {postgres.database}\nANALYZE;")
    with peers(schedule.role_contents(), BUDGET) as beside:
        for number in range(ROUNDS):
            print(f"Round {number + 1} of {ROUNDS}.", file=sys.stderr)
            schedule.round(number, beside)
    yield from schedule.lines()
    yield from beside.lines({size: schedule.median("warm", size) for size in SIZES})


class Schedule:
    """The conversations, and the times so far by variant and number of messages."""

    def __init__(self, actor: Actor) -> None:
        print(f"Importing conversations of up to {LARGE:,} messages.", file=sys.stderr)
        self.actor = actor
        self.times: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
        self.talks = {size: huge_talk(actor, size) for size in SIZES}
        self.summarized = {size: summarized_conversation(actor, size) for size in SIZES}
        self.made_cold: dict[int, int] = {}
        self.shortened = {size: huge_talk(actor, size + EXCLUDED, excluded_at_end=EXCLUDED) for size in SIZES}

    def role_contents(self) -> list[tuple[str, str]]:
        """Return roles and contents of the longest conversation; the others are its prefixes."""
        with workspace(self.actor.workspace_id):
            rows = Message.objects.filter(conversation_id=self.talks[LARGE]).order_by("index")
            return list(rows.values_list("role", "content"))

    def round(self, number: int, beside: Peers) -> None:
        for size in SIZES:
            if number % COLD_EVERY[size] == 0:
                self._build_cold(size)
            beside.time_all(size)
        # The first pass refills the caches.
        for again in range(1 + BUILDS):
            for size in SIZES:
                self._look(size, counts=again > 0)
        self.times["negotiation", 0] += [took_ms(_negotiate) for _ in range(NEGOTIATIONS)]

    def _build_cold(self, size: int) -> None:
        talk = huge_talk(self.actor, size)
        self._take("cold", size, self._build_ms(talk))
        self.made_cold[size] = segments_made(self.actor, talk)

    def _look(self, size: int, *, counts: bool) -> None:
        warm, excluded = self._build_ms(self.talks[size]), self._build_ms(self.shortened[size])
        new_epoch = self._new_epoch_ms(self.summarized[size])
        floor = self._floor_ms(self.talks[size])
        if counts:
            self._take("warm", size, warm)
            self._take("new_epoch", size, new_epoch)
            self._take("excluded", size, excluded)
            self._take("floor", size, floor)

    def _take(self, variant: str, size: int, took: float) -> None:
        self.times[variant, size].append(took)

    def _build_ms(self, talk: UUID) -> float:
        """Time a build as in a turn: the conversation is loaded, the transaction open, the message embedded."""
        embedded = query_embed(self.actor, talk)
        with workspace(self.actor.workspace_id):
            conversation, policy = conversation_access(self.actor, talk), policy_for_workspace()
            request = PackRequest(provider_for(Purpose.CHAT, policy), BUDGET, sends=True, embedded_query=embedded)
            return took_ms(lambda: pack_of(self.actor, conversation, policy, request))

    def _new_epoch_ms(self, talk: UUID) -> float:
        """Time the first build of an epoch, as after an exclusion."""
        with workspace(self.actor.workspace_id):
            end_epochs_by_exclusion(conversation_id=talk)
        return self._build_ms(talk)

    def _floor_ms(self, talk: UUID) -> float:
        with workspace(self.actor.workspace_id), use_index_order(), connection.cursor() as cursor:
            return took_ms(lambda: cursor.execute(FLOOR, [self.actor.workspace_id, talk, BUDGET]).fetchall())

    def median(self, variant: str, size: int) -> float:
        return p50(self.times[variant, size])

    def lines(self) -> Iterator[Line]:
        yield from (self._line(size) for size in SIZES)
        names = {of: "ratio" if of == "warm" else f"{of}_ratio" for of in VARIANTS}
        growth = {name: ratio(self.median(of, LARGE), self.median(of, SMALL)) for of, name in names.items()}
        yield {"bench": "pack_growth", **growth, "messages": LARGE, "over": SMALL}
        took = [1_000 * one for one in self.times["negotiation", 0]]
        yield {"bench": "pack_negotiation", "p50_us": p50(took), "p95_us": p95(took), "samples": len(took)}

    def _line(self, size: int) -> Line:
        line: Line = {"bench": "pack", "messages": size}
        for variant in VARIANTS:
            times = self.times[variant, size]
            line |= {f"{variant}_p50_ms": p50(times), f"{variant}_p95_ms": p95(times)}
        over = ratio(line["warm_p50_ms"], line["floor_p50_ms"])
        samples = {variant: len(self.times[variant, size]) for variant in VARIANTS}
        includes = f"{self.made_cold[size]} segments summarized during the build"
        return {**line, "cold_includes": includes, "warm_over_floor": over, "samples": samples}


def _negotiate() -> None:
    negotiate(BUDGET, fixed=FIXED, contents=CONTENTS, terms=TERMS)
