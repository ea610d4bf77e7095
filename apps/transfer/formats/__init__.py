"""Items that clients read from other stores, and what they become: pure, without a database."""
