"""How dates are written on pages that Django renders."""
