from django.db import migrations

# What memories from before the tree lack of what it gives to those that are written in it: category and merging by
# their addresses, the author of tiers that somebody wrote, and the job that makes the others. A leaf that lacks one
# and a directory are left stale for it. And their histories tell a whole second as the tree does.
WHAT_THE_TREE_GIVES = r"""
SELECT set_config('app.operator', 'on', true);
UPDATE mem_nodes AS node SET category = rule.category, mergeable = rule.merges
FROM (VALUES
    ('mem://user/profile', 'profile', true), ('mem://user/preferences', 'preferences', true),
    ('mem://user/entities', 'entities', false), ('mem://user/events', 'events', false),
    ('mem://agent/patterns', 'patterns', true), ('mem://agent/cases', 'cases', false),
    ('mem://sessions', 'session', false)
) AS rule (root, category, merges)
WHERE starts_with(node.uri || '/', rule.root || '/')
    AND (node.category, node.mergeable) IS DISTINCT FROM (rule.category, rule.merges);
UPDATE mem_nodes SET category = '', mergeable = false
WHERE uri IN ('mem://user', 'mem://agent') AND (category, mergeable) IS DISTINCT FROM ('', false);
UPDATE mem_nodes SET tiers_of = CASE
    WHEN node_type = 'dir' THEN 'stale'
    WHEN l2_content <> '' AND (l0_abstract = '' OR l1_overview = '') THEN ''
    ELSE content_hash END
WHERE tiers_by = '';
WITH written AS (
    UPDATE mem_nodes SET tiers_by = 'person', tiers_of = content_hash
    WHERE tiers_by = '' AND (l0_abstract <> '' OR l1_overview <> '')
        AND (node_type = 'dir' OR (version = 1 AND tiers_of = content_hash))
    RETURNING workspace_id, id
)
UPDATE mem_revisions AS revision SET after = revision.after || '{"tiers_by": "person"}'
FROM written
WHERE revision.workspace_id = written.workspace_id AND revision.node_id = written.id AND revision.number = 1;
UPDATE mem_revisions SET after = after || jsonb_strip_nulls(jsonb_build_object(
    'occurred_at', replace(after ->> 'occurred_at', '.000000+', '+'),
    'last_access', replace(after ->> 'last_access', '.000000+', '+')
))
WHERE number = 1 AND made_by = 'upgrade';
INSERT INTO jobs_duejob AS job
    (id, workspace_id, kind, key, due_at, deadline_at, generation, attempts, last_error, state)
SELECT gen_random_uuid(), workspace_id, 'memory_tiers', 'tree', now(), now(), 1, 0, '', 'due'
FROM (SELECT DISTINCT workspace_id FROM mem_nodes WHERE tiers_of <> content_hash) AS wanting
ON CONFLICT (workspace_id, kind, key) DO UPDATE SET
    state = 'due', generation = job.generation + 1, due_at = EXCLUDED.due_at, attempts = 0;
SELECT set_config('app.operator', '', true);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jobs', '0002_close_tables'),
        ('memory', '0003_tree_and_passages'),
    ]

    operations = [migrations.RunSQL(WHAT_THE_TREE_GIVES, migrations.RunSQL.noop)]
