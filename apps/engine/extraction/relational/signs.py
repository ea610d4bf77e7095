"""Signs of how a person likes to work, found in a message of theirs and the reply before it.

Only the author's own words count, and only where a part of a sentence begins with a known phrase: a phrase in a
quotation, a question, a supposition or a longer text that somebody pasted shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apps.engine.extraction.clauses import Clause, sentences
from apps.engine.extraction.own_words import OwnWords, Span, without_middle
from apps.engine.extraction.refusal import names_secret
from apps.engine.extraction.relational import english, others
from apps.engine.extraction.relational.corrections import correction_in
from apps.engine.extraction.relational.judgement import is_hypothetical, reports_others
from apps.engine.extraction.relational.phrase import Phrase

RELATIONAL_EXTRACTOR = "relational-1"
"""The author of what is written from these signs."""

_PHRASES: tuple[Phrase, ...] = (
    *english.ANSWERS,
    *english.WORKING,
    *english.FEEDBACK,
    *others.ANSWERS,
    *others.WORKING,
    *others.FEEDBACK,
)
_PRAISE = (*english.PRAISE, *others.PRAISE)
_PART = re.compile(r"[,;:、]\s*|(?<!\s)\s++(?:[-–—]|and|but|und|aber|y|pero|et|mais)\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:and|but|so|ok(?:ay)?|well|also|btw|hm+|oh|yes|yeah|yep|no|nope|hey|hi|thanks?|thank you|thx|cheers|sorry"
    r"|please|pls|plz|just"
    r"|now|then|next time|this time|from now on|in (?:the )?future|in general|generally|always|again|for me|going"
    r" forward|nice|good"
    r"|great|could you|can you|would you|will you|you can|you should|i'?d like you to|i'?d (?:prefer|like|rather"
    r" have)|i (?:want|need"
    r"|prefer|like) you to|i (?:prefer|want|like|need)|i'?d prefer(?: it)? if you|try to|make sure (?:to|you)"
    r"|remember to|but please"
    r"|bitte|und|aber|danke|ab jetzt|in zukunft|künftig|immer|kannst du|könntest du|ich (?:möchte|hätte gern|mag"
    r"|will)|por favor|pero"
    r"|gracias|a partir de ahora|siempre|prefiero|s'il (?:te|vous) plaît|merci|mais|désormais|toujours|je préfère"
    r"|これからは|今後は|次から)"
    r"[\s,.!:、。]+",
    re.IGNORECASE,
)
# "No emoji" after a comma could be about anything, unless the sentence is about replies.
_TERSE = re.compile(r"(?:no|without|in)\b", re.IGNORECASE)
_ABOUT_REPLIES = re.compile(r"\b(?:answer|repl(?:y|ies)|respon(?:d|se)|explain|you|your|please|pls)", re.IGNORECASE)
_ASKS = re.compile(
    r"^(?:and |but |so )?(?:should|shall|do|does|did|is|are|was|were|why|how|what|when|who|which|where|have|has)\b",
    re.IGNORECASE,
)
# Whom something is written for, in place of the person.
_FOR_OTHERS = re.compile(
    r"\W{0,2}(?:to|for|in|on|about|from|of) (?:the(?! rest)|this(?! chat)|that|these|those|him|her|them|my|our|his"
    r"|their|each|customers?"
    r"|clients?|users?|reviews?)\b",
    re.IGNORECASE,
)
_WRITES = re.compile(
    r"\b(?:write|draft|compose|rewrite|translate|proofread|summari[sz]e|e-?mail|letter|poem|essay|post|tweet"
    r"|caption|bio|slogan"
    r"|text|headline|title|cv|report|story|script|blurb|description|prompt|function|speech|note|name)s?\b",
    re.IGNORECASE,
)
_IRONY = re.compile(r"🙄|🤦|(?:^|\s)/s\b|\b(?:another|yet again|as always|as usual|today of all days)\b", re.IGNORECASE)
_WHOLE, _ENDS, _PRAISED_WITHIN = 1_500, 300, 160
_LONG_REPLY, _SHORT_PRAISED, _LONG_PRAISED = 300, 600, 2_000
_ITEM = r"(?:[-*•]|\d++[.)])\s++\S"
_FORMS = (
    ("praised_table", re.compile(r"^[^\S\n]*\|.*\|\s*\n\s*\|[\s:|-]+\|", re.MULTILINE)),
    ("praised_code", re.compile(r"^[^\S\n]*```", re.MULTILINE)),
    ("praised_list", re.compile(rf"^[^\S\n]*{_ITEM}.*\n\s*+{_ITEM}", re.MULTILINE)),
)


@dataclass(frozen=True, slots=True)
class Sign(Span):
    """The words of a message that show a trait's value."""

    trait: str
    value: str


