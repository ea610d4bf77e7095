"""The `continuity` command and Python SDK of the Continuity server.

>>> from continuity_client import Client
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from continuity_client.client import Client
    from continuity_client.http import ServerError

__version__ = "0.2.0"
__all__ = ["Client", "ServerError", "__version__"]


def __getattr__(name: str) -> Any:
    """Import the SDK when it is used: a hook must start fast."""
    if name == "Client":
        from continuity_client.client import Client

        return Client
    if name == "ServerError":
        from continuity_client.http import ServerError

        return ServerError
    raise AttributeError(name)
