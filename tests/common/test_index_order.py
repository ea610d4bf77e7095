"""Rows are read in the order of an index, whatever the planner expects."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.db.utils import DataError

from apps.accounts.models import Workspace
from apps.common.tenancy import use_index_order, workspace
from tests.statements import recorded_statements

pytestmark = pytest.mark.django_db


def may_sort() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SHOW enable_sort")
        return str(cursor.fetchone()[0]) == "on"


def test_reads_inside_one_another_change_the_settings_once(acme: Workspace) -> None:
    with workspace(acme.id), recorded_statements() as statements:
        with use_index_order():
            with use_index_order():
                assert not may_sort()
            assert not may_sort()
        assert may_sort()
    assert sum("set_config" in statement for statement in statements) == 2


def test_the_planner_may_sort_again_after_an_error(acme: Workspace) -> None:
    with workspace(acme.id):
        with pytest.raises(DataError), transaction.atomic(), use_index_order(), connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")
        assert may_sort()
        with use_index_order():
            assert not may_sort()
