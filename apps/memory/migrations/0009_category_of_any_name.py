from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0008_cells")]

    operations = [
        migrations.AlterField(
            model_name="memnode",
            name="category",
            field=models.CharField(blank=True, help_text="Empty for roots that hold several.", max_length=40),
        ),
    ]
