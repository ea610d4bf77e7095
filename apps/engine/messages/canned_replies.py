"""Texts of replies without a model. They say nothing about a person, and are evidence of nothing."""

from __future__ import annotations

NO_MODEL = "No model is connected"
ADD_KEY = "[Add a key](/settings/models)"
INTRODUCTION = f"""\
Hello! I'm Continuity. Older messages of a chat become a summary that you can read and correct, and what you pin or \
save as memory is always sent to the model.

{NO_MODEL} yet, so I only quote what's saved. Ask me about something from this chat or your memory. {ADD_KEY} for real \
answers."""
NO_MATCHES = f"{NO_MODEL}, and I found nothing about this in the chat or your memory. {ADD_KEY} for real answers."
QUOTED = f"{NO_MODEL}, so I can only quote what's saved. Closest matches:"
ABOUT_YOU = f"{NO_MODEL}, so here is what I remember about you, as it is saved:"
FORGOTTEN = "Forgotten. The mark at your message says what, and can undo it."
CHOOSE = "Choose at your message what to forget, if that is what you mean."
NOTHING_TO_FORGET = "I found nothing to forget about this in your memory."
_BEGINNINGS = tuple(text[:40] for text in (NO_MODEL, INTRODUCTION, FORGOTTEN, CHOOSE, NOTHING_TO_FORGET))


def is_canned_reply(text: str) -> bool:
    """Whether a text is a reply that was written without a model.

    >>> is_canned_reply(NO_MATCHES), is_canned_reply("Here are three models that may suit you.")
    (True, False)
    """
    return text.startswith(_BEGINNINGS)
