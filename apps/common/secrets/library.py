"""Patterns of the library detect-secrets: those that are linear in the text, one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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

from continuity_client.secrets.matching import Secret


@dataclass(frozen=True, slots=True)
class Detector:
    """Patterns of a kind, and what every match has in lower case, by which most texts are skipped."""

    kind: str
    keywords: tuple[str, ...]
    patterns: Sequence[re.Pattern[str]]


DETECTORS: tuple[Detector, ...] = (
    Detector("aws-key", ("akia", "asia", "abia", "acca", "a3t"), AWSKeyDetector.denylist[:1]),
    Detector("azure-key", ("accountkey=",), AzureStorageKeyDetector.denylist),
    Detector("artifactory-key", ("akc",), ArtifactoryDetector.denylist[:1]),
    Detector("discord-token", (".",), DiscordBotTokenDetector.denylist),
    Detector("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), GitHubTokenDetector.denylist),
    Detector("gitlab-token", ("gl", "gr1348941"), GitLabTokenDetector.denylist),
    Detector("pypi-token", ("pypi-",), PypiTokenDetector.denylist),
    Detector("sendgrid-key", ("sg.",), SendGridDetector.denylist),
    Detector("slack-token", ("xox", "hooks.slack.com"), SlackDetector.denylist),
    Detector("square-secret", ("sq0csp-",), SquareOAuthDetector.denylist),
    Detector("stripe-key", ("k_live_",), StripeDetector.denylist),
    Detector("telegram-token", (":",), TelegramBotTokenDetector.denylist),
    Detector("twilio-key", ("ac", "sk"), TwilioKeyDetector.denylist),
)


def secrets_by_library(text: str) -> Iterator[Secret]:
    """What the library finds; places may overlap.

    >>> [(one.start, one.kind) for one in secrets_by_library("Use AKIAIOSFODNN7EXAMPLE")]
    [(4, 'aws-key')]
    """
    lowered = text.lower()
    for detector in DETECTORS:
        if any(keyword in lowered for keyword in detector.keywords):
            for pattern in detector.patterns:
                yield from (Secret(*match.span(), detector.kind) for match in pattern.finditer(text))
