"""The words of the command line and of C in texts of the library, in Python. Every diagnostic passes through here."""

from __future__ import annotations

import re

# Phrases, each with what it is in Python.
_PHRASES = [
    (re.compile(pattern), words)
    for pattern, words in (
        (r"update shlo-compat", r"update the package shlo"),
        (r"'shlo-compat rules' lists the rules", r"shlo.rules() lists the rules"),
        (r"'shlo-compat consumers (\S+)' lists them", r"shlo.consumers lists them"),
        (r"run 'shlo-compat archive ls (\S+)' to see", r"call Archive.ls(\1) to see"),
        (r"run 'shlo-compat archive ls' to see", r"call Archive.ls() to see"),
        (r"list them: shlo-compat archive ls --archive=(.*)", r'list them: shlo.archive.open("\1").ls()'),
        (r"pass --archive=DIR, or make one with 'shlo-compat archive init'", r"make one with shlo.archive.create"),
        (r"^state the result types", r"state the result types: results=[...]"),
        (r"shlo_rules_json lists the rules", r"shlo.rules() lists the rules"),
        (r"call shlo_container_write", r"call shlo.replace_programs"),
        (r"as many programs as shlo_programs_read returned", r"as many programs as shlo.reads returns"),
        (r"read all of them with shlo_programs_read, or name one", r"read all of them with shlo.read, or name one: program=..."),
        (r"pass it in the options of RunJob \(shlo_run_process\)", r"pass it as custom_calls={...}"),
        (r"pass an \.npz to 'shlo-compat eval' with --inputs", r"read arrays with shlo.load_tensors"),
        (r"pass arrays to 'shlo-compat eval' with --args or --inputs", r"read arrays with shlo.load_tensors, and pass them to Program.eval"),
        (r"pass a file that 'shlo-compat prove --certificate' wrote", r"pass what Proof.certificate returned"),
        (r"pass --custom-call (\S+)=FILE with a function that computes it", r'pass custom_calls={"\1": function}'),
        (r"pass a value with --arg (\S+?)=(?:@FILE\.npy|\.\.\.)", r"pass a value for argument \1"),
        (r"invalid --arg '(.*)'; expected INDEX=VALUE", r"invalid argument '\1'"),
        (r"pass --entry \((.*)\)", r"pass function=..., one of: \1"),
        (r"pass --program=NAME with", r"pass program=NAME with"),
        (r"pass --dim (\S+)=N", r"run 'shlo-compat specialize --dim \1=N' first"),
        (r"pass --arg (\S+)=TYPE", r"run 'shlo-compat specialize --arg \1=TYPE' first"),
        (r"write --dialect-target=NAME=VERSION", r'pass dialect_targets={"NAME": "VERSION"}'),
        (r"--dialect-target names (.*) twice", r"dialect_targets names \1 twice"),
        (r"--dialect-target=", r"dialect_targets="),
        (r"pass its file: --dialect=FILE", r"pass dialects=[shlo.Dialect.load(FILE)]"),
        (r"pass the file of tensors that has it: --weights=PATH", r"run 'shlo-compat pack --weights=PATH' to bring it in"),
        (r"pass --target=V to write one", r"convert the programs first: Program.convert"),
        (r"pass --extract to write the program alone", r"write the program alone: Program.save"),
        (r"(?:see what raised it|convert it): shlo-compat --target=(\S+)", r'convert it: Program.convert("\1")'),
        (r"shlo-compat --target=current --allow-outside-window", r'Program.convert("current", allow_outside_window=True)'),
        (r"shlo-compat --emit=(\w+|\{\}) -o FILE FILE", r'Program.save(FILE, "\1")'),
        (r"shlo-compat --strip-debuginfo", r"Program.save(FILE, strip_debuginfo=True)"),
        (r"in --window", r"in window"),
        (r"set the program's version with --from or", r"set the program's version with version=... or"),
        (r"set by --from", r"set by version"),
        (r"pass --replicas or --partitions", r"pass replicas=... or partitions=..."),
        (r"raise the limit: --(\w[\w-]*)(?: \(\w+::\w+\))?", r"raise the limit: limits=shlo.Limits(\1=...)"),
        (r"(?:pass|raise) --(max-\w+|timeout)(?: \(\w+::\w+\))?(?: to raise the limit)?", r"raise the limit: limits=shlo.Limits(\1=...)"),
    )
]  # fmt: skip
_SWITCHES = frozenset({
    "allow-outside-window", "allow-other-dialects", "drop-hints", "expand", "expand-composites", "lenient", "fast", "strip-debuginfo", "new-version",
    "claimed", "locations",
})  # fmt: skip
_FLAG = re.compile(r"--([a-z][a-z-]*)(=[\w{}.]+)?")
_CPP = re.compile(r" \(\w+(?:Options|Limits)?::\w+\)")
# A command in quotes is one for the command line, which the package brings along.
_COMMAND = re.compile(r"('(?:shlo-compat|get) [^']*')")


def _keyword(match: re.Match[str]) -> str:
    name, value = match[1], match[2] or ("=True" if match[1] in _SWITCHES else "=...")
    return name.replace("-", "_") + value


def in_python(text: str, *, hint: bool = False) -> str:
    """Returns a message, or a hint, in the words of Python. Only hints name flags wherever they like: a message may have
    names of the user that look like one."""
    if not hint and "--" not in text and "shlo" not in text:
        return text
    for pattern, words in _PHRASES:
        if match := pattern.search(text):
            made = re.sub(r"Limits\(([\w-]+)=", lambda m: f"Limits({m[1].replace('-', '_')}=", match.expand(words))
            text = text[: match.start()] + made + text[match.end() :]
    if not hint:
        return text
    parts = _COMMAND.split(text)
    parts[::2] = [_FLAG.sub(_keyword, _CPP.sub("", part)) for part in parts[::2]]
    return "".join(parts)
