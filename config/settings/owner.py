"""Settings for migrations: the login that owns the tables, and no pages."""

from config.database import application_password, owner_database
from config.env import environment
from config.settings import base
from config.settings.base import *  # noqa: F403  # a variant of the base settings is all of them with some changed

# The console's tables without its pages.
INSTALLED_APPS = ["django.contrib.admin.apps.SimpleAdminConfig", *base.APPS_WITHOUT_PAGES]

DATABASES = {"default": owner_database(environment().database_url, prepared=environment().database_prepared)}
APPLICATION_PASSWORD = application_password(environment().database_app_url)
