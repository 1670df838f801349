"""The command line from the package, and the same bytes from the tool and from Python."""

import os
import signal
import subprocess
import sys

import pytest
import shlo
from conftest import TANH, generated, quiet


def python(*args, **options):
    return subprocess.run([sys.executable, "-m", "shlo", *map(str, args)], capture_output=True, **options)


def test_the_command_is_the_tool(tool, tmp_path):
    path = tmp_path / "m.mlir"
    path.write_text(TANH)
    for args in (["--version"], ["--help"], ["inspect", path], ["--target=1.9.0", path], ["verify", "none.mlir"],
                 ["prove", path, path], ["no-such-command"], ["--target=1.9.0", "-"]):  # fmt: skip
        ours, tools = python(*args, input=TANH.encode()), tool(*args, input=TANH.encode())
        assert (ours.returncode, ours.stdout, ours.stderr) == (tools.returncode, tools.stdout, tools.stderr), args


def test_a_closed_pipe_ends_it_quietly(tmp_path):
    path = tmp_path / "m.mlir"
    path.write_text("".join(f"func.func @f{i}() {{ return }}\n" for i in range(20000)))
    process = subprocess.Popen([sys.executable, "-m", "shlo", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(10)
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(60)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_interrupt_ends_it(tmp_path):
    path = tmp_path / "m.mlir"
    path.write_text("""func.func @main() -> tensor<i1> {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.while(%i = %0) : tensor<i1> cond {
    stablehlo.return %i : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i1>
  }
  return %1 : tensor<i1>
}""")
    command = ["eval", "--trace", "--max-work=1000000000", "--max-steps=1000000000000000", str(path)]
    process = subprocess.Popen([sys.executable, "-m", "shlo", *command], stderr=subprocess.PIPE)
    process.stderr.readline()  # it reads the program
    process.send_signal(signal.SIGINT)
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == -signal.SIGINT


def test_the_same_bytes_from_the_tool_and_from_python(tool, tmp_path):
    """200 generated programs in three formats; each by one run of the tool over a folder."""
    count = int(os.environ.get("SHLO_COUNT", 200))
    source = tmp_path / "source"
    source.mkdir()
    programs = {}
    for seed, text in generated(count):
        path = source / f"p{seed:04}.mlir"
        path.write_text(text)
        programs[path.stem] = path
    compared = 0
    for format, options in (("text", []), ("shlo", ["--emit=shlo"]), ("mlirbc", ["--emit=mlirbc"]), ("text", ["--target=1.9.0", "--allow-outside-window"])):
        out = tmp_path / f"out{len(options)}{format}"
        tool("--out-dir", out, "--keep-going", *options, source)
        for name, path in programs.items():
            written = next(iter(out.glob(name + ".*")), None)
            try:
                program = quiet(shlo.load, path)
                if "--target=1.9.0" in options:
                    program = quiet(program.convert, "1.9.0", allow_outside_window=True)
                elif format == "mlirbc":
                    program = quiet(program.convert, program.version, portable=True)
                ours = quiet(program.bytes, format)
            except shlo.ShloError as error:
                assert written is None, (name, options, str(error))
                continue
            assert written is not None and written.read_bytes() == ours, (name, options)
            compared += 1
    assert compared > 3 * count
