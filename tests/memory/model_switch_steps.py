"""Steps of a switch of the embedding model, and the invariants after each of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

import numpy as np
from django.db import connection, connections
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.engine.memory.addresses import Address
from apps.engine.memory.ranking_features import earlier_share
from apps.jobs.models import DueJob, Operation
from apps.jobs.services import (
    RescheduleJob,
    claim_named,
    job_complete,
    job_postpone,
    job_request,
    job_request_within,
    lease_take,
)
from apps.llm.embedding.model_ids import remote_name
from apps.llm.embedding.wordllama import WordLlamaEmbedder
from apps.memory.models import Embedding, EmbeddingSpace, MemNode, MemRevision, Passage
from apps.memory.records.search import SearchQuery, SearchResult, SpaceRecord
from apps.memory.selectors.search.embedding_spaces import serving_space
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from apps.memory.services.index.embedding_job import KEY, KIND, vectors_run
from apps.memory.services.index.embedding_spaces import GRACE_S
from apps.memory.services.index.passages import KIND as MESSAGES
from apps.memory.services.index.reembed import nodes_reembed, workspace_reembed
from apps.memory.services.index.space_changes import space_change
from apps.memory.services.tree.archive import node_archive, node_unarchive
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.share import node_share
from apps.turns.services.messages import messages_set_excluded
from tests.conversations.long_conversations import say
from tests.memory.exhaustive_search import Text, texts_of
from tests.memory.recall import run_named
from tests.memory.search_comparison import Asked, asked_by, check_found
from tests.providers.behaviours import Behaviour, Recorded
from tests.providers.openai_server import OpenAIWire, vector

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

Row = TypeVar("Row", bound=Model)
LOCAL = "wordllama-256"
MODELS = (LOCAL, "openai/text-embedding-one@8", "openai/text-embedding-two@8")
ALL = 10_000
FIRST = SearchQuery("tea", top_k=200)
MANY_UNITS = ("work", "help", "look_slowly")
HELPER = f"{KEY}-2"


class SlowSearch(Thread):
    """A search that pauses just before its statement, until it is resumed."""

    def __init__(self, actor: Actor, query: SearchQuery) -> None:
        super().__init__(daemon=True)
        self.asked = asked_by(actor, query)
        self.found: SearchResult | None = None
        self.knows, self.goes_on = Event(), Event()
        self._actor = actor

    def run(self) -> None:
        try:
            with workspace(self._actor.workspace_id), connection.execute_wrapper(self._pause):
                self.found = find(self._actor, self.asked.query)
        finally:
            self.knows.set()
            connections.close_all()

    def _pause(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "candidates AS" in sql:
            self.knows.set()
            assert self.goes_on.wait(30)
        return execute(sql, params, many, context)


class DifferentModels(OpenAIWire):
    """A provider whose models return different vectors for the same text, all of one length."""

    def aside(self, request: Recorded, behaviour: Behaviour) -> Any:
        if request.path == "/v1/embeddings":
            texts = [f"{request.body['model']}: {text}" for text in request.body["input"]]
            request = replace(request, body={**request.body, "input": texts})
        return super().aside(request, behaviour)


@cache
def meant(model: str, text: str) -> Vector:
    """Return the model's vector of a text."""
    remote = remote_name(model)
    if remote is None:
        return WordLlamaEmbedder().embed([text])[0]
    values = np.asarray(vector(f"{remote.model}: {text.strip() or '.'}"), dtype=np.float32)
    made: Vector = values / np.linalg.norm(values)
    return made


