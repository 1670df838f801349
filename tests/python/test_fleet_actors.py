"""The processes of a grid elsewhere: on threads that only carry bytes, and on actors of a local Ray cluster where Ray is
installed. fleet_ray.py has a larger grid on two nodes, whose actors are killed."""

import os
import pathlib
import pickle
import signal
import sys
import threading

import numpy as np
import pytest
import shlo
from shlo import fleet

SUM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.custom_call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %0 = "stablehlo.all_reduce"(%y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  interpreter.print %0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
CALL = "  %y = stablehlo.custom_call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
INSIDE = SUM.replace("@main", "@each").replace(CALL, "").replace("(%y)", "(%x)") + """
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@each], [@each]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}"""  # fmt: skip
INPUTS = [np.array([i, 10 * i], np.float32) for i in range(4)]
GRID = {"replicas": 2, "partitions": 2}


def calls(function=None):
    """Custom calls whose functions are pickled by value: workers of Ray do not find this file."""
    return {"custom_calls": {"twice": function or (lambda x: x + x)}}


def on_threads(jobs):
    """Places each process on a thread, with a separate program."""
    grid, program = fleet.ProcessGrid(jobs.grid), pickle.loads(pickle.dumps(jobs.program))
    outcomes, errors = [None] * len(jobs.jobs), []

    def work(i):
        try:
            outcomes[i] = fleet.run_process(program, jobs.jobs[i], grid.answer, jobs.custom_calls)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(outcomes))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return outcomes


@pytest.fixture(scope="module")
def on_ray():
    pytest.importorskip("ray")
    with fleet.RayActors("local") as actors:  # not a cluster that this machine has
        yield actors


@pytest.fixture(params=["threads", "ray"])
def place(request):
    return on_threads if request.param == "threads" else request.getfixturevalue("on_ray")


def test_results_and_output_are_those_of_threads(place):
    program, printed = shlo.loads(SUM), {}
    for where in (None, place):
        printed[where] = []
        results = program.eval(*INPUTS, **GRID, **calls(), place=where, print=printed[where].append)
        assert [result.tolist() for result in results] == [[4, 40], [8, 80], [4, 40], [8, 80]]
    assert sorted(printed[place]) == sorted(printed[None]) and len(printed[None]) == 4
    assert "stablehlo.all_reduce" in str(program.eval(*INPUTS, **GRID, **calls(), place=place, print=str, profile=True).profile)


def test_a_grid_inside_of_a_program(place):
    program = shlo.loads(INSIDE)
    assert [result.tolist() for result in program.eval(INPUTS[1], place=place, print=str)] == [[2, 20], [2, 20]]


def test_errors_are_those_of_threads(place):
    program = shlo.loads(SUM, name="grid.mlir")
    texts = []
    for where in (None, place):
        with pytest.raises(shlo.EvaluationError) as error:
            program.eval(*INPUTS[:2], partitions=2, **calls(), place=where)
        texts.append(str(error.value))
    assert texts[0] == texts[1] and "grid.mlir:3:8" in texts[0] and "process 1 of the groups does not exist" in texts[0]

    def angry(x):
        raise KeyError("no")

    with pytest.raises(KeyError, match="no"):
        program.eval(*INPUTS, **GRID, **calls(angry), place=place)
    with pytest.raises(shlo.UnsupportedError, match="@twice"):
        program.eval(*INPUTS, **GRID, place=place)


def test_placements_that_are_wrong(monkeypatch):
    program = shlo.loads(SUM)

    def run(place):
        return program.eval(*INPUTS, **GRID, **calls(), place=place)

    for place in ("slurm", 5):
        with pytest.raises(shlo.UsageError, match="placement"):
            run(place)
    with pytest.raises(shlo.UsageError, match="sets no outcome 1"):
        run(lambda jobs: on_threads(jobs)[:1])
    with pytest.raises(shlo.FormatError, match="another format"):
        run(lambda jobs: [b""] * 4)
    with pytest.raises(TypeError):
        run(lambda jobs: [1, 2, 3, 4])
    jobs = []
    with pytest.raises(ZeroDivisionError):
        run(lambda given: jobs.append(given) or 1 / 0)
    assert list(jobs[0].ids) == [(0, 0), (0, 1), (1, 0), (1, 1)]

    def lost(request):
        raise ConnectionError("lost")

    with pytest.raises(ConnectionError):
        fleet.run_process(program, jobs[0].jobs[0], lost, jobs[0].custom_calls)
    with pytest.raises(shlo.FormatError):
        fleet.ProcessGrid(b"grid")
    grid = fleet.ProcessGrid(jobs[0].grid)
    grid.abandon()
    assert b"damaged" in grid.answer(b"\1\3\1")
    with pytest.raises(shlo.UsageError):
        fleet.RayActors(retries=-1)
    monkeypatch.setitem(sys.modules, "ray", None)
    for place in ("ray", fleet.RayActors()):
        with pytest.raises(shlo.UsageError, match="Ray is not installed"):
            run(place)


def killed(folder, times):
    """Returns a custom call that ends its process, `times` times."""
    folder = str(folder)

    def call(x):
        for i in range(times):
            try:
                os.close(os.open(f"{folder}/{i}", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)
        return x + x

    return calls(call)


def test_an_actor_that_is_killed(on_ray, tmp_path):
    program = shlo.loads(SUM)
    results = program.eval(*INPUTS[:2], replicas=2, **killed(tmp_path, 1), place=on_ray, print=str)
    assert results[0].tolist() == [2, 20] and len(list(pathlib.Path(tmp_path).iterdir())) == 1
    once = fleet.RayActors(retries=0)
    with pytest.raises(shlo.FileError, match=r"process \([01], 0\) ended once: ActorDiedError") as error:
        program.eval(*INPUTS[:2], replicas=2, **killed(tmp_path, 100), place=once)
    assert error.value.exit_code == 4


def test_actors_that_find_no_place(on_ray):
    nowhere = fleet.RayActors(start_timeout=3, ray_options={"num_cpus": 10_000})
    with pytest.raises(shlo.FileError, match=r"process \(0, 0\) was not placed within 3 s(.|\n)*the cluster has .*CPU"):
        shlo.loads(SUM).eval(*INPUTS[:2], replicas=2, **calls(), place=nowhere)
