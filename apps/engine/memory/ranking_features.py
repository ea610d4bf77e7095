"""Ranking features of retrieval: how a query is parsed, and the weight of each feature.

The score is linear in six features: shared words, embedding similarity, the person asked about, the date, the best of
the neighboring messages, and whether the text is itself a short question. Further features (the next message, the
question before, the session) changed recall on held-out conversations by less than one percent and were dropped. The
weights must not be tuned to a single workspace.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from apps.engine.language.dates import NamedDate, named_date
from apps.engine.language.event_dates import EventDate, event_date
from apps.engine.language.list_questions import asks_for_several

SESSION_GAP_HOURS = 4
"""A gap this long ends a session of a conversation."""
ASKER = "user"
"""Actor of unnamed user messages and of memories about the user."""
ROLE_ACTORS = frozenset(("user", "assistant", "tool", "system"))
SHORTEST_PREFIX = 3
LONGEST_QUESTION = 4_000
# A shorter message takes at least as much of its meaning from the previous one.
_OWN_LENGTH = 100
_LONGEST_PHRASE = 4

_WORD = re.compile(r"\w+")
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_POSSESSIVE = r"(?:['’]s)?"
# Capitalized words at the start of a question that are also prefixes of names.
_NO_NAMES = frozenset(
    line
    for lines in (
        "what when where which who whom whose why how did does do was were are is am can could would should will shall",
        "the and for not but any all has had have may might must this that these those there then they she her him his",
        "you your our its list name tell give show find please",
    )
    for line in lines.split()
)


@dataclass(frozen=True, slots=True)
class Weights:
    """Feature weights; `base_…` weigh the score that a text passes on to its neighbors.

    `memory_…` are those of memories, which have no neighbors. They are short, so that a word that they share with the
    query says less, and many are about the same person, who only breaks ties.
    """

    lexical: float = 0.9
    similarity: float = 3.0
    actor: float = 0.8
    date: float = 1.0
    short_question: float = -0.6
    window: float = 0.85
    base_lexical: float = 1.0
    base_similarity: float = 2.0
    base_actor: float = 0.5
    memory_lexical: float = 0.6
    memory_similarity: float = 4.7
    memory_actor: float = 0.1


WEIGHTS = Weights()
LIST_WEIGHTS = Weights(actor=1.5, window=0.5)
"""Weights for a question that asks for several things: what is by or about the person, rather than near one answer."""
CANDIDATES = 200
"""Number of candidates by words, and again by embedding similarity."""
WINDOW = 4
"""Number of messages before and after that count as neighbors."""
SHORT_QUESTION_LENGTH = 120
SATURATION, LENGTH_SHARE = 0.9, 0.5
"""BM25's two constants."""
DATE_DAYS = 15.0
"""Decay of the date feature: to a third in this many days after the date, in half as many before it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed query.

    `text` is the query without speaker names. `people` are the actors it certainly asks about;
    `phrases` are all phrases that may name another subject of memories. `for_several` says that it asks for several
    things, which are in several places. `event` is what its date is relative to, if its day is to be looked up first.
    """

    text: str
    people: tuple[str, ...]
    phrases: tuple[str, ...]
    named: NamedDate | None
    for_several: bool = False
    event: EventDate | None = None

    @property
    def weights(self) -> Weights:
        return LIST_WEIGHTS if self.for_several else WEIGHTS

    def dated(self, named: NamedDate) -> Question:
        """The question with the day of its event, and without the words for it: the event was on another day.

        >>> question = read_question("Where was I a week before the move?", speakers=(), asker=(), today=date.min)
        >>> question.dated(NamedDate(month=3)).text
        'Where was I ?'
        """
        return replace(self, text=self._without_event, named=named, event=None)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that may be compared by meaning: its own, and those that `event_question` and `dated` have.

        >>> read_question("Where was I a week before the move?", speakers=(), asker=(), today=date.min).texts
        ('Where was I a week before the move?', 'the move', 'Where was I ?')
        """
        return (self.text, self.event.event, self._without_event) if self.event else (self.text,)

    @property
    def _without_event(self) -> str:
        return self.text.replace(self.event.phrase, "") if self.event else self.text

    def actor(self, subjects: Collection[str]) -> str | None:
        """The actor the query asks about, if it is exactly one; `subjects` are the subjects of memories.

        The search SQL applies the same rule, because only the database knows all subjects.
        """
        about = {*self.people, *(phrase for phrase in self.phrases if phrase in subjects)}
        return about.pop() if len(about) == 1 else None


def event_question(event: EventDate) -> Question:
    """The query for the event alone, which a date is relative to."""
    return Question(event.event, (), (), None)


def read_question(text: str, *, speakers: Collection[str], asker: Collection[str], today: date) -> Question:
    """Parse a query: find the people and the date it asks about.

    The names of `speakers` are removed from the text, because speakers do not name themselves; subjects of memories
    stay. `asker` are the asker's own names in the searched data. All names are lowercase.

    >>> question = read_question("Did Mel go to Rome?", speakers=["melanie"], asker=(), today=date.min)
    >>> question.text, question.actor(())
    ('Did go to Rome?', 'melanie')
    """
    text = text[:LONGEST_QUESTION]
    for_several = asks_for_several(text)
    named_day, event = _dates(text, today)
    named = {name: found for name in speakers if (found := _mentions(text, name))}
    own = tuple(asker)[:1] if _FIRST_PERSON.search(text) else ()
    maybe = tuple(phrase for phrase in phrases(text) if phrase not in ROLE_ACTORS)
    for words in named.values():
        text = re.sub(rf"\b(?:{'|'.join(map(re.escape, words))})\b{_POSSESSIVE}", " ", text, flags=re.IGNORECASE)
    text = re.sub(r"[^\S\n]+", " ", text).strip()
    return Question(text, (*named, *own), maybe, named_day, for_several, event)


def _dates(text: str, today: date) -> tuple[NamedDate | None, EventDate | None]:
    """The date that a text names, or the event that its date is relative to, if that has no date itself."""
    event = event_date(text)
    named = named_date(event.event if event else text, today)
    if event is None or named is None:
        return named, event
    return (event.around(named.last if event.days > 0 else named.first) if named.first and named.last else named), None


def phrases(text: str) -> tuple[str, ...]:
    """All phrases of one to four words: any name in the text is one of them.

    >>> phrases("Acme API?")
    ('acme', 'acme api', 'api')
    """
    words = [word.lower() for word in _WORD.findall(text)]
    ends = range(1, _LONGEST_PHRASE + 1)
    found = (" ".join(words[begin : begin + size]) for begin in range(len(words)) for size in ends)
    return tuple(dict.fromkeys(found))


def earlier_share(length: int) -> float:
    """Share of the previous message in a message's embedding; short messages depend on what they answer.

    >>> earlier_share(20), earlier_share(400)
    (1.0, 0.25)
    """
    return min(1.0, _OWN_LENGTH / max(length, 1))


def _mentions(text: str, name: str) -> tuple[str, ...]:
    """Words of a text that mention a person: by full name, first name, or a prefix of the first name."""
    if name in ROLE_ACTORS or not name.strip():
        return ()
    if _phrase(name).search(text):
        return tuple(name.split())
    first = name.split(maxsplit=1)[0]
    return tuple(word for word in _WORD.findall(text) if _calls(word, first))


def _calls(word: str, first: str) -> bool:
    low = word.lower()
    if low == first:
        return len(low) >= SHORTEST_PREFIX
    capital = word[:1].isupper() and low not in _NO_NAMES
    return capital and len(low) >= SHORTEST_PREFIX and first.startswith(low)


def _phrase(name: str) -> re.Pattern[str]:
    words = r"\W+".join(map(re.escape, name.split()))
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