@dataclass
class Play:
    """One run of steps. The running job still has `batches` to do, and `acts` happen before it writes one."""

    alice: Actor
    bob: Actor
    talk: UUID
    settings: Settings
    chosen: str = ""
    operations: dict[UUID, str] = field(default_factory=dict)
    batches: int = ALL
    acts: list[tuple[Any, ...]] = field(default_factory=list)
    begun: SearchQuery = FIRST

    def step(self, actor: Actor, name: str, *values: Any) -> None:
        """Run a step; a step in one unit of work may be refused."""
        action = getattr(self, name)
        if name in MANY_UNITS:
            action(actor, *values)
            return
        with suppress(ContinuityError), workspace(actor.workspace_id):
            action(actor, *values)

    def create(self, actor: Actor, content: str, shared: bool) -> None:
        place = Address(f"mem://agent/cases/c-{MemRevision.objects.count()}")
        node_create(actor, draft=NodeDraft(place, content, shared=shared))

    def edit(self, actor: Actor, pick: int, content: str) -> None:
        node = self._node(actor, pick)
        node_edit(actor, node_id=node.id, changes={"content": content}, version=node.version)

    def archive(self, actor: Actor, pick: int) -> None:
        node_archive(actor, node_id=self._node(actor, pick).id)

    def restore(self, actor: Actor, pick: int) -> None:
        node_unarchive(actor, node_id=self._node(actor, pick, archived_at__isnull=False).id)

    def share(self, actor: Actor, pick: int) -> None:
        node = self._node(self.alice, pick, uri__startswith="mem://agent/", owner_id=self.alice.user_id)
        node_share(self.alice, node_id=node.id)

    def erase(self, actor: Actor, pick: int) -> None:
        node_erase(actor, node_id=self._node(actor, pick).id)

    def say(self, actor: Actor, contents: Sequence[str]) -> None:
        say(self.alice, self.talk, *contents)

    def index(self, actor: Actor) -> None:
        run_named(self.alice, MESSAGES, str(self.talk))

    def leave_out(self, actor: Actor, pick: int, excluded: bool) -> None:
        there = Message.objects.filter(conversation_id=self.talk, excluded=not excluded).order_by("index")
        message = _picked(there, pick)
        messages_set_excluded(self.alice, conversation_id=self.talk, message_ids=[message.id], excluded=excluded)

    def make_anew(self, actor: Actor, pick: int, everything: bool) -> None:
        if everything:
            workspace_reembed(self.alice)
        else:
            nodes_reembed(self.alice, node_ids=[self._node(actor, pick).id])

    def change(self, actor: Actor, pick: int) -> None:
        """Switch to an unused model, if there is one."""
        taken = set(EmbeddingSpace.objects.values_list("model", flat=True))
        free = [model for model in MODELS if model not in taken] or [*MODELS]
        self.change_to(actor, free[pick % len(free)])

    def change_to(self, actor: Actor, model: str) -> None:
        """Switch to a model; a switch in progress is canceled, and an existing space is reused."""
        others = EmbeddingSpace.objects.filter(state="building").exclude(model=model)
        given_up = [each for each in others.values_list("operation", flat=True) if each]
        operation = space_change(self.alice, model)
        self.operations |= dict.fromkeys(given_up, "failed")
        if operation:
            self.operations[operation.id] = "succeeded"
        self.chosen = model

    def install(self, actor: Actor, model: str) -> None:
        self.settings.EMBEDDINGS = model

    def later(self, actor: Actor) -> None:
        """Advance the time so far that no search can still use a replaced space."""
        long_ago = timezone.now() - timedelta(seconds=GRACE_S + 1)
        EmbeddingSpace.objects.filter(state="retired").update(since=long_ago)

    def work(self, actor: Actor, batches: int, acts: Sequence[tuple[Any, ...]]) -> None:
        """Run some batches of the embedding job, if it is due, with concurrent steps."""
        self._work(KEY, batches, acts)

    def help(self, actor: Actor, batches: int) -> None:
        """Run some batches of a second worker of the workspace, perhaps while the first one has a batch in hand."""
        with workspace(actor.workspace_id):
            job_request_within(0, 0, workspace_id=actor.workspace_id, kind=KIND, key=HELPER)
        held = self.batches, self.acts
        self._work(HELPER, batches, ())
        self.batches, self.acts = held

    def _work(self, key: str, batches: int, acts: Sequence[tuple[Any, ...]]) -> None:
        claim = claim_named(workspace_id=self.alice.workspace_id, kind=KIND, key=key)
        lease = lease_take(job_id=claim.job_id, sent_token=claim.token) if claim else None
        if lease is None:
            return
        self.batches, self.acts = batches, list(acts)
        try:
            vectors_run(lease)
        except RescheduleJob as later:
            job_postpone(lease, seconds=later.seconds)
        else:
            job_complete(lease)
        self.batches, self.acts = ALL, []

    def between(self, point: str) -> None:
        """Run the concurrent steps when the job has computed vectors and is about to write them."""
        if self.batches == 0:
            raise RescheduleJob(0)
        self.batches -= 1
        if self.acts:
            self.step(self.alice, *self.acts.pop())
            self.look(self.bob)

    def look_slowly(self, actor: Actor, acts: Sequence[tuple[Any, ...]]) -> None:
        """Run steps between a search's two statements: it uses the space that the first one read."""
        _, space = self._serving(actor)
        slow = SlowSearch(actor, self.begun)
        slow.start()
        slow.knows.wait(10)
        for act in acts:
            self.step(self.alice, *act)
        every = texts_of(actor, space.id if space else None)
        slow.goes_on.set()
        slow.join(10)
        assert slow.found is not None
        check_found(slow.found, slow.asked, every, _vector(slow.asked, space))

    def _serving(self, actor: Actor) -> tuple[dict[UUID, list[Text]], SpaceRecord | None]:
        with workspace(actor.workspace_id):
            space = serving_space()
        return texts_of(actor), space

    def look(self, actor: Actor) -> None:
        """Check a search that had its vector before the last step, and one that begins now."""
        every, space = self._serving(actor)
        made = self.begun.vectors.model if self.begun.vectors else ""
        again = [with_vector(actor, self.begun)] if space and space.model != made else []
        for query in (self.begun, *again):
            with workspace(actor.workspace_id):
                found = find(actor, query)
            asked = asked_by(actor, query)
            check_found(found, asked, every, _vector(asked, space))

    def check(self, actor: Actor) -> None:
        self.look(actor)
        with workspace(self.alice.workspace_id):
            check_vectors()

    def begin(self, actor: Actor, query: SearchQuery) -> None:
        """Begin a search: embed its question now."""
        self.begun = with_vector(actor, query)

    def finish(self) -> None:
        """Run all jobs until none is due and the reconciliation requests none."""
        for _ in range(10):
            self.step(self.alice, "index")
            while self._is_asked(KIND):
                self.help(self.alice, ALL)
                self.work(self.alice, ALL, ())
                self.step(self.alice, "later")
            self._sweep()
            if not self._is_asked(KIND) and not self._is_asked(MESSAGES):
                return
        raise AssertionError("there is no end to it")

    def check_end(self) -> None:
        """Check that only the model chosen last serves, with one vector for every passage."""
        with workspace(self.alice.workspace_id):
            (space,) = EmbeddingSpace.objects.all()
            assert (space.model, space.state) == (self.chosen or self.settings.EMBEDDINGS, "serving")
            assert not Passage.objects.filter(wanted_at__isnull=False).exists()
            held = sorted(Embedding.objects.values_list("passage_id", flat=True))
            assert held == sorted(Passage.objects.values_list("id", flat=True))
            ended = Operation.objects.filter(pk__in=self.operations).values_list("pk", "state")
            assert dict(ended) == self.operations

    def _is_asked(self, kind: str) -> bool:
        return DueJob.objects.filter(workspace_id=self.alice.workspace_id, kind=kind).exists()

    def _sweep(self) -> None:
        now = timezone.now()
        job_request(workspace_id=self.alice.workspace_id, kind="memory_sweep", key="", due_at=now, deadline_at=now)
        assert run_named(self.alice, "memory_sweep", "")

    def _node(self, actor: Actor, pick: int, **wanted: Any) -> MemNode:
        mine = Q(owner_id=actor.user_id) | Q(owner_id=None)
        rows = MemNode.objects.filter(mine, **{"archived_at__isnull": True, "node_type": "leaf", **wanted})
        return _picked(rows.order_by("id"), pick)


