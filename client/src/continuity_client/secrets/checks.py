"""Checks of what a rule found: patterns that the value has and lacks, and functions where no pattern can do it."""

from __future__ import annotations

import re
from functools import cache

from continuity_client.secrets.rules import all_checks, filled


def is_opaque(value: str) -> bool:
    """Whether letters and digits alternate as in no word, file name or hexadecimal digest.

    >>> is_opaque("aB3dE5gH7jK9mN1pQ3sT"), is_opaque("my_module_name_with_words")
    (True, False)
    """
    if value.islower() or value.isupper():
        return False
    return (
        len(re.findall(r"\d", value)) >= 3 and len(set(value)) >= 10 and len(re.findall(r"[A-Za-z]+|\d+", value)) >= 5
    )


def is_luhn(value: str) -> bool:
    """Whether the digits have the check digit of payment cards.

    >>> is_luhn("4111 1111 1111 1111"), is_luhn("4111 1111 1111 1112")
    (True, False)
    """
    digits = [int(letter) for letter in value if letter.isdigit()]
    doubled = [digit if place % 2 == 0 else sum(divmod(2 * digit, 10)) for place, digit in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0


def is_iban(value: str) -> bool:
    """Whether an account number has the right check digits (ISO 7064, modulo 97).

    >>> is_iban("DE89 3704 0044 0532 0130 00"), is_iban("DE88 3704 0044 0532 0130 00")
    (True, False)
    """
    text = value.replace(" ", "")
    number = "".join(str(int(letter, 36)) for letter in text[4:] + text[:4])
    return len(text) >= 15 and int(number) % 97 == 1


CHECKS = {"opaque": is_opaque, "luhn": is_luhn, "iban": is_iban}


def is_confirmed(value: str, name: str) -> bool:
    """Whether a value passes a check.

    >>> is_confirmed("Hunter2!x", "password"), is_confirmed("required", "password")
    (True, False)
    """
    if name in CHECKS:
        return CHECKS[name](value)
    check = all_checks()[name]
    words = value.lower().split(" ") if check.unlike or check.without else []
    if check.unlike.intersection([" ".join(words)]) or check.without.intersection(words):
        return False
    return all(compiled(one, check.flags).search(value) for one in check.has) and not any(
        compiled(one, check.flags).search(value) for one in check.lacks
    )


@cache
def compiled(pattern: str, flags: int) -> re.Pattern[str]:
    """A pattern with its parts, compiled when it is needed: a hook must start fast."""
    return re.compile(filled(pattern), flags)
