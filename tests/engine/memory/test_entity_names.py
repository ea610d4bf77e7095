"""Names of entities that a conversation keeps using."""

from __future__ import annotations

from apps.engine.memory.entity_names import MAX_NAME_WORDS, lasting_names


def test_a_name_in_one_message_is_not_lasting_and_in_two_it_is() -> None:
    assert "ember" not in lasting_names([], ["How is Ember going?", "And the rest?"])
    assert "ember" in lasting_names([], ["How is Ember going?", "Is Ember’s deadline near?"])


def test_a_name_twice_in_one_message_is_not_lasting() -> None:
    assert "ember" not in lasting_names([], ["Ember, Ember, Ember."])


def test_a_name_in_a_headline_is_lasting() -> None:
    found = lasting_names(["Plans for Porto", "Take the red espresso machine"], [])
    assert {"porto", "red-espresso-machine"} <= set(found)


def test_a_name_has_up_to_three_words() -> None:
    found = lasting_names(["the old red espresso machine"], [])
    assert "old-red-espresso" in found and "old-red-espresso-machine" not in found
    assert max(name.count("-") for name in found) == MAX_NAME_WORDS - 1


def test_the_most_frequent_name_comes_first() -> None:
    found = lasting_names([], ["Ember and Ana", "Ember and Ana", "Ember again"])
    assert found.index("ember") < found.index("ana")


def test_a_name_is_found_in_any_script() -> None:
    assert {"łódź", "日本"} <= set(lasting_names(["Podróż: Łódź", "日本 旅行"], []))


def test_nothing_has_no_names() -> None:
    assert lasting_names([], []) == lasting_names([""], ["", " "]) == []
