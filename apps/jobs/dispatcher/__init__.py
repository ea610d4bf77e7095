"""The process that turns due rows into running work. Any number may run; the rows decide who does what."""
