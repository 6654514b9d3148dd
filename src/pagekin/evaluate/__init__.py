"""How good the answers are, on data whose answer is known: truth → judged lists → measures → a row for each method."""
