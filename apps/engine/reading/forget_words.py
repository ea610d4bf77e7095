"""Words without which hardly anybody asks to forget something, in many languages.

They decide nothing: a reply only waits for the reader where one of them stands.
"""

from __future__ import annotations

from apps.engine.language.similarity import nfkc

_LONGEST = 2_000
"""Characters of a message that are looked through; longer ones are pasted."""
FORGET_WORDS = (
    # English
    "forget", "delete", "erase", "remove", "scratch", "drop ", "unlearn", "unknow", "discard", "wipe", "strike", "bin ",
    "get rid of", "lose the", "take out", "take it out", "take that out", "off the record", "no longer need to know",
    # German, Dutch, Nordic
    "vergiss", "vergessen", "lösch", "streich", "vergeet", "wis ", "wissen", "verwijder", "glem", "slet",
    "glöm", "radera", "ta bort", "poista", "unohda",
    # Romance
    "oublie", "efface", "supprime", "olvid", "borra", "elimina", "dimentica", "scorda", "cancella", "esquec", "apaga",
    "uita", "șterge", "sterge",
    # Slavic
    "zapomn", "usuń", "skasuj", "zapomeň", "smaž", "забудь", "забути", "удали", "сотри", "видали", "зітри", "забрави",
    "изтрий", "zaboravi", "obriši",
    # Others
    "felejts", "töröl", "unut", "sil ", "ξέχνα", "ξεχάσ", "διάγραψ", "σβήσ", "انس", "احذف", "امسح",
    "فراموش", "שכח", "מחק", "भूल", "हटा", "ভুলে", "মুছে", "ลืม", "ลบ", "quên", "xóa", "xoá", "lupakan", "hapus",
    "kalimutan", "burahin", "sahau", "futa", "忘れ", "消して", "削除", "忘记", "忘掉", "删", "忘記", "刪",
    "잊어", "지워", "삭제",
)  # fmt: skip


def may_ask_to_forget(text: str) -> bool:
    """Whether a message has one of the words.

    >>> may_ask_to_forget("Please delete what I said about Rome."), may_ask_to_forget("I live in Rome.")
    (True, False)
    """
    read = nfkc(text[:_LONGEST]).casefold()
    return any(word in read for word in FORGET_WORDS)
