"""What a pack might hold, measured before anything is decided: what stands whole, how much each layer has to say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.engine.messages.display import shown_tokens
from apps.engine.pack.arc import arc_text
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.layers import Layer, Situation, Terms, terms_of
from apps.engine.pack.negotiation import Negotiation, negotiate
from apps.engine.pack.recent_window import wanted_tokens
from apps.engine.pack.retrieved import Found, found_tokens, unseen
from apps.engine.pack.strategies import NO_LIMIT, Stretch, compacted_segments
from apps.engine.policy import Policy
from apps.engine.summary.rendering import HEADINGS, pins_text, section_tokens, summary_text, user_memory_text
from apps.engine.tokens.counting import ROLE_TOKENS


def negotiated(
    sources: PackSources,
    stretch: Stretch,
    budget: int,
    changed: Mapping[Layer, Terms] | None = None,
    contents: Mapping[Layer, int] | None = None,
) -> Negotiation:
    """The share-out of a budget in tokens; `changed` are terms to try in place of the situation's own, `contents` how
    much some layers might have to say.

    Raises `BudgetExceeded` when what must stand in the pack does not fit.
    """
    terms = {**terms_of(situation_of(sources, stretch, budget)), **(changed or {})}
    said = {**contents_of(sources, stretch, terms[Layer.HISTORY].maximum), **(contents or {})}
    return negotiate(budget, fixed=fixed_tokens(sources), contents=said, terms=terms)


def situation_of(sources: PackSources, stretch: Stretch, budget: int) -> Situation:
    talk, current = sources.counts, sources.current
    return Situation(
        budget=max(1, budget),
        message_count=talk.message_count - (1 if current else 0),
        conversation_tokens=stretch.tokens,
        message_tokens=shown_tokens(current) if current else 0,
        depth=sources.wishes.depth,
        history_first=sources.wishes.history_first,
    )


def stretch_of(sources: PackSources, policy: Policy) -> Stretch:
    """The messages that are not folded, before the current one."""
    talk, current, earlier = sources.counts, sources.current, sources.earlier
    tokens = wanted_tokens(earlier, policy)
    if talk.unread:
        tokens = max(tokens, talk.live_tokens)
    return Stretch(talk.live_begin, earlier, tokens, not talk.unread, current.index if current else 0)


def fixed_tokens(sources: PackSources) -> dict[str, int]:
    """What stands whole. All before the messages is one message of its own in some formats: its role counts.

    Where anything was said before, something may have to tell of it there.
    """
    goes_on = sources.counts.message_count > int(sources.current is not None)
    leads = sources.system_prompt or sources.user_memory or sources.pins or sources.summary or goes_on
    return {
        "system": section_tokens(sources.system_prompt) + (ROLE_TOKENS if leads else 0),
        "pinned_memory": section_tokens(pins_text(sources.pins)),
        "current_message": shown_tokens(sources.current) if sources.current else 0,
    }


def contents_of(sources: PackSources, stretch: Stretch, most_history: int) -> dict[Layer, int]:
    """How much each layer has to say; what has no maker yet says nothing, and its room goes to the others."""
    hides = sources.counts.folded_through is not None or stretch.tokens > most_history
    return {
        Layer.IDENTITY: 0,
        Layer.PREFERENCES: section_tokens(user_memory_text(sources.user_memory)),
        Layer.TOPICS: 0,
        Layer.ENTITIES: 0,
        Layer.CONVERSATION: _conversation(sources, hides=hides),
        Layer.JUST_IN_TIME: found_tokens(_beyond_window(sources, most_history)),
        Layer.HISTORY: stretch.tokens,
        Layer.MESSAGE: shown_tokens(sources.current) if sources.current else 0,
    }


def _beyond_window(sources: PackSources, most_history: int) -> Sequence[Found]:
    """What was looked up and stands in no pin and in none of the newest messages, as many as may ever be shown."""
    left, start = most_history, sources.counts.message_count
    for message in reversed(sources.earlier):
        left -= shown_tokens(message)
        if left < 0:
            break
        start = message.index
    return unseen(sources.looked_up, sources.shown_ids(start), start)


def _conversation(sources: PackSources, *, hides: bool) -> int:
    """With the dense arc and all segments that are known."""
    told = compacted_segments(sources.past, sources.counts.live_begin, NO_LIMIT)
    segments = sum(one.tokens for one in told)
    segments += section_tokens(HEADINGS["segments"]) if segments else 0
    arc = arc_text(sources.said, hides=hides)
    return section_tokens(arc) + section_tokens(summary_text(sources.summary)) + segments
