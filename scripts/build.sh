# Configuring, building and testing presets of CMakePresets.json.

# Options of the release preset that add the Python package; scripts/python.sh sets them.
python_flags=()
# OFF: the tool alone, which needs no packages for tests. Tests are added by the first job that needs them, and stay.
tests=ON

# Fails if the release preset is configured without a part that this job needs.
has_parts() { # PRESET
  [ "$1" = release ] || return 0
  [ ${#python_flags[@]} = 0 ] || grep -q '^SHLO_PYTHON:BOOL=ON' build/release/CMakeCache.txt || return 1
  [ $tests = OFF ] || ! grep -q '^SHLO_BUILD_TESTS:BOOL=OFF' build/release/CMakeCache.txt
}

configure() { # PRESET [OPTION...]
  local preset=$1 speed=()
  shift
  [ "$preset" != release ] || set -- "$@" "${python_flags[@]}" -DSHLO_BUILD_TESTS=$tests -DSHLO_BUILD_BENCH=$tests
  ! command -v ccache >/dev/null || speed=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  if [ ! -e "build/$preset/build.ninja" ] || [ CMakePresets.json -nt "build/$preset/build.ninja" ] || ! has_parts "$preset"; then
    say "configuring $preset"
    cmake --preset "$preset" "${speed[@]}" "$@" >"build/configure-$preset.log" 2>&1 ||
      { cat "build/configure-$preset.log"; die "configuring failed"; }
  fi
}

# Builds targets, or those of the build preset.
build() { # PRESET [TARGET...]
  local preset=$1
  shift
  configure "$preset"
  say "building $preset"
  local targets=()
  [ $# -gt 0 ] && targets=(--target "$@")
  cmake --build --preset "$preset" -j "$jobs" "${targets[@]}"
}

# Runs ctest; the last line is its count.
run_ctest() { # PRESET [FLAG...]
  local preset=$1 log=build/ctest-$1.log
  shift
  say "testing $preset"
  # One more than there are cores: some tests wait for processes, or for the disk.
  (cd "build/$preset" && ctest -j "$((jobs + 1))" --output-on-failure "$@") 2>&1 | tee "$log" |
    grep -vE '^Test project|^ *Start +[0-9]+: | Passed +[0-9.]+ sec|^$' || true
  grep -E '^[0-9]+% tests passed, [0-9]+ tests? failed out of [0-9]+' "$log" || die "ctest of $preset did not finish"
  grep -q ' 0 tests failed' "$log"
}
