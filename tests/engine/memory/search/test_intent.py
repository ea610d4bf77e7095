"""Intent of a search by rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.chit_chat import is_chit_chat
from apps.engine.memory.search.intent import MOST_SUB_QUERIES, SubQueryKind, intent_by_rules


@pytest.mark.parametrize(
    "text",
    [
        "hi",
        "Thanks so much!",
        "ok, great 👍",
        "lol",
        "Danke, bis morgen!",
        "¡Muchas gracias!",
        "merci beaucoup",
        "👍",
        "はい",
    ],
)
def test_chit_chat_has_no_sub_queries(text: str) -> None:
    assert intent_by_rules(text).is_chit_chat


@pytest.mark.parametrize(
    "text",
    [
        "allergies",
        "thanks, and when is the launch?",
        "Postgres?",
        "Wo wohne ich?",
        "good restaurants",
        "weekend",
        "help",
        "会議はいつ",
    ],
)
def test_what_asks_for_something_is_no_chit_chat(text: str) -> None:
    assert not is_chit_chat(text)
    assert intent_by_rules(text).sub_queries


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Where do I live and what do I eat?", ["Where do I live", "what do I eat?"]),
        ("When is the launch? Who signs it off?", ["When is the launch?", "Who signs it off?"]),
        ("Wo wohne ich und wann ist der Umzug?", ["Wo wohne ich", "wann ist der Umzug?"]),
        ("Thanks! Which port does the API use?", ["Thanks! Which port does the API use?"]),
        ("Do Anna and Ben like tea?", ["Do Anna and Ben like tea?"]),
        ("What did we decide, and why?", ["What did we decide, and why?"]),
        ("Where does Ada live, and what's her job?", ["Where does Ada live", "what's her job?"]),
    ],
)
def test_a_query_is_split_at_its_questions(text: str, parts: list[str]) -> None:
    assert [one.text for one in intent_by_rules(text).sub_queries] == parts


def test_a_query_with_more_questions_than_sub_queries_stays_whole() -> None:
    text = "What? When is it? Where is it? Who comes? Which day?"
    assert [one.text for one in intent_by_rules(text).sub_queries] == [text]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What am I allergic to?", SubQueryKind.MEMORY),
        ("How do we name branches?", SubQueryKind.PATTERN),
        ("What is the deploy checklist?", SubQueryKind.PATTERN),
        ("What did Carla say about the invoice?", SubQueryKind.RESOURCE),
        ("Was haben wir über den Umzug besprochen?", SubQueryKind.RESOURCE),
        ("¿Cómo hacemos las entregas?", SubQueryKind.PATTERN),
    ],
)
def test_the_words_tell_where_a_sub_query_searches(text: str, kind: SubQueryKind) -> None:
    assert [one.kind for one in intent_by_rules(text).sub_queries] == [kind]


@given(st.text(max_size=300))
def test_any_text_has_at_most_three_sub_queries_of_its_own_words(text: str) -> None:
    found = intent_by_rules(text).sub_queries
    assert len(found) <= MOST_SUB_QUERIES
    assert all(one.text and one.text in " ".join(text.split()) for one in found)
