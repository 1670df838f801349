# The scoreboards of real programs in ../shared.
source scripts/python.sh

# The jax whose results and bytes a scoreboard holds, and the Pythons that it has wheels for; then those of newer programs.
real_jax=0.10.2
real_pythons="3.11 3.12 3.13"
real12_jax=0.12.0.1
real12_pythons="3.12 3.13"

# Runs a scoreboard with a Python that has a release of jax.
scoreboard() { # NAME RUN JAX PYTHONS FLAG...
  local board=$1 run=../shared/$2 jax=$3 pythons=$4 folder=build/real-$3
  shift 4
  setup build test
  if [ ! -x "$run" ]; then
    say "$board: $run is not here; nothing to run"
    return
  fi
  build release shlo-compat
  make_environment "$board" "jax $jax" "$folder" "$pythons" \
    "import flatbuffers, jax._src.interpreters.mlir, jaxlib.mlir.dialects.stablehlo" "jax==$jax" "jaxlib==$jax" flatbuffers
  say "$board, jax $jax"
  python3 tests/scoreboard.py "$board" "$folder/bin/python" "$run" build/release/bin "$@"
}
