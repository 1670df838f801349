# Packages of this system. cmake/packages.csv lists them: jobs ("test?": optional for the job), how to detect the package,
# and its name in five package managers. CMake reads the same table.
packages=$root/cmake/packages.csv
managers="apt dnf pacman apk brew"

found_header() { # PATH
  echo "#if !__has_include(<$1>)
#error missing
#endif" | ${CXX:-c++} -std=c++20 -E -x c++ ${HOMEBREW_PREFIX:+"-I$HOMEBREW_PREFIX/include"} - >/dev/null 2>&1
}

found_library() { # NAME
  local file
  for file in "$(${CXX:-c++} -print-file-name="lib$1.so" 2>/dev/null)" "$(${CXX:-c++} -print-file-name="lib$1.a" 2>/dev/null)" \
    "/usr/local/lib/lib$1".* ${HOMEBREW_PREFIX:+"$HOMEBREW_PREFIX/lib/lib$1".*}; do
    [[ $file != /* ]] || [ ! -e "$file" ] || return 0
  done
  return 1
}

# A distribution has modules for its own Python, which need not be the first in the path.
found_in_python() { # STATEMENT
  python3 -c "$1" 2>/dev/null || /usr/bin/python3 -c "$1" 2>/dev/null
}

found() { # WORD of the column "detect"
  local what=${1#*:}
  case $1 in
    program:c++) command -v ${CXX:-c++} >/dev/null ;;
    program:*) command -v "$what" >/dev/null ;;
    header:*) found_header "$what" ;;
    library:*) found_library "$what" ;;
    python_header:*) found_in_python "import os, sysconfig; assert os.path.exists(sysconfig.get_path('include') + '/$what')" ;;
    module:*) found_in_python "import $what" ;;
    clang:*) echo 'int main() { return 0; }' | clang++ -x c++ "$what" -o /dev/null - 2>/dev/null ;;
  esac
}

# Sets `required` and `optional` to the packages of jobs that this system lacks; with `all`, to all of them.
required=() optional=()
list_packages() { # all|missing JOB...
  local which=$1 name purpose jobs detect rest job word is_found
  shift
  required=() optional=()
  while IFS=, read -r name purpose jobs detect rest; do
    for job; do
      [[ " $jobs " == *" $job "* || " $jobs " == *" $job? "* ]] || continue
      is_found=
      if [ "$which" = missing ]; then
        is_found=1
        for word in $detect; do found "$word" </dev/null || is_found=; done
      fi
      [ -z "$is_found" ] || break
      if [[ " $jobs " == *" $job "* ]]; then required+=("$name"); else optional+=("$name"); fi
      break
    done
  done <"$packages"
}

# Prints the command with which a package manager installs packages.
install_command() { # MANAGER NAME...
  local manager=$1 names name purpose jobs detect apt dnf pacman apk brew words= word
  shift
  names=" install $* "
  while IFS=, read -r name purpose jobs detect apt dnf pacman apk brew; do
    [[ $names == *" $name "* ]] || continue
    for word in ${!manager}; do
      [[ $name != install && ($word == - || " $words " == *" $word "*) ]] || words+=${words:+ }$word
    done
  done <"$packages"
  [ "$(id -u)" != 0 ] || words=${words#sudo }
  echo "$words"
}

# Prints packages, and the command of each package manager that installs them.
report_packages() { # NAME...
  local names=" $* " name purpose jobs detect rest manager
  echo "these packages are missing:"
  while IFS=, read -r name purpose jobs detect rest; do
    [[ $names != *" $name "* ]] || echo "  $name, for $purpose ($detect)"
  done <"$packages"
  echo "hint: install them with one of these commands:"
  for manager in $managers; do echo "  $(install_command "$manager" "$@")"; done
}

# Installs packages, where the package manager is that of Debian and this user may.
apt_updated=
apt_install() { # COMMAND
  command -v apt-get >/dev/null || return 1
  [[ $1 != sudo* ]] || command -v sudo >/dev/null || return 1
  say "$1"
  if [ -z "$apt_updated" ]; then
    ${1%%apt-get*} apt-get update -q >/dev/null || say "apt-get update failed; trying with what is known"
    apt_updated=1
  fi
  ${1%%apt-get*} env DEBIAN_FRONTEND=noninteractive ${1#sudo } -q >/dev/null
}

# Installs what jobs need and this system lacks.
setup() { # JOB...
  list_packages missing "$@"
  [ ${#required[@]} != 0 ] || [ ${#optional[@]} != 0 ] || return 0
  apt_install "$(install_command apt "${required[@]}" "${optional[@]}")" || [ ${#required[@]} = 0 ] ||
    apt_install "$(install_command apt "${required[@]}")" || true
  list_packages missing "$@"
  [ ${#required[@]} = 0 ] || die "$(report_packages "${required[@]}")"
  [ ${#optional[@]} = 0 ] || say "some tests are skipped: $(report_packages "${optional[@]}")"
}
