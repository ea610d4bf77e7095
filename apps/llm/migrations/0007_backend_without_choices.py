from django.db import migrations, models


class Migration(migrations.Migration):
    """Providers are validated by their specifications, so that a new one needs no migration."""

    dependencies = [
        ('llm', '0006_usage_of_vectors'),
    ]

    operations = [
        migrations.AlterField(
            model_name='modelsettings',
            name='backend',
            field=models.CharField(blank=True, help_text="A provider's id; empty: the installation chooses.", max_length=40),
        ),
        migrations.AlterField(
            model_name='providerkey',
            name='backend',
            field=models.CharField(help_text="A provider's id.", max_length=40),
        ),
    ]
