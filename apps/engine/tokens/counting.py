"""The token estimate that every stored count uses: fast, deterministic, the same on every machine."""

CHARACTERS_PER_TOKEN = 4
ROLE_TOKENS = 4


def count_text(text: str) -> int:
    """Tokens of a text: a quarter of its characters (code points), rounded up.

    >>> count_text(""), count_text("abcd"), count_text("abcde")
    (0, 1, 2)
    """
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def count_message(content: str) -> int:
    """Tokens of a message: its content and four for the role.

    >>> count_message("abcde")
    6
    """
    return ROLE_TOKENS + count_text(content)
