"""Tests of relations between facts: an update replaces what it updates, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.memory.categories import Category
from apps.engine.memory.relations import (
    STILL_HOLDS,
    Fact,
    Related,
    Relation,
    inherited_slot,
    relate,
    with_advice,
)
from apps.engine.memory.slots import Slot
from apps.engine.memory.trust import Trust
from tests.engine.memory.update_pairs import OTHERS, POSSIBLE, UPDATES

_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_SENTENCES = sorted({text for pair in (*UPDATES, *OTHERS, *POSSIBLE) for text in pair})


def _fact(name: str, text: str, day: int = 0, slot: Slot | None = None, context: str = "") -> Fact:
    stated = _START + timedelta(days=day)
    return Fact(name, Category.ENTITIES, text, text, stated, slot, Trust.DIRECT_USER, "", context)


def _relations(earlier: str, later: str, context: str = "") -> list[Relation]:
    related = relate(_fact("later", later, 1, context=context), [_fact("earlier", earlier)])
    return [one.relation for one in related]


@pytest.mark.parametrize(("earlier", "later"), UPDATES)
def test_an_update_replaces_what_it_updates(earlier: str, later: str) -> None:
    assert _relations(earlier, later) == [Relation.SUPERSEDES]


@pytest.mark.parametrize(("earlier", "later"), [*UPDATES[:20], *POSSIBLE])
def test_what_words_suggest_but_do_not_name_stays_where_the_reader_takes_both_to_hold(earlier: str, later: str) -> None:
    known, new = _fact("earlier", earlier), _fact("later", later, 1)
    by_words = relate(new, [known])
    assert relate(new, [known], {earlier: STILL_HOLDS}) == by_words
    is_named = any(one.why in ("slot", "given_up") for one in by_words)
    assert relate(new, [known], {earlier: STILL_HOLDS - 0.01}) == (by_words if is_named else [])


def test_the_reader_ends_one_earlier_fact_whatever_the_words() -> None:
    first, second = _fact("first", "Dominoes is on Thursdays"), _fact("second", "We play dominoes at the church")
    later = _fact("later", "Dominoes is on Tuesdays these days", 1)
    sure = {first.statement: 0.97, second.statement: 0.2}
    assert [one.id for one in relate(later, [first, second], sure)] == ["first"]
    assert relate(first, [later], {later.statement: 0.99}) == [], "it was said later"
    flat, bills = _fact("flat", "We are four in the flat"), _fact("later", "Three names on the bills", 1)
    assert [one.id for one in relate(bills, [flat], {flat.statement: 0.99})] == ["flat"]


def test_of_two_facts_the_reader_ends_the_surer_one() -> None:
    first, second = _fact("first", "Dominoes is on Thursdays"), _fact("second", "We play dominoes at the church")
    later = _fact("later", "Dominoes is on Tuesdays these days", 1)
    both = {first.statement: 0.97, second.statement: 0.96}
    assert [one.id for one in relate(later, [first, second], both)] == ["first"]


def test_the_reader_ends_none_of_several_that_hold_at_once() -> None:
    german, spanish = (
        _fact(name, f"I speak {name}", day, Slot("user", "language", name, many=True))
        for day, name in enumerate(("German", "Spanish"))
    )
    assert relate(spanish, [german], {german.statement: 0.97}) == []


@pytest.mark.parametrize(("earlier", "later"), POSSIBLE)
def test_an_update_in_vague_words_is_left_to_a_person(earlier: str, later: str) -> None:
    assert _relations(earlier, later) == [Relation.MAY_SUPERSEDE]


@pytest.mark.parametrize(("earlier", "later"), OTHERS)
def test_another_fact_about_the_topic_replaces_nothing(earlier: str, later: str) -> None:
    assert Relation.SUPERSEDES not in _relations(earlier, later)


def test_hardly_any_other_fact_waits_for_a_person() -> None:
    waiting = [pair for pair in OTHERS if _relations(*pair)]
    assert len(waiting) <= len(OTHERS) // 20, waiting


def test_the_topic_is_taken_from_the_sentence_before() -> None:
    earlier = [_fact("till", "We open at 9:00"), _fact("choir", "Choir is on Mondays at 20:00")]
    related = relate(_fact("later", "make it 19:30 instead", 1, context="The choir is too late for the kids."), earlier)
    assert [(one.id, one.relation) for one in related] == [("choir", Relation.SUPERSEDES)]


def test_an_update_that_fits_two_facts_equally_replaces_neither() -> None:
    earlier = [_fact("one", "The first talk is on 3 May"), _fact("two", "The second talk is on 4 May")]
    related = relate(_fact("later", "the talk moved to 9 May", 1), earlier)
    assert Relation.SUPERSEDES not in [one.relation for one in related]


def test_a_restatement_is_the_same_fact() -> None:
    assert _relations("The launch is on 3 May", "the launch is on May 3rd") == [Relation.SAME]
    assert _relations("I prefer short code reviews", "I prefer short reviews of code") == [Relation.SAME]


def test_words_that_say_more_extend_a_preference_and_no_event() -> None:
    for category, expected in ((Category.PREFERENCES, [Relation.EXTENDS]), (Category.EVENTS, [])):
        facts = [
            replace(_fact(text, text, place), category=category)
            for place, text in enumerate(["I prefer short code reviews", "I prefer short code reviews with examples"])
        ]
        assert [one.relation for one in relate(facts[1], facts[:1])] == expected


def test_a_value_beside_several_that_a_person_kept_may_replace_each() -> None:
    kept = [
        _fact(city, f"I live in {city}", slot=Slot("user", "lives_in", city, many=True)) for city in ("Bonn", "Oslo")
    ]
    new = _fact("new", "I moved to Paris", 1, Slot("user", "lives_in", "Paris"))
    assert [one.relation for one in relate(new, kept)] == [Relation.MAY_SUPERSEDE] * 2


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I prefer short code reviews", "I prefer long code reviews"),
        ("I prefer short code reviews", "I prefer short code reviews with examples"),
        ("I sit on the left side of the long desk", "I sit on the right side of the long desk"),
        ("Tests come before the code in every pull request", "Tests come after the code in every pull request"),
        ("Always ask before deploying to staging", "Always ask after deploying to staging"),
    ],
)
def test_another_or_a_further_claim_in_like_words_is_not_the_same(earlier: str, later: str) -> None:
    assert Relation.SAME not in _relations(earlier, later)


def test_a_slot_decides_whatever_the_words() -> None:
    old = _fact("old", "All the data sits in MySQL 8", 0, Slot("shop", "database", "MySQL 8"))
    new = _fact("new", "It runs on Postgres", 1, Slot("shop", "database", "Postgres"))
    assert relate(new, [old]) == [Related("old", Relation.SUPERSEDES, "slot", 10.0)]
    assert relate(replace(new, stated_at=_START - timedelta(days=1)), [old])[0].relation is Relation.OUTDATED


OTHER_PEOPLE = (
    ("My sister Ines lives in Cádiz", "I no longer live in Tartu, it's Riga now"),
    ("My husband works at the town hall", "As of this week I work for Polaris"),
    ("My parents live in Gdynia", "We left Tartu for Riga, so that's home now"),
    ("I work at Zenit", "My brother left Orbis for Kestrel"),
    ("My flat is in Tartu", "My friend Piet moved to Delft"),
    ("My wife Ada drives a Volvo", "I drive a Tesla now"),
)


@pytest.mark.parametrize(("earlier", "later"), OTHER_PEOPLE)
def test_what_one_says_of_oneself_and_of_others_never_replaces_each_other(earlier: str, later: str) -> None:
    assert _relations(earlier, later) == _relations(later, earlier) == []


def test_slots_of_different_things_never_replace_each_other() -> None:
    shop = _fact("shop", "The shop runs on MySQL", 0, Slot("shop", "database", "MySQL"))
    blog = _fact("blog", "We moved the blog from MySQL to Postgres", 1, Slot("blog", "database", "Postgres"))
    assert relate(blog, [shop]) == []


NAMED = (
    ("I switched from Zenit to Polaris this month", Slot("user", "employer", "Polaris")),
    ("We swapped Zenit for Polaris", Slot("user", "employer", "Polaris")),
    ("I'm with Polaris instead of Zenit", Slot("user", "employer", "Polaris")),
    ("I quit Zenit", None),
)


@pytest.mark.parametrize(("later", "slot"), NAMED)
def test_a_named_old_value_tells_which_slot_has_a_new_one(later: str, slot: Slot | None) -> None:
    old = _fact("old", "I work at Zenit", 0, Slot("user", "employer", "Zenit"))
    home = _fact("home", "I live in Tartu", 0, Slot("user", "lives_in", "Tartu"))
    new = _fact("new", later, 1)
    assert inherited_slot(new, old) == slot
    if slot:
        assert [(one.id, one.relation) for one in relate(new, [home, old])] == [("old", Relation.SUPERSEDES)]


def test_a_cache_takes_the_place_of_a_database_in_words_of_change_alone() -> None:
    assert _relations("Ledgerly uses Redis", "We ported Ledgerly to Postgres") == [Relation.SUPERSEDES]
    assert Relation.SUPERSEDES not in _relations("Ledgerly uses Postgres", "Ledgerly uses Redis")


def test_values_that_hold_together_do_not_replace_each_other() -> None:
    old = _fact("old", "I'm allergic to peanuts", 0, Slot("user", "allergy", "peanuts", many=True))
    new = _fact("new", "I'm allergic to penicillin", 1, Slot("user", "allergy", "penicillin", many=True))
    assert relate(new, [old]) == []


@given(st.lists(st.sampled_from(_SENTENCES), max_size=8, unique=True), st.sampled_from(_SENTENCES), st.integers(0, 5))
def test_nothing_replaces_what_was_stated_later(texts: list[str], text: str, day: int) -> None:
    known = [_fact(str(number), one, number) for number, one in enumerate(texts)]
    replacing = (Relation.SUPERSEDES, Relation.MAY_SUPERSEDE)
    later = {one.id for one in known if one.stated_at > _START + timedelta(days=day)}
    assert not later & {one.id for one in relate(_fact("new", text, day), known) if one.relation in replacing}


@given(st.permutations(_SENTENCES[:12]), st.sampled_from(_SENTENCES))
def test_relations_do_not_depend_on_the_order_of_the_known_facts(texts: list[str], text: str) -> None:
    known = [_fact(one, one) for one in texts]
    new = _fact("new", text, 1)
    assert relate(new, known) == relate(new, sorted(known, key=lambda one: one.id)) == relate(new, known)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(earlier: str, later: str) -> None:
    assert len(_relations(earlier, later)) <= 1


def _advised(relation: Relation, earlier: Fact, later: Fact) -> list[Relation]:
    return [one.relation for one in with_advice(later, [earlier], Related(earlier.id, relation, "advised", 0.9))]


_HOME, _DIET = Slot.of("user", "lives_in", "Rome"), Slot.of("user", "allergy", "nuts")
REPETITIONS = [
    ("The user lives in Porto.", "The user is still in Porto."),
    ("The user likes to hike in the Alps.", "Hiking in the Alps is what the user does on holidays."),
]
NO_REPETITIONS = [
    ("The user lives in Rome.", "The user moved to Oslo."),
    ("The launch is on 3 May.", "The launch will be on 9 May."),
    ("The user eats meat at parties.", "The user never eats meat at parties."),
    ("The shop runs on Square.", "The shop ditched Square."),
    ("The user prefers green tea.", "The user prefers tabs to spaces."),
    ("The user lives in Rome.", "The user's sister lives in Rome."),
]


@pytest.mark.parametrize(("earlier", "later"), REPETITIONS)
def test_advice_that_a_fact_is_a_repetition_counts_if_no_words_speak_against_it(earlier: str, later: str) -> None:
    assert _advised(Relation.SAME, _fact("earlier", earlier), _fact("later", later, 1)) == [Relation.SAME]


@pytest.mark.parametrize(("earlier", "later"), NO_REPETITIONS)
def test_a_fact_with_another_value_negation_or_topic_is_no_repetition(earlier: str, later: str) -> None:
    assert Relation.SAME not in _advised(Relation.SAME, _fact("earlier", earlier), _fact("later", later, 1))


def test_what_the_words_decide_wins_over_advice() -> None:
    earlier = _fact("earlier", "The user lives in Rome.", slot=_HOME)
    later = _fact("later", "The user moved to Oslo.", 1, slot=Slot.of("user", "residence", "Oslo"))
    assert _advised(Relation.SAME, earlier, later) == [Relation.SUPERSEDES]
    assert _advised(Relation.SAME, replace(later, id="earlier"), replace(earlier, id="later")) == [Relation.OUTDATED]


def test_advice_replaces_a_value_of_the_same_slot_or_a_statement_on_the_same_topic() -> None:
    cats = [Slot.of("user", "pets", name) for name in ("Milo", "Luna")]
    earlier, later = (_fact(one.value, f"The user has a cat, {one.value}.", day, one) for day, one in enumerate(cats))
    assert _advised(Relation.SUPERSEDES, earlier, later) == [Relation.SUPERSEDES]
    plain = _fact("old", "The user takes tea with milk."), _fact("new", "The user takes tea without anything.", 1)
    assert _advised(Relation.SUPERSEDES, *plain) == [Relation.SUPERSEDES]


@pytest.mark.parametrize(
    "earlier",
    [
        _fact("nuts", "The user is allergic to nuts.", slot=_DIET),
        _fact("tabs", "The user prefers tabs to spaces."),
        replace(_fact("tea", "Tea is sold in the shop."), category=Category.CASES),
    ],
    ids=lambda one: one.id,
)
def test_advice_against_slot_topic_or_category_is_only_a_possible_contradiction(earlier: Fact) -> None:
    later = _fact("later", "The user prefers green tea.", 1)
    assert _advised(Relation.SUPERSEDES, earlier, later) == [Relation.MAY_SUPERSEDE]


def test_two_values_of_an_attribute_with_several_are_no_contradiction() -> None:
    spoken = [Slot.of("user", "languages", name) for name in ("Italian", "Spanish")]
    earlier, later = (_fact(one.value, f"The user speaks {one.value}.", day, one) for day, one in enumerate(spoken))
    assert _advised(Relation.SAME, earlier, later) == []


def test_advice_on_a_fact_that_is_not_known_changes_nothing() -> None:
    later = _fact("later", "The user prefers green tea.")
    assert with_advice(later, [], Related("gone", Relation.SUPERSEDES, "advised", 0.9)) == []
