"""Pseudo-terminals: what a program shows on one."""
import os


def shown_by(leader):
    """Returns all that is shown on the other side of a pseudo-terminal until it is closed, and closes this one."""
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    return shown
