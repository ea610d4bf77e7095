"""Texts with generated secrets: `<alnum 36>` is one of 36 letters and digits, `<'tulips'>` is that word."""

from __future__ import annotations

import random
import re
import string
import uuid
from collections.abc import Callable
from dataclasses import dataclass

_ALNUM = string.ascii_letters + string.digits
_LETTERS = {
    "alnum": _ALNUM,
    "hex": "0123456789abcdef",
    "base32": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "upper": "ABCDEFGHJKLMNPQRSTUVWXYZ23456789",
    "lower": string.ascii_lowercase + string.digits,
    "letters": string.ascii_letters,
    "digits": string.digits,
    "base64": _ALNUM + "+",
    "mixed": _ALNUM,
}
_FIELD = re.compile(r"<(?:'([^'>]+)'|([a-z0-9]+)(?: (\d+))?)>")
_SEED_WORDS = (  # noqa: SIM905  # a list has a line for each
    "abandon ability absent acid actor adapt admit agent airport album alert alien "
    "almost alpha amused anchor ancient angle apple arch arena armor arrow artist "
    "autumn avocado banana barrel basket beach bicycle blanket canvas canyon carbon castle "
    "cattle cherry cinnamon clever cricket dolphin donkey dragon eagle "
).split()


@dataclass(frozen=True)
class Rendered:
    """A text and the secrets in it."""

    text: str
    secrets: tuple[str, ...]


def rendered(template: str, seed: int = 7) -> Rendered:
    """The template with a secret in the place of each field; the same ones for the same seed.

    >>> rendered("The password is <'tulips'>.")
    Rendered(text='The password is tulips.', secrets=('tulips',))
    """
    chance = random.Random(f"{seed}{template}")
    secrets: list[str] = []

    def made(field: re.Match[str]) -> str:
        literal, name, length = field.groups()
        if not literal and name not in _LETTERS and name not in _MAKERS:
            return field.group()
        secrets.append(literal or _made(chance, name, int(length or 0)))
        return secrets[-1]

    return Rendered(_FIELD.sub(made, template), tuple(secrets))


def _made(chance: random.Random, name: str, length: int) -> str:
    if name in _MAKERS:
        return _MAKERS[name](chance, length)
    drawn = chance.choices(_LETTERS[name], k=length)
    if name in ("alnum", "lower", "hex", "upper", "base32", "mixed") and length > 3:
        drawn[length // 2] = chance.choice("234567" if name == "base32" else "23456789")
    return _without_runs("".join(drawn), chance) if name == "digits" else "".join(drawn)


def _without_runs(digits: str, chance: random.Random) -> str:
    """Not 0 at the beginning, where a number would be shorter."""
    return chance.choice("123456789") + digits[1:]


def _password(chance: random.Random, _: int) -> str:
    sign = chance.choice("!#%+@$*=?")
    return f"{''.join(chance.choices(string.ascii_letters, k=5))}{sign}{chance.randint(10, 99)}{chance.choice('xyzQ')}"


def _checked(digits: str) -> str:
    """The digits with the check digit of payment cards."""
    doubled = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(reversed(digits)))
    return digits + str(-doubled % 10)


def _card(chance: random.Random, _: int) -> str:
    number = _checked("4" + "".join(chance.choices(string.digits, k=14)))
    return " ".join(number[place : place + 4] for place in range(0, 16, 4))


def _amex(chance: random.Random, _: int) -> str:
    return _checked("37" + "".join(chance.choices(string.digits, k=12)))


def _iban(chance: random.Random, _: int) -> str:
    account = "".join(chance.choices(string.digits, k=18))
    return f"DE{98 - int(f'{account}131400') % 97:02d}{account}"


def _uuid(chance: random.Random, _: int) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def _seed(chance: random.Random, length: int) -> str:
    return " ".join(chance.choices(_SEED_WORDS, k=length))


def _numbered(chance: random.Random, length: int) -> str:
    return "\n".join(f"{number}. {chance.choice(_SEED_WORDS)}" for number in range(1, length + 1))


_MAKERS: dict[str, Callable[[random.Random, int], str]] = {
    "password": _password,
    "card": _card,
    "amex": _amex,
    "iban": _iban,
    "uuid": _uuid,
    "seed": _seed,
    "numbered": _numbered,
}
