"""Adapter for the Anthropic Messages API, at Anthropic or any compatible address. Requests are always streamed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from apps.llm.errors import ModelError
from apps.llm.providers.anthropic_protocol import AnswerReader, counting_body, request_body
from apps.llm.providers.base import Capabilities, ModelRequest, TokenCount, UsageSource
from apps.llm.providers.http import HttpProvider, Sdk, load
from apps.llm.providers.json_access import is_count
from apps.llm.timeouts import MODEL_TIMES, ModelTimes

_SDK = Sdk("anthropic", "anthropic.resources.messages", "AnthropicError")


class AnthropicProvider(HttpProvider):
    """The Anthropic Messages API, with server-side schemas and token counts."""

    capabilities = Capabilities(supports_schema=True, caches_prompts=True, counts_tokens=True)
    sdk = _SDK

    def __init__(
        self, api_key: str, base_url: str, times: ModelTimes = MODEL_TIMES, *, name: str = "anthropic"
    ) -> None:
        super().__init__(times)
        self.name = name
        self._api_key, self._base_url = api_key, base_url

    async def count_tokens(self, request: ModelRequest) -> TokenCount:
        def count(client: Any) -> Any:
            return client.messages.count_tokens(**_for_the_wire(counting_body(request)))

        counted = await self._call(count, self._deadline(request))
        tokens = getattr(counted, "input_tokens", None)
        if isinstance(tokens, int) and is_count(tokens):
            return TokenCount(tokens, UsageSource.REPORTED)
        raise ModelError("malformed", "The provider did not count the tokens.")

    def _new_client(self, timeout: Any) -> Any:
        sdk = import_module("anthropic")
        # A redirect could send the key to another host.
        transport = sdk.DefaultAsyncHttpxClient(timeout=timeout, follow_redirects=False)
        return sdk.AsyncAnthropic(
            api_key=self._api_key, base_url=self._base_url, max_retries=0, open_telemetry=False, http_client=transport
        )

    def _opening(self, client: Any, request: ModelRequest) -> Any:
        body = _for_the_wire(request_body(request))
        return client.messages.with_streaming_response.create(**body, stream=True)

    def _reader(self) -> AnswerReader:
        return AnswerReader()


def sdk_load() -> None:
    """Import the SDK ahead of the first call."""
    load(_SDK)


def _for_the_wire(body: dict[str, Any]) -> dict[str, Any]:
    """Convert the body's schema to the dialect that the service accepts."""
    if "output_config" in body:
        output_format = body["output_config"]["format"]
        output_format["schema"] = import_module("anthropic").transform_schema(output_format["schema"])
    return body
