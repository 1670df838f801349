"""Finds prose that this project does not write: the tells of translated sentences, private words where MLIR has one,
British spellings, and messages that do not follow the rules of CONTRIBUTING.md ("Writing").

    voice_lint.py                   checks every tracked file
    voice_lint.py FILE...           checks these
    voice_lint.py --count           prints the number of findings per folder and per rule instead

It reads comments, the texts of tests/diagnostics_listing.py, and Markdown outside of code. A text that is not ours
is excepted by tests/voice_allowed.txt, one `path: words` a line.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

import cpp_lexer
import diagnostics_listing

ROOT = diagnostics_listing.ROOT
ALLOWED = ROOT / "tests" / "voice_allowed.txt"
# The rules themselves, and data that nobody reads as prose.
SKIPPED = re.compile(r"^(tests/(voice_\w+\.(py|txt)|text_checks_test\.py|diagnostics\.txt|compat/|corpus/|roundtrip/)|LICENSE|schema/released/)")

# (pattern, what to write instead). Patterns are for prose in lower or sentence case.
TELLS = [
    (r"(?<!there )(?<!There )\b(is|are) no (?!longer\b|more\b|less\b|fewer\b|greater\b|larger\b|smaller\b|earlier\b|later\b|\w+er\b|different\b|such\b)\w+", "'is not a', 'has no'"),
    (r"(?<!there )\b(is|are) none\b", "the expected thing: 'is not a'"),
    (r"\bstands?\b(?! (for|alone|out)\b)", "'is', 'is in'; 'precedes' for 'stands before'"),
    (r"(?<!\bon )\bdemand(s|ed|ing)?\b", "'require'"),
    (r"\bneighbou?ring (dialect|op|attribute|type)", "'other dialects', 'upstream dialects'"),
    (r"\bbeside\b", "'next to', 'with'"),
    (r"\banew\b", "'again', 'recreate'"),
    (r"\b(can|cannot|could|may) say\b", "'can represent', 'states'"),
    (r"\blies\b|\blie (in|at|on|next|where|there|behind|along|across)\b", "'is in'; 'malformed' for files that lie"),
    (r"\bbehind\b(?! (the scenes|a (flag|pointer|macro)))", "'after'"),
    (r"\b(is|are) there( twice)?(?=\s*([.,;:)]|$))", "'exists', 'is present', 'is duplicated'"),
    (r"\bfor ever\b", "'forever'"),
    (r"\bso many\b", "the number"),
    (r"\bof sane\b", "'representable'"),
    (r"\bin vain\b", "'timed out'"),
    (r"\bha(s|ve) in common\b", "'shares'"),
    (r"\bgoes on\b", "'continues'"),
    (r"\btakes? in\b", "'consumes', 'accumulates'"),
    (r"\bwhat is left\b", "'the rest'"),
    (r"\bof (its|their) own\b(?=\s*([.,;:)]|$|(and|or|for|so|that|in|from|to|as|than|with|here)\b))", "'its own', 'separate'"),
    (r"\bknows its uses\b", "'has uses'"),
    (r"\bhinder", "'block'"),
    (r"\bbelongs? into\b", "'belongs in'"),
    (r"\bput together\b", "'built'"),
    (r"\b(made|making|makes|make) portable\b", "'legalized to VHLO'"),
    (r"\bportable (ops?|types?|spellings?|dialect|names?|text)\b", "'VHLO op', 'VHLO type'; only artifacts are portable"),
    (r"\bbundles?\b", "'struct attribute'"),
    (r"(?<![.!])\bwitness(es)?\b", "'sample'"),
    (r"\bthe order of (the )?uses\b", "'use-list order'"),
    (r"\bgroups whose sizes are written\b", "'operand segments'"),
    (r"\bresources of no dialect\b", "'external resources'"),
    (r"\bversion line\b|\b(is|are|not|versions) on the line\b|\balong the line\b", "'version history', 'known versions'"),
    (r"\bextras\b", "'discardable attributes'"),
    (r"\blimbs?\b", "'word'"),
    (r"\bjudge(s|d)?\b", "'check'"),
    (r"\bdropped (test )?files?\b", "'file test'"),
    (r"\bfloors\b|\b(a|per|every|each|one|that|of a) floor\b", "'layer'"),
    (r"\bsomething else\b", "the value that was found"),
    (r"\bof another kind\b", "the expected kind"),
    (r"\bwhat (there is|is there)\b", "a noun"),
    (r"\bnot all of it\b", "'in part'"),
    (r"\bthe operating system said\b", "'system error'"),
    (r"\bmakes? no sense\b", "'is invalid'"),
    (r"\bwants\b", "'needs', 'requires'"),
    (r"\bunheard of\b|\bnever heard of\b", "'does not know'"),
    (r"\bseveral of which\b|\bof whom\b", "two sentences"),
    (r"\b\w+ of a\w* of which\b", "two sentences"),
    # Sentences that begin with what they are not about.
    (r"(?:^|(?<=[a-z)'`]\. ))Of (an?|the|each|every|all|what|these|those|several) ", "the subject first"),
    (r"(?:^|(?<=[a-z)'`]\. ))(What|Whatever|Who|Whoever) (?![^.?]*\?)\w+", "a noun first, or a verb in the third person"),
]
BRITISH = [
    (r"\b([Cc]olo|[Bb]ehavi|[Nn]eighbo|[Ff]avo|[Ff]lavo|[Hh]ono|[Hh]arbo|[Ll]abo)ur(s|ed|ing|able|ite|al)?\b", "American spelling: -or"),
    (r"\b\w*(normal|optim|initial|serial|recogn|organ|general|special|canonical|real|summar|minim|maxim|priorit|util|synchron|vector|legal|material|parallel|emphas|capital)is(e|es|ed|ing|ation)\b", "American spelling: -ize"),
    (r"\b(cancell|labell|modell|travell|signall|totall)(ed|ing)\b", "American spelling: one l"),
    (r"\banalys(e|es|ed|ing)\b", "American spelling: analyze"),
    (r"\b(grey|centre|centred|licence|whilst|amongst|programme|artefacts?|catalogue|judgement|sceptical)\b", "American spelling"),
]
# Of diagnostics and Markdown only: in comments these are code.
PLURAL = (r"\b[a-z]{3,}\(s\)", "both forms, or Count()")

_TELLS = [(re.compile(p, 0 if p.startswith("(?:^") else re.I), s) for p, s in TELLS] + [(re.compile(p), s) for p, s in BRITISH]
_PLURAL = (re.compile(PLURAL[0]), PLURAL[1])
_CODE = re.compile(r"``.*?``|`[^`]*`|<https?://[^>]*>|\]\([^)]*\)|https?://\S+")
_NAMES = re.compile(r"^(StableHLO|NumPy|JAX|LLVM|[A-Z0-9]{2,}\w*|[A-Z]\w*[A-Z]\w*)\b")


class Findings:
    def __init__(self, allowed):
        self.rows = []
        self.allowed = allowed

    def add(self, path, line, found, advice, context):
        for where, words in self.allowed:
            if str(path).startswith(where) and words in context:
                return
        self.rows.append((str(path), line, found, advice))

    def check(self, path, line, prose, rules=_TELLS):
        """Applies `rules` to `prose`, whose first line has the number `line`; lines are joined so that a tell may
        span two of them."""
        starts, joined = [], ""
        for part in prose.split("\n"):
            starts.append(len(joined))
            joined += part.strip() + " "
        for pattern, advice in rules:
            for match in pattern.finditer(joined):
                offset = sum(1 for start in starts if start <= match.start()) - 1
                self.add(path, line + offset, match.group().strip(), advice, joined)


def blocks_of_comments(lines):
    """Yields (first line, text) of runs of comment lines; `lines` is a list of (number, text, alone)."""
    block, first, last = [], 0, -2
    for number, text, alone in lines:
        if block and (number != last + 1 or not alone):
            yield first, "\n".join(block)
            block = []
        if not block:
            first = number
        block.append(text)
        last = number
    if block:
        yield first, "\n".join(block)


def _clean(comment):
    return re.sub(r"^\s*(//+[!<]*|/\*+|\*+/?|#+!?)\s?", "", comment).rstrip("*/ ")


def check_cpp(findings, path, source):
    own = source.split("\n")
    lines = []
    for token in cpp_lexer.tokens(source, str(path)):
        if token.kind != "comment":
            continue
        for number, text in enumerate(token.text.split("\n"), token.line):
            alone = own[number - 1].lstrip().startswith(("//", "/*", "*"))
            lines.append((number, _clean(text), alone))
            if re.fullmatch(r"\s*//\s*-{3,}\s*", text) and alone:
                findings.add(path, number, text.strip(), "a section rule in one line", text)
    for first, text in blocks_of_comments(lines):
        findings.check(path, first, _CODE.sub("`", text))


def check_texts(findings, wanted):
    for path, literal, mirrored in diagnostics_listing.texts():
        if wanted and str(path) not in wanted:
            continue
        findings.check(path, literal.line, literal.text.replace("\n", " "))
        if mirrored:
            continue
        findings.check(path, literal.line, literal.text, [_PLURAL])
        if not diagnostics_listing.is_diagnostic(literal):
            continue
        if re.match(r"[A-Z][a-z]*\b", literal.text) and not _NAMES.match(literal.text):
            findings.add(path, literal.line, literal.text.split(" ")[0], "a message in lower case", literal.text)
        if re.search(r"[a-z)']\.$", literal.text):
            findings.add(path, literal.line, literal.text[-20:], "a message without final stop", literal.text)


def check_hash(findings, path, source):
    """Comments of Python, CMake, shell and YAML, and docstrings."""
    lines = []
    inside = None
    for number, text in enumerate(source.split("\n"), 1):
        stripped = text.strip()
        if inside is None and path.suffix == ".py" and re.match(r'[rf]?"""', stripped):
            if stripped.count('"""') == 1:
                inside = True
            lines.append((number, stripped.strip('"'), True))
        elif inside:
            lines.append((number, stripped.strip('"'), True))
            if '"""' in stripped:
                inside = None
        elif stripped.startswith("#"):
            lines.append((number, _clean(stripped), True))
        else:
            match = re.search(r"(?:^|\s\s)# (.*)$", text)
            if match:
                lines.append((number, match.group(1), False))
    for first, text in blocks_of_comments(lines):
        findings.check(path, first, _CODE.sub("`", text))


