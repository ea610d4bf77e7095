"""A turn as plain data, for the code that writes its reply."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.context.records import BuiltPack
from apps.context.selectors.pack_requests import EmbeddedQuery
from apps.conversations.records import MessageRecord
from apps.conversations.services.replies import TurnLease
from apps.engine.pack.context_pack import ContextPack
from apps.engine.policy import Policy
from apps.llm.services.registry import ChosenModel


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """The budget that the request names, if any, and the embeddings of what the pack searches for."""

    token_budget: int | None = None
    embedded_query: EmbeddedQuery | None = None


DEFAULT_OPTIONS = TurnOptions()


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that has begun: `message` is the one to answer, and `lease` permits writing the reply.

    `notice` is what a reply without a model says instead of quotes.
    """

    workspace_id: UUID
    message: MessageRecord
    lease: TurnLease
    built: BuiltPack
    chosen: ChosenModel
    policy: Policy
    notice: str = ""

    @property
    def pack(self) -> ContextPack:
        """The context pack that is sent to the model."""
        return self.built.pack
