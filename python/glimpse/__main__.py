"""``python3 -m glimpse``: the program."""

from ._program import main

main()
