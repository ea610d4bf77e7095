"""What the engine does with conversations that are made up or recorded: tables to read, not tests to pass."""
