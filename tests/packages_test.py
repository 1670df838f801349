"""Tests of the table of packages, and of all that states or reads it. Usage: packages_test.py [CMAKE]"""

import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
CMAKE = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else shutil.which("cmake")
MANAGERS = ["apt", "dnf", "pacman", "apk", "brew"]
# CMake code with which nothing is found.
NOTHING = "set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)\nset(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)\n"
WORDS = re.compile(r"(program|header|library|module|python_header|clang):\S+")
with open(ROOT / "cmake/packages.csv", encoding="utf-8") as file:
    INSTALL, *ROWS = csv.DictReader(file)


def rows(*jobs):
    return [row for row in ROWS if set(row["jobs"].split()) & set(jobs)]


def commands(*jobs):
    """Returns the command of each package manager for jobs."""
    found = []
    for manager in MANAGERS:
        words = dict.fromkeys(word for row in rows(*jobs) for word in row[manager].split() if word != "-")
        found.append(" ".join([INSTALL[manager], *words]))
    return found


def run(*command, code=0, **environment):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120, env={**os.environ, **environment})
    assert done.returncode == code, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def without_sudo(text):
    return text.replace("sudo ", "")


class Table(unittest.TestCase):
    def test_rows_are_complete(self):
        names = [row["name"] for row in ROWS]
        self.assertEqual(len(names), len(set(names)))
        for row in ROWS:
            self.assertNotIn(None, row.values())
            self.assertTrue(all(row.values()), row)
            self.assertNotRegex(",".join(row.values()), r"[;\"]")  # CMake and bash read it, too
            for word in row["detect"].split():
                self.assertRegex(word, WORDS)

    def test_every_header_of_another_project_is_in_it(self):
        known = {word.partition(":")[2].partition("/")[0] for row in ROWS for word in row["detect"].split() if word.startswith("header:")}
        own = "sys/ shlo/ linux/ Python.h nanobind/ mpfr.h mpc.h gmp.h".split()
        standard = r"[a-z_0-9]+|(dlfcn|fcntl|malloc|poll|pthread|sched|semaphore|signal|spawn|std\w+|string|unistd|errno|math|float|limits|locale|"
        standard += r"time|assert|ctype|fenv|inttypes|dirent|netdb|ucontext|termios|fnmatch|glob|getopt|execinfo|link|features|cpuid|"
        standard += r"\w+intrin|arm_neon|arpa/inet|netinet/\w+)\.h"
        for folder in "lib", "tools", "include", "python", "tests", "fuzz", "bench":
            for path in (ROOT / folder).rglob("*.*"):
                if path.suffix in (".h", ".cc", ".c"):
                    for header in re.findall(r"^\s*#\s*include <([^>]+)>", path.read_text(), re.M):
                        if not re.fullmatch(standard, header) and not header.startswith(tuple(own)):
                            self.assertIn(header.partition("/")[0], known, f"{path}: add <{header}> to cmake/packages.csv")

    def test_join_has_its_header(self):
        for folder in "lib", "tools", "include", "python", "tests", "fuzz", "bench":
            for path in (ROOT / folder).rglob("*.*"):
                if path.suffix in (".h", ".cc") and "fmt::join(" in (text := path.read_text()):
                    self.assertIn("#include <fmt/ranges.h>", text, f"{path}: since fmt 11, fmt::join is in fmt/ranges.h")

    def test_documents_state_it(self):
        for page, jobs in ("docs/build.md", ["build"]), ("docs/python.md", ["build", "python"]), ("docs/build.md", ["build", "test"]):
            text = (ROOT / page).read_text()
            for command in commands(*jobs):
                self.assertIn(f"\n{command}\n", text, page)

    def test_images_have_what_it_says(self):
        known = {word for row in rows("build", "test") for word in row["apt"].split()}
        text = (ROOT / "fuzz/oss-fuzz/Dockerfile").read_text()
        listed = set(re.findall(r"\b(?:lib[\w-]+-dev|\w[\w-]+-dev|flatbuffers-compiler)\b", text))
        self.assertEqual(listed - known, set())
        self.assertEqual({word for row in rows("build") for word in row["apt"].split()} - listed - {"g++", "cmake", "ninja-build"}, set())


