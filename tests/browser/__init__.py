"""What a person does in a real browser, on a whole stack."""
