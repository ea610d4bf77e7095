"""Chit-chat: greetings, thanks and acknowledgements, which ask for nothing that could be retrieved."""

from __future__ import annotations

import re

from apps.engine.language.word_lists import listed

_GREETINGS = {
    "en": "hi hello hey good morning evening afternoon there you assistant continuity",
    "de": "hallo servus moin guten tag morgen abend",
    "es": "hola buenos días dias tardes",
    "fr": "bonjour bonsoir salut",
    "ja": "こんにちは こんばんは おはよう おはようございます",
}
_THANKS_AND_ANSWERS = {
    "en": """thanks thank thx cheers ta ok okay k yes yeah yep yup no nope sure great perfect lovely cool awesome
        wonderful excellent brilliant well bye goodbye lol haha hahaha hmm oh ah wow welcome worries""",
    "de": "danke vielen dank dankeschön bitte ja nein ok okay super toll klasse prima klar genau passt tschüss ciao",
    "es": "gracias vale sí si no perfecto genial claro adiós hasta luego",
    "fr": "merci oui non d'accord parfait super au revoir à bientôt",
    "ja": "ありがとう ありがとうございます はい いいえ 了解 了解です お疲れさまです またね どうも",
}
# Words beside them that add nothing; alone they may be a search for a weekend or a morning.
_BESIDE = {
    "en": """nice fine right super good done got it i see makes sense sounds will do a lot so much very all again for
        your help that's thats it's its is me too same here see later soon tomorrow night you're youre problem please go
        on continue ahead take care how are things doing going what's up today and then have nice day weekend one""",
    "de": "gut alles bis bald schönen noch wie geht es dir geht's für die hilfe sehr",
    "es": "muchas muy bien hasta luego mañana de nada qué tal por la ayuda",
    "fr": "beaucoup bien très demain ça va de rien pour l'aide",
}
_GREETING_WORDS, _ANSWER_WORDS, _WORDS_BESIDE = (
    listed(" ".join(words.values())) for words in (_GREETINGS, _THANKS_AND_ANSWERS, _BESIDE)
)
_OPENING_WORDS = _ANSWER_WORDS | listed("hi hello hey hallo servus moin hola bonjour bonsoir salut")
_CHIT_CHAT_WORDS = _GREETING_WORDS | _ANSWER_WORDS | _WORDS_BESIDE
_ABOUT_YOU = (
    *("what can you do", "what do you do", "who are you", "what are you", "what is this", "how does this work", "help"),
    *("was kannst du", "wer bist du", "qué puedes hacer", "que puedes hacer", "que peux-tu faire", "qui es-tu"),
)
_LONGEST = 80
_NO_WORD = re.compile(r"[^\w\s'-]")


def is_greeting(text: str) -> bool:
    """Whether the text only greets or asks what the assistant can do, in five languages.

    >>> [is_greeting(text) for text in ("Hi! What can you do?", "Guten Morgen", "Hello, which database did we choose?")]
    [True, True, False]
    """
    rest = _words_of(text)
    for asked in _ABOUT_YOU:
        rest = rest.replace(asked, " hello ")
    words = rest.split()
    return bool(words) and len(text) <= _LONGEST and _GREETING_WORDS.issuperset(words)


def is_chit_chat(text: str) -> bool:
    """Whether the text greets, thanks or acknowledges and asks for nothing; also if it has no words at all.

    >>> [is_chit_chat(text) for text in ("Thanks a lot, that's great!", "ok 👍", "はい、ありがとうございます")]
    [True, True, True]
    >>> [is_chit_chat(text) for text in ("Thanks. When is the launch?", "weekend", "Postgres")]
    [False, False, False]
    """
    words = _words_of(text).replace("、", " ").split()
    if is_greeting(text) and len(words) > 1:
        return True
    if len(text) > _LONGEST or not _CHIT_CHAT_WORDS.issuperset(words):
        return False
    return not words or not _OPENING_WORDS.isdisjoint(words)


def _words_of(text: str) -> str:
    return _NO_WORD.sub(" ", text[: _LONGEST + 1].casefold().replace("’", "'"))
