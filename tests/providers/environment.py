"""Providers' keys and addresses in the environment."""

from __future__ import annotations

from pydantic import SecretStr
from pytest_django import Settings


def set_provider_variables(settings: Settings, **variables: str) -> None:
    """Set `…_API_KEY` and `…_BASE_URL` variables by name; an empty value removes one."""
    for name, value in variables.items():
        if name.endswith("_API_KEY"):
            keys = {**settings.PROVIDER_KEYS, name: SecretStr(value)}
            settings.PROVIDER_KEYS = {variable: key for variable, key in keys.items() if key.get_secret_value()}
        else:
            urls = {**settings.PROVIDER_URLS, name: value}
            settings.PROVIDER_URLS = {variable: url for variable, url in urls.items() if url}
