"""Records of search queries, results and embedding spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from apps.engine.memory.addresses import Address
from apps.engine.memory.trust import Trust

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

Corpus = Literal["memories", "messages", "all"]
CORPORA: tuple[Corpus, ...] = ("memories", "messages", "all")
Whose = Literal["mine", "team"]
OWNERS: tuple[Whose, ...] = ("mine", "team")
OtherConversations = Literal["none", "also", "only"]
HitKind = Literal["memory", "message", "user_memory"]
HIT_KINDS: tuple[HitKind, ...] = ("memory", "message", "user_memory")


@dataclass(frozen=True, slots=True)
class SpaceRecord:
    """The embedding space of a model in a workspace; unless `chosen` for the workspace, it follows the installation."""

    id: UUID
    model: str
    dimension: int
    state: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class AbandonedModel:
    """A model whose embedding space was abandoned, and why; the installation does not retry it before `retry_at`."""

    model: str
    code: str
    detail: str
    chosen: bool
    since: datetime
    retry_at: datetime


@dataclass(frozen=True, slots=True)
class SpaceProgress:
    """Progress of the embedding spaces. `waiting` counts pending passages, up to a limit; `building` is the space being
    built, if any; `given_up` the last abandoned one, for some hours. `per_minute` is how many passages are embedded in
    a minute, None while none is."""

    serving: SpaceRecord | None
    building: SpaceRecord | None
    given_up: AbandonedModel | None
    passages: int
    waiting: int
    built: int
    per_minute: int | None


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A query's embedding in the space of `model`."""

    model: str
    values: Vector


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """Embeddings of the texts that a search may compare, in the space of `model`; `text` is the query's own."""

    model: str
    text: str
    values: Mapping[str, Vector]

    def vector_of(self, text: str) -> QueryVector:
        """The embedding of a text; of the query's own if it was not among those that were embedded."""
        return QueryVector(self.model, self.values.get(text, self.values[self.text]))


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search and its filters. The filters that only memories have (`category`, `within`, `trust_at_least`, `tags`,
    `owner`) exclude messages; `conversation_id` excludes messages of other conversations, unless `other_conversations`
    adds those that the actor owns or searches only these. `threshold` is a minimum similarity; passages without a
    vector are matched by words only. `min_chance` leaves out memories with a smaller chance of being relevant, which is
    judged for it. User memory belongs to the actor's memories; without `with_own_memories` only the workspace's are
    searched, and name what supersedes or disputes a hit.
    `as_of` searches what held and had been said at that time, `directories` only the memories in these directories.
    Memories and messages to `include` are hits too, beyond `top_k` and whatever their score. Without `vectors` only
    words are compared.
    """

    query: str
    top_k: int = 10
    threshold: float = 0.0
    min_chance: float | None = None
    corpus: Corpus = "memories"
    conversation_id: UUID | None = None
    other_conversations: OtherConversations = "none"
    category: str | None = None
    within: Address | None = None
    trust_at_least: Trust | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    tags: Sequence[str] = ()
    owner: Whose | None = None
    explain: bool = False
    vectors: QueryVectors | None = None
    with_user_memory: bool = True
    with_own_memories: bool = True
    directories: Sequence[UUID] = ()
    include: Sequence[UUID] = ()

    @property
    def of_memories(self) -> bool:
        """Whether a filter is set that only memories can match."""
        return bool(self.category or self.within or self.trust_at_least or self.tags or self.owner)


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """Contribution of each feature; their sum times the relevance is the score."""

    lexical: float
    similarity: float
    actor: float
    date: float
    short_question: float
    window: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory, a message, or an item of user memory, which has a `type` and a `key`.

    `relevance` is 1 for what does not decay. `directory` is what a memory shares with its siblings, and the messages of
    a conversation with each other. Fields of the other kinds are empty. `replaced_by` says what superseded
    a fact that a message states, `replaced_at` since when; `disputed_by` says what may contradict a memory.
    `matches` is false for what fills up the list: it shares no words and no meaning with the query.
    `tool_text` is the whole text of a message that holds what tools returned. `chance` is that of being relevant to the
    query, if that was judged.
    """

    kind: HitKind
    id: UUID
    score: float
    similarity: float
    relevance: float
    snippet: str
    occurred_at: datetime
    parts: ScoreParts | None = None
    directory: UUID | None = None
    shares_words: bool = False
    matches: bool = True
    uri: str = ""
    abstract: str = ""
    category: str = ""
    trust: str = ""
    tags: tuple[str, ...] = ()
    owner_id: UUID | None = None
    version: int = 0
    conversation_id: UUID | None = None
    conversation_title: str = ""
    message_id: UUID | None = None
    index: int | None = None
    role: str = ""
    name: str = ""
    tool_text: str = ""
    type: str = ""
    key: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    replaced_by: str = ""
    replaced_at: datetime | None = None
    disputed_by: str = ""
    chance: float | None = None

    @property
    def stated_at(self) -> datetime:
        """When its words were written, which is not when what they tell happened."""
        return self.valid_from or self.occurred_at

    @property
    def score_without_decay(self) -> float:
        """What words and meaning alone give; the relevance reduces positive scores only."""
        return self.score / self.relevance if self.score > 0 else self.score


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first. `by_meaning` is false if only words were compared; `reason` says why. `actor` is
    the person that the query was resolved to, if there are hits; `vector` is the query's embedding. `for_several` says
    that the query asks for several things, so that hits of the same day make way for those of others."""

    hits: tuple[Hit, ...]
    by_meaning: bool
    reason: str = ""
    actor: str | None = None
    vector: QueryVector | None = None
    for_several: bool = False