def check_vectors() -> None:
    """Check that each vector is its space's model's vector of the passage. In a unit of work."""
    passages = {row.id: row for row in Passage.objects.select_related("node", "message").defer("words")}
    served: set[UUID] = set()
    for row in Embedding.objects.select_related("space"):
        passage, made = passages[row.passage_id], list(row.vector)
        assert (row.bank, len(made)) == (passage.bank, row.space.dimension)
        if row.space.state == "serving":
            served.add(passage.id)
        if passage.wanted_at is None:
            told = _meant_by(passage, list(passages.values()), row.space.model)
            np.testing.assert_allclose(made, told, atol=1e-3)
    assert {row.id for row in passages.values() if row.wanted_at is None} <= served


def _meant_by(passage: Passage, every: Sequence[Passage], model: str) -> Vector:
    """Return the model's vector of a passage; a message's vector is mixed with that of the message before."""
    if passage.node:
        return meant(model, passage.node.l0_abstract or passage.node.l2_content)
    assert passage.message
    own = meant(model, passage.message.content)
    session = [one for one in every if (one.bank, one.session) == (passage.bank, passage.session)]
    before = [one for one in session if one.place is not None and one.place < (passage.place or 0)]
    if not before:
        return own
    earlier = max(before, key=lambda one: one.place or 0).message
    assert earlier
    mixed = own + earlier_share(len(passage.message.content)) * meant(model, earlier.content)
    told: Vector = mixed / np.linalg.norm(mixed)
    return told


def _vector(asked: Asked, space: SpaceRecord | None) -> Vector | None:
    """Return the question's vector in the serving space; None if it was not embedded for that one."""
    if space is None:
        return None
    made = asked.query.vectors
    return meant(space.model, asked.question.text) if made is not None and made.model == space.model else None


def _picked(rows: QuerySet[Row], pick: int) -> Row:
    found = list(rows[:31])
    if not found:
        raise ContinuityError("nothing there")
    return found[pick % len(found)]
