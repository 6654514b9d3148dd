"""How good the answers are: all methods and outside baselines on data with known answers (`make leaderboard`)."""
