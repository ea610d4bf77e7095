"""Tests of the terms by which texts are found."""