def signs_of(text: str, reply: str = "") -> list[Sign]:
    """The signs in a message; `reply` is the assistant message that it answers, empty if it answers none.

    >>> [(sign.trait, sign.value) for sign in signs_of("Too long, shorter please.", "A reply.")]
    [('feedback_length', 'long')]
    >>> [(sign.trait, sign.value) for sign in signs_of('He said "keep your answers short".')]
    []
    """
    own = OwnWords(text)
    signs: dict[str, Sign] = {}
    for clauses in sentences(without_middle(own.text, _WHOLE)):
        sentence = _trimmed(own.text, clauses[0].sentence)
        if _is_read(sentence, text) and not own.quotes(sentence.start, sentence.end) and not _is_refused(sentence):
            signs |= {sign.trait: sign for sign in _of_sentence(sentence, reply)}
    return list(signs.values())


def may_show_signs(text: str) -> bool:
    """Whether a message has any, whatever it answers; a reply need not be read otherwise."""
    return bool(signs_of(text, "?" * _LONG_REPLY + "."))


def _trimmed(message: str, sentence: Span) -> Clause:
    text = message[sentence.start : sentence.end]
    start = sentence.start + len(text) - len(text.lstrip(" \t-*•"))
    end = sentence.start + len(text.rstrip())
    return Clause(start, max(start, end), message, Span(start, max(start, end)))


def _is_read(sentence: Clause, text: str) -> bool:
    """A longer message is mostly something pasted, but for its beginning and end."""
    return len(text) <= _WHOLE or sentence.end <= _ENDS or sentence.start >= len(text) - _ENDS


def _is_refused(sentence: Clause) -> bool:
    text = sentence.text
    asks = text.rstrip("\"'”’)*! ").endswith(("?", "？")) and bool(_ASKS.match(text))
    return asks or names_secret(sentence.text) or reports_others(sentence) or is_hypothetical(sentence)


def _of_sentence(sentence: Clause, reply: str) -> Iterator[Sign]:
    yield from _corrections(sentence, reply)
    yield from _praise(sentence, reply)
    is_about_replies = bool(_ABOUT_REPLIES.search(sentence.text))
    for start, end in _parts(sentence.text):
        may_begin = start == 0 or is_about_replies or not _TERSE.match(sentence.text, start)
        if may_begin and (sign := _of_part(sentence, start, end, reply)):
            is_about_replies = True
            yield sign


def _corrections(sentence: Clause, reply: str) -> Iterator[Sign]:
    """A reply that asks is answered, not corrected, unless it misunderstood."""
    if not reply or sentence.text.endswith("?"):
        return
    following = f"{sentence.text} {sentence.message[sentence.end : sentence.end + 80].strip()}".replace("’", "'")
    trait = correction_in(following)
    if trait and (trait == "corrected_meaning" or not reply.rstrip().endswith(("?", "？"))):
        yield Sign(sentence.start, sentence.end, trait, "yes")


def _praise(sentence: Clause, reply: str) -> Iterator[Sign]:
    if not reply or sentence.start > _PRAISED_WITHIN or sentence.text.endswith("?") or _IRONY.search(sentence.text):
        return
    for start in _starts(sentence.text, 0, len(sentence.text)):
        if any(one.pattern.match(sentence.text, start) for one in _PRAISE):
            for trait in _forms(reply):
                yield Sign(sentence.start, sentence.end, trait, "yes")
            return


def _forms(reply: str) -> list[str]:
    forms = [trait for trait, pattern in _FORMS if pattern.search(reply)]
    forms += ["praised_short"] * (len(reply) <= _SHORT_PRAISED) + ["praised_long"] * (len(reply) >= _LONG_PRAISED)
    return forms or ["praised"]


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """The sentence as a whole first, then from each of its separators on."""
    yield 0, len(text)
    for cut in _PART.finditer(text):
        yield cut.end(), len(text)


def _of_part(sentence: Clause, start: int, end: int, reply: str) -> Sign | None:
    for place in _starts(sentence.text, start, end):
        for one in _PHRASES:
            found = one.pattern.match(sentence.text, place)
            if found and _applies(one, reply, sentence.message) and not _FOR_OTHERS.match(sentence.text, found.end()):
                value = one.value or next(filter(None, found.groups()), "")
                return Sign(sentence.start + found.start(), sentence.start + found.end(), one.trait, value)
    return None


def _starts(text: str, start: int, end: int) -> Iterator[int]:
    """Where a phrase may begin: at the start, and after each of the words that lead to a request."""
    yield start
    while (lead := _LEAD.match(text, start, end)) and lead.end() < end:
        start = lead.end()
        yield start


def _applies(one: Phrase, reply: str, message: str) -> bool:
    if one.of_chat and _WRITES.search(message):
        return False
    if one.of_long_reply:
        return len(reply) >= _LONG_REPLY
    return bool(reply) or not one.of_reply
