"""Patterns of secrets: those of the library detect-secrets, and a short list of our own.

Each is linear in the text (tests/linear_time): a run without end is matched once, as a whole. Of the library we use the
patterns that are linear, one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of secret; the secret is the group `value` if there is one, and counts if `is_secret` confirms it."""

    kind: str
    regex: re.Pattern[str]
    is_secret: Callable[[str], bool] = bool


def _is_opaque(value: str) -> bool:
    """Whether letters and digits alternate as in no word, file name or hexadecimal digest."""
    if not (re.search(r"[a-z]", value) and re.search(r"[A-Z]", value)):
        return False
    runs = re.findall(r"[A-Za-z]+|\d+", value)
    digits = sum(letter.isdigit() for letter in value)
    return len(runs) >= _OPAQUE_RUNS and digits >= _OPAQUE_DIGITS and len(set(value)) >= _OPAQUE_LETTERS


def _is_password(value: str) -> bool:
    """Whether a value after "password is" looks like one, and not like a word, a call or a placeholder."""
    if value[0] in "$%{<([*" or re.search(
        r"[(\[{}]|\.\.\.|^(?:os|process|settings|env|config|self)\.|[xX*•]{4}", value
    ):
        return False
    has_letter, has_digit = bool(re.search(r"[A-Za-z]", value)), bool(re.search(r"\d", value))
    has_sign = bool(re.search(r"[^\w\s.,/:'-]", value.rstrip(".,;:!?)。、")))
    return has_letter and (has_digit or has_sign) and not re.fullmatch(_ORDINARY, value)


