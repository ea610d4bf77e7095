"""What tools returned is found by the call's title and a digest, and does not displace what people say."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.records import MessageDraft
from apps.engine.messages.message import Part, PartKind
from apps.engine.messages.tool_text import LONGEST_TOOL_TEXT
from apps.engine.policy import Level
from apps.memory.records.search import Hit
from apps.memory.selectors.search.embedding_backlog import wanted_texts
from apps.turns.services.delete import message_delete
from apps.turns.services.messages import messages_set_excluded, messages_store
from tests.compaction.runs import compact, without_debounce
from tests.context.test_retrieved import FILLER, pack_of
from tests.conversations.long_conversations import conversation, history, say
from tests.memory.recall import index, look, passages_of, run_named

pytestmark = pytest.mark.django_db(transaction=True)

ERROR = "E AssertionError: cart total 11.99 != 12.00"


def use_tool(
    actor: Actor, talk: UUID, result: str, call: str = '{"command": "pytest tests/cart"}', summary: str = ""
) -> None:
    """Store a call of Bash and its result, as an agent's client does."""
    name = f"c{len(history(actor, talk))}"
    parts = (Part(PartKind.TOOL_CALL, call, name, "Bash"), Part(PartKind.TOOL_RESULT, result, name, "Bash", summary))
    with workspace(actor.workspace_id):
        drafts = [
            MessageDraft(role, "", parts=(part,)) for role, part in zip(("assistant", "tool"), parts, strict=True)
        ]
        messages_store(actor, conversation_id=talk, drafts=drafts)


def hits(actor: Actor, talk: UUID, query: str, **filters: object) -> tuple[Hit, ...]:
    return look(actor, query, corpus="messages", conversation_id=talk, **filters).hits


