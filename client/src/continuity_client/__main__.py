"""`python -m continuity_client`: the same as the command `continuity`."""

import sys

from continuity_client.entry import main

if __name__ == "__main__":
    sys.exit(main())
