"""A candidate with a secret in any of its texts is refused before it is sent or stored."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.secrets.redaction import Secret
from apps.engine.extraction.candidate import Candidate, Quote, Refused
from apps.engine.extraction.own_words import Span
from apps.engine.memory.categories import Category
from apps.engine.memory.slots import Slot
from apps.engine.memory.trust import Source
from apps.extraction.services import batches
from apps.extraction.services.secret_check import secret_check
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import remember
from tests.providers.answers import memory
from tests.providers.behaviours import Behaviour
from tests.providers.server import ProviderServer

KEY = "AKIAIOSFODNN7EXAMPLE"
# No phrase announces that it has a password.
URL = "postgres://app:Zeppelin99x@db.internal/app"
PLAIN = Candidate(
    Category.ENTITIES, "We deploy daily.", Quote("1", 0, Span(10, 26), "We deploy daily."), Source.QUOTED, "rule", 0.8
)


@pytest.mark.parametrize(
    "candidate",
    [
        replace(PLAIN, statement=f"We deploy with {KEY}."),
        replace(PLAIN, slot=Slot("deploy", "account", KEY)),
        replace(PLAIN, name=KEY),
        replace(PLAIN, quote=replace(PLAIN.quote, text=f"We deploy with {KEY}")),
    ],
    ids=["statement", "value", "name", "quote"],
)
def test_a_secret_in_any_text_refuses_the_candidate(candidate: Candidate) -> None:
    checked = secret_check(candidate)
    assert isinstance(checked, Refused) and checked.why == "secret"


def test_a_part_of_a_secret_in_the_quote_refuses_the_candidate() -> None:
    assert isinstance(secret_check(PLAIN, [Secret(20, 40, "password")]), Refused)
    assert secret_check(PLAIN, [Secret(26, 40, "password")]) == PLAIN


def test_a_secret_before_the_quote_is_redacted() -> None:
    checked = secret_check(replace(PLAIN, context=f"The key is {KEY}."))
    assert isinstance(checked, Candidate) and KEY not in checked.context


@pytest.mark.django_db
def test_no_secret_is_searched_for(alice: Actor, model: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> None:
    talk, searched, similar_to = conversation(alice), [], batches.similar_to

    def recorded(actor: Actor, conversation_id: UUID, found: Any, **options: bool) -> Any:
        searched.extend(one.statement for one in found.candidates)
        return similar_to(actor, conversation_id, found, **options)

    monkeypatch.setattr(batches, "similar_to", recorded)
    say(alice, talk, f"The reports are fine, we read them daily. They use {URL}.")
    claim = memory("m0", "The reports are fine", f"The reports use {URL}.")
    model.script(Behaviour(text=json.dumps({"memories": [claim]})))
    assert set(remember(alice, talk)["refused_reasons"]) == {"secret"}
    assert URL not in "".join(searched)