def _is_luhn(value: str) -> bool:
    digits = [int(letter) for letter in value if letter.isdigit()]
    doubled = [digit if place % 2 == 0 else sum(divmod(2 * digit, 10)) for place, digit in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0


def _is_iban(value: str) -> bool:
    text = value.replace(" ", "")
    number = "".join(str(int(letter, 36)) for letter in text[4:] + text[:4])
    return len(text) >= _SHORTEST_IBAN and int(number) % 97 == 1


_OPAQUE_RUNS, _OPAQUE_DIGITS, _OPAQUE_LETTERS = 5, 3, 10
_SHORTEST_IBAN = 15
# Versions, times, dates, file names and units are no passwords.
_ORDINARY = re.compile(
    r"v?\d+(?:[.:/-]\d+)*\w{0,3}|\w+\.(?:py|js|ts|md|txt|json|ya?ml|toml|env|html?|com|org|net|io|de)\S*|https?:\S+"
    r"|\w{1,3}\d{1,2}|\d+[\w-]*(?:characters?|digits?|zeichen)|sha\d+|base64|utf-?8|oauth2?|[a-z]+(?:_[a-z]+)+\d{0,2}",
)
_NAMES = (
    r"pass(?:word|phrase|code|wd)?|pwd|pw|secret|token|auth[_ -]?token|api[_ -]?key|apikey|access[_ -]?key(?:[_ -]?id)?"
    r"|secret[_ -]?(?:access[_ -]?)?key|client[_ -]?secret|private[_ -]?key|account[_ -]?key|credentials?"
    r"|passwort|kennwort|zugangscode|schlüssel|contraseña|clave|mot de passe|mdp|clé(?: d'api)?|パスワード|暗証番号"
)
_FOR = r"(?:[ _-](?:for|of|to|on|für|fürs|vom|zum|del?|para|pour|du|des)(?: [\w.'-]{1,30}){1,4}?)?"
_JOIN = (
    r"\s{0,3}(?:\\?[\"'])?\s{0,3}(?::=|=>|->|=|:|：|(?<!\w)(?:is|was|now|ist|lautet|es|est|era|war)(?!\w)|は|が)"
    r"(?: (?:now|still|jetzt|ahora|maintenant))?\s{0,3}:?\s{0,3}(?:\\?[\"'`«„「])?"
)
_VALUE = r"(?P<value>[^\s\"'`,;&\\»“」]{5,128})"
_PREFIXED = (
    r"gh[pousr]_\w{20,}|github_pat_\w{22,}|glpat-[\w-]{20,}|sk-[\w-]{20,}|[sr]k_(?:live|test)_\w{16,}|whsec_\w{16,}"
    r"|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}|AIza[\w-]{35}|ya29\.[\w-]{20,}|hf_[A-Za-z]{30,}|npm_\w{30,}"
    r"|pypi-[\w-]{40,}|do[opr]_v1_\w{40,}|dapi[0-9a-f]{32}|lin_api_\w{30,}|shp(?:at|ca|pa|ss)_\w{30,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|gsk_\w{30,}|r8_\w{30,}|tvly-[\w-]{20,}|pplx-\w{30,}|xai-\w{40,}|figd_[\w-]{30,}"
    r"|sbp_\w{30,}|ctk_[\w-]{20,}|AGE-SECRET-KEY-1\w{40,}|vault:v\d:[\w+/=]{20,}|EAA[A-Za-z0-9]{60,}|[a-z]+_live_\w{16,}"
)


def _pattern(kind: str, regex: str, is_secret: Callable[[str], bool] = bool, flags: int = re.IGNORECASE) -> Pattern:
    return Pattern(kind, re.compile(regex, flags), is_secret)


def _of_library(kind: str, patterns: Iterable[re.Pattern[str]]) -> list[Pattern]:
    return [Pattern(kind, regex) for regex in patterns]


OWN: tuple[Pattern, ...] = (
    _pattern(
        "private-key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----).|\n)*(?:-----END [A-Z0-9 ]{0,40}-----)?",
        flags=0,
    ),
    _pattern(
        "url-password", r"://[^\s/:@\"']{0,100}:(?P<value>[^\s/@\"']{1,200})@", lambda value: value[0] not in "<{$["
    ),
    _pattern(
        "bearer-token",
        r"\b(?:bearer|basic)\s{1,3}(?P<value>[\w.~+/=-]{16,})",
        lambda value: bool(re.search(r"\d", value)),
    ),
    _pattern("jwt", r"(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?", flags=0),
    _pattern("token", rf"(?<![A-Za-z0-9])(?:{_PREFIXED})", lambda value: bool(re.search(r"\d|[A-Z]", value)), flags=0),
    _pattern("password", rf"(?=[ackmpstzsパ暗])(?<![a-z])(?:{_NAMES})(?![a-z]){_FOR}{_JOIN}{_VALUE}", _is_password),
    _pattern(
        "password",
        rf"(?=[pc])(?<![a-z])(?:pass(?:word)?|pw|passwort|clave|contraseña) {_VALUE}",
        lambda value: (
            _is_password(value) and bool(re.search(r"\d", value)) and bool(re.search(r"[^\w.,:;/'-]|_", value))
        ),
    ),
    _pattern(
        "pin", rf"(?=[pc])(?<!\w)(?:pin|cvv2?|cvc)(?:[ -]?(?:code|number|nummer))?\b{_FOR}{_JOIN}(?P<value>\d{{3,8}})\b"
    ),
    _pattern(
        "card-number",
        r"(?<!\d)(?<!\d[ .-])(?<!\.)[2-6]\d{3}([ -]?)(?:\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{6}\1\d{5})(?![\d-])",
        _is_luhn,
    ),
    _pattern(
        "iban",
        r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])",
        _is_iban,
        flags=0,
    ),
    _pattern("opaque-token", r"(?<![\w+/=.-])[\w-]{20,}+(?![\w+/.-]*\.\w)", _is_opaque, flags=0),
)
LIBRARY: tuple[Pattern, ...] = (
    *_of_library("aws-key", AWSKeyDetector.denylist[:1]),
    *_of_library("azure-key", AzureStorageKeyDetector.denylist),
    *_of_library("artifactory-key", ArtifactoryDetector.denylist[:1]),
    *_of_library("discord-token", DiscordBotTokenDetector.denylist),
    *_of_library("github-token", GitHubTokenDetector.denylist),
    *_of_library("gitlab-token", GitLabTokenDetector.denylist),
    *_of_library("pypi-token", PypiTokenDetector.denylist),
    *_of_library("sendgrid-key", SendGridDetector.denylist),
    *_of_library("slack-token", SlackDetector.denylist),
    *_of_library("square-secret", SquareOAuthDetector.denylist),
    *_of_library("stripe-key", StripeDetector.denylist),
    *_of_library("telegram-token", TelegramBotTokenDetector.denylist),
    *_of_library("twilio-key", TwilioKeyDetector.denylist),
)
PATTERNS: tuple[Pattern, ...] = (*LIBRARY, *OWN)
