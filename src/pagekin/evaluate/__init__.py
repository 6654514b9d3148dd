"""Measure answers on data with known answers: truth → judged lists → measures → a row for each method."""
