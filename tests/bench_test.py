"""Tests of bench/instructions.py and bench/commands.py: what they compare and record, without counting or timing."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import commands  # noqa: E402
import instructions  # noqa: E402
import programs  # noqa: E402

HERE = {"compiler": "12.2.0", "build": "Release static"}


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name, "record.csv")


class Instructions(Folder):
    def check(self, counted, here=None):
        said = []
        code = instructions.check(self.path, here or HERE, lambda: counted, 5, lambda *lines, sep="": said.extend(lines))
        return code, "\n".join(said)

    def setUp(self):
        super().setUp()
        instructions.write_record(self.path, HERE, {"parse": 1000000, "print": 2000})

    def test_what_is_recorded_is_read(self):
        self.assertEqual(instructions.read_record(self.path), (HERE, {"parse": 1000000, "print": 2000}))

    def test_counts_within_the_tolerance_pass(self):
        for parse in (1000000, 1050000, 950000):
            self.assertEqual(self.check({"parse": parse, "print": 2000}), (0, "instructions: 2 commands counted, 0 failures"))

    def test_a_slower_command_fails_and_the_message_says_all(self):
        code, said = self.check({"parse": 1050001, "print": 2000})
        self.assertEqual(code, 1)
        for part in ("parse: 1,050,001 instructions", "5.0 % more", "recorded 1,000,000", "limit: 5 %", "./dev instructions --record"):
            self.assertIn(part, said)
        self.assertNotIn("print:", said)

    def test_a_faster_command_passes_and_asks_to_be_recorded(self):
        code, said = self.check({"parse": 500000, "print": 2000})
        self.assertEqual(code, 0)
        self.assertIn("parse: 500,000 instructions, 50.0 % less than the recorded 1,000,000; record it", said)

    def test_a_new_case_needs_a_record(self):
        code, said = self.check({"parse": 1000000, "verify": 7})
        self.assertEqual(code, 1)
        self.assertIn("verify: has no recorded count", said)

    def test_other_tools_are_not_compared_or_run(self):
        said = []
        code = instructions.check(self.path, {**HERE, "compiler": "13.1.0"}, lambda: self.fail("counted"), 5,
                                  lambda *lines, sep="": said.extend(lines))
        self.assertEqual(code, instructions.SKIPPED)
        self.assertIn("  compiler: recorded with '12.2.0', here '13.1.0'", said)
        self.assertNotIn("build", "".join(said[1:]))

    def test_every_case_of_the_project_is_recorded(self):
        states, counts = instructions.read_record(instructions.RECORD)
        self.assertEqual(set(counts), set(instructions.CASES))
        self.assertEqual(set(states), {"compiler", "build", "libc", "valgrind", "processor"})


def sample(ms, mb=10.0):
    return commands.Sample(0, ms, ms, 0, mb, 100, 0)


class Commands(Folder):
    def test_medians_are_of_each_competitor(self):
        samples = {"a": {"ours": [sample(3), sample(1), sample(2)], "cp": [sample(10)]}}
        self.assertEqual(commands.medians(samples), {"a": {"ours": sample(2), "cp": sample(10)}})

    def test_goals_are_held_or_missed(self):
        case = commands.Case("a", "A", "x.mlir", "mlir", data=24, ms=60, mb=60, cp=1.5)
        tenfold = commands.Case("b", "B", "x.mlir", "mlir", growth=("a", 11))
        results = {"a": {"ours": sample(60, 59.9), "cp": sample(40)}, "b": {"ours": sample(660)}}
        held = [holds for _, holds in commands.goals([case, tenfold], results, {"a": True})]
        self.assertEqual(held, [True] * 5)
        results = {"a": {"ours": sample(61, 60), "cp": sample(40)}, "b": {"ours": sample(672)}}
        held = [holds for _, holds in commands.goals([case, tenfold], results, {"a": False})]
        self.assertEqual(held, [False] * 5)

    def test_a_growth_needs_both_cases(self):
        tenfold = commands.Case("b", "B", "x.mlir", "mlir", growth=("a", 11))
        self.assertEqual(commands.goals([tenfold], {"b": {"ours": sample(1)}}, {}), [])

    def test_cases_have_different_keys_and_known_inputs(self):
        self.assertEqual(len({case.key for case in commands.CASES}), len(commands.CASES))
        for case in commands.CASES:
            for name in filter(None, (case.source, case.copied)):
                self.assertIn(name.split(".")[0], {"three", *commands.GENERATED})
            if case.growth:
                self.assertIn(case.growth[0], {other.key for other in commands.CASES})
            self.assertFalse(case.cp and case.job in ("version", "inspect"), case.key)

    def test_the_reference_has_its_own_command_lines(self):
        line = programs.reference("bin", "mlirbc", "a.mlir", "b.mlirbc", "1.9.0")
        self.assertEqual(line, ["bin/stablehlo-translate", "--serialize", "--target=1.9.0", "a.mlir", "-o", "b.mlirbc"])
        self.assertIn("--deserialize", programs.reference("bin", "mlir", "a.mlirbc", "b.mlir", "1.9.0"))
        self.assertEqual(programs.reference("bin", "mlir", "a.mlir", "b.mlir", "1.9.0")[0], "bin/stablehlo-opt")
        for job in ("shlo", "inspect"):
            self.assertIsNone(programs.reference("bin", job, "a.mlir", "b", "1.9.0"))

    def test_a_release_has_one_line_and_columns_may_be_added(self):
        commands.record(self.path, {"release": "0.1.0", "date": "d", "a_ms": "1"})
        commands.record(self.path, {"release": "0.2.0", "date": "e", "a_ms": "2", "b_ms": "3"})
        commands.record(self.path, {"release": "0.2.0", "date": "f", "a_ms": "4", "b_ms": "5"})
        self.assertEqual(self.path.read_text(), "release,date,a_ms,b_ms\n0.1.0,d,1,\n0.2.0,f,4,5\n")

    def test_a_line_of_history_has_a_yardstick_and_instructions(self):
        row = commands.history_row("0.1.0", {commands.YARDSTICK: {"ours": sample(2), "cp": sample(1)}}, {"eval": 8500000})
        self.assertEqual([row[name] for name in ("release", "cp_weights_ms", f"{commands.YARDSTICK}_ms", "eval_mega_instructions")],
                         ["0.1.0", "1.0", "2.0", "8.50"])


if __name__ == "__main__":
    unittest.main()
