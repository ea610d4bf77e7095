"""Study of search words: terms of many kinds and scripts, asked for by words alone and with vectors."""
