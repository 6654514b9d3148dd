"""`python -m pagekin` runs the shell."""

from pagekin.shell.main import main

main()
