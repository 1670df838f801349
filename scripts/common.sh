# Shared by the scripts of this folder. `./dev JOB` runs them from the root of the repository.
set -euo pipefail
root=$PWD
tool=$root/build/release/bin/shlo-compat
jobs=${SHLO_JOBS:-$(nproc 2>/dev/null || echo 2)}

say() { printf '== %s\n' "$*"; }
die() { printf 'dev: %s\n' "$*" >&2; exit 1; }

source scripts/packages.sh
source scripts/build.sh
