"""Provider addresses are normalized, and workspaces can only use allowed ones."""

from __future__ import annotations

import pytest

from apps.llm.routing.base_urls import clean_address, is_under


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("http://localhost:11434/", "http://localhost:11434"),
        (" HTTPS://Models.Example.ORG:443/v1 ", "https://models.example.org/v1"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("https://example.org/a.b/..c", "https://example.org/a.b/..c"),
    ],
)
def test_an_address_is_normalized(written: str, clean: str) -> None:
    assert clean_address(written) == clean == clean_address(clean)


@pytest.mark.parametrize(
    "written",
    [
        *(
            "",
            "localhost:8000",
            "ftp://example.org",
            "file:///etc/passwd",
            "http://",
            "http://:80",
            "http://example.org:x",
        ),
        *("http://example.org:99999", "http://[::1", "http://u:p@example.org", "http://@example.org", "//example.org"),
        *("http://example.org?a=b", "http://example.org/#f", "http://example.org?", "http://example.org/a b"),
        *("http://example.org/../x", "http://example.org/a/./b", "http://example.org/a//b", "http://example.org//b"),
        *("http://example.org/%2e%2e/x", "http://example.org\\@evil.org", "http://exämple.org", "http://a.org/;x"),
        *("http://example.org/a\tb", "http://example.org/a\nb", "http://example.org/" + "a" * 300),
    ],
)
def test_an_invalid_address_is_rejected_without_quoting_it(written: str) -> None:
    with pytest.raises(ValueError) as refused:
        clean_address(written)
    assert len(written) < 9 or written not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "inside"),
    [
        ("https://models.example.org/team", True),
        ("https://models.example.org/team/v1", True),
        ("https://models.example.org", False),
        ("https://models.example.org/teams", False),
        ("http://models.example.org/team", False),
        ("https://models.example.org:8443/team", False),
        ("https://models.example.org.evil.org/team", False),
    ],
)
def test_only_addresses_below_an_allowed_prefix_are_accepted(address: str, inside: bool) -> None:
    assert is_under(address, ["https://other.example.org", "https://models.example.org/team"]) is inside
