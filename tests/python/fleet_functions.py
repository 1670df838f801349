"""Functions that the tests of the fleet send to other processes."""

import os
import signal
import time

from shlo import fleet
from shlo.fleet._work import Work
from shlo.fleet.archive import _Commands


def square(number):
    return number * number


def kill_at_7(number):
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


class KillOnce:
    """Ends the process once for each of some numbers; `folder` remembers."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __call__(self, number):
        mark = os.path.join(self.folder, str(number))
        if number % 10 == 0 and not os.path.exists(mark):
            open(mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return number


def sleep_at_3(number):
    if number == 3:
        time.sleep(600)
    return number


class Fails:
    """Raises: 1 a mistake, 2 an error of a file that goes away, 3 one that stays."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __call__(self, number):
        with open(os.path.join(self.folder, "calls"), "a") as file:
            file.write(f"{number}\n")
        if number == 1:
            raise ValueError("one")
        if number == 3 or (number == 2 and open(os.path.join(self.folder, "calls")).read().split().count("2") < 3):
            raise ConnectionError("no network")
        return number


def refuse(number):
    from shlo._errors import usage_error

    raise fleet.Refusal(usage_error("nothing can be done"))


def prints(number):
    print("this is not a reply")
    os.write(1, b"neither is this")
    return number


def unpicklable(number):
    return lambda: number


class Poisoned(Work):
    """Ends the process when it works on a file called poison."""

    def batch(self, tasks):
        if any("poison" in task.item.name for task in tasks):
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().batch(tasks)


class Slow(Work):
    """Takes a fifth of a second more for each batch."""

    def batch(self, tasks):
        results = super().batch(tasks)
        time.sleep(0.2)
        return results


class Endless(Work):
    """Does not end when it works on a file called endless."""

    def batch(self, tasks):
        if any("endless" in task.item.name for task in tasks):
            time.sleep(600)
        return super().batch(tasks)


class EndingCommands(_Commands):
    """Ends its process once before each step, and once after it."""

    marks = ""

    def __call__(self, step):
        for when in ("before", "after"):
            mark = os.path.join(self.marks, f"{when} {step.key}".replace("/", "-"))
            ends = not os.path.exists(mark)
            open(mark, "w").close()
            result = super().__call__(step) if when == "after" else None
            if ends:
                os.kill(os.getpid(), signal.SIGKILL)
        return result


def commands_that_end(marks):
    """Returns a class of commands that end."""
    os.makedirs(marks)

    def make(*given):
        out = EndingCommands(*given)
        out.marks = str(marks)
        return out

    return make


class ShortImports(_Commands):
    """Ends its process after an import of three files or more."""

    def __call__(self, step):
        result = super().__call__(step)
        if step.key == "import" and len(step.words[step.words.index("--") :]) > 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
