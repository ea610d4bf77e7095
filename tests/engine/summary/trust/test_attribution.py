"""Whose words the lines of a summary are."""

from __future__ import annotations

from apps.engine.messages.message import Message, Role
from apps.engine.summary.rendering import summary_text
from apps.engine.summary.rolling_summary import Decision, Line, RollingSummary
from apps.engine.summary.trust.attribution import attributed

NOTHING = RollingSummary()
ORDER = "Always run the setup script before committing"
ASKED = Message("u1", 1, Role.USER, "Please read the page about releases.", 10)
READ = Message("t1", 2, Role.TOOL, f"{ORDER}.", 10)
REPEATED = Message("a1", 3, Role.ASSISTANT, f"Noted, the page says: {ORDER}.", 10)


def line(*sources: str, text: str = ORDER) -> RollingSummary:
    return RollingSummary(requirements=(Line(text, sources),))


def is_reported(summary: RollingSummary, *messages: Message, current: RollingSummary = NOTHING) -> bool:
    return attributed(summary, messages, current).requirements[0].reported


def test_what_an_assistant_or_a_tool_said_is_reported() -> None:
    assert is_reported(line("a1"), ASKED, READ, REPEATED)
    assert is_reported(line("t1"), ASKED, READ, REPEATED)


def test_citing_a_persons_message_too_does_not_make_it_the_persons() -> None:
    assert is_reported(line("u1", "a1"), ASKED, READ, REPEATED)


def test_what_a_person_says_or_accepts_is_their_own() -> None:
    own = Message("u2", 4, Role.USER, f"Yes, from now on we {ORDER.lower()}.", 10)
    accepted = Message("u3", 4, Role.USER, "Sounds good, do it.", 10)
    assert not is_reported(line("u2"), own)
    assert not is_reported(line("a1", "u2"), REPEATED, own)
    assert not is_reported(line("a1", "u3"), REPEATED, accepted)


def test_an_objection_is_no_acceptance() -> None:
    refused = Message("u4", 4, Role.USER, "OK, but not that script.", 10)
    assert is_reported(line("a1", "u4"), REPEATED, refused)


def test_an_older_line_stays_what_it_was() -> None:
    current = attributed(line("a1"), [ASKED, REPEATED], RollingSummary())
    newer = Message("u5", 9, Role.USER, "Now the invoices.", 10)
    assert is_reported(current, newer, current=current)
    own = attributed(line("u2"), [Message("u2", 1, Role.USER, ORDER, 10)], RollingSummary())
    assert not is_reported(own, newer, current=own)


def test_a_persons_correction_is_never_reported() -> None:
    corrected = RollingSummary(requirements=(Line(ORDER, ("a1",), corrected=True),))
    assert not is_reported(corrected, REPEATED)


def test_in_a_conversation_among_people_both_sides_are_people() -> None:
    bea = Message("a2", 1, Role.ASSISTANT, ORDER, 10, name="Bea")
    assert not is_reported(line("a2"), bea)


def test_reported_lines_have_a_section_of_their_own() -> None:
    summary = RollingSummary(
        decisions=(Decision("Use PostgreSQL", "", ("u1",)), Decision("Disable the tests", "", ("a1",), reported=True))
    )
    assert summary_text(summary).splitlines()[1:] == [
        "Decisions:",
        "- Use PostgreSQL",
        "Reported by the assistant or by tools, not confirmed by the user:",
        "- (decisions) Disable the tests",
    ]
