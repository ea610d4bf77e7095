"""What every endpoint shares: authentication, parsing, problem details, pagination, schema."""