def test_a_tools_result_is_found_by_the_call_and_by_the_result(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Please look at the totals.", "I run the tests.")
    use_tool(alice, talk, ERROR)
    use_tool(alice, talk, '{"port": 5433}', call='{"file_path": "config.json"}')
    index(alice, talk)
    for query, expected in (("Which error did pytest show?", ERROR), ("What was the port in the config?", "5433")):
        (best, *_) = hits(alice, talk, query)
        assert expected in best.tool_text and expected in best.snippet
        assert (best.kind, best.role) == ("message", "tool")


def test_a_long_result_is_indexed_by_a_digest_with_its_errors(alice: Actor) -> None:
    talk = conversation(alice)
    use_tool(alice, talk, "step of the build\n" * 5_000 + f"{ERROR}\n" + "done\n" * 5_000)
    index(alice, talk)
    (passage,) = passages_of(alice, talk)
    assert ERROR in passage.tool_text and len(passage.tool_text) <= LONGEST_TOOL_TEXT
    assert passage.char_count == len(passage.tool_text)


def test_a_summary_that_a_tool_wrote_itself_is_found_too(alice: Actor) -> None:
    talk = conversation(alice)
    use_tool(alice, talk, "x" * 50, summary="Three carts were rounded down.")
    index(alice, talk)
    assert "Three carts" in hits(alice, talk, "Were carts rounded?")[0].tool_text


def test_what_a_tool_returned_does_not_change_the_meaning_of_what_people_say(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Why is the total wrong?")
    use_tool(alice, talk, ERROR)
    say(alice, talk, "It rounds.", role="assistant")
    run_named(alice, "memory_messages", str(talk))
    with workspace(alice.workspace_id):
        earlier = {one.text.splitlines()[0]: one.earlier for one in wanted_texts()}
    assert earlier == {
        "Why is the total wrong?": "",
        "Bash pytest tests/cart": "",
        "It rounds.": "Why is the total wrong?",
    }


def test_tools_take_at_most_half_of_the_results_while_others_are_left(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, *("The cart is a matter of taste." for _ in range(4)))
    for place in range(6):
        use_tool(alice, talk, f"cart total {place}")
    index(alice, talk)
    tools = [bool(hit.tool_text) for hit in hits(alice, talk, "cart total", top_k=4)]
    assert sum(tools) == 2
    # Six where only four others are left.
    found = hits(alice, talk, "cart total", top_k=10)
    assert len(found) == 10 and sum(bool(hit.tool_text) for hit in found) == 6
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


@pytest.mark.parametrize("removed", ["excluded", "deleted"])
def test_a_result_does_not_name_a_call_that_was_removed(alice: Actor, removed: str) -> None:
    talk = conversation(alice)
    use_tool(alice, talk, ERROR, call='{"command": "pytest --verysecretplan"}')
    index(alice, talk)
    call = history(alice, talk)[0].id
    with workspace(alice.workspace_id):
        if removed == "excluded":
            messages_set_excluded(alice, conversation_id=talk, message_ids=[call], excluded=True)
        else:
            message_delete(alice, conversation_id=talk, message_id=call)
    (passage,) = passages_of(alice, talk)
    assert passage.tool_text == f"Bash\n{ERROR}" and "verysecretplan" not in str(passage.words)
    if removed == "excluded":
        with workspace(alice.workspace_id):
            messages_set_excluded(alice, conversation_id=talk, message_ids=[call], excluded=False)
        assert [one.tool_text for one in passages_of(alice, talk)] == [f"Bash pytest --verysecretplan\n{ERROR}"]


def test_the_queries_of_an_exclusion_do_not_grow_with_the_messages(alice: Actor) -> None:
    talk = conversation(alice)
    for place in range(40):
        say(alice, talk, f"Run test {place}.")
        use_tool(alice, talk, ERROR, call=f'{{"command": "pytest {place}"}}')
    index(alice, talk)
    messages = history(alice, talk)

    def change(count: int, *, excluded: bool) -> int:
        """Change every message but the results; return the number of queries."""
        ids = [one.id for one in messages[: count * 3] if one.index % 3 < 2]
        with workspace(alice.workspace_id), CaptureQueriesContext(connection) as queries:
            messages_set_excluded(alice, conversation_id=talk, message_ids=ids, excluded=excluded)
        return len(queries)

    few, again = change(2, excluded=True), change(2, excluded=False)
    assert change(40, excluded=True) <= few
    assert {one.tool_text for one in passages_of(alice, talk)} == {f"Bash\n{ERROR}"}
    assert change(40, excluded=False) <= again
    texts = [one.tool_text for one in passages_of(alice, talk) if one.tool_text]
    assert texts == [f"Bash pytest {place}\n{ERROR}" for place in range(40)]


def test_results_far_apart_lose_the_names_of_their_calls(alice: Actor) -> None:
    talk = conversation(alice)
    use_tool(alice, talk, ERROR)
    say(alice, talk, *(f"Line {place}." for place in range(60)))
    use_tool(alice, talk, ERROR)
    index(alice, talk)
    ids = [one.id for one in history(alice, talk)]
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=talk, message_ids=[ids[0], ids[5], ids[-2]], excluded=True)
    assert [one.tool_text for one in passages_of(alice, talk) if one.tool_text] == [f"Bash\n{ERROR}"] * 2


def test_a_batch_is_as_large_as_its_texts_however_well_they_compress(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.memory.services.index.passages._RUN_S", -1)
    monkeypatch.setattr("apps.memory.services.index.passages.BATCH_CHARACTERS", 50_000)
    talk = conversation(alice)
    for _ in range(3):
        use_tool(alice, talk, "step of the build\n" * 4_000)
    index(alice, talk)
    assert len(passages_of(alice, talk)) == 1


def test_an_excluded_result_is_not_found(alice: Actor) -> None:
    talk = conversation(alice)
    use_tool(alice, talk, ERROR)
    index(alice, talk)
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=talk, message_ids=[history(alice, talk)[1].id], excluded=True)
    assert hits(alice, talk, "AssertionError") == ()


@pytest.mark.slow("a worker reads forty messages for memories")
def test_a_pack_quotes_a_compacted_result_as_a_tools(alice: Actor, settings: Settings) -> None:
    without_debounce(settings)
    talk = conversation(alice, title="The cart")
    say(alice, talk, "The cart rounds wrongly.")
    use_tool(alice, talk, ERROR)
    say(alice, talk, *(f"{FILLER * 12}({place})" for place in range(40)), role="user")
    compact(alice, talk, Level.LIGHT)
    index(alice, talk)
    say(alice, talk, "Which AssertionError did pytest show for the cart total?", role="user")
    pack = pack_of(alice, talk)
    assert 2 not in [message.index for message in pack.recent]
    item = next(one for one in pack.retrieved if one.index == 2)
    assert item.origin.startswith("2 tool ") and item.text == f"Bash pytest tests/cart\n{ERROR}"


def test_no_other_conversation_quotes_what_a_tool_returned(alice: Actor) -> None:
    talk = conversation(alice, title="The cart")
    say(alice, talk, "The cart rounds wrongly.")
    use_tool(alice, talk, ERROR)
    index(alice, talk)
    other = conversation(alice, title="Later")
    say(alice, other, "Which AssertionError did pytest show for the cart total?")
    assert not any(ERROR in one.text for one in pack_of(alice, other).retrieved)
