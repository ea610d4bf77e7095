from django.db import migrations

from apps.common.rls import close_table


class Migration(migrations.Migration):
    dependencies = [("conversations", "0001_initial")]

    operations = [
        close_table("conversations_conversation"),
        close_table("conversations_conversationshare"),
        close_table("conversations_message"),
    ]
