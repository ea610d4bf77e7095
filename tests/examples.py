"""Hypothesis profiles; a pytest plugin, because pytest chooses a profile before it loads any conftest."""

import pytest
from hypothesis import HealthCheck, settings

# No deadline: a busy machine must not fail a test. The short profile tries the same examples every time, so that a
# failure points to the change; the long profile tries new ones.
settings.register_profile(
    "short", max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("short"), max_examples=20)
settings.register_profile("long", settings.get_profile("short"), derandomize=False, max_examples=2_000)


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Whether a test may take minutes: by `make test-long`."""
    return bool(pytestconfig.getoption("--hypothesis-profile") == "long")
