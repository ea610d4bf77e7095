"""Costs of calls in millionths of a dollar, from the built-in price file and the operator's overrides.

Dollars per million tokens equal millionths of a dollar per token, so rates multiply with tokens directly.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import ROUND_CEILING, Decimal
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, with_config

from apps.llm.providers.base import Usage
from apps.llm.routing.providers import is_free, provider_spec

OWN_FILE = Path(__file__).with_name("prices.toml")

Dollars = Annotated[Decimal, Field(ge=0, le=1_000_000)]
_STRICT = ConfigDict(extra="forbid")


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Rate:
    """Dollars per million tokens of each kind.

    >>> rate = Rate(input=Decimal("0.10"), output=Decimal(5), cache_read=Decimal("0.01"), cache_write=Decimal("0.125"))
    >>> rate.micros(input_tokens=1, output_tokens=1, cache_read_tokens=0, cache_write_tokens=0)
    6
    """

    input: Dollars
    output: Dollars
    cache_read: Dollars
    cache_write: Dollars

    def micros(
        self, *, input_tokens: int, output_tokens: int, cache_read_tokens: int = 0, cache_write_tokens: int = 0
    ) -> int:
        """The cost of a call, rounded up once."""
        total = (
            self.input * input_tokens
            + self.output * output_tokens
            + self.cache_read * cache_read_tokens
            + self.cache_write * cache_write_tokens
        )
        return int(total.to_integral_value(ROUND_CEILING))

    def most_micros(self, *, input_tokens: int, output_tokens: int) -> int:
        """The maximum cost of a call, however much of its prompt is cached."""
        input_rate = max(self.input, self.cache_read, self.cache_write)
        return int((input_rate * input_tokens + self.output * output_tokens).to_integral_value(ROUND_CEILING))


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class LongRate(Rate):
    """The rate of a request whose prompt has more than `above` tokens."""

    above: Annotated[int, Field(ge=1)]


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Price(Rate):
    """The price of a provider's models by name pattern, with the source and the day it was checked."""

    backend: Annotated[str, AfterValidator(lambda name: provider_spec(name).id)]
    model: Annotated[str, Field(min_length=1)]
    source: str
    seen: date
    until: date | None = None
    long: LongRate | None = None

    def fits(self, provider: str, model: str, day: date) -> bool:
        if provider != self.backend or (self.until is not None and day > self.until):
            return False
        return fnmatchcase(model, self.model) or fnmatchcase(model, f"{self.model}-20[0-9]*")

    def rate_for(self, prompt_tokens: int) -> Rate:
        return self.long if self.long is not None and prompt_tokens > self.long.above else self


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices, of which the first match applies. `as_of` is the day of the last check."""

    as_of: date
    price: tuple[Price, ...] = ()

    def over(self, other: PriceList) -> PriceList:
        """These prices, with another list as the fallback."""
        return PriceList(max(self.as_of, other.as_of), (*self.price, *other.price))

    def rate_for(self, provider: str, model: str, prompt_tokens: int) -> Rate | None:
        """The rate for a prompt of this size; None if no price is known."""
        if is_free(provider):
            return FREE
        day = datetime.now(UTC).date()
        match = next((price for price in self.price if price.fits(provider, model, day)), None)
        return match.rate_for(prompt_tokens) if match else None


FREE = Rate(Decimal(0), Decimal(0), Decimal(0), Decimal(0))
_ADAPTER = TypeAdapter(PriceList)


def cost_micros(provider: str, model: str, usage: Usage) -> int | None:
    """The cost of a call in millionths of a dollar; None if no price is known."""
    prompt_tokens = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    rate = prices().rate_for(provider, model, prompt_tokens)
    if rate is None:
        return None
    return rate.micros(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )


def prices() -> PriceList:
    """The prices of this installation; raises `ImproperlyConfigured` for an invalid file."""
    return prices_of(settings.MODEL_PRICES)


@cache
def prices_of(operators: str) -> PriceList:
    """The built-in prices, overridden by the file at `operators`, if not empty."""
    own = prices_read(OWN_FILE)
    return prices_read(Path(operators).expanduser()).over(own) if operators else own


def prices_read(file: Path) -> PriceList:
    """Read and validate a price file; raises `ImproperlyConfigured`."""
    try:
        return _ADAPTER.validate_python(tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal))
    except (OSError, UnicodeDecodeError) as error:
        problem = f"cannot be read ({type(error).__name__})"
    except tomllib.TOMLDecodeError as error:
        problem = f"is not TOML: {error}"
    except ValidationError as error:
        problem = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    raise ImproperlyConfigured(f"The price file {file}: {problem}")
