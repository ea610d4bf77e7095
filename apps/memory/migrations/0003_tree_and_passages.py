import apps.common.ids
import apps.common.tenancy
import datetime
import django.contrib.postgres.fields
import django.contrib.postgres.search
import django.db.models.deletion
import pgvector.django.halfvec
from django.conf import settings
from django.db import migrations, models

from apps.common.rls import close_table


# What nodes had before they had a date of their own; the owner of the tables is behind their policies too.
DATE_AND_HASH = """
SELECT set_config('app.operator', 'on', true);
UPDATE mem_nodes SET occurred_at = created_at,
    content_hash = CASE WHEN l2_content = '' THEN '' ELSE encode(sha256(convert_to(l2_content, 'UTF8')), 'hex') END;
INSERT INTO mem_revisions
    (id, workspace_id, node_id, number, change, operation, made_by, reason, before, after, created_at)
SELECT gen_random_uuid(), workspace_id, id, 1, gen_random_uuid(), 'create', 'upgrade', '', '{}',
    jsonb_strip_nulls(jsonb_build_object(
        'owner', owner_id, 'uri', uri, 'l0_abstract', l0_abstract, 'l1_overview', l1_overview,
        'l2_content', l2_content, 'trust', trust, 'arrival', arrival, 'merged_from', merged_from,
        'base_relevance', base_relevance, 'access_count', access_count,
        'occurred_at', to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
        'last_access', to_char(last_access AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')
    )), created_at
FROM mem_nodes;
INSERT INTO mem_sources (id, workspace_id, node_id, kind, reference)
SELECT gen_random_uuid(), workspace_id, id, 'import', 'before the tree' FROM mem_nodes WHERE node_type = 'leaf';
SELECT set_config('app.operator', '', true);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_context_settings'),
        ('conversations', '0009_places_that_bound'),
        ('memory', '0002_close_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='EmbeddingSpace',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('model', models.CharField(max_length=160)),
                ('dimension', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('building', 'Building'), ('serving', 'Serving'), ('retired', 'Retired')], default='building', max_length=8)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('since', models.DateTimeField(help_text='Since when it is in that state.')),
                ('chosen', models.BooleanField(default=False)),
                ('filled_through', models.UUIDField(blank=True, null=True)),
                ('operation', models.UUIDField(blank=True, help_text='What tells how far it is.', null=True)),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
            ],
            options={
                'db_table': 'mem_spaces',
            },
        ),
        migrations.CreateModel(
            name='MemAccess',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('accessed_at', models.DateTimeField()),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                ('node', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.memnode')),
            ],
            options={
                'verbose_name': 'memory access',
                'verbose_name_plural': 'memory accesses',
                'db_table': 'mem_accesses',
            },
        ),
        migrations.CreateModel(
            name='MemRevision',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField(help_text="The node's version that it made.")),
                ('change', models.UUIDField()),
                ('operation', models.CharField(choices=[('create', 'Create'), ('edit', 'Edit'), ('move', 'Move'), ('merge', 'Merge'), ('archive', 'Archive'), ('restore', 'Restore'), ('share', 'Share'), ('approve', 'Approve'), ('import', 'Import'), ('undo', 'Undo')], max_length=7)),
                ('undoes', models.UUIDField(blank=True, null=True)),
                ('made_by', models.CharField(blank=True, max_length=120)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('before', models.JSONField(blank=True, default=dict)),
                ('after', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField()),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                ('actor', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('node', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='memory.memnode')),
            ],
            options={
                'verbose_name': 'memory revision',
                'db_table': 'mem_revisions',
            },
        ),
        migrations.CreateModel(
            name='MemSource',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('message', 'Message'), ('hook', 'Hook'), ('import', 'Import'), ('node', 'Node'), ('person', 'Person')], max_length=7)),
                ('reference', models.CharField(max_length=200)),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                ('node', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='sources', to='memory.memnode')),
            ],
            options={
                'verbose_name': 'memory source',
                'db_table': 'mem_sources',
            },
        ),
        migrations.CreateModel(
            name='MemTombstone',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('address_digest', models.CharField(max_length=64)),
                ('content_digest', models.CharField(blank=True, help_text='Empty for a directory.', max_length=64)),
                ('erased_at', models.DateTimeField()),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                ('erased_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('owner', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'memory tombstone',
                'db_table': 'mem_tombstones',
            },
        ),
        migrations.CreateModel(
            name='Passage',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('bank', models.UUIDField()),
                ('series', models.UUIDField()),
                ('session', models.PositiveIntegerField(default=0)),
                ('place', models.PositiveIntegerField(blank=True, null=True)),
                ('actor', models.CharField(blank=True, help_text='Who said it, or whom it is about; lower case.', max_length=120)),
                ('occurred_at', models.DateTimeField()),
                ('words', django.contrib.postgres.search.SearchVectorField()),
                ('word_count', models.PositiveIntegerField()),
                ('char_count', models.PositiveIntegerField()),
                ('is_question', models.BooleanField(default=False)),
                ('text_hash', models.BigIntegerField(default=0)),
                ('wanted_at', models.DateTimeField(blank=True, null=True)),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                ('message', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='conversations.message')),
                ('node', models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.memnode')),
            ],
            options={
                'db_table': 'mem_passages',
            },
        ),
        migrations.CreateModel(
            name='Embedding',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('bank', models.UUIDField()),
                ('vector', pgvector.django.halfvec.HalfVectorField()),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.embeddingspace')),
                ('passage', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.passage')),
            ],
            options={
                'db_table': 'mem_embeddings',
            },
        ),
        migrations.RemoveIndex(
            model_name='memnode',
            name='mem_node_children',
        ),
        migrations.AddField(
            model_name='memnode',
            name='archived_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='memnode',
            name='arrival',
            field=models.CharField(choices=[('accepted', 'Accepted'), ('proposed', 'Proposed')], default='accepted', max_length=8),
        ),
        migrations.AddField(
            model_name='memnode',
            name='author',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='memnode',
            name='content_hash',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='memnode',
            name='merged_into',
            field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memory.memnode'),
        ),
        migrations.AddField(
            model_name='memnode',
            name='occurred_at',
            field=models.DateTimeField(default=datetime.datetime(2026, 11, 21, 22, 51, 57, 241886, tzinfo=datetime.timezone.utc), help_text='The date of the fact, from which it fades.'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='memnode',
            name='tags',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), blank=True, default=list, size=None),
        ),
        migrations.AddField(
            model_name='memnode',
            name='tiers_by',
            field=models.CharField(blank=True, editable=False, max_length=120),
        ),
        migrations.AddField(
            model_name='memnode',
            name='tiers_of',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='memnode',
            name='tries_left',
            field=models.PositiveSmallIntegerField(default=0, editable=False, help_text='How often a model may still be asked for the short tiers.'),
        ),
        migrations.AddField(
            model_name='memnode',
            name='version',
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AlterField(
            model_name='memnode',
            name='category',
            field=models.CharField(blank=True, choices=[('profile', 'Profile'), ('preferences', 'Preferences'), ('entities', 'Entities'), ('events', 'Events'), ('patterns', 'Patterns'), ('cases', 'Cases'), ('session', 'Session')], help_text='Empty for roots that hold several.', max_length=11),
        ),
        migrations.AlterField(
            model_name='memnode',
            name='trust',
            field=models.CharField(choices=[('direct_user', 'Direct user'), ('model_inference', 'Model inference'), ('tool', 'Tool'), ('imported', 'Imported')], default='direct_user', max_length=15),
        ),
        migrations.AlterField(
            model_name='memnode',
            name='parent',
            field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='children', to='memory.memnode'),
        ),
        migrations.AddIndex(
            model_name='memnode',
            index=models.Index(fields=['workspace', 'parent', 'uri'], name='mem_node_children'),
        ),
        migrations.AddIndex(
            model_name='memnode',
            index=models.Index(condition=models.Q(('tiers_of', models.F('content_hash')), _negated=True), fields=['workspace', 'id'], name='mem_node_tiers_to_make'),
        ),
        migrations.AddConstraint(
            model_name='embeddingspace',
            constraint=models.UniqueConstraint(fields=('workspace', 'model', 'dimension'), name='embedding_space_once'),
        ),
        migrations.AddConstraint(
            model_name='embeddingspace',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'serving')), fields=('workspace',), name='embedding_space_serving_once'),
        ),
        migrations.AddIndex(
            model_name='memaccess',
            index=models.Index(fields=['workspace', 'node'], name='mem_access_of_node'),
        ),
        migrations.AddIndex(
            model_name='memrevision',
            index=models.Index(fields=['workspace', 'change'], name='mem_revision_change'),
        ),
        migrations.AddIndex(
            model_name='memrevision',
            index=models.Index(condition=models.Q(('undoes__isnull', False)), fields=['workspace', 'undoes'], name='mem_revision_undoes'),
        ),
        migrations.AddConstraint(
            model_name='memrevision',
            constraint=models.UniqueConstraint(fields=('workspace', 'node', 'number'), name='mem_revision_once'),
        ),
        migrations.AddIndex(
            model_name='memsource',
            index=models.Index(fields=['workspace', 'kind', 'reference'], name='mem_source_of'),
        ),
        migrations.AddConstraint(
            model_name='memsource',
            constraint=models.UniqueConstraint(fields=('workspace', 'node', 'kind', 'reference'), name='mem_source_once'),
        ),
        migrations.AddIndex(
            model_name='memtombstone',
            index=models.Index(fields=['workspace', 'owner', 'address_digest'], name='mem_tombstone_address'),
        ),
        migrations.AddIndex(
            model_name='memtombstone',
            index=models.Index(fields=['workspace', 'owner', 'content_digest'], name='mem_tombstone_content'),
        ),
        migrations.AddIndex(
            model_name='passage',
            index=models.Index(fields=['workspace', 'bank', 'place'], name='passage_in_bank'),
        ),
        migrations.AddIndex(
            model_name='passage',
            index=models.Index(fields=['workspace', 'bank', 'actor'], name='passage_by_actor'),
        ),
        migrations.AddIndex(
            model_name='passage',
            index=models.Index(condition=models.Q(('wanted_at__isnull', False)), fields=['workspace', 'wanted_at'], name='passage_wants_vectors'),
        ),
        migrations.AddConstraint(
            model_name='passage',
            constraint=models.UniqueConstraint(fields=('workspace', 'node'), name='passage_of_node_once'),
        ),
        migrations.AddConstraint(
            model_name='passage',
            constraint=models.UniqueConstraint(fields=('workspace', 'message'), name='passage_of_message_once'),
        ),
        migrations.AddConstraint(
            model_name='passage',
            constraint=models.CheckConstraint(condition=models.Q(('node__isnull', True), ('message__isnull', True), _connector='XOR'), name='passage_of_one_thing'),
        ),
        migrations.AddIndex(
            model_name='embedding',
            index=models.Index(fields=['workspace', 'bank', 'space'], name='embedding_in_bank'),
        ),
        migrations.AddConstraint(
            model_name='embedding',
            constraint=models.UniqueConstraint(fields=('workspace', 'passage', 'space'), name='embedding_once'),
        ),
        migrations.RunSQL(DATE_AND_HASH, migrations.RunSQL.noop),
        close_table("mem_sources"),
        close_table("mem_revisions"),
        close_table("mem_tombstones"),
        close_table("mem_accesses"),
        close_table("mem_passages"),
        close_table("mem_spaces"),
        close_table("mem_embeddings"),
    ]
