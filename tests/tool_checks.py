"""Shared by tests that run the tool in a scratch folder: runs it, checks its exit code and output, collects failures."""
import os
import subprocess
import tempfile


class Checks:
    def __init__(self, tool):
        self.tool = os.path.abspath(tool)
        self.failures = []

    def run(self, *arguments, code=0, err="", out=""):
        """Runs the tool, and returns what it prints."""
        done = subprocess.run([self.tool, *map(str, arguments)], capture_output=True, text=True, errors="replace")
        if done.returncode != code or err not in done.stderr or out not in done.stdout:
            self.failures.append(f"{arguments}: exit code {done.returncode}, expected {code}\n{done.stdout}{done.stderr}")
        return done.stdout

    def expect(self, condition, what):
        if not condition:
            self.failures.append(what)

    def main(self, check_all, what=""):
        """Calls check_all(run, expect) in a scratch folder. Returns the exit code of the test."""
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            check_all(self.run, self.expect)
            os.chdir("/")
        for failure in self.failures:
            print(failure)
        print(f"{what}{len(self.failures)} failures")
        return 1 if self.failures else 0
