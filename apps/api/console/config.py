"""Puts the console's site in the place of Django's default one, so that every `@admin.register` lands there."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class ConsoleConfig(AdminConfig):
    default_site = "apps.api.console.site.ConsoleSite"
