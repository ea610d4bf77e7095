"""The page in the browser: one document for every address of the front end, and the files it asks for."""
