"""Length limits of input in characters, the same for the API and for imports."""

LONGEST_CONTENT = 400_000
LONGEST_TITLE = 200
LONGEST_NAME = 120
LONGEST_EXTERNAL_ID = 200
