"""Splits C++ sources into the tokens that the checks of texts need: comments, string literals, and enough of the
rest to know which call a literal is an argument of. Not a parser: templates and macros are plain tokens."""

import dataclasses
import re

_SPACE = re.compile(r"(?:[ \t\r\f\v]|\\\n)+")
_RAW = re.compile(r'(?:u8|[uUL])?R"([^()\\\s]{0,16})\(')
_STRING = re.compile(r'(?:u8|[uUL])?"((?:[^"\\\n]|\\.|\\\n)*)"', re.S)
_CHAR = re.compile(r"(?:u8|[uUL])?'(?:[^'\\\n]|\\.[0-7a-fA-F]*)+'")
_NUMBER = re.compile(r"\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\n|(.))", re.S)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class LexError(ValueError):
    """A source that does not lex: the file, the line and the first characters that are not a token."""


@dataclasses.dataclass
class Token:
    kind: str  # comment, string, char, number, word, mark
    text: str  # of a string, its decoded value; of everything else, its spelling
    line: int
    column: int = 0  # of a string


@dataclasses.dataclass
class Literal:
    """A string after concatenation of neighbors, and the calls that it is an argument of, innermost first."""

    text: str
    line: int
    last_line: int
    calls: list
    comment: str  # the comments in its statement and directly above it
    column: int = 0


def _decode(text):
    def one(match):
        hexa, octal, u4, u8, plain = match.groups()
        if hexa:
            return chr(int(hexa, 16) & 0x10FFFF)
        if octal:
            return chr(int(octal, 8))
        if u4 or u8:
            return chr(int(u4 or u8, 16))
        return _SIMPLE.get(plain, plain) if plain else ""

    return _ESCAPE.sub(one, text)


def tokens(source, name="<source>"):
    """Yields the tokens of `source`. Raises LexError where it cannot go on, so that nothing is skipped silently."""
    at, line, size = 0, 1, len(source)
    line_begin = True  # only space since the start of the line, so that '#' begins a directive
    while at < size:
        char = source[at]
        if char == "\n":
            at, line, line_begin = at + 1, line + 1, True
            continue
        match = _SPACE.match(source, at)
        if match:
            line += match.group().count("\n")
            at = match.end()
            continue
        if source.startswith("//", at):
            end = at
            while True:  # a backslash at the end of the line continues the comment
                end = source.find("\n", end)
                if end < 0:
                    end = size
                    break
                if source[end - 1] != "\\":
                    break
                end += 1
            yield Token("comment", source[at:end], line)
            line += source.count("\n", at, end)
            at = end
            continue
        if source.startswith("/*", at):
            end = source.find("*/", at + 2)
            if end < 0:
                raise LexError(f"{name}:{line}: comment without end")
            yield Token("comment", source[at : end + 2], line)
            line += source.count("\n", at, end)
            at = end + 2
            continue
        if char == "#" and line_begin:
            match = re.compile(r"#[ \t]*(include|error|warning|pragma)\b[^\n]*").match(source, at)
            if match:  # its words are not C++ tokens, and nobody writes prose after an include
                at = match.end()
                continue
        line_begin = False
        match = _RAW.match(source, at)
        if match:
            close = ")" + match.group(1) + '"'
            end = source.find(close, match.end())
            if end < 0:
                raise LexError(f"{name}:{line}: raw string without end")
            text = source[match.end() : end]
            yield Token("string", text, line, at - source.rfind("\n", 0, at))
            line += text.count("\n")
            at = end + len(close)
            continue
        for kind, pattern in (("string", _STRING), ("char", _CHAR), ("number", _NUMBER), ("word", _WORD)):
            match = pattern.match(source, at)
            if match:
                text = _decode(match.group(1)) if kind == "string" else match.group()
                yield Token(kind, text, line, at - source.rfind("\n", 0, at))
                line += match.group().count("\n")
                at = match.end()
                break
        else:
            if char in "\"'":
                raise LexError(f"{name}:{line}: literal without end: {source[at : at + 30]!r}")
            yield Token("mark", char, line)
            at += 1


def literals(source, name="<source>"):
    """Returns the Literals of `source` in order."""
    found, calls, starts = [], [], []
    previous, current, statement = None, None, 0
    comments = {}
    for token in tokens(source, name):
        if token.kind == "comment":
            for number, text in enumerate(token.text.split("\n"), token.line):
                comments[number] = comments.get(number, "") + text
            continue
        if previous is None or previous.text in (";", "{", "}") and previous.kind == "mark":
            statement = token.line
        if token.kind == "string":
            if current and previous.kind == "string":
                current.text += token.text
            else:
                current = Literal(token.text, token.line, token.line, list(reversed([c for c in calls if c])), "",
                                  token.column)
                found.append(current)
                starts.append(statement)
            current.last_line = token.line
        elif token.text in ("(", "{", "["):
            calls.append(previous.text if previous is not None and previous.kind == "word" else "")
        elif token.text in (")", "}", "]"):
            if calls:
                calls.pop()
        previous = token
    for literal, start in zip(found, starts):
        lines = range(start - 1, literal.last_line + 1)
        literal.comment = " ".join(comments[number] for number in lines if number in comments)
    return found
