"""Template tags of the admin console in addition to unfold's.

Loaded with the first template, possibly while the pages themselves are being imported: so it reads the site
for a row's page instead of importing the rooms' own pages.
"""

from __future__ import annotations

from django import template
from django.contrib import admin
from django.db.models import Model
from django.utils.text import capfirst

register = template.Library()


@register.filter
def console_title(part: object) -> str:
    """A row by the name that people give it, anything else with a capital."""
    if not isinstance(part, Model):
        return capfirst(str(part))
    page = admin.site.get_model_admin(type(part)) if admin.site.is_registered(type(part)) else None
    return str(getattr(page, "label", str)(part))
