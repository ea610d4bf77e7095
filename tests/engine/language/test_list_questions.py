"""Questions that ask for several things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.list_questions import asks_for_several


@pytest.mark.parametrize(
    "question",
    [
        "What activities does Ann enjoy?",
        "Which of the books did Ann like, which new places did she see?",
        "Hi! In which cities has Ann lived?",
        "What are Ann's hobbies?",
        "Who were the people at the party?",
        "Where has Ann been?",
        "What has Ann painted?",
        "Which children were there?",
        "What kinds of cakes and breads does he bake?",
        "Welche Bücher hat Ann gelesen?",
        "Welche neuen Städte hat sie besucht, und welche Sprachen spricht sie?",
        "In welchen Ländern war Ann?",
        "Was hat Ann alles gemalt?",
        "Welche Projekte sind offen?",
        "¿Qué libros leyó Ana?",
        "¿En qué ciudades ha vivido Ana?",
        "¿Cuáles son sus aficiones?",
        "¿Quiénes fueron a la fiesta?",
        "Quels livres Anne a-t-elle lus ?",
        "Dans quelles villes Anne a-t-elle habité ?",
        "アンはこれまでにどんな本を読みましたか？",
        "アンの趣味をすべて教えて。",
    ],
)
def test_plurals_and_all_that_has_been_ask_for_several_things(question: str) -> None:
    assert asks_for_several(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is Ann's address?",
        "What was the news?",
        "When did Ann move to Rome?",
        "How long has Ann lived there?",
        "How much has she paid?",
        "Which is this?",
        "Ann reads books.",
        "Why has it failed?",
        "Welche Datenbank benutzen wir?",
        "Welche Nummer hat Ann?",
        "Wie lange wohnt Ann schon dort?",
        "In welchem Stockwerk wohnt Ann?",
        "¿Qué haces los lunes?",
        "¿Qué es esto?",
        "¿Qué base de datos usamos?",
        "Quel livre Anne a-t-elle lu ?",
        "Quelle ville préfère-t-elle ?",
        "アンはどこに住んでいますか？",
        "何時に始まりますか？",
        "",
    ],
)
def test_other_questions_do_not(question: str) -> None:
    assert not asks_for_several(question)


@given(st.text(alphabet="what has s? \n,", max_size=4_000))
def test_any_text_is_read_in_a_short_time(text: str) -> None:
    assert asks_for_several(text) in {True, False}
