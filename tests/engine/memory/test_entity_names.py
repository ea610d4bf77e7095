"""Names of entities that a conversation keeps using."""

from __future__ import annotations

import pytest

from apps.engine.memory.entity_names import MAX_NAME_WORDS, lasting_names


def names(headlines: list[str], messages: list[str]) -> list[str]:
    return list(lasting_names(headlines, messages).names)


def test_a_name_in_one_message_is_not_lasting_and_in_two_it_is() -> None:
    assert "ember" not in names([], ["How is Ember going?", "And the rest?"])
    assert "ember" in names([], ["How is Ember going?", "Is Ember’s deadline near?"])


def test_a_name_twice_in_one_message_is_not_lasting() -> None:
    assert "ember" not in names([], ["Ember, Ember, Ember."])


def test_a_name_in_a_headline_is_lasting() -> None:
    found = names(["Plans for Porto", "Take the red espresso machine"], [])
    assert {"porto", "red-espresso-machine"} <= set(found)


def test_a_name_has_up_to_three_words() -> None:
    found = names(["the old red espresso machine"], [])
    assert "old-red-espresso" in found and "old-red-espresso-machine" not in found
    assert max(name.count("-") for name in found) == MAX_NAME_WORDS - 1


def test_the_most_frequent_name_comes_first() -> None:
    found = names([], ["Ember and Ana", "Ember and Ana", "Ember again"])
    assert found.index("ember") < found.index("ana")


def test_a_name_is_found_in_any_script() -> None:
    assert {"łódź", "日本"} <= set(names(["Podróż: Łódź", "日本 旅行"], []))


def test_nothing_has_no_names() -> None:
    assert names([], []) == names([""], ["", " "]) == []


@pytest.mark.parametrize(
    ("messages", "known", "is_meant"),
    [
        (["I will ship it, may I?", "You may; it will be fine."], "Will is a plumber.", False),
        (["Will it work?", "It will."], "Will is a plumber.", False),
        (["I met Will.", "It will be fine."], "Will is a plumber.", True),
        (["Will is late.", "Will's van broke down."], "Will is a plumber.", True),
        (["The will is lost.", "Which will?"], "The will is at the notary's.", True),
        (["where is will", "will's van"], "Is a plumber.", True),
    ],
)
def test_an_ordinary_word_means_no_one_of_that_name(messages: list[str], known: str, is_meant: bool) -> None:
    found = lasting_names([], messages)
    assert "will" in found.names
    assert found.means("will", [known]) is is_meant


def test_a_name_that_is_written_small_is_recognized_in_any_spelling() -> None:
    assert lasting_names([], ["Ledgerd failed.", "ledgerd again"]).means("ledgerd", ["ledgerd needs 2 GB."])
    assert lasting_names([], ["日本 へ", "日本 へ"]).means("日本", ["日本 に 住む"])
