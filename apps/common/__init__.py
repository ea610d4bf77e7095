"""What every room stands on: tenancy, ids, the one error tree, abstract tables."""
