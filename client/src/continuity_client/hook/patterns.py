"""Patterns of secrets. Each has triggers: it is compiled only if one of them occurs in a text."""

from __future__ import annotations

import re
from typing import Callable, NamedTuple

_NAMES = (
    r"pass(?:word|phrase|code|wd)?|pwd|pw|secret|token|auth[_ -]?token|api[_ -]?key|apikey|access[_ -]?key(?:[_ -]?id)?"
    r"|secret[_ -]?(?:access[_ -]?)?key|client[_ -]?secret|private[_ -]?key|account[_ -]?key|credentials?"
    r"|passwort|kennwort|zugangscode|schlüssel|contraseña|clave|mot de passe|mdp|clé(?: d'api)?|パスワード|暗証番号"
)
_NAME_TRIGGERS = (
    "pass",
    "pwd",
    "pw",
    "secret",
    "token",
    "key",
    "credential",
    "kennwort",
    "zugangscode",
    "schlüssel",
    "contraseña",
    "clave",
    "mdp",
    "clé",
    "パスワード",
    "暗証番号",
)
_FOR = r"(?:[ _-](?:for|of|to|on|für|fürs|vom|zum|del?|para|pour|du|des)(?: [\w.'-]{1,30}){1,4}?)?"
_JOIN = (
    r"\s{0,3}(?:\\?[\"'])?\s{0,3}(?::=|=>|->|=|:|：|(?<!\w)(?:is|was|now|ist|lautet|es|est|era|war)(?!\w)|は|が)"
    r"(?: (?:now|still|jetzt|ahora|maintenant))?\s{0,3}:?\s{0,3}(?:\\?[\"'`«„「])?"
)
_VALUE = r"(?P<value>[^\s\"'`,;&\\»“」]{5,128})"
PRIVATE_KEY = (
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----).|\n)*(?:-----END [A-Z0-9 ]{0,40}-----)?"
)
# A token begins with one of these, lower case in the text to find it and as it is in the pattern.
_PREFIXED = {
    "gh": r"gh[pousr]_\w{20,}|github_pat_\w{22,}",
    "glpat-": r"glpat-[\w-]{20,}",
    "sk-": r"sk-[\w-]{20,}",
    "k_": r"[sr]k_(?:live|test)_\w{16,}",
    "_live_": r"[a-z]+_live_\w{16,}",
    "whsec_": r"whsec_\w{16,}",
    "xox": r"xox[abeoprs]-[\w-]{10,}",
    "xapp-": r"xapp-[\w-]{10,}",
    "hooks.slack": r"https://hooks\.slack\.com/services/T\w{5,}/B\w{5,}/\w{15,}",
    "aiza": r"AIza[\w-]{35}",
    "ya29.": r"ya29\.[\w-]{20,}",
    "hf_": r"hf_[A-Za-z]{30,}",
    "npm_": r"npm_\w{30,}",
    "pypi-": r"pypi-[\w-]{40,}",
    "_v1_": r"do[opr]_v1_\w{40,}",
    "dapi": r"dapi[0-9a-f]{32}",
    "lin_api_": r"lin_api_\w{30,}",
    "shp": r"shp(?:at|ca|pa|ss)_\w{30,}",
    "sg.": r"SG\.[\w-]{16,}\.[\w-]{16,}",
    "gsk_": r"gsk_\w{30,}",
    "r8_": r"r8_\w{30,}",
    "tvly-": r"tvly-[\w-]{20,}",
    "pplx-": r"pplx-\w{30,}",
    "xai-": r"xai-\w{40,}",
    "figd_": r"figd_[\w-]{30,}",
    "sbp_": r"sbp_\w{30,}",
    "ctk_": r"ctk_[\w-]{20,}",
    "ck_": r"ck_\w{6,12}_[\w-]{30,}",
    "age-secret-key-": r"AGE-SECRET-KEY-1\w{40,}",
    "vault:v": r"vault:v\d:[\w+/=]{20,}",
    "eaa": r"EAA[A-Za-z0-9]{60,}",
    "sq0": r"sq0[a-z]{3}-[\w-]{22,}",
    "akc": r"AKC[a-zA-Z0-9]{10,}",
    "ac": r"AC[a-z0-9]{32}(?![a-z0-9])",
    "sk": r"SK[a-z0-9]{32}(?![a-z0-9])",
}


class Pattern(NamedTuple):
    """A kind of secret; the secret is the group `value` if there is one, and counts if `is_secret` confirms it."""

    kind: str
    triggers: tuple[str, ...]
    regex: str
    flags: int = 0
    is_secret: Callable[[str], bool] = bool


def is_opaque(value: str) -> bool:
    """Whether letters and digits alternate as in no word, file name or hexadecimal digest."""
    if value.islower() or value.isupper():
        return False
    digits = sum(letter.isdigit() for letter in value)
    return digits >= 3 and len(set(value)) >= 10 and len(re.findall(r"[A-Za-z]+|\d+", value)) >= 5


