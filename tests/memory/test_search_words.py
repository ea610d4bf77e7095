"""The words by which texts in several languages are found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.language.search_words.analysis import STOP, VERSION, search_words
from apps.engine.language.search_words.languages import language_of
from apps.jobs.models import DueJob
from apps.memory.models import Passage
from apps.memory.services.index import reconcile
from studies.languages.ranks import FOLDER
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import found_uris, index, look, make_vectors, passages_of, remember, run_named

pytestmark = pytest.mark.django_db
LANGUAGES = {"french": "fr", "german": "de", "spanish": "es"}


def words_of(text: str) -> set[str]:
    """The stems of a text without its stop words."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(stemmed_words(%s))", [search_words(text)])
        return {term for term in cursor.fetchone()[0] if not term.startswith(STOP)}


def language_told(text: str) -> str:
    tokens = (token.split(":")[0] for token in search_words(text).split())
    return Counter(filter(None, tokens)).most_common(1)[0][0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_of_a_sentence_is_told_by_its_function_words(language: str) -> None:
    memories = json.loads((FOLDER / f"{language}.json").read_text())
    told = Counter(language_told(one[key]) for one in memories for key in ("content", "question"))
    assert told[LANGUAGES[language]] >= 58
    assert {language_told(one["english"]) for one in memories} == {"en"}
    assert language_of(()) == "en"


def test_a_text_in_english_has_the_stems_of_the_english_configuration() -> None:
    text = "The deploys of ledgerd failed on 3 May, and we were retrying them for 12 hours."
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(to_tsvector('pg_catalog.english', %s))", [text])
        assert words_of(text) == set(cursor.fetchone()[0])


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
        ("Собаки спят на диване.", "Где спит собака?", "Книга лежит дома."),
        ("Οι γάτες κοιμούνται.", "γάτα", "Το βιβλίο είναι εδώ."),
        ("แมวนอนบนโซฟา", "แมวนอนที่ไหน", "กาแฟดำ"),
        ("החתול ישן על הספה", "מה עושה חתול?", "ירד גשם"),
        ("القطة تنام على الأريكة", "أين قطة؟", "سافر الرجل"),
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


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("Set it in conf/app/load_config.toml.", ("load_config.toml", "load config", "app/load_config", "loadconfig")),
        ("The tool is written in C++.", ("c++", "C++")),
        ("It broke with v4.7.2-beta.3.", ("4.7.2", "4.7", "v4.7.2-beta.3")),
        ("Call 0043-8841-12.", ("8841", "0043 8841 12", "0043884112")),
        ("Das Spiel war in Köln, es gab Glühwein und Fußball.", ("koln", "KOELN", "gluhwein", "fussball")),
        ("Το καφενείο της Αθήνας.", ("καφενειο",)),
        ("เรากินข้าวเย็นตอนหกโมง", ("ข้าว", "กิน")),
        ("נסענו לירושלים", ("ירושלים",)),
        ("ذهبت للمدرسة", ("مدرسة", "المدرسة")),
        ("책을 읽어요.", ("책",)),
    ],
)
def test_a_memory_is_the_only_one_found_by_the_words_in_it(alice: Actor, text: str, queries: Sequence[str]) -> None:
    remember(alice, "mem://user/events/wanted", text)
    for name, other in (("a", "Vitamin C is in oranges."), ("b", "Es regnet."), ("c", "ฝนตก"), ("d", "הגשם ירד")):
        remember(alice, f"mem://user/events/{name}", other)
    for query in queries:
        hits = [hit for hit in look(alice, query).hits if hit.shares_words]
        assert [hit.uri for hit in hits] == ["mem://user/events/wanted"], query


def test_a_query_of_stop_words_alone_finds_the_text_that_has_them(alice: Actor) -> None:
    remember(alice, "mem://user/events/a", "To have and have not is on the shelf.")
    remember(alice, "mem://user/events/b", "Green tea in the morning.")
    (best, *_) = look(alice, "to have and have not").hits
    assert best.uri == "mem://user/events/a" and best.shares_words
    assert not any(hit.shares_words for hit in look(alice, "the").hits)
    assert [hit.shares_words for hit in look(alice, "to have green tea").hits] == [True, False]


def test_what_an_earlier_version_analyzed_is_analyzed_again_by_the_sweep(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_ANALYZED", 1)
    remember(alice, "mem://user/events/a", "We met at the Café Zürich.")
    talk = conversation(alice)
    say(alice, talk, "The file is load_config.toml.", "Noted.")
    index(alice, talk)
    make_vectors(alice)
    with workspace(alice.workspace_id):
        expected = dict(Passage.objects.values_list("id", "words"))
        Passage.objects.update(words="'old'", word_count=1, words_version=0)
    assert not any(hit.shares_words for hit in look(alice, "zurich").hits)
    DueJob.objects.filter(kind="memory_sweep").delete()
    with workspace(alice.workspace_id):
        while reconcile._step():
            pass
        rows = list(Passage.objects.all())
    assert {row.id: row.words for row in rows} == expected
    assert {(row.words_version, row.word_count == 1) for row in rows} == {(VERSION, False)}
    assert all(row.wanted_at is None for row in rows)
    assert [passage.place for passage in passages_of(alice, talk)] == [0, 1]
    assert look(alice, "zurich").hits[0].shares_words
    assert not run_named(alice, "memory_sweep", "")
