"""Words of which nearly every request to forget something has one, in many languages.

They decide nothing: a reply only waits for the reader if its message has one of them.
"""

from __future__ import annotations

from apps.engine.language.similarity import nfkc
from apps.engine.reading.phrases import phrase_pattern

_LONGEST = 2_000
"""Characters of a message that are looked through; longer ones are pasted."""
_BEGINNINGS = (
    # English
    "forget", "delete", "erase", "remove", "scratch", "unlearn", "unknow ", "discard", "wipe", "strike", "drop what",
    "drop the", "drop that", "drop it", "bin what", "bin the", "bin that", "get rid of", "lose the", "take out",
    "take it out", "take that out", "take it back", "take that back", "ignore what", "clear my", "off the record",
    # German, Dutch, Nordic
    "vergiss", "vergessen", "lösch", "streich", "nimm das zurück", "vergeet", "vergeten", "verwijder", "wis dat",
    "wis wat", "glem", "slett", "slet ", "glöm", "radera", "ta bort", "poista", "unohda",
    # Romance
    "oublie", "efface", "supprime", "olvid", "borra", "elimina", "dimentica", "scorda", "cancella", "esquec", "apaga",
    "uită ", "uita ce", "șterge", "sterge",
    # Slavic
    "zapomn", "usuń", "skasuj", "zapomeň", "smaž", "забудь", "забути", "удали", "сотри", "видали", "зітри", "забрави",
    "изтрий", "zaboravi", "obriši",
    # Others
    "felejts", "töröl", "unut", "sil ", "ξέχνα", "ξεχάσ", "διάγραψ", "σβήσ", "انس", "احذف", "امسح", "فراموش", "שכח",
    "מחק", "भूल", "हटा", "ভুলে", "মুছে", "quên", "xóa", "xoá", "lupakan", "hapus", "kalimutan", "burahin", "sahau", "futa",
)  # fmt: skip
_SPACELESS = ("ลืม", "ลบ", "忘れ", "忘了", "消して", "削除", "忘记", "忘掉", "删", "忘記", "刪", "잊어", "지워", "삭제")
_ANY = phrase_pattern(_BEGINNINGS, _SPACELESS)


def may_ask_to_forget(text: str) -> bool:
    """Whether a message has one of the words.

    >>> may_ask_to_forget("Please delete what I said about Rome."), may_ask_to_forget("Ich bin 30 und spiele Gitarre.")
    (True, False)
    """
    return bool(_ANY.search(nfkc(text[:_LONGEST]).casefold()))
