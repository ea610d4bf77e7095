"""Costs from the built-in price file and the operator's overrides; unknown prices stay unknown."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from apps.llm.budget.pricing import OWN_FILE, cost_micros, prices, prices_read
from apps.llm.providers.base import Usage, UsageSource

OWN = """
as_of = 2026-12-01
[[price]]
backend = "anthropic"
model = "claude-haiku-5-5"
input = 7
output = 8
cache_read = 1
cache_write = 9
source = "our contract"
seen = 2026-12-01
"""


def used(input_tokens: int, output_tokens: int, read: int = 0, written: int = 0) -> Usage:
    return Usage(UsageSource.REPORTED, input_tokens, output_tokens, read, written)


def test_each_kind_of_token_has_a_price_and_the_sum_is_rounded_up() -> None:
    assert cost_micros("anthropic", "claude-sonnet-5-5", used(1_000, 100, 10_000, 200)) == 2_000 + 1_000 + 1_000 + 500
    assert cost_micros("anthropic", "claude-haiku-5-5", used(1, 0)) == 1
    assert cost_micros("anthropic", "claude-haiku-5-5", used(0, 0)) == 0


def test_a_long_prompt_raises_the_rate_of_the_whole_call() -> None:
    short, long = used(1_000, 1_000, 99_000), used(1_001, 1_000, 99_000)
    assert cost_micros("anthropic", "claude-haiku-5-5", short) == 100 + 500 + 990
    assert cost_micros("anthropic", "claude-haiku-5-5", long) == 501 + 2_500 + 4_950


def test_a_dated_name_is_the_same_model_and_others_are_unknown() -> None:
    assert cost_micros("anthropic", "claude-sonnet-5-5-20260922", used(1, 0)) == 2
    assert cost_micros("anthropic", "claude-sonnet-5-5-turbo", used(1, 0)) is None
    assert cost_micros("openrouter", "claude-sonnet-5-5", used(1, 0)) is None


@pytest.mark.parametrize("backend", ["offline", "ollama", "claude-cli"])
def test_local_models_cost_nothing(backend: str) -> None:
    assert cost_micros(backend, "whatever", used(9_999, 9_999)) == 0


def test_a_price_ends_with_its_last_day() -> None:
    (promoted, usual) = (price for price in prices().price if price.model == "gemini-3.8-flash")
    assert promoted.fits("gemini", "gemini-3.8-flash", date(2026, 12, 31))
    assert not promoted.fits("gemini", "gemini-3.8-flash", date(2027, 1, 1))
    assert usual.fits("gemini", "gemini-3.8-flash", date(2027, 1, 1))


def test_every_built_in_price_has_a_source() -> None:
    for price in prices_read(OWN_FILE).price:
        assert price.source.startswith("https://")
        assert price.cache_read <= price.input <= price.output or price.output == 0
        assert price.long is None or price.long.input > price.input


def test_the_operator_s_price_file_overrides_ours(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "prices.toml").write_text(OWN)
    settings.MODEL_PRICES = str(tmp_path / "prices.toml")
    assert cost_micros("anthropic", "claude-haiku-5-5", used(1, 1)) == 15
    assert cost_micros("anthropic", "claude-sonnet-5-5", used(1, 0)) == 2
    assert prices().as_of == date(2026, 12, 1)
    assert prices().price[0].input == Decimal(7)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "cannot be read"),
        ("as_of = ", "is not TOML"),
        ("", "as_of: Field required"),
        (OWN.replace("input = 7", "input = -7"), "price.0.input: Input should be greater"),
        (OWN.replace("input = 7", 'input = "x"'), "price.0.input"),
        (OWN.replace("anthropic", "anthropics"), "price.0.backend"),
        (OWN.replace("output = 8", "outputs = 8"), "price.0.output"),
    ],
)
def test_an_invalid_price_file_is_reported_with_the_problem(tmp_path: Path, text: str | None, problem: str) -> None:
    file = tmp_path / "prices.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ImproperlyConfigured) as caught:
        prices_read(file)
    assert str(file) in str(caught.value)
    assert problem in str(caught.value)


def test_a_process_with_a_missing_price_file_does_not_start() -> None:
    environment = {**os.environ, "CONTINUITY_PRICES": "/nowhere/prices.toml"}
    tried = subprocess.run(
        [sys.executable, "manage.py", "check"], env=environment, capture_output=True, text=True, check=False
    )
    assert tried.returncode != 0
    assert "The price file /nowhere/prices.toml: cannot be read" in tried.stderr
