"""What retrieval goes by: how a question is read, and how much each sign counts that a text is what it asks for.

The signs are those of one linear recipe: words in common, nearness of meaning, who speaks, what stands beside it, and
the date. They were fitted once on two kinds of talk; nothing here is to be fitted to one workspace alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from apps.engine.language.dates import NamedDate, named_date

SESSION_GAP_HOURS = 4
"""So long a silence ends a session of a conversation."""
ASKER = "user"
"""The actor of what a user says without a name, and of what is known of the user."""
ROLE_ACTORS = frozenset(("user", "assistant", "tool", "system"))
SHORTEST_PREFIX = 3
LONGEST_QUESTION = 4_000
# A message shorter than this takes as much of its meaning from the one before.
_OWN_LENGTH = 100
_LONGEST_PHRASE = 4

_WORD = re.compile(r"\w+")
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_POSSESSIVE = r"(?:['’]s)?"
# Words that begin a question with a capital and begin names too.
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
    """How much each sign counts; `base_…` make the score that lifts what stands beside a text."""

    lexical: float = 0.9
    similarity: float = 2.0
    # Half of what was fitted: the names of who speaks are untidy.
    actor: float = 0.45
    date: float = 1.2
    short_question: float = -0.5
    following: float = 0.30
    preceding_question: float = 0.45
    window: float = 0.475
    session: float = 0.525
    base_lexical: float = 1.0
    base_similarity: float = 2.0
    base_actor: float = 0.5


WEIGHTS = Weights()
CANDIDATES = 200
"""So many are looked at by their words, and as many by their meaning."""
WINDOW = 4
"""How many messages before and after count as beside."""
SHORT_QUESTION_LENGTH = 120
SATURATION, LENGTH_SHARE = 0.9, 0.5
"""BM25's two constants."""
DATE_DAYS = 15.0
"""In so many days after a date the sign falls to a third, before it in half as many."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is looked up. `text` is without the names of who speaks; `words` are those of it. `people` are
    asked about for sure; `phrases` are all that it may name, and those that some memory is about are asked about too.
    """

    text: str
    words: tuple[str, ...]
    people: tuple[str, ...]
    phrases: tuple[str, ...]
    named: NamedDate | None

    def actor(self, subjects: Collection[str]) -> str | None:
        """The one who is asked about, if it is one; `subjects` are what memories are about.

        The statement of a search decides by the same rule, for only the database knows all subjects.
        """
        about = {*self.people, *(phrase for phrase in self.phrases if phrase in subjects)}
        return about.pop() if len(about) == 1 else None


def read_question(text: str, *, speakers: Collection[str], asker: Collection[str], today: date) -> Question:
    """Find who is asked about and when.

    `speakers` are the names of who speaks in the talks, which are taken out: what they say does not name them. What
    memories are about stays. `asker` is what the asker is called among what is searched. All are lower case.

    >>> question = read_question("Did Mel go to Rome?", speakers=["melanie"], asker=(), today=date.min)
    >>> question.text, question.actor(())
    ('Did go to Rome?', 'melanie')
    """
    text = text[:LONGEST_QUESTION]
    named = {name: found for name in speakers if (found := _mentions(text, name))}
    own = tuple(asker)[:1] if _FIRST_PERSON.search(text) else ()
    maybe = tuple(phrase for phrase in phrases(text) if phrase not in ROLE_ACTORS)
    for words in named.values():
        text = re.sub(rf"\b(?:{'|'.join(map(re.escape, words))})\b{_POSSESSIVE}", " ", text, flags=re.IGNORECASE)
    text = re.sub(r"[^\S\n]+", " ", text).strip()
    words = tuple(dict.fromkeys(word.lower() for word in _WORD.findall(text)))
    return Question(text, words, (*named, *own), maybe, named_date(text, today))


def phrases(text: str) -> tuple[str, ...]:
    """The words of a text, and each with up to three that follow: whatever is named in it is one of these.

    >>> phrases("Acme API?")
    ('acme', 'acme api', 'api')
    """
    words = [word.lower() for word in _WORD.findall(text)]
    ends = range(1, _LONGEST_PHRASE + 1)
    found = (" ".join(words[begin : begin + size]) for begin in range(len(words)) for size in ends)
    return tuple(dict.fromkeys(found))


def earlier_share(length: int) -> float:
    """How much of the message before goes into a message's vector: short ones mean what they answer.

    >>> earlier_share(20), earlier_share(400)
    (1.0, 0.25)
    """
    return min(1.0, _OWN_LENGTH / max(length, 1))


def _mentions(text: str, name: str) -> tuple[str, ...]:
    """The words of a text that call somebody by name: the whole of it, its first part, or the beginning of that."""
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
