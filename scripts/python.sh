# Interpreters of Python, and virtual environments in build/.

# Prints an interpreter of Python VERSION that can make virtual environments. A shim of pyenv may be in the path
# without its interpreter, so each candidate is run.
find_python() { # VERSION
  local candidate
  for candidate in "$(command -v "python$1")" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
    if [ -x "$candidate" ] && "$candidate" -c "import ensurepip, sys, venv
sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

# Makes a virtual environment with packages, unless it is there and a statement runs in it.
make_environment() { # JOB WHAT FOLDER "VERSION..." STATEMENT PACKAGE...
  local job=$1 what=$2 folder=$3 versions=$4 statement=$5 python= version
  shift 5
  ! "$folder/bin/python" -c "$statement" 2>/dev/null || return 0
  for version in $versions; do python=$(find_python "$version") && break; done
  [ -n "$python" ] || die "$job: needs one of Python $versions"
  say "installing $what in $folder"
  "$python" -m venv "$folder"
  "$folder/bin/python" -m pip install -q "$@"
}

# Makes build/python-env, which builds and tests the Python package, and sets `python_flags`. Without PyPI or the headers of
# Python they stay empty: the package is not built, and its tests are skipped.
python_packages="nanobind numpy ml_dtypes pytest mypy nbclient ipykernel tqdm fsspec"
setup_python() {
  local folder=$root/build/python-env python= version
  python_flags=()
  if ! "$folder/bin/python" -c 'import nanobind, numpy, ml_dtypes, pytest, mypy, nbclient, ipykernel, fsspec' 2>/dev/null; then
    for version in 3.12 3.13 3.14 3.11 3.10; do python=$(find_python "$version") && break; done
    if [ -z "$python" ] ||
      ! "$python" -c 'import os, sysconfig; assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
      say "the Python package is not tested: no Python 3.10 or later with headers and venv ('./dev packages python' says what is missing)"
      return
    fi
    say "installing what the Python package needs in build/python-env"
    if ! { "$python" -m venv "$folder" && "$folder/bin/python" -m pip install -q --retries 1 $python_packages; } >build/python-env.log 2>&1; then
      say "the Python package is not tested: PyPI is not reachable (build/python-env.log)"
      return
    fi
  fi
  python_flags=(-DSHLO_PYTHON=ON "-DPython_EXECUTABLE=$folder/bin/python")
}

# The newest jax that has wheels for a Python. Best first; jaxlib 0.12.0 holds StableHLO 1.22.0, 0.10.2 holds 1.17.0.
peer_wheels="3.12:0.12.0 3.13:0.12.0 3.14:0.12.0 3.11:0.10.2"

# Sets `peer_python` to an interpreter with jax, from the virtual environment SHLO_PEER or one in build/.
peer_python=
setup_peer() {
  local wheel version python folder tried=
  for wheel in $peer_wheels; do
    version=${wheel#*:}
    folder=${SHLO_PEER:-build/peer-$version}
    if "$folder/bin/python" -c 'import jax._src.interpreters.mlir, jaxlib.mlir.dialects.stablehlo' 2>/dev/null; then
      peer_python=$folder/bin/python
      return
    fi
    if ! python=$(find_python "${wheel%:*}"); then
      tried+="; no Python ${wheel%:*}"
      continue
    fi
    say "installing jax $version in $folder"
    if "$python" -m venv "$folder" && "$folder/bin/python" -m pip install -q "jax==$version" "jaxlib==$version" 2>"$folder/pip.log"; then
      peer_python=$folder/bin/python
      return
    fi
    tried+="; jax $version does not install for Python ${wheel%:*} ($folder/pip.log)"
  done
  die "peer: jax is missing${tried}"
}
