"""`python -m pagekin` is the shell."""

from pagekin.shell.main import main

main()
