"""Hypothesis profiles, and the tests that only `make test-long` runs.

A pytest plugin, because pytest chooses a profile before it loads any conftest.
"""

import pytest
from hypothesis import HealthCheck, settings

# No deadline: a busy machine must not fail a test. The short profile tries the same examples every time, so that a
# failure points to the change; the long profile tries new ones.
settings.register_profile(
    "short", max_examples=30, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("short"), max_examples=20)
settings.register_profile("long", settings.get_profile("short"), derandomize=False, max_examples=2_000)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: a test, or one case of it, that only `make test-long` runs")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if is_thorough(config):
        return
    left = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def is_thorough(config: pytest.Config) -> bool:
    """Whether tests may take minutes: in `make test-long`."""
    return bool(config.getoption("--hypothesis-profile") == "long")


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Whether a test may take minutes."""
    return is_thorough(pytestconfig)
