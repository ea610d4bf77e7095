"""Three sample conversations and a helper to write one, for the tests of the summarizer."""

from __future__ import annotations

from apps.engine.messages.message import Message, Role
from apps.engine.tokens.estimate import estimate_message

_ROLES = {"u": Role.USER, "a": Role.ASSISTANT, "t": Role.TOOL, "s": Role.SYSTEM}


def transcript(*turns: tuple[str, str] | tuple[str, str, str], prefix: str = "m") -> list[Message]:
    """Messages m0, m1, … from tuples of role letter, text and optional speaker name."""
    return [
        Message(
            f"{prefix}{i}",
            i,
            _ROLES[turn[0]],
            turn[1],
            estimate_message(turn[1]),
            name=turn[2] if len(turn) > 2 else "",
        )
        for i, turn in enumerate(turns)
    ]


CHOOSING_A_DATABASE = transcript(
    (
        "s",
        "You are a helpful assistant. You must always be polite.",
    ),
    (
        "u",
        "Hi! I want to build a booking service for a chain of climbing gyms, and I need help choosing the database.",
    ),
    (
        "a",
        "Happy to help! A few questions first:\n"
        "\n"
        "1. How many bookings per day do you expect?\n"
        "2. Do you need multi-region writes?\n"
        "3. Which cloud are you on?",
    ),
    (
        "u",
        "About 40,000 bookings a day at peak. Single region is fine, eu-central-1 on AWS. It must never "
        "double-book a slot, and the booking call has to return in under 200ms.",
    ),
    (
        "a",
        "Thanks, that helps. The main candidates are:\n"
        "\n"
        "- **PostgreSQL**: strong consistency, exclusion constraints, mature tooling.\n"
        "- **MongoDB**: flexible documents, but multi-document transactions are slower.\n"
        "- **DynamoDB**: scales well; conditional writes only.\n"
        "\n"
        "For double-booking, PostgreSQL has exclusion constraints on ranges, which makes overlapping "
        "slots impossible. I'd recommend PostgreSQL 16 because an exclusion constraint enforces the "
        "rule in the database itself.",
    ),
    (
        "u",
        "Sounds good. We also looked at MongoDB last year.",
    ),
    (
        "u",
        "Decision: PostgreSQL over MongoDB because we need strong consistency.",
    ),
    (
        "a",
        "Great choice. Here is the table:\n"
        "\n"
        "```sql\n"
        "CREATE TABLE booking (\n"
        "  id uuid PRIMARY KEY,\n"
        "  slot tstzrange NOT NULL,\n"
        "  EXCLUDE USING gist (wall_id WITH =, slot WITH &&)\n"
        ");\n"
        "```\n"
        "\n"
        "A 'slot' is a half-open time range on one wall. How long should cancelled bookings be kept?",
    ),
    (
        "u",
        'Not sure yet, legal has to tell us. By "hold" we mean an unpaid booking that expires after 10 '
        "minutes. See docs/adr/0004-database.md and https://wiki.example.com/booking/holds for the "
        "background, ticket is GYM-231.",
    ),
    (
        "a",
        "Got it. The plan:\n"
        "1. Create the booking table with the exclusion constraint\n"
        "2. Add a hold expiry job that runs every minute\n"
        "3. Write a load test for 50 bookings per second\n"
        "4. Migrate the old reservations from the spreadsheet",
    ),
    (
        "u",
        "Ok. What pool should we put in front of it?",
    ),
    (
        "a",
        "PgBouncer in transaction mode is the usual answer. RDS Proxy also works, but it pins sessions "
        "with prepared statements.",
    ),
    (
        "u",
        "Let's use RDS Proxy so that we don't run another service. And don't store card numbers anywhere.",
    ),
    (
        "a",
        "Understood. I've created the booking table with the exclusion constraint in "
        "migrations/0001_booking.sql. Next, I'll add the hold expiry job.",
    ),
    (
        "u",
        "Actually, use PgBouncer instead of RDS Proxy, since RDS Proxy pins our sessions. Waiting for "
        "the API credentials of the payment provider.",
    ),
    (
        "a",
        "Switched the configuration to PgBouncer.",
    ),
    (
        "u",
        "Thanks!! You're awesome. How are you, by the way?",
    ),
)

