"""Values that a statement gives: dates, sums, amounts, versions, products, names and the like, comparable by kind."""
