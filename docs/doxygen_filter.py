"""Turns the comments of a header into those that Doxygen reads, on stdout; Doxygen calls it for every file.

Headers have plain `//` comments: the block at the top describes the file, a block above a declaration describes it, and
so does a comment after one. A block above several declarations without blank lines between them describes them all.
Comments in function bodies and initializers stay as they are, and lines keep their numbers.

In Markdown pages, links to headings become links to pages, because Doxygen gives headings other names.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
import cpp_lexer

SCOPES = ("namespace", "struct", "class", "union", "enum", "extern")


def structure(source):
    """Returns the lines of comments outside of bodies, and for each declaration outside of enums its first line, its
    last line, and whether it opens a scope."""
    lines = source.split("\n")
    comments, declarations = set(), []
    stack, statement, first = [], [], 0  # stack: for each open brace, scope, enum, body or value
    for token in cpp_lexer.tokens(source):
        if lines[token.line - 1].lstrip().startswith("#"):
            continue
        if token.kind == "comment":
            if token.text.startswith("//") and not {"body", "value"} & set(stack):
                comments.update(range(token.line, token.line + token.text.count("\n") + 1))
            continue
        if not statement:
            first = token.line
        inside = bool({"body", "value"} & set(stack))
        if not inside:
            statement.append(token.text)
        if token.text == "{":
            if inside or statement[-2:-1] in (["="], ["("], [","]):
                kind = "value"
            elif any(word in SCOPES for word in statement) and not {"(", "="} & set(statement):
                kind = "enum" if "enum" in statement else "scope"
            else:
                kind = "body" if "(" in statement else "value"
            stack.append(kind)
            if kind in ("body", "value"):
                continue  # the declaration ends after it
            if "namespace" not in statement and stack.count("scope") + stack.count("enum") == len(stack):
                declarations.append((first, token.line, True))
            statement = []
        elif token.text == "}" and stack:
            kind = stack.pop()
            if kind == "body":
                declarations.append((first, token.line, False))
            if kind != "value":
                statement = []
        elif token.text == ";" and not inside:
            if len(statement) > 1 and "enum" not in stack:
                declarations.append((first, token.line, False))
            statement = []
        elif token.text == ":" and len(statement) == 2 and statement[0] in ("public", "private", "protected"):
            statement = []
    return comments, declarations


def _plain(text):
    """Our comments have no commands of Doxygen."""
    return text.replace("\\", "\\\\").replace("@", "\\@")


def markdown(source):
    source = re.sub(r"\[([^\]]*)\]\(#[^)]*\)", r"\1", source)
    return re.sub(r"(\]\([^)#]+)#[^)]*\)", r"\1)", source)


def main():
    path = pathlib.Path(sys.argv[1])
    change = {".h": header, ".md": markdown}.get(path.suffix, str)
    print(change(path.read_text()))


def header(source):
    lines = source.split("\n")
    comments, declarations = structure(source)
    alone = {number for number in comments if lines[number - 1].lstrip().startswith("//")}
    copies, block, previous_end = {}, [], -1
    for first, last, opens in declarations:
        above = []
        number = first - 1
        while number in alone:
            above.insert(0, lines[number - 1].strip())
            number -= 1
        if above:
            block = above
        elif first == previous_end + 1 and block and not (comments - alone) & set(range(first, last + 1)):
            copies[first] = block
        elif first > previous_end + 1 or first < previous_end:  # not a member on the same line
            block = []
        if opens:  # the comment of a class does not describe its first member
            block = []
        previous_end = last
    out, head, trailing = [], True, False
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if head:
            head = stripped.startswith("//")
            # The line after the block, `#pragma once`, makes the block a description of the file.
            out.append("///" + _plain(stripped[2:]) if head else "/// \\file")
            continue
        if number in copies:
            line = "/** " + " ".join(_plain(text[2:].strip()) for text in copies[number]) + " */" + line
        if number not in comments:
            trailing = False
            out.append(line)
        elif number not in alone:
            code, text = line.rsplit("//", 1)
            out.append(f"{code}///<{_plain(text)}")
            trailing = True
        elif stripped.startswith(("// ---", "// ===")):
            out.append("")
        elif trailing and line.index("//") > 8:  # the comment after code continues
            out.append(_plain(line).replace("//", "///<", 1))
        else:
            trailing = False
            out.append(_plain(line).replace("//", "///", 1))
    return "\n".join(out)


if __name__ == "__main__":
    main()
