#!/bin/sh
# Explores in four parts with GNU parallel, merges them, and compares with one exploration of the whole.
# Needs GNU parallel (Debian: apt-get install parallel). Usage: test/schedulers/parallel.sh [dist/cli.js]
set -eu
. "$(dirname "$0")/project.sh"

parallel --version | head -n 1
parallel "$explore --shard {}/4 --out part-{}.jsonl > part-{}.txt || [ \$? -eq 1 ]" ::: 1 2 3 4
compare