def check_markdown(findings, path, source):
    paragraph, first, fenced = [], 0, False

    def flush():
        if paragraph:
            text = _CODE.sub("`", "\n".join(paragraph))
            findings.check(path, first, text, _TELLS + [_PLURAL])
            paragraph.clear()

    for number, text in enumerate(source.split("\n"), 1):
        if re.match(r"\s*(```|~~~)", text):
            flush()
            fenced = not fenced
            continue
        if fenced or re.match(r"    ", text) and not paragraph:
            continue
        item = re.match(r"\s*([-*+]|\d+\.|#+|>)\s+", text)
        if not text.strip() or item or text.startswith("|"):
            flush()
        if text.strip():
            if not paragraph:
                first = number
            paragraph.append(text[item.end() :] if item else text.strip("| "))
            if text.startswith(("|", "#")):
                flush()
    flush()


def tracked():
    names = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True, check=True
    ).stdout.split("\n")
    return [name for name in names if name]


def main():
    parser = argparse.ArgumentParser(description="find prose that this project does not write")
    parser.add_argument("files", nargs="*", help="files to check (default: all)")
    parser.add_argument("--count", action="store_true", help="print the number of findings per folder and per rule")
    arguments = parser.parse_args()
    allowed = []
    if ALLOWED.exists():
        for row in ALLOWED.read_text().split("\n"):
            if row and not row.startswith("#"):
                allowed.append(tuple(row.split(": ", 1)))
    findings = Findings(allowed)
    names = [str(pathlib.Path(name).resolve().relative_to(ROOT)) for name in arguments.files] or tracked()
    for name in names:
        path = ROOT / name
        if SKIPPED.match(name) or not path.is_file():
            continue
        local = pathlib.Path(name)
        if local.suffix in (".cc", ".h", ".inc", ".fbs"):
            check_cpp(findings, local, path.read_text())
        elif local.suffix == ".md":
            check_markdown(findings, local, path.read_text())
        elif local.suffix in (".py", ".cmake", ".txt", ".yml", ".sh") or name in ("dev", ".ci/run", ".clang-tidy"):
            check_hash(findings, local, path.read_text())
    check_texts(findings, set(names) if arguments.files else None)
    rows = sorted(set(findings.rows))
    if arguments.count:
        folders = collections.Counter("/".join(path.split("/")[:2]) if "/" in path else path for path, *_ in rows)
        rules = collections.Counter(advice for *_, advice in rows)
        for title, counter in (("folder", folders), ("rule", rules)):
            for key, number in counter.most_common():
                print(f"{number:5}  {key}")
            print()
    else:
        for path, line, found, advice in rows:
            print(f"{path}:{line}: '{found}': prefer {advice}")
    if rows:
        print(f"{len(rows)} findings")
    return 1 if rows else 0


if __name__ == "__main__":
    sys.exit(main())
