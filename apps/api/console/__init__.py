"""The admin console as a whole: its site, first page and navigation; each app registers its own pages."""
