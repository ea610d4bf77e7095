"""An index of the passages whose words are to be renewed, built beside reads and writes, and the jobs that renew them."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

_REQUEST = """
INSERT INTO jobs_duejob AS job
    (id, workspace_id, kind, key, priority, due_at, deadline_at, generation, attempts, last_error, state)
SELECT gen_random_uuid(), id, 'memory_sweep', '', 1, statement_timestamp(), statement_timestamp(), 1, 0, '', 'due'
FROM accounts_workspace
ON CONFLICT (workspace_id, kind, key) DO UPDATE SET
    state = 'due', generation = job.generation + 1, attempts = 0, lease_token = NULL, lease_until = NULL,
    due_at = EXCLUDED.due_at, deadline_at = EXCLUDED.deadline_at
"""


class Migration(migrations.Migration):
    atomic = False
    dependencies: ClassVar = [("memory", "0013_stemmed_words")]
    operations: ClassVar = [
        # Of a migration that was interrupted: an index that is not complete keeps its name.
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS passage_by_words_version", migrations.RunSQL.noop),
        AddIndexConcurrently(
            model_name="passage",
            index=models.Index(fields=["workspace", "words_version"], name="passage_by_words_version"),
        ),
        migrations.RunSQL(_REQUEST, migrations.RunSQL.noop),
    ]
