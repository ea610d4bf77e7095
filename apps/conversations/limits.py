"""How long what comes in may be, in characters: the same by the API and by an import."""

LONGEST_CONTENT = 400_000
LONGEST_TITLE = 200
LONGEST_NAME = 120
LONGEST_EXTERNAL_ID = 200
