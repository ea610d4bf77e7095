"""The address that rate limits count by."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

_IPV6_PREFIX = 64


def client_network(meta: Mapping[str, Any]) -> str:
    """Return the client's IPv4 address, or its IPv6 network, of which one person has every address.

    >>> client_network({"REMOTE_ADDR": "2001:db8::1:2"})
    '2001:db8::'
    """
    text = str(meta.get("REMOTE_ADDR") or "local")
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if address.version == 4:
        return text
    return str(ipaddress.ip_network((address, _IPV6_PREFIX), strict=False).network_address)
