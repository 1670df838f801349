"""Lets a system call of a process fail, by a filter of the kernel: the process runs as always, and ends by itself."""
import ctypes
import errno
import platform
import struct
import subprocess
import unittest

# Numbers of calls: x86_64, aarch64.
CALLS = {"flock": (73, 32), "wait4": (61, 260), "pipe2": (293, 59), "openat": (257, 56)}
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06  # of the filter's machine: a word of the call, a comparison, the verdict
ALLOW, FAIL = 0x7FFF0000, 0x00050000
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2
LIBRARY = ctypes.CDLL(None, use_errno=True)


def refused(call, error, argument=None, value=0):
    """Returns a preexec_fn after which a call fails with an error; only if an argument, by its number, has a value."""
    if platform.machine() not in MACHINES:
        raise unittest.SkipTest("the numbers of this machine's calls are not known")
    column, machine = MACHINES[platform.machine()]
    tests = [(4, machine), (0, CALLS[call][column])]
    if argument is not None:
        tests.append((16 + 8 * argument, value))
    program = b""
    for i, (offset, wanted) in enumerate(tests):
        program += struct.pack("<HBBI", LOAD, 0, 0, offset)
        program += struct.pack("<HBBI", EQUAL, 0, 2 * (len(tests) - 1 - i) + 1, wanted)
    program += struct.pack("<HBBI", RETURN, 0, 0, FAIL | getattr(errno, error))
    program += struct.pack("<HBBI", RETURN, 0, 0, ALLOW)

    def install():
        code = ctypes.create_string_buffer(program, len(program))
        header = struct.pack("HP", len(program) // 8, ctypes.addressof(code))
        if LIBRARY.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or LIBRARY.prctl(PR_SET_SECCOMP, FILTER, header, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "the kernel takes no filter")
    try:
        subprocess.run(["true"], preexec_fn=install, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise unittest.SkipTest(f"filters of calls are refused here: {error}") from error
    return install
