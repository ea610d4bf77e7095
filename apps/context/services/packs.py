"""The context pack of a conversation: of the epoch that its packs are in, or the first of a new one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.compaction.selectors.contexts import context_state
from apps.compaction.services.segments import segments_for_pack
from apps.context.records import BudgetSource, BuiltPack, PackState
from apps.context.selectors.budgets import budget_refused, pack_settings
from apps.context.selectors.found import looked_up, memories_among
from apps.context.selectors.past import key_candidates
from apps.context.selectors.sources import PackOrder, live_sources, plain_sources
from apps.context.selectors.states import pack_state
from apps.context.services.epochs import Begun, basis_of, epoch_begin, epoch_find, epoch_go_on, epoch_kept
from apps.conversations.models import Conversation, Message
from apps.conversations.selectors.access import conversation_access, conversation_lock
from apps.engine.estimators import recounted, within
from apps.engine.negotiation import BudgetExceeded
from apps.engine.pack import ContextPack, Epoch, PackSources
from apps.engine.packing import build_pack, pack_of_epoch, window_pack
from apps.engine.policy import Policy
from apps.engine.strategies import Past
from apps.llm.providers.base import Purpose
from apps.llm.registry import ChosenModel, provider_for
from apps.llm.selectors.calibration import estimator_for
from apps.memory.records.found import QueryVector
from apps.memory.services.accesses import accesses_record

Counted = tuple[ContextPack, dict[str, int]]

# With live tokens between these shares of the budget, key messages may be chosen; the last for other estimators, by
# which a pack may be built for more stored tokens.
_FEWEST_FOR_KEYS, _MOST_FOR_KEYS, _MOST_BY_OTHERS = 2, 8, 16


@dataclass(frozen=True, slots=True)
class PackWish:
    """For which model a pack is, and within which budget if the request names one.

    `sends` says that it is fetched for a model: then the next one is compared with it.
    """

    chosen: ChosenModel
    token_budget: int | None = None
    sends: bool = False
    query_vector: QueryVector | None = None


def context_pack(
    actor: Actor, conversation_id: UUID, token_budget: int | None = None, *, sends: bool = False
) -> tuple[BuiltPack, PackState, Policy]:
    """The pack within the budget that is nearest to it, its numbers, and the policy that made it."""
    conversation = conversation_access(actor, conversation_id)
    policy = policy_for_workspace()
    wish = PackWish(provider_for(Purpose.CHAT, policy), token_budget, sends)
    built = pack_of(actor, conversation, policy, wish)
    if sends:
        pack_note_accesses(built.pack)
    return built, pack_state(conversation, policy), policy


def pack_note_accesses(pack: ContextPack) -> None:
    """The memories in a pack are of use to the model that it is sent to."""
    accesses_record(memories_among(pack.found))


def pack_of(actor: Actor, conversation: Conversation, policy: Policy, wish: PackWish) -> BuiltPack:
    """The pack alone, of a conversation that the actor is known to read: somebody waits for it.

    A budget that the request does not name is no larger than what the model takes beside its answer.
    """
    chosen = wish.chosen
    settings = pack_settings(actor, conversation, policy, wish.token_budget)
    if settings.budget_source is not BudgetSource.REQUEST:
        settings = replace(settings, budget=min(settings.budget, chosen.pack_room))
    estimator = estimator_for(policy, chosen.model)
    order = PackOrder(
        actor, conversation, policy, settings, estimator, chosen.model, wish.sends, query_vector=wish.query_vector
    )
    try:
        return _built(order) if policy.engine_enabled else _plain(order)
    except BudgetExceeded as error:
        raise budget_refused(error) from error


def _plain(order: PackOrder) -> BuiltPack:
    sources = plain_sources(order)
    pack, tokens = within(
        order.settings.budget, order.estimator, lambda budget: window_pack(sources, budget, order.policy)
    )
    return BuiltPack(pack, tokens, order.estimator, order.settings, epoch=None, stability=None)


def _built(order: PackOrder) -> BuiltPack:
    """Of the epoch that goes on, or a new one. That is kept with the conversation's row held, and is built again where
    something changed since its sources were read."""
    state = context_state(order.conversation.id)
    sources, read = live_sources(order, state)
    sources = replace(sources, found=looked_up(order, sources))
    basis, row = basis_of(order, sources, state), epoch_find(order)
    kept = epoch_kept(row, basis)
    going_on = _of_epoch(order, sources, kept) if kept else None
    if row and going_on:
        return _told(order, going_on, epoch_go_on(order, row, going_on[0]))
    fresh = _first_of_epoch(order, replace(sources, past=_past(order, sources, read)))
    now = conversation_lock(order.conversation.id)
    if now.state_version != order.conversation.state_version and not order.holds:
        return _built(replace(order, conversation=now, holds=True))
    return _told(order, fresh, epoch_begin(order, row, basis, fresh[0]))


def _told(order: PackOrder, counted: Counted, begun: Begun) -> BuiltPack:
    return BuiltPack(*counted, order.estimator, order.settings, *begun)


def _of_epoch(order: PackOrder, sources: PackSources, epoch: Epoch) -> Counted | None:
    """Nothing, where the messages since do not fit any more, by the stored count or by the estimator."""
    pack = pack_of_epoch(sources, epoch, epoch.negotiation.budget, order.policy)
    tokens = recounted(pack, order.estimator) if pack else {}
    return (pack, tokens) if pack and sum(tokens.values()) <= order.settings.budget else None


def _first_of_epoch(order: PackOrder, sources: PackSources) -> Counted:
    return within(order.settings.budget, order.estimator, lambda budget: build_pack(sources, budget, order.policy))


def _past(order: PackOrder, sources: PackSources, read: Sequence[Message]) -> Past:
    conversation, budget, talk = order.conversation, order.settings.budget, sources.counts
    segments = segments_for_pack(
        conversation=conversation, before=conversation.message_count, most=order.segments_read, policy=order.policy
    )
    most = _MOST_FOR_KEYS if order.estimator.is_stored_count else _MOST_BY_OTHERS
    if not _FEWEST_FOR_KEYS * budget < talk.live_tokens <= most * budget:
        return Past(segments)
    return Past(segments, key_candidates(conversation.id, begin=talk.live_begin, read=read, budget=budget))