class Dev(unittest.TestCase):
    def missing(self, output):
        return re.findall(r"^  (\w+), for ", output, re.M)

    def test_help_lists_the_jobs(self):
        scripts = {path.name for path in (ROOT / "scripts").iterdir() if not path.suffix}
        self.assertEqual(set(re.findall(r"^  ([a-z-]+) ", run("./dev", "--help"), re.M)), scripts)
        self.assertIn("usage: ./dev JOB", run("./dev", "nonsense", code=2))

    def test_prints_the_command_of_each_package_manager(self):
        for manager, command in zip(MANAGERS, commands("build", "test")):
            self.assertEqual(without_sudo(run("./dev", "packages", manager, "build", "test")), without_sudo(command) + "\n")

    def test_knows_the_jobs(self):
        for job in {job.rstrip("?") for row in ROWS for job in row["jobs"].split()}:
            run("./dev", "packages", "apt", job)
        for job in "nonsense", "apt", "c", "[a-z]+":
            self.assertIn("unknown job", run("./dev", "packages", "apt", job, code=1))

    def test_reports_all_headers_at_once(self):
        output = run("./dev", "packages", "build", code=1, CXX=os.environ.get("CXX", "c++") + " -nostdinc")
        expected = [row["name"] for row in rows("build") if "header:" in row["detect"]]
        self.assertEqual(self.missing(output), expected)
        for line in commands("build"):
            self.assertIn(without_sudo(line).split()[0], without_sudo(output))

    def test_reports_programs_and_the_rest_without_a_compiler(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "bash", "env", "id", "mkdir", "nproc", "dirname":
                os.symlink(shutil.which(name), f"{folder}/{name}")
            output = run("./dev", "packages", code=1, PATH=folder, CXX="c++")
        self.assertEqual(self.missing(output), [row["name"] for row in rows("build")])
        for command in commands("build"):
            self.assertIn(f"  {without_sudo(command)}\n", without_sudo(output))


class CMakeCheck(unittest.TestCase):
    """A project with the check of this one."""

    def configure(self, *flags, before="project(p LANGUAGES CXX)\n", jobs="build test", code=1, **environment):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "CMakeLists.txt").write_text(
                f"cmake_minimum_required(VERSION 3.22)\ninclude({ROOT}/cmake/packages.cmake)\n{before}shlo_require_packages({jobs})\n")
            return run(CMAKE, "-G", "Ninja", "-S", folder, "-B", folder + "/build", *flags, code=code, **environment)

    def missing(self, output):
        return re.findall(r"^ *(\w+), for ", output, re.M)

    def test_finds_what_is_there(self):
        self.configure(code=0)

    def test_reports_all_at_once(self):
        output = self.configure(before="project(p LANGUAGES CXX)\n" + NOTHING)
        expected = [row for row in rows("build", "test") if row["name"] not in ("compiler", "cmake", "ninja")]
        self.assertEqual(self.missing(output), [row["name"] for row in expected])
        for manager in MANAGERS:
            words = dict.fromkeys(word for row in expected for word in row[manager].split() if word != "-")
            line = without_sudo(" ".join([INSTALL[manager], *words]))
            self.assertIn(f"  {line}\n", without_sudo(output))

    def test_reports_only_what_is_missing(self):
        folder = self.folder_of("zlib.h")
        self.assertEqual(self.missing(self.configure("-DCMAKE_IGNORE_PATH=" + folder)), self.rows_in(folder))

    def folder_of(self, header):
        """Returns a folder of headers, as the compiler finds it."""
        found = run("bash", "-c", f"echo '#include <{header}>' | ${{CXX:-c++}} -x c++ -M - | tr -s ' \\\\' '\\n' | grep '/{header}$'")
        return str(pathlib.Path(found.strip()).parent)

    def rows_in(self, folder):
        return [row["name"] for row in rows("build", "test")
                if any(word.startswith("header:") and pathlib.Path(folder, word[7:]).exists() for word in row["detect"].split())]

    def test_the_installed_package_says_what_projects_need(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "packages.cmake", "packages.csv":
                shutil.copy(ROOT / "cmake" / name, folder)
            config = (ROOT / "cmake/shloConfig.cmake.in").read_text().replace("@PACKAGE_INIT@", "").replace("@SHLO_JOBS_OF_USERS@", "use")
            pathlib.Path(folder, "shloConfig.cmake").write_text(config)
            output = self.configure(before=f"project(p LANGUAGES CXX)\n{NOTHING}find_package(shlo REQUIRED CONFIG PATHS {folder} NO_DEFAULT_PATH)\n")
        self.assertEqual(self.missing(output), [row["name"] for row in rows("use")])

    def test_reports_all_without_a_compiler(self):
        with tempfile.TemporaryDirectory() as folder:
            output = self.configure(before="shlo_require_compiler(build)\nproject(p LANGUAGES CXX)\n", PATH=folder, CXX="")
        self.assertEqual(self.missing(output), [row["name"] for row in rows("build")])


if __name__ == "__main__":
    unittest.main()
