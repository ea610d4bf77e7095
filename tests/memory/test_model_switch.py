"""Searches return all matches during a switch of the embedding model, whatever happens concurrently."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st
from pytest_django import Settings

from apps.accounts.models import Role, Workspace
from apps.memory.records.search import SearchQuery
from apps.memory.services.index import embedding_batches, embedding_job, embedding_spaces
from tests.conversations.long_conversations import conversation, say
from tests.memory.model_switch_steps import ALL, LOCAL, MODELS, DifferentModels, Play
from tests.memory.recall import remember
from tests.people import person
from tests.providers.environment import set_provider_variables
from tests.providers.server import running

pytestmark = pytest.mark.django_db(transaction=True)


def likely(*kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A strategy that draws from each kind with the same probability."""
    return st.integers(0, len(kinds) - 1).flatmap(kinds.__getitem__)


TEXTS = (
    "We flew to Lisbon.",
    "The garden needs water.",
    "Tax is due in May.",
    "Green tea in the morning?",
    "The boat has a new engine.",
    "Rope and sail were repaired in the harbour, and the invoice came on Friday with the bread.",
)
WORDS = ("boat", "garden", "tax", "tea", "harbour on Friday", "holiday abroad", "zeppelin")

picks, texts, models = st.integers(0, 30), st.sampled_from(TEXTS), st.sampled_from(MODELS)
changes = likely(
    st.tuples(st.just("change"), picks),
    st.tuples(st.just("change"), picks),
    st.tuples(st.just("later")),
    st.one_of(st.tuples(st.just("change_to"), models), st.tuples(st.just("install"), models)),
)
contents = likely(
    st.tuples(st.just("edit"), picks, texts),
    st.tuples(st.just("edit"), picks, texts),
    st.tuples(st.just("share"), picks),
    st.tuples(st.just("share"), picks),
    st.one_of(st.tuples(st.just("archive"), picks), st.tuples(st.just("restore"), picks)),
    st.one_of(st.tuples(st.just("erase"), picks), st.tuples(st.just("create"), texts, st.booleans())),
    st.one_of(st.tuples(st.just("say"), st.lists(texts, min_size=1, max_size=3)), st.tuples(st.just("index"))),
    st.tuples(st.just("leave_out"), picks, st.booleans()),
    st.tuples(st.just("make_anew"), picks, st.booleans()),
)
acts = likely(changes, contents, contents)
helps = st.tuples(st.just("help"), likely(st.just(ALL), st.integers(0, 3)))
meanwhile = st.lists(likely(acts, acts, helps), max_size=4)
works = st.tuples(st.just("work"), likely(st.just(ALL), st.integers(0, 6)), meanwhile)
steps = likely(
    changes,
    contents,
    works,
    works,
    helps,
    st.tuples(st.just("look_slowly"), st.lists(likely(acts, works, works), min_size=1, max_size=4)),
)
wishes = st.builds(
    SearchQuery,
    st.sampled_from(WORDS),
    top_k=st.sampled_from((1, 4, 200)),
    threshold=st.sampled_from((0.0, 0.0, 0.3, 0.8)),
    corpus=st.sampled_from(("all", "all", "memories", "messages")),
)
sessions = st.lists(st.tuples(st.booleans(), wishes, steps), min_size=5, max_size=15)


@pytest.fixture(autouse=True)
def models_of_a_provider(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Providers' models, and jobs with small batches, so that many steps can happen concurrently."""
    monkeypatch.setattr(embedding_batches, "FIRST", 3)
    monkeypatch.setattr(embedding_batches, "LARGEST", 3)
    monkeypatch.setattr(embedding_spaces, "_EMPTY_BATCH", 4)
    with running(DifferentModels()) as server:
        set_provider_variables(settings, OPENAI_API_KEY="sk-test", OPENAI_BASE_URL=f"{server.url}/v1")
        yield


def begun(settings: Settings, has_vectors: bool) -> Play:
    """Begin in a new workspace with memories of Alice, Bob and the team, and a conversation."""
    settings.EMBEDDINGS = LOCAL
    acme = Workspace.objects.create(name="Acme")
    alice, bob = person("Alice", acme, Role.OWNER), person("Bob", acme, Role.MEMBER)
    remember(alice, "mem://user/events/hers", TEXTS[0])
    remember(bob, "mem://user/events/his", TEXTS[1])
    for number, text in enumerate(TEXTS[1:4]):
        remember(alice, f"mem://agent/cases/{number}", text)
    remember(alice, "mem://agent/cases/team", TEXTS[4], shared=True)
    play = Play(alice, bob, conversation(alice), settings)
    say(alice, play.talk, *TEXTS[3:])
    play.index(alice)
    if has_vectors:
        play.work(alice, ALL, ())
    return play


@pytest.mark.slow("it plays many generated changes")
def test_search_keeps_answering_whatever_happens_while_the_model_changes(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each example is many transactions: 10 in the normal run, 400 in the long one.
    @trying(suppress_health_check=list(HealthCheck), max_examples=trying().max_examples // 5)
    @given(st.booleans(), sessions)
    def answers(has_vectors: bool, session: list[tuple[bool, SearchQuery, tuple[Any, ...]]]) -> None:
        play = begun(settings, has_vectors)
        monkeypatch.setattr(embedding_job, "fault_point", play.between)
        for by_alice, query, step in session:
            actor = play.alice if by_alice else play.bob
            play.begin(actor, query)
            play.step(actor, *step)
            play.check(actor)
        play.finish()
        play.check(play.alice)
        play.check_end()

    answers()
