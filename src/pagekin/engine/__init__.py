"""Where batch work runs: `local`, on this machine's cores."""
