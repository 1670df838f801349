#!/usr/bin/env python3
"""Draws what `check` prints for a change that breaks a consumer: docs/images/check-report.svg.

    report_picture.py TOOL [--bless]

Makes a repository with a baseline and a change, runs the tool, and compares the picture with the one in the docs
(--bless: writes it).
"""
import html
import os
import pathlib
import subprocess
import sys
import tempfile

PICTURE = pathlib.Path(__file__).resolve().parent.parent / "docs/images/check-report.svg"
POLICY = 'consumers = ["1.8.0"]\nbaseline = "HEAD~1"\n[rules]\nrandom-op = "warning"\n'
ENCODER = """module attributes {stablehlo.compat_version = 70 : i64} {
  func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = stablehlo.exponential %x {ATTR} : tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
"""
ACCURACY = ("result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, "
            "mode = #stablehlo.result_accuracy_mode<TOLERANCE>>")
SAMPLER = """module attributes {stablehlo.compat_version = 70 : i64} {
  func.func @main(%low: tensor<f32>, %high: tensor<f32>, %shape: tensor<1xi64>) -> tensor<8xf32> {
    %0 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
"""
BEFORE = {"shlo-compat.toml": POLICY, "models/encoder.mlir": ENCODER.replace(" {ATTR}", ""), "models/sampler.mlir": SAMPLER}
AFTER = {"models/encoder.mlir": ENCODER.replace("ATTR", ACCURACY).replace("8x16", "4x16"), "models/sampler.mlir": SAMPLER}
DATES = {f"GIT_{who}_DATE": "2026-09-01T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}  # part of the commit's hash
COLORS = {"error:": "#f14c4c", "warning:": "#d7ba7d"}  # as on a terminal
WIDTH, LINE, MARGIN, COLUMNS = 7.9, 18, 20, 118


def report(tool):
    """Returns what a terminal shows."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        def git(*words):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=root, check=True,
                           stdout=subprocess.DEVNULL, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, **DATES})
        git("init", "-q")
        for files in BEFORE, AFTER:
            for name, text in files.items():
                (root / name).parent.mkdir(exist_ok=True)
                (root / name).write_text(text)
            git("add", ".")
            git("commit", "-q", "-m", "models")
        done = subprocess.run([tool, "check", "--today=2026-09-01", "models"], cwd=root, capture_output=True, text=True)
        return f"$ shlo-compat check models\n{done.stdout}$ echo $?\n{done.returncode}\n"


def picture(text):
    lines = []
    for line in text.splitlines():
        while len(line) > COLUMNS:
            lines.append(line[:COLUMNS])
            line = "    " + line[COLUMNS:]
        lines.append(line)
    height = len(lines) * LINE + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * WIDTH + 2 * MARGIN:.0f} {height}" '
           'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">',
           f'<rect width="100%" height="100%" rx="8" fill="#1e1e1e"/>', '<g fill="#d4d4d4" xml:space="preserve">']
    for i, line in enumerate(lines):
        # Renderers that ignore xml:space would drop the indentation, and put carets into the first column.
        drawn = html.escape(line).replace(" ", "\u00a0")
        for word, color in COLORS.items():
            drawn = drawn.replace(word, f'<tspan fill="{color}" font-weight="bold">{word}</tspan>', 1)
        out.append(f'<text x="{MARGIN}" y="{MARGIN + LINE * (i + 1) - 5}">{drawn}</text>')
    return "\n".join(out + ["</g>", "</svg>", ""])


def main():
    text = report(os.path.abspath(sys.argv[1]))
    drawn = picture(text)
    if "--bless" in sys.argv:
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_text(drawn, encoding="utf-8")
        return print(text)
    if PICTURE.read_text(encoding="utf-8") != drawn:
        print(text)
        sys.exit("the picture in docs/images is not what the tool prints; './dev bless' draws it")


if __name__ == "__main__":
    main()
