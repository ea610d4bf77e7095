"""`python -m config.web_server`: uvicorn with the limits of connections, the same in every deployment."""

from __future__ import annotations

import argparse
import socket

import uvicorn

from config.env import environment
from config.http_protocol import DeadlineHttpProtocol
from config.thread_switching import switch_threads_often

# A client that reads nothing for this long is disconnected, whatever is left to send.
UNREAD_MS = 30_000
BACKLOG = 2048


def main() -> None:
    """Serve until a signal; open streams delay the end by `--grace` seconds at most."""
    switch_threads_often()
    options = _options()
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.create_server((options.host, options.port), family=family, backlog=BACKLOG) as listener:
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted sockets inherit it
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        uvicorn.Server(_config(options.grace)).run(sockets=[listener])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m config.web_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=37777)
    parser.add_argument("--grace", type=int, default=3)
    return parser.parse_args()


def _config(grace_s: int) -> uvicorn.Config:
    """Forwarded addresses are believed only if they come from a proxy in TRUSTED_PROXIES."""
    proxies = environment().trusted_proxies
    return uvicorn.Config(
        "config.asgi:application",
        http=DeadlineHttpProtocol,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=grace_s,
        access_log=False,
        ws_max_size=65_536,
        ws_max_queue=8,
        ws_per_message_deflate=False,
    )


if __name__ == "__main__":
    main()
