"""Texts that are certainly the same, and texts that only look alike."""

from __future__ import annotations

import pytest

from apps.engine.memory.same_text import same_text_form, same_text_hash

SAME = [
    ("I'm a vegetarian.", "I am a vegetarian"),
    ("We won’t deploy on Fridays", "we will not deploy on fridays!"),
    ("Straße 5", "STRASSE 5"),
    ("Zoe\u0301 mag Tee.", "Zoé mag  Tee"),
    ("コーヒーが好きです。", "ｺｰﾋｰが好きです"),
    ("मुझे चाय पसंद है।", "मुझे चाय पसंद है"),
    ("Use\ttabs\n\nfor Go…", "use tabs for go"),
]
OTHER = [
    ("Tom is taller than Ann", "Ann is taller than Tom"),
    ("I moved from Rome to Paris", "I moved from Paris to Rome"),
    ("Turn the heating on", "Turn the heating off"),
    ("I live in Rome", "I lived in Rome"),
    ("I have little time", "I have a little time"),
    ("Ich mag Kaffee", "Ich mag keinen Kaffee"),
    ("我喜欢咖啡", "我不喜欢咖啡"),
    ("Kahve severim", "Kahve sevmem"),
    ("Мне нравится чай", "Мне не нравится чай"),
    ("Written in C", "Written in C++"),
    ("Version 2.1", "Version 21"),
    ("Is Ann the owner?", "Is Ann the owner"),
    ("The limit is -5", "The limit is 5"),
]


@pytest.mark.parametrize(("text", "other"), SAME)
def test_what_changes_no_meaning_makes_no_difference(text: str, other: str) -> None:
    assert same_text_form(text) == same_text_form(other)
    assert same_text_hash(text) == same_text_hash(other)


@pytest.mark.parametrize(("text", "other"), OTHER)
def test_what_may_change_the_meaning_makes_a_difference(text: str, other: str) -> None:
    assert same_text_hash(text) != same_text_hash(other)


@pytest.mark.parametrize("text", ["", " ", ".", "…!"])
def test_a_text_without_words_is_the_same_as_no_other(text: str) -> None:
    assert same_text_hash(text) == ""
