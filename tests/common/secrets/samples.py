"""Generated secrets of many kinds, and what carries them into a conversation."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

_ALNUM, _HEX = string.ascii_letters + string.digits, "0123456789abcdef"
_UPPER = string.ascii_uppercase + string.digits
PER_KIND = 5


@dataclass(frozen=True)
class Sample:
    """A secret in a sentence: `before` announces it."""

    kind: str
    before: str
    secret: str


def samples(seed: int = 7) -> Iterator[Sample]:
    for kind, (before, make) in _KINDS.items():
        for number in range(PER_KIND):
            yield Sample(kind, before, make(random.Random(f"{seed}{kind}{number}")))  # repeatable samples


def _drawn(random_: random.Random, length: int, letters: str = _ALNUM) -> str:
    return "".join(random_.choices(letters, k=length))


def _made(prefix: str, length: int, letters: str = _ALNUM) -> Callable[[random.Random], str]:
    return lambda random_: prefix + _drawn(random_, length - 1, letters) + random_.choice("23456789")


def _password(random_: random.Random) -> str:
    return f"{_drawn(random_, 5)}{random_.choice('!#%+')}{random_.randint(10, 99)}{_drawn(random_, 3)}"


def _jwt(random_: random.Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(json.dumps({"sub": _drawn(random_, 8)}).encode()).decode().rstrip("=")
    return f"{head}.{body}.{_drawn(random_, 43)}"


def _private_key(random_: random.Random) -> str:
    lines = "\n".join(_drawn(random_, 64) for _ in range(3))
    return f"-----BEGIN RSA PRIVATE KEY-----\n{lines}\n-----END RSA PRIVATE KEY-----"


def _card(random_: random.Random) -> str:
    digits = "4" + _drawn(random_, 14, string.digits)
    number = digits + next(last for last in string.digits if _checksum(digits + last) == 0)
    return " ".join(number[place : place + 4] for place in range(0, 16, 4))


def _checksum(number: str) -> int:
    doubled = (sum(divmod(int(digit) * (1 + place % 2), 10)) for place, digit in enumerate(reversed(number)))
    return sum(doubled) % 10


def _iban(random_: random.Random) -> str:
    account = _drawn(random_, 18, string.digits)
    check = 98 - int(f"{account}131400") % 97
    return f"DE{check:02d}{account}"


def _bearer(random_: random.Random) -> str:
    return f"Bearer {_drawn(random_, 30)}7"


def _url_password(random_: random.Random) -> str:
    return f"postgres://app:{_drawn(random_, 12)}@db.internal/app"


_KINDS: dict[str, tuple[str, Callable[[random.Random], str]]] = {
    "aws": ("the key is", _made("AKIA", 16, _UPPER)),
    "github": ("use", _made("ghp_", 36)),
    "github_fine": ("here you go,", _made("github_pat_", 60)),
    "gitlab": ("for the runner", _made("glpat-", 20)),
    "openai": ("it is", _made("sk-proj-", 48)),
    "anthropic": ("claude wants", _made("sk-ant-api03-", 60)),
    "stripe": ("live one", _made("sk_live_", 24)),
    "slack": ("bot", lambda random_: f"xoxb-{random_.randint(10**11, 10**12)}-{_drawn(random_, 24)}"),
    "google": ("maps", _made("AIza", 35)),
    "huggingface": ("hub", lambda random_: "hf_" + _drawn(random_, 34, string.ascii_letters)),
    "npm": ("publish with", _made("npm_", 36)),
    "pypi": ("upload with", _made("pypi-AgEIcHlwaS5vcmc", 80)),
    "sendgrid": ("mail", lambda random_: f"SG.{_drawn(random_, 22)}.{_drawn(random_, 43)}"),
    "telegram": ("the bot", lambda random_: f"{random_.randint(10**8, 10**9)}:{_drawn(random_, 35)}"),
    "twilio": ("sms", _made("SK", 32, _HEX)),
    "digitalocean": ("droplets", _made("dop_v1_", 64, _HEX)),
    "jwt": ("session", _jwt),
    "bearer": ("Authorization:", _bearer),
    "private_key": ("key:", _private_key),
    "url_password": ("db", _url_password),
    "card": ("pay with", _card),
    "iban": ("transfer to", _iban),
    "password_en": ("my password is", _password),
    "password_de": ("das Passwort lautet", _password),
    "password_es": ("la contraseña es", _password),
    "password_fr": ("le mot de passe est", _password),
    "password_ja": ("パスワードは", _password),
}


def _split(sample: Sample) -> list[str]:
    middle = len(sample.secret) // 2
    return [f"{sample.before} {sample.secret[:middle]}", f"{sample.secret[middle:]} that was it"]


def _encoded(sample: Sample) -> list[str]:
    return [f"saved as {base64.b64encode(f'{sample.before} {sample.secret}'.encode()).decode()} in the vault"]


CARRIERS: dict[str, Callable[[Sample], list[str]]] = {
    "text": lambda sample: [f"Hi, {sample.before} {sample.secret} for the staging box."],
    "json": lambda sample: [json.dumps({"note": f"{sample.before} {sample.secret}", "id": 5}, ensure_ascii=False)],
    "base64": _encoded,
    "two_messages": _split,
    "tool_output": lambda sample: [f"$ cat notes.txt\n{sample.before} {sample.secret}\ndone in 2 s"],
    "url": lambda sample: [f"https://example.org/?text={quote(f'{sample.before} {sample.secret}', safe='')}&x=1"],
}


def telling_piece(sample: Sample) -> str:
    """What must be in no text afterwards: of a secret in several lines, the longest."""
    bare = sample.secret.removeprefix("Bearer ").removeprefix("postgres://app:").split("@")[0]
    return max(bare.split("\n"), key=len)
