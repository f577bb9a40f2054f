# Ctrl-C, SIGTERM and others at seeded moments in every command: files stay whole, nothing is left, the
# terminal is as it was.  GLIMPSE_SIGNALS_ROUNDS: how often per command and kind of disturbance;
# GLIMPSE_SIGNALS_SEED: random seed; GLIMPSE_SIGNALS_CALLS=1: at system calls (needs strace).
#
# Covers tool/interrupt.c.
. "$SOURCE/tests/cli/support/checks.sh"

if ! command -v python3 >/dev/null || ! python3 -c 'import sqlite3' 2>/dev/null; then
  echo "skipped: python3 with sqlite3 is not there"
  exit 77
fi
if ! "$GLIMPSE" bench --list >/dev/null 2>&1; then
  echo "skipped: built without SQLite"
  exit 77
fi
ran="signals.py"
PYTHONDONTWRITEBYTECODE=1 python3 "$SOURCE/tests/cli/support/signals.py" "$GLIMPSE" "$WORK" \
  "${GLIMPSE_SIGNALS_ROUNDS:-1}" "${GLIMPSE_SIGNALS_SEED:-1}" | tee out