DEBUGGING_AUTHENTICATION = transcript(
    (
        "u",
        "Help me debug our authentication flow: users are logged out every 15 minutes since release "
        "v2.3.1. The error in the log is `TokenExpiredError` from src/auth/session.ts:88.",
    ),
    (
        "a",
        "Let me look at the session code. The access token's lifetime is 15 minutes, so the refresh "
        "call is probably failing.",
    ),
    (
        "t",
        "src/auth/session.ts\n"
        "src/auth/refresh.ts\n"
        "Error: connect ECONNREFUSED 10.0.3.17:6379\n"
        "request id 7f3a9c2e-1b4d-4c8e-9a77-0d2f6f1b2c3d",
    ),
    (
        "a",
        "The refresh token store can't be reached: `ECONNREFUSED 10.0.3.17:6379`. A refresh token is a "
        "long-lived secret that is exchanged for a new access token. Is Redis running in the staging "
        "VPC, or was it moved?",
    ),
    (
        "u",
        "It was moved to the new VPC on Monday. Sessions should survive a Redis restart, and tokens "
        "must not be logged.",
    ),
    (
        "a",
        "That explains it. Two ways to fix:\n"
        "\n"
        "1. Open the security group from the app subnet to the new VPC\n"
        "2. Move the refresh tokens to PostgreSQL\n"
        "\n"
        "I suggest moving refresh tokens to PostgreSQL because sessions then survive a Redis restart. "
        "Do you want me to go ahead?",
    ),
    (
        "u",
        "Yes, go ahead.",
    ),
    (
        "a",
        "Done: refresh tokens now live in the `refresh_tokens` table, see commit 4be91d7. I've updated "
        "src/auth/refresh.ts.\n"
        "\n"
        "```ts\n"
        "export async function rotateRefreshToken(userId: string): Promise<Token> {\n"
        "  // ...\n"
        "}\n"
        "```",
    ),
    (
        "u",
        "We decided to rotate the signing key every 30 days due to the audit. Should we invalidate all "
        "existing sessions during the rollout?",
    ),
    (
        "a",
        "If you rotate the key with an overlap period there is no need to invalidate existing sessions. "
        "Keep the old key for 24 hours.",
    ),
    (
        "u",
        "ok good. Who owns the key rotation runbook? I asked Dana but haven't heard back.",
    ),
    (
        "a",
        "I don't know who owns the runbook; it isn't in the repository.",
    ),
    (
        "u",
        "next steps: deploy to staging tomorrow, then watch the error rate for a day. The error rate "
        "must stay below 0.1%.",
    ),
)

PLANNING_A_MIGRATION = transcript(
    (
        "u",
        "Goal: move our monolith from Django 3.2 to Django 5.2 before support ends in October. We can't "
        "have more than 10 minutes of downtime.",
    ),
    (
        "a",
        "Understood. Here's a plan:\n"
        "\n"
        "## Plan\n"
        "- [ ] Upgrade Python to 3.11\n"
        "- [ ] Fix the deprecation warnings in apps/billing\n"
        "- [ ] Upgrade to Django 4.2 LTS\n"
        "- [ ] Upgrade to Django 5.2\n"
        "- [ ] Remove the compatibility shims\n"
        "\n"
        "## Open questions\n"
        "- Which version of django-filter works with both?\n"
        "- Is the Oracle backend still used?",
    ),
    (
        "u",
        "The Oracle backend is not used any more, we can delete it. Requirements:\n"
        "- The test suite must stay green on every commit\n"
        "- Payments need to keep working during the deploy\n"
        "- No direct pushes to main",
    ),
    (
        "a",
        "Noted.\n"
        "\n"
        "| step | risk |\n"
        "|---|---|\n"
        "| Python | low |\n"
        "| Django | high |\n"
        "\n"
        "I've upgraded Python to 3.11 and the test suite passes. We could do 3.2 to 4.2 in one go, or "
        "stop at 4.0 first.",
    ),
    (
        "u",
        "We'll go straight to 4.2 rather than stopping at 4.0, because 4.0 is already unsupported.",
    ),
    (
        "a",
        "OK. While running the tests I found that `django.utils.encoding.force_text` is gone. I'll "
        "replace force_text with force_str in 14 files.",
    ),
    (
        "u",
        "No, the downtime can be up to 30 minutes, the customer agreed to that. Use a blue-green deploy.",
    ),
    (
        "a",
        "Good. Then the new plan is:\n"
        "1. Merge the force_str change (PR #482)\n"
        "2. Upgrade to Django 4.2 LTS on a branch\n"
        "3. Run both versions side by side in staging\n"
        "4. Switch traffic with a blue-green deploy\n"
        "\n"
        "Is there a freeze for the end of quarter?",
    ),
    (
        "u",
        "Yes: no deploys between 25 June and 2 July. PR #482 is merged. What's the rollback procedure "
        "if the migration of the ledger table fails?",
    ),
)
