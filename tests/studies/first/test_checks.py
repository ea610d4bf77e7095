"""How the sentences of scripted newcomers are checked."""

from __future__ import annotations

from typing import Any

from studies.first.checks import Checks, Newcomer, Remembered, Sent

BERLIN: dict[str, Any] = {"id": "a", "has": ["Berlin"], "lacks": ["Porto"], "state": "superseded", "by": "b"}
PORTO: dict[str, Any] = {"id": "b", "has": ["porto"], "state": "current"}


def person(*memories: dict[str, Any], inbox: dict[str, int] | None = None) -> Newcomer:
    return Newcomer("alice", (), memories, inbox or {}, ())


def failed(expected: dict[str, Any], *memories: Remembered, others: tuple[dict[str, Any], ...] = ()) -> list[str]:
    checks = Checks()
    checks.note_memories(person(*others, expected), memories)
    return checks.failed[-1:] if checks.right.total() < checks.all.total() else []


def test_a_memory_is_found_by_its_words_in_any_case() -> None:
    assert failed(PORTO, Remembered("1", "I live in Porto.", "current")) == []
    assert failed(PORTO, Remembered("1", "I live in Porto.", "superseded"))
    assert failed(PORTO | {"lacks": ["live"]}, Remembered("1", "I live in Porto.", "current"))


def test_what_must_be_absent_may_not_wait_either() -> None:
    absent = {"has": ["7305"], "state": "absent"}
    assert failed(absent, Remembered("1", "The code is 7305", "proposed"))
    assert failed(absent, Remembered("1", "The code is 7305", "superseded")) == []


def test_what_is_superseded_was_replaced_by_what_is_expected() -> None:
    porto = Remembered("2", "I live in Porto.", "current")
    assert failed(BERLIN, Remembered("1", "I live in Berlin.", "superseded", "2"), porto, others=(PORTO,)) == []
    assert failed(BERLIN, Remembered("1", "I live in Berlin.", "superseded", "3"), porto, others=(PORTO,))
    assert failed(BERLIN, Remembered("1", "I live in Berlin.", "current"), porto, others=(PORTO,))


def test_the_inbox_has_at_most_so_many_items() -> None:
    checks = Checks()
    checks.note_inbox(person(inbox={"max": 0, "contradictions_max": 1}), items=1, contradictions=1)
    assert (checks.right["inbox"], checks.all["inbox"]) == (1, 2)


def test_what_is_sent_has_some_words_lacks_others_and_is_short() -> None:
    checks = Checks()
    question = {"ask": "Where?", "has": ["Porto"], "lacks": ["Berlin"], "sent_max": 1}
    checks.note_sent(question, Sent(["You live in Porto."], ["Berlin is large.", "Ada sings."]))
    assert (checks.right["pack"], checks.right["pack_clean"], checks.all["pack_clean"]) == (1, 0, 2)
