"""How hard the tests look for counterexamples; loaded by pytest as a plugin, before it chooses one of these."""

import pytest
from hypothesis import HealthCheck, settings

# Speed is measured elsewhere: a busy machine must not fail a test. The short run tries the same examples every time, so
# that a change is judged by itself; the long run looks for new ones.
settings.register_profile("short", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("short"), max_examples=20)
settings.register_profile("long", settings.get_profile("short"), derandomize=False, max_examples=2_000)


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Whether a test may take minutes: by `make test-long`."""
    return bool(pytestconfig.getoption("--hypothesis-profile") == "long")
