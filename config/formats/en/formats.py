"""The day before the month and the clock with seconds: these pages are read beside logs."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y, H:i:s"
TIME_FORMAT = "H:i:s"
