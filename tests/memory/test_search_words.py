"""The words by which texts in several languages are found."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from studies.languages.ranks import FOLDER
from tests.memory.recall import found_uris, remember

pytestmark = pytest.mark.django_db
LANGUAGES = ("french", "german", "spanish")


def words_of(text: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(search_words(%s))", [text])
        return set(cursor.fetchone()[0])


def language_of(text: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT text_language(%s)::text", [text])
        return str(cursor.fetchone()[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_of_a_sentence_is_told_by_its_function_words(language: str) -> None:
    memories = json.loads((FOLDER / f"{language}.json").read_text())
    told = Counter(language_of(one[key]) for one in memories for key in ("content", "question"))
    assert told[language] >= 58
    assert {language_of(one["english"]) for one in memories} == {"english"}


def test_a_text_in_english_has_the_words_of_the_english_configuration() -> None:
    text = "The deploys of ledgerd failed on 3 May: see https://example.org/a-b and don't retry."
    with connection.cursor() as cursor:
        cursor.execute("SELECT search_words(%s) = to_tsvector('english', %s)", [text, text])
        assert cursor.fetchone() == (True,)


@pytest.mark.parametrize(
    ("text", "question", "other"),
    [
        ("Die Datenbanken laufen in Frankfurt.", "Wo läuft die Datenbank?", "Die Katzen schlafen im Haus."),
        ("Riega las plantas los lunes.", "¿Cuándo se riega la planta?", "Los gatos duermen en la casa."),
        ("Les pannes venaient du noyau.", "D'où venait la panne ?", "Les chats dorment dans la maison."),
        ("娘は猫の毛でくしゃみが出る。", "猫アレルギーは誰ですか？", "息子はバイオリンを習っている。"),
        ("本番はPostgreSQL 17で動いている。", "PostgreSQLのバージョンは？", "犬の名前はモモだ。"),
        ("她每天早上喝绿茶。", "她喝什么茶？", "他住在上海。"),
        ("고양이는 소파에서 자요.", "고양이가 어디에서 자요?", "서울에 살아요."),
    ],
)
def test_a_question_shares_words_with_its_memory_alone(text: str, question: str, other: str) -> None:
    assert words_of(question) & words_of(text)
    assert not words_of(question) & words_of(other)


def test_words_that_only_ask_and_function_words_are_left_out() -> None:
    assert words_of("Wann und wo ist das, und wer kommt mit wem?") == {"kommt"}
    assert words_of("¿Cuándo, dónde y con quién es?") == set()
    assert words_of("これはいつですか？") == set()


def test_a_term_is_found_across_languages(alice: Actor) -> None:
    remember(alice, "mem://user/events/a", "Das Deployment von ledgerd hat die Queries gebremst.")
    remember(alice, "mem://user/events/b", "Der Hund schläft.")
    for question in ("Which deployments slowed ledgerd down?", "slow queries", "¿Qué pasa con ledgerd?"):
        assert found_uris(alice, question)[0] == "mem://user/events/a"


def test_marks_of_print_are_no_part_of_a_word() -> None:
    assert words_of("He called it “the tunnel” — it’s «done»…") == words_of("He called it the tunnel, it's done")
