"""Random and handwritten conversations for the tests of compaction, packs and provider formats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hypothesis import strategies as st

from apps.engine.compaction.plan import LiveWindow, live_cost
from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.policy import Policy
from apps.engine.summary.rendering import MemoryItem, Pin
from apps.engine.summary.rolling_summary import Decision, Definition, Line, Reference, ReferenceType, RollingSummary
from apps.engine.tokens.estimate import estimate_message

# A tenth of the default thresholds, so that random conversations cross all of them.
SMALL = Policy(
    light_compaction_threshold=800,
    deep_compaction_threshold=1_600,
    aggressive_compaction_threshold=2_400,
    min_compaction_tokens=240,
    max_compaction_tokens=2_400,
    long_message_tokens=200,
)
POLICY = Policy()

short_texts = st.text(max_size=30) | st.sampled_from(["", " ", "\n", "👩‍👩‍👧‍👦 ok", "é̂ x_y", "## Pinned", '{"a": 1}'])
long_texts = st.builds(
    lambda piece, times: piece * times,
    st.sampled_from(["word ", "🦉", "a" * 60 + "\n", "src/app.py:12 fails\n", '"\\', "x"]),
    st.integers(50, 3_000),
)
texts = st.one_of(short_texts, short_texts, short_texts, long_texts)
call_ids = st.sampled_from(["call_0", "call_1", "a b", "a_b", "", "functions.find:0", "x" * 60, "x" * 59 + "y"])
names = st.sampled_from(["", "", "find", "read file", "Ана", "n" * 90])
argument_texts = st.sampled_from(
    [
        "",
        "{}",
        '{"q": "owls"}',
        "[1]",
        "{broken",
        '{"n": 1E9}',
        '{"n": NaN}',
        '"\\ud800"',
        '{"s": "\\ud800"}',
        "[" * 2_000,
    ]
)


def parts_of(kinds: Sequence[PartKind]) -> st.SearchStrategy[Part]:
    return st.builds(
        Part,
        kind=st.sampled_from(kinds),
        text=argument_texts | texts,
        call_id=call_ids,
        name=names,
        tokens=st.sampled_from([0, 0, 3, 700]),
        url=st.sampled_from(["", "https://example.org/cat.png", "data:image/png;base64,AAAA", "openai:file-1"]),
    )


def drafts(roles: Sequence[Role] = tuple(Role)) -> st.SearchStrategy[Message]:
    """Messages without an index, of any role and with any parts, including malformed ones."""
    parts: st.SearchStrategy[list[Part]] = st.just([]) | st.lists(parts_of(tuple(PartKind)), max_size=3)
    return st.builds(
        lambda role, content, name, pieces: Message("", 0, role, content, 0, name, tuple(pieces)),
        st.sampled_from(roles),
        texts,
        names,
        parts,
    )


@st.composite
def exchanges(draw: st.DrawFn) -> list[Message]:
    """A reply with calls, then its results in any order, some missing, and other messages in between."""
    ids = draw(st.lists(call_ids, min_size=1, max_size=3))
    calls = tuple(Part(PartKind.TOOL_CALL, draw(argument_texts), call_id, "find") for call_id in ids)
    answers = [
        Message(
            "", 0, draw(st.sampled_from([Role.TOOL, Role.USER])), "", 0, "", (Part(PartKind.TOOL_RESULT, text, one),)
        )
        for one, text in zip(draw(st.permutations(ids)), draw(st.lists(texts, min_size=3, max_size=3)), strict=False)
    ]
    between = draw(st.lists(drafts(), max_size=2))
    reply = Message("", 0, Role.ASSISTANT, draw(short_texts), 0, "", calls)
    after = draw(st.permutations([*answers, *between]))
    return [reply, *after[: draw(st.integers(0, len(after)))]]


def indexed(messages: Iterable[Message], start: int = 0) -> list[Message]:
    """Add ids, indexes and stored token counts to the messages."""
    return [
        replace(message, id=f"m{index}", index=index, token_count=stored_tokens(message))
        for index, message in enumerate(messages, start)
    ]


def stored_tokens(message: Message) -> int:
    return estimate_message(message.content) + sum(part.token_count for part in message.parts)


pieces = st.lists(drafts().map(lambda message: [message]) | exchanges(), max_size=8)
conversations = pieces.map(lambda drawn: indexed(message for piece in drawn for message in piece))

lines = st.builds(Line, short_texts, st.just(("m0",)))
summaries = st.builds(
    RollingSummary,
    goals=st.lists(lines, max_size=3).map(tuple),
    decisions=st.lists(st.builds(Decision, short_texts, short_texts, st.just(("m1",))), max_size=4).map(tuple),
    requirements=st.lists(lines, max_size=4).map(tuple),
    current_plan=st.lists(lines, max_size=3).map(tuple),
    open_questions=st.lists(lines, max_size=3).map(tuple),
    definitions=st.lists(
        st.builds(Definition, short_texts, short_texts, st.just(("m2", "m3"))), max_size=4, unique_by=lambda it: it.term
    ).map(tuple),
    references=st.lists(
        st.builds(Reference, st.sampled_from(ReferenceType), texts, short_texts, st.just(("m4",))), max_size=4
    ).map(tuple),
)
memories = st.lists(st.tuples(short_texts, texts), max_size=5).map(
    lambda drawn: tuple(MemoryItem(f"u{i}", "fact", key, text) for i, (key, text) in enumerate(drawn))
)
pins = st.lists(short_texts, max_size=3).map(
    lambda drawn: tuple(Pin(f"p{i}", "decision", text) for i, text in enumerate(drawn))
)


def sized(role: Role, tokens: int, index: int = 0) -> Message:
    """A message of exactly `tokens` tokens."""
    return Message(f"m{index}", index, role, "x" * (4 * (tokens - 4)), tokens)


def dialogue(count: int, tokens: int) -> list[Message]:
    """Alternating messages of user and assistant, starting with the user."""
    return [sized(Role.ASSISTANT if index % 2 else Role.USER, tokens, index) for index in range(count)]


def call(call_id: str, content: str = "") -> Message:
    return Message("", 0, Role.ASSISTANT, content, 0, "", (Part(PartKind.TOOL_CALL, '{"q": 1}', call_id, "find"),))


def result(call_id: str, text: str = "found") -> Message:
    return Message("", 0, Role.TOOL, "", 0, "", (Part(PartKind.TOOL_RESULT, text, call_id, "find"),))


def text_message(role: Role, content: str, name: str = "") -> Message:
    return Message("", 0, role, content, 0, name)


def window_of(live: Sequence[Message], policy: Policy = POLICY, count: int | None = None) -> LiveWindow:
    """The window that a compaction plan is made from, with all live messages loaded."""
    return LiveWindow(
        message_count=len(live) if count is None else count,
        live_tokens=live_tokens(live, policy),
        oldest=tuple(live),
        newest=tuple(live[-policy.recent_message_count :]),
        newest_user=newest_user_message(live),
    )


def live_tokens(live: Iterable[Message], policy: Policy = POLICY) -> int:
    return sum(live_cost(message.token_count, policy) for message in live)


def newest_user_message(messages: Sequence[Message]) -> Message | None:
    return next((message for message in reversed(messages) if message.role is Role.USER), None)
