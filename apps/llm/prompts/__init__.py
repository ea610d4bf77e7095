"""What models are told. What people and tools said goes in as data, between marks that it cannot imitate."""
