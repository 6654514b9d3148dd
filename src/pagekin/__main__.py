"""`python -m pagekin` is the shell."""

from pagekin.serve.cli import main

main()
