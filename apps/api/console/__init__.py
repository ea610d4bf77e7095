"""The operators' console as a whole: its site, its first page and its way around; rooms register their own pages."""