def is_password(value: str) -> bool:
    """Whether a value after "password is" looks like one, and not like a word, a call or a placeholder."""
    if value[0] in "$%{<([*" or re.search(
        r"[(\[{}]|\.\.\.|^(?:os|process|settings|env|config|self)\.|[xX*•]{4}", value
    ):
        return False
    has_letter, has_digit = bool(re.search(r"[A-Za-z]", value)), bool(re.search(r"\d", value))
    has_sign = bool(re.search(r"[^\w\s.,/:'-]", value.rstrip(".,;:!?)。、")))
    return has_letter and (has_digit or has_sign) and not re.fullmatch(_ORDINARY, value)


def is_bare_password(value: str) -> bool:
    """Whether a value right after the word "password" looks like one."""
    return is_password(value) and bool(re.search(r"\d", value)) and bool(re.search(r"[^\w.,:;/'-]|_", value))


def is_luhn(value: str) -> bool:
    """Whether the digits have the check digit of payment cards."""
    digits = [int(letter) for letter in value if letter.isdigit()]
    doubled = [digit if place % 2 == 0 else sum(divmod(2 * digit, 10)) for place, digit in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0


def is_iban(value: str) -> bool:
    """Whether an account number has the right check digits."""
    text = value.replace(" ", "")
    number = "".join(str(int(letter, 36)) for letter in text[4:] + text[:4])
    return len(text) >= 15 and int(number) % 97 == 1


def has_digit(value: str) -> bool:
    """Whether there is a digit in it."""
    return any(letter.isdigit() for letter in value)


def has_digit_or_capital(value: str) -> bool:
    """Whether it has a digit or a capital letter, other than a plain word."""
    return any(letter.isdigit() or letter.isupper() for letter in value)


# Versions, times, dates, file names and units are no passwords.
_ORDINARY = (
    r"v?\d+(?:[.:/-]\d+)*\w{0,3}|\w+\.(?:py|js|ts|md|txt|json|ya?ml|toml|env|html?|com|org|net|io|de)\S*|https?:\S+"
    r"|\w{1,3}\d{1,2}|\d+[\w-]*(?:characters?|digits?|zeichen)|sha\d+|base64|utf-?8|oauth2?|[a-z]+(?:_[a-z]+)+\d{0,2}"
)

PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        "private-key",
        ("private key",),
        PRIVATE_KEY,
    ),
    Pattern(
        "url-password",
        ("@",),
        r"://[^\s/:@\"']{0,100}:(?P<value>[^\s/@\"']{1,200})@",
        0,
        lambda value: value[0] not in "<{$[",
    ),
    Pattern(
        "bearer-token",
        ("bearer", "basic"),
        r"\b(?:bearer|basic)\s{1,3}(?P<value>[\w.~+/=-]{16,})",
        re.IGNORECASE,
        has_digit,
    ),
    Pattern("jwt", ("eyj",), r"(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?"),
    *(
        Pattern("token", (prefix,), rf"(?<![A-Za-z0-9])(?:{regex})", 0, has_digit_or_capital)
        for prefix, regex in _PREFIXED.items()
    ),
    Pattern(
        "aws-key",
        ("akia", "asia", "abia", "acca", "a3t"),
        r"(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9])",
    ),
    Pattern("azure-key", ("accountkey=",), r"AccountKey=[a-zA-Z0-9+/=]{88}"),
    Pattern("telegram-token", (":a",), r"(?<!\d)\d{8,10}:A[\w-]{34}(?![\w-])"),
    Pattern("discord-token", (".",), r"(?<![\w.-])[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])", 0, has_digit),
    Pattern(
        "password",
        _NAME_TRIGGERS,
        rf"(?=[ackmpstzsパ暗])(?<![a-z])(?:{_NAMES})(?![a-z]){_FOR}{_JOIN}{_VALUE}",
        re.IGNORECASE,
        is_password,
    ),
    Pattern(
        "password",
        ("pass", "pw", "clave", "contraseña"),
        rf"(?=[pc])(?<![a-z])(?:pass(?:word)?|pw|passwort|clave|contraseña) {_VALUE}",
        re.IGNORECASE,
        is_bare_password,
    ),
    Pattern(
        "pin",
        ("pin", "cvv", "cvc"),
        rf"(?=[pc])(?<!\w)(?:pin|cvv2?|cvc)(?:[ -]?(?:code|number|nummer))?\b{_FOR}{_JOIN}(?P<value>\d{{3,8}})\b",
        re.IGNORECASE,
    ),
    Pattern(
        "card-number",
        (),
        r"(?<!\d)(?<!\d[ .-])(?<!\.)[2-6]\d{3}([ -]?)(?:\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{6}\1\d{5})(?![\d-])",
        0,
        is_luhn,
    ),
    Pattern(
        "iban",
        (),
        r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])",
        0,
        is_iban,
    ),
    # A lookahead keeps what it has matched, so that a long run is matched once, not again from each shorter end.
    Pattern(
        "opaque-token",
        (),
        r"(?<![\w+/=.-])(?=(?P<run>[\w-]{20,}))(?P=run)(?![\w+/.-]*\.\w)",
        0,
        is_opaque,
    ),
)
