"""Checks JSON documents against the schemas of docs/json/: the part of JSON Schema 2020-12 that these use."""
import functools
import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "json"
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "null": type(None), "boolean": bool}
# Keywords that say nothing about documents.
REMARKS = {"$schema", "$id", "$defs", "title", "description"}


@functools.lru_cache(None)
def load(name):
    return json.loads((FOLDER / name).read_text())


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def errors(value, schema, file, at="$"):
    """Yields what is wrong with a value. `file` is the schema's file, to which '#' refers."""
    def sub(part, schema_of_part, where):
        return errors(part, schema_of_part, file, f"{at}{where}")

    for keyword, given in schema.items():
        if keyword == "$ref":
            name, _, path = given.partition("#")
            target = load(name or file)
            for word in path.split("/")[1:]:
                target = target[word]
            yield from errors(value, target, name or file, at)
        elif keyword == "type":
            if not is_type(value, given):
                yield f"{at}: expected {given}, got {json.dumps(value)[:60]}"
        elif keyword in ("const", "enum"):
            if value not in ([given] if keyword == "const" else given):
                yield f"{at}: {json.dumps(value)[:60]} is not one of {given}"
        elif keyword == "pattern":
            if isinstance(value, str) and not re.search(given, value):
                yield f"{at}: '{value}' does not match {given}"
        elif keyword == "minimum":
            if isinstance(value, int) and value < given:
                yield f"{at}: {value} is below {given}"
        elif keyword == "anyOf":
            if all(list(sub(value, s, "")) for s in given):
                yield f"{at}: {json.dumps(value)[:60]} is none of {given}"
        elif keyword == "items":
            for i, item in enumerate(value if isinstance(value, list) else ()):
                yield from sub(item, given, f"[{i}]")
        elif keyword == "required":
            for name in given:
                if isinstance(value, dict) and name not in value:
                    yield f"{at}: '{name}' is missing"
        elif keyword == "properties":
            for name, part in value.items() if isinstance(value, dict) else ():
                if name in given:
                    yield from sub(part, given[name], f".{name}")
        elif keyword == "additionalProperties":
            for name, part in value.items() if isinstance(value, dict) else ():
                if name in schema.get("properties", {}):
                    continue
                if given is False:
                    yield f"{at}: '{name}' is not in the schema"
                else:
                    yield from sub(part, given, f".{name}")
        elif keyword == "if":
            if not list(sub(value, given, "")):
                yield from sub(value, schema["then"], "")
        elif keyword != "then" and keyword not in REMARKS:
            raise ValueError(f"{file}: unknown keyword '{keyword}'")


def check(document):
    """Returns what is wrong with a document of --json."""
    file = f"{document.get('command')}.json".replace(" ", "-")
    if not (FOLDER / file).exists():
        return [f"no schema {file}"]
    return list(errors(document, load(file), file))
