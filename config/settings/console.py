"""Theme and navigation of the admin console: green-gray and ink; teal only for links, focus and running work."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static


def _stylesheet(request: HttpRequest) -> str:
    return static("console/console.css")


def _script(request: HttpRequest) -> str:
    return static("console/console.js")


def _logo_light(request: HttpRequest) -> str:
    return static("console/mark-light.svg")


def _logo_dark(request: HttpRequest) -> str:
    return static("console/mark-dark.svg")


CONSOLE: dict[str, Any] = {
    "SITE_TITLE": "Continuity",
    "SITE_HEADER": "Continuity",
    "SITE_SUBHEADER": "Admin",
    "SITE_URL": "/",
    "SITE_ICON": {"light": _logo_light, "dark": _logo_dark},
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _logo_light}],
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": True,
    "BORDER_RADIUS": "8px",
    "STYLES": [_stylesheet],
    "SCRIPTS": [_script],
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": "apps.api.console.sidebar.sidebar",
    },
    "COLORS": {
        "base": {
            "50": "#f1f4f2",
            "100": "#e8ece9",
            "200": "#dbdfdc",
            "300": "#b2b9b5",
            "400": "#8f9893",
            "500": "#5e6561",
            "600": "#4f5853",
            "700": "#424a45",
            "800": "#2c322f",
            "900": "#161b18",
            "950": "#0f1412",
        },
        "primary": {
            "50": "#edf8f7",
            "100": "#d9f1ef",
            "200": "#b3e1dd",
            "300": "#8fd6cf",
            "400": "#6dcac2",
            "500": "#6dcac2",
            "600": "#006a65",
            "700": "#005955",
            "800": "#004845",
            "900": "#173332",
            "950": "#0e2221",
        },
        "font": {
            "subtle-light": "#5e6561",
            "subtle-dark": "#8f9893",
            "default-light": "#424a45",
            "default-dark": "#b2b9b5",
            "important-light": "#161c19",
            "important-dark": "#e5e9e6",
        },
    },
}
