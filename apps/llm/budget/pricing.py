"""What calls cost by the price file in this package and the operator's own over it, in millionths of a dollar.

A dollar for a million tokens is a millionth of a dollar for one: so rates are multiplied with tokens as they stand.
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
    """Dollars for a million tokens of each kind.

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
        """Rounded up, once for the whole call."""
        whole = (
            self.input * input_tokens
            + self.output * output_tokens
            + self.cache_read * cache_read_tokens
            + self.cache_write * cache_write_tokens
        )
        return int(whole.to_integral_value(ROUND_CEILING))

    def most_micros(self, *, input_tokens: int, output_tokens: int) -> int:
        """What a call costs at most, whatever of its prompt is cached."""
        dearest = max(self.input, self.cache_read, self.cache_write)
        return int((dearest * input_tokens + self.output * output_tokens).to_integral_value(ROUND_CEILING))


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class LongRate(Rate):
    """The rate of a request whose prompt has more than `above` tokens."""

    above: Annotated[int, Field(ge=1)]


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Price(Rate):
    """What the models of a name cost at a provider, where that was read, and on which day."""

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
    """The first price that fits counts. `as_of` is the day on which somebody last looked."""

    as_of: date
    price: tuple[Price, ...] = ()

    def over(self, other: PriceList) -> PriceList:
        """These prices before the others."""
        return PriceList(max(self.as_of, other.as_of), (*self.price, *other.price))

    def rate_for(self, provider: str, model: str, prompt_tokens: int) -> Rate | None:
        """Nothing where no price is known."""
        if is_free(provider):
            return FREE
        day = datetime.now(UTC).date()
        found = next((price for price in self.price if price.fits(provider, model, day)), None)
        return found.rate_for(prompt_tokens) if found else None


FREE = Rate(Decimal(0), Decimal(0), Decimal(0), Decimal(0))
_FORM = TypeAdapter(PriceList)


def cost_micros(provider: str, model: str, usage: Usage) -> int | None:
    """What a call cost, in millionths of a dollar; empty where no price is known."""
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
    """The prices of this installation; raises `ImproperlyConfigured` where a file cannot be used."""
    return prices_of(settings.MODEL_PRICES)


@cache
def prices_of(operators: str) -> PriceList:
    """Of our file, with the operators' over it, if a path is given."""
    own = prices_read(OWN_FILE)
    return prices_read(Path(operators).expanduser()).over(own) if operators else own


def prices_read(file: Path) -> PriceList:
    """One file, checked whole."""
    try:
        return _FORM.validate_python(tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal))
    except (OSError, UnicodeDecodeError) as error:
        problem = f"cannot be read ({type(error).__name__})"
    except tomllib.TOMLDecodeError as error:
        problem = f"is not TOML: {error}"
    except ValidationError as error:
        problem = "; ".join(f"{'.'.join(map(str, found['loc']))}: {found['msg']}" for found in error.errors())
    raise ImproperlyConfigured(f"The price file {file}: {problem}")
