"""Chit-chat: greetings, thanks and acknowledgements, which ask for nothing that could be retrieved."""

from __future__ import annotations

import re

_GREETINGS = {
    "en": "hi hello hey good morning evening afternoon there you assistant continuity",
    "de": "hallo servus moin guten tag morgen abend",
    "es": "hola buenos días dias tardes",
    "fr": "bonjour bonsoir salut",
    "ja": "こんにちは こんばんは おはよう おはようございます",
}
_THANKS_AND_ANSWERS = {
    "en": """thanks thank thx cheers ta ok okay k yes yeah yep yup no nope sure great perfect lovely nice cool fine
        right awesome wonderful excellent brilliant super good well done got it i see makes sense sounds will do a lot
        so much very all again for your help that's thats it's its is me too same here bye goodbye see later soon
        tomorrow night lol haha hahaha hmm oh ah wow welcome you're youre no worries problem please go on continue
        ahead take care how are things doing going what's whats up today and then have nice day weekend one""",
    "de": """danke vielen dank dankeschön bitte ja nein ok okay gut super toll klasse prima alles klar genau passt
        tschüss ciao bis bald morgen schönen tag noch wie geht es dir geht's""",
    "es": "gracias muchas vale sí si no bien muy perfecto genial claro adiós hasta luego mañana de nada qué tal",
    "fr": "merci beaucoup oui non d'accord bien très parfait super au revoir à bientôt demain ça va de rien",
    "ja": "ありがとう ありがとうございます はい いいえ 了解 了解です お疲れさまです またね どうも",
}
_GREETING_WORDS = frozenset(word for words in _GREETINGS.values() for word in words.split())
_CHIT_CHAT_WORDS = _GREETING_WORDS | {word for words in _THANKS_AND_ANSWERS.values() for word in words.split()}
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
    >>> [is_chit_chat(text) for text in ("Thanks. When is the launch?", "Good schools?", "Postgres")]
    [False, False, False]
    """
    words = _words_of(text).replace("、", " ").split()
    return len(text) <= _LONGEST and (is_greeting(text) or _CHIT_CHAT_WORDS.issuperset(words))


def _words_of(text: str) -> str:
    return _NO_WORD.sub(" ", text[: _LONGEST + 1].casefold().replace("’", "'"))
