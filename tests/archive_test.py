#!/usr/bin/env python3
"""The commands of `shlo-compat archive`, and of constants outside: what they print, keep, and refuse.

    archive_test.py TOOL
"""
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import struct
import subprocess
import sys
import unittest
import zipfile

from command_line import ROOT, SUB, TOOL, CommandLine, run
from refused_calls import refused

MODELS = ROOT / "readme"
PROGRAMS = ROOT / "proof/programs"


def hexadecimal(data):
    return data.hex().upper()


def net(layers, changed=None, width=4096):
    """Returns a program with weights: one constant per layer, of which one may be another one."""
    text = f"func.func @main(%x: tensor<{width}xf32>) -> tensor<{width}xf32> {{\n"
    value = "%x"
    for i in range(layers):
        seed = random.Random(1000 + i if i == changed else i)
        data = struct.pack(f"<{width}f", *(seed.gauss(0, 0.02) for _ in range(width)))
        text += f'  %w{i} = stablehlo.constant dense<"0x{hexadecimal(data)}"> : tensor<{width}xf32>\n'
        text += f"  %y{i} = stablehlo.add {value}, %w{i} : tensor<{width}xf32>\n"
        value = f"%y{i}"
    return text + f"  return {value} : tensor<{width}xf32>\n}}\n"


class ArchiveCase(CommandLine):
    def setUp(self):
        super().setUp()
        self.archive = self.dir / "a"
        self.a(0, "init", self.archive, "--id=00112233445566778899aabbccddeeff", archive=None)

    def a(self, code, *args, err="", archive="", **options):
        """Runs a command on the archive. Returns what it prints."""
        env = {**os.environ, "SOURCE_DATE_EPOCH": "1769860800", **options.pop("env", {})}
        if archive is not None:
            env["SHLO_ARCHIVE"] = str(archive or self.archive)
        done = self.check(code, "archive", *args, err=err, env=env, cwd=self.dir, **options)
        return done.stdout.decode()

    def json(self, code, *args, **options):
        return json.loads(self.a(code, *args, "--json", **options))

    def write(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path

    def packs(self):
        return sorted((self.archive / "packs").iterdir())

    def forge(self, change_entry, name=None, content=b""):
        """Changes the entries of the last pack, or the data of an id: with checksums that are right."""
        import archive_pack
        archive_pack.replace_data(self.packs()[-1], name, content, change_entry)
        (self.archive / "catalog.sqlite").unlink(missing_ok=True)


class Models(ArchiveCase):
    def test_life_of_a_model(self):
        self.assertIn("model@1  added", self.a(0, "add", MODELS / "model.mlir", "--tag=prod", "--meta=team=vision"))
        self.assertIn("model@1  is there already", self.a(0, "add", MODELS / "model.mlir"))
        self.a(0, "add", MODELS / "changed.mlir", "--name=model", "--parent=model@1", "--producer=me")
        listed = self.json(0, "ls")["models"]
        self.assertEqual([(m["model"], m["tags"]) for m in listed], [("model@1", ["prod"]), ("model@2", [])])
        shown = self.json(0, "show", "model")["models"][0]
        self.assertEqual((shown["producer"], shown["model_version"]), ("me", 2))
        self.assertEqual(shown["parents"], [listed[0]["entry"]])
        self.assertEqual(shown["forms"][0]["files"][0]["id"],
                         hashlib.sha256((MODELS / "changed.mlir").read_bytes()).hexdigest())
        self.assertIn("@main  (tensor<4xf32>) -> tensor<4xf32>", self.a(0, "show", "model@prod"))
        self.assertEqual(self.a(0, "get", "model@1"), (MODELS / "model.mlir").read_text())
        self.a(0, "get", "model@prod", "-o", "out.mlir")
        self.assertEqual((self.dir / "out.mlir").read_bytes(), (MODELS / "model.mlir").read_bytes())
        self.assertEqual(self.a(0, "tag", "model@2", "--add=next", "--meta=k=v"), "model@2  next\n")
        self.a(0, "tag", "model@2", "--remove=next", "--meta=k=")
        shown = self.json(0, "show", "model@2")["models"][0]
        self.assertEqual((shown["tags"], shown["metadata"]), ([], {}))
        log = self.a(0, "log", "model@2")
        self.assertEqual([line.split("  ")[-1] for line in log.splitlines()],
                         ["added, text, 1.22.0 (75)", "annotated: +next k=v", "annotated: -next k="])
        self.assertIn("2026-01-31T12:00:00Z", log)
        self.assertIn("different (2 ops", self.a(1, "diff", "model@1", "model@2"))
        self.assertIn("2 versions of 1 name", self.a(0, "stats"))

    def test_what_is_shown(self):
        self.write("call.mlir", "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                   "  %0 = stablehlo.custom_call @mine(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
                   "  %1 = stablehlo.custom_call @yours(%0) : (tensor<2xf32>) -> tensor<2xf32>\n  return %1 : tensor<2xf32>\n}\n")
        self.a(0, "add", MODELS / "model.mlir", "--golden=random:1")
        self.a(0, "add", "call.mlir", "--parent=model")
        shown = self.a(0, "show", "call").splitlines()
        self.assertIn("made from  model@1", shown)
        self.assertIn("  custom calls: mine, yours", shown)
        self.assertEqual([line.split("  ")[-1] for line in self.a(0, "log", "model").splitlines()],
                         ["added, text, 1.22.0 (75)", "golden of @main"])
        for command in (["add", "call.mlir"], ["tag", "call"]):
            for pair in "=v", "key":
                self.a(2, *command, f"--meta={pair}", err=f"error: --meta={pair} is not KEY=VALUE")
        self.a(2, "tag", "call", "--meta=key", err="hint: write KEY= to remove a key")
        self.a(2, "tag", "call", "--add=" + "t" * 201, err="the tag has more than 200 bytes")
        self.assertEqual(len(self.json(0, "log")["lines"]), 3)
        # A version that this release does not know has no name.
        self.forge(lambda text: text.replace('"version":75', '"version":99'))
        self.assertRegex(self.a(0, "ls", "call"), "call@1 +version 99 +text")
        self.assertEqual(self.a(0, "get", "call"), (self.dir / "call.mlir").read_text())

    def test_where_archives_are_made(self):
        self.write("file", "mine")
        self.a(2, "init", self.dir, err="error: the folder is not empty [usage]\n  hint: pass a new folder", archive=None)
        self.a(2, "init", "file", err="file: error: the path is a file, not a folder", archive=None)
        self.a(4, "init", "file/new", err="file/new: error: cannot create the folder: Not a directory", archive=None)
        self.assertEqual((self.dir / "file").read_text(), "mine")
        self.assertEqual(sorted(os.listdir(self.dir)), ["a", "file", "good.mlir"])

    def test_formats_and_consumers(self):
        self.check(0, MODELS / "model.mlir", "--target=1.0.0", "--allow-outside-window", "-o", self.dir / "old.mlirbc")
        self.a(0, "add", "old.mlirbc")
        old = (self.dir / "old.mlirbc").read_bytes()
        for flags in ([], ["--emit=mlirbc"]):
            self.a(0, "get", "old", "-o", "same.mlirbc", *flags)
            self.assertEqual((self.dir / "same.mlirbc").read_bytes(), old)
        self.a(0, "get", "old", "-o", "new.shlo", "--target=current")
        self.check(0, "prove", self.dir / "new.shlo", self.dir / "old.mlirbc")
        self.a(0, "get", "old", "--for=jaxlib==0.4.30", "-o", "for.mlirbc", err="jaxlib 0.4.30 has StableHLO")
        self.assertIn("stablehlo.tanh", self.a(0, "get", "old", "--emit=text"))
        # Commands that take files take models.
        self.assertIn("old.mlirbc" if False else "tanh", run("inspect", f"{self.archive}:old@1").stdout.decode())
        self.check(0, "prove", f"{self.archive}:old", MODELS / "model.mlir")
        self.check(2, "inspect", f"{self.archive}:nothing", err="has no model 'nothing'")

    def test_a_name_is_its_newest_version(self):
        for i in range(1, 4):
            text = (MODELS / "model.mlir").read_text().replace("%0", f"%v{i}")
            self.a(0, "add", self.write("m.mlir", text), "--name=net", *(["--tag=prod"] if i < 3 else []))
        self.a(0, "add", MODELS / "changed.mlir", "--name=sub/other")
        listed = lambda *models: [m["model"] for m in self.json(0, "ls", *models)["models"]]
        for selectors, expected in {
            (): ["net@1", "net@2", "net@3", "sub/other@1"], ("net",): ["net@3"], ("net@*",): ["net@1", "net@2", "net@3"],
            ("net@prod",): ["net@2"], ("net@pro?",): ["net@1", "net@2"], ("n*",): ["net@3"], ("**",): ["net@3", "sub/other@1"],
            ("**@*",): ["net@1", "net@2", "net@3", "sub/other@1"], ("net@1", "net"): ["net@1", "net@3"], ("net", "net@prod"): ["net@2", "net@3"],
            ("net@[12]",): ["net@1", "net@2"], ("net@2", "n*@prod"): ["net@2"]}.items():
            self.assertEqual(listed(*selectors), expected, selectors)
        self.assertEqual(self.json(0, "show", "net")["models"][0]["model"], "net@3")
        # Commands that change or remove mean the same.
        self.assertEqual(self.a(0, "tag", "net", "--add=next"), "net@3  next\n")
        self.assertEqual(self.json(0, "migrate", "net", "--target=1.20.0", "--dry-run")["models"][0]["model"], "net@3")
        self.assertEqual(self.json(0, "export", "net", "-o", "x.bundle")["models"], ["net@3"])
        self.assertEqual(len(self.json(0, "log", "net")["lines"]), 2)
        self.a(2, "prune", "net", "--keep=1", err="error: 'net' is one version, of which --keep removes none [usage]\n  hint: pass 'net@*' for all versions")
        self.assertIn("net@3  would be removed\nwould prune", self.a(0, "prune", "net", "--dry-run"))
        self.assertIn("net@3  removed\n", self.a(0, "prune", "net"))
        self.assertIn("net@1  removed\n", self.a(0, "prune", "net@*", "--keep=1"))
        self.assertEqual(listed(), ["net@2", "sub/other@1"])
        self.a(2, "ls", "net@9", err="hint: run 'shlo-compat archive ls \"net@*\"' to see its versions and tags")
        self.assertEqual(listed("net@*"), ["net@2"])

    def test_get_returns_what_was_added(self):
        self.check(0, MODELS / "model.mlir", "--target=1.9.0", "-o", self.dir / "m.mlirbc")
        added = (self.dir / "m.mlirbc").read_bytes()
        self.a(0, "add", "m.mlirbc")
        self.a(0, "migrate", "--target=1.20.0")
        get = lambda *flags: (self.a(0, "get", "m", "-o", "out.bin", *flags), (self.dir / "out.bin").read_bytes())[1]
        self.assertEqual(get(), added)
        self.assertEqual(get("--original"), added)
        newest = get("--newest")
        self.assertNotEqual(newest, added)
        self.assertEqual(get("--form=1.20.0"), newest)
        self.assertIn(b"StableHLO_v1.9.0", added)
        # Another format is of what was added; another version is made from the newest form.
        self.assertIn("stablehlo.compat_version = 62", self.a(0, "get", "m", "--emit=text"))
        document = self.json(0, "get", "m", "--target=current", "-o", "out.mlir")
        self.assertEqual((document["form"]["version"]["n"], document["programs"][0]["from"]["n"]), (73, 73))
        document = self.json(0, "get", "m", "--target=current", "--original", "-o", "out.mlir")
        self.assertEqual(document["form"]["version"]["n"], 62)
        self.a(2, "get", "m", "--newest", "--original", err="choose different forms")
        self.a(0, "prune", "--superseded")
        self.a(2, "get", "m", "-o", "x", err="error: the files of m@1 were removed, as they were added [usage]\n"
               "  hint: pass --newest for the form at 1.20.0 (73)")
        self.assertEqual(get("--newest"), newest)

    def test_names(self):
        (self.dir / "in/sub").mkdir(parents=True)
        shutil.copy(MODELS / "model.mlir", self.dir / "in/sub/x.mlir")
        shutil.copy(MODELS / "model.mlir", self.dir / "in/y.mlir")
        self.assertEqual(self.a(0, "add", "in"), "sub/x@1  added\ny@1  added\n")
        self.a(0, "add", "in", "--name=other/")
        self.assertEqual(len(self.json(0, "ls", "**/x", "other/*")["models"]), 3)
        self.a(2, "add", "in", "--name=one", err="names one model, but there are 2 files")
        self.a(2, "add", MODELS / "model.mlir", "--name=bad name", err="cannot be the name of a model")
        self.a(2, "add", MODELS / "model.mlir", "--name=a@0", err="not a number from 1")
        self.a(0, "add", MODELS / "model.mlir", "--name=numbered@7")
        self.a(2, "add", MODELS / "changed.mlir", "--name=numbered@3", err="numbered@3 has been used")
        self.a(2, "add", MODELS / "model.mlir", "--name=t", "--tag=1", err="the tag is a number")
        self.a(2, "show", "modle", err="has no model 'modle'")
        self.a(2, "ls", "nothing/*", err="has no model")
        shutil.copy(MODELS / "model.mlir", self.dir / "in/y.txt")
        self.a(2, "add", self.dir / "in/y.mlir", self.dir / "in/y.txt", err="would both be 'y'")

    def test_what_is_refused(self):
        self.write("bad.mlir", "func.func @f(")
        self.write("invalid.mlir", "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                   "  %0 = stablehlo.add %a : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n")
        self.a(3, "add", "bad.mlir")
        self.a(1, "add", "invalid.mlir")
        # The others are added nevertheless.
        document = self.json(3, "add", "bad.mlir", MODELS / "model.mlir")
        self.assertEqual(document["summary"], {"done": 1, "failed": 1})
        self.assertEqual([m["model"] for m in self.json(0, "ls")["models"]], ["model@1"])
        self.a(4, "add", "nowhere.mlir", err="cannot open")
        self.a(2, "ls", archive=self.dir, err="the folder is not an archive")
        self.a(4, "ls", archive=self.dir / "nowhere", err="cannot open")
        self.assertTrue(self.json(0, "init", self.archive, archive=None)["existed"])
        self.a(2, "init", self.archive, "--id=ffffffffffffffffffffffffffffffff", err="is an archive already", archive=None)
        self.a(2, "get", "model", "--original", "--form=1.9.0", err="--original, --newest and --form choose different forms")
        self.a(2, "get", "model", "--form=1.9.0", err="has no form at 1.9.0 (62)")
        self.a(2, "get", "model", "--json", err="cannot write both JSON and a model")
        self.a(2, "verify", "--part=3/2", err="is not a part")
        self.a(2, "tag", "model", err="nothing to change")
        self.a(2, "frobnicate")
        self.a(2)

    def test_the_archive_around_the_current_folder(self):
        inner = self.archive / "packs"
        env = {k: v for k, v in os.environ.items() if k != "SHLO_ARCHIVE"}
        self.check(0, "archive", "add", MODELS / "model.mlir", cwd=inner, env=env)
        self.assertIn(b"model@1", self.check(0, "archive", "ls", cwd=self.archive, env=env).stdout)
        self.check(2, "archive", "ls", cwd=self.dir, env=env, err="the current folder is not in an archive")

    def saved_model(self):
        """Writes the smallest SavedModel: a program in a node of a graph."""
        program = self.dir / "p.mlirbc"
        self.check(0, MODELS / "model.mlir", "-o", program)

        def field(number, content):
            size, out = len(content), b""
            while size > 127:
                out, size = out + bytes([size & 127 | 128]), size >> 7
            return bytes([number << 3 | 2]) + out + bytes([size]) + content
        attribute = field(1, b"module") + field(2, field(2, program.read_bytes()))
        node = field(1, b"call") + field(2, b"XlaCallModule") + field(5, attribute)
        saved = self.dir / "saved"
        (saved / "variables").mkdir(parents=True)
        (saved / "saved_model.pb").write_bytes(b"\x08\x01" + field(2, field(2, field(1, node))))
        weights = random.Random(1).randbytes(300_000)
        (saved / "variables/variables.data").write_bytes(weights)
        return saved

    def test_folders_of_saved_models(self):
        saved = self.saved_model()
        weights = (saved / "variables/variables.data").read_bytes()
        self.a(0, "add", "saved")
        self.assertEqual([f["path"] for f in self.json(0, "show", "saved")["models"][0]["forms"][0]["files"]],
                         ["saved_model.pb", "variables/variables.data"])
        self.a(0, "get", "saved", "-o", "back")
        for name in "saved_model.pb", "variables/variables.data":
            self.assertEqual((self.dir / "back" / name).read_bytes(), (saved / name).read_bytes())
        self.a(2, "get", "saved", err="the model is a folder")
        self.a(0, "get", "saved", "--target=1.9.0", "-o", "old")
        self.assertEqual((self.dir / "old/variables/variables.data").read_bytes(), weights)
        self.assertNotEqual((self.dir / "old/saved_model.pb").read_bytes(), (saved / "saved_model.pb").read_bytes())
        self.a(0, "get", "saved", "--extract", "-o", "one.mlir")


    def test_folders_with_links(self):
        # Weights are often links into a cache.
        saved = self.saved_model()
        (saved / "variables/variables.data").rename(self.dir / "blob")
        (saved / "variables/variables.data").symlink_to(self.dir / "blob")
        (self.dir / "assets").mkdir()
        (self.dir / "assets/vocabulary").write_text("words")
        (saved / "assets").symlink_to(self.dir / "assets")
        self.a(0, "add", "saved")
        self.a(0, "get", "saved", "-o", "back")
        files = {str(p.relative_to(self.dir / "back")): p for p in (self.dir / "back").rglob("*") if p.is_file()}
        self.assertEqual(sorted(files), ["assets/vocabulary", "saved_model.pb", "variables/variables.data"])
        self.assertTrue(all(not p.is_symlink() and p.read_bytes() == (saved / name).read_bytes() for name, p in files.items()))
        # A folder that cannot be read to its end is not added.
        (self.dir / "blob").unlink()
        self.a(4, "add", "saved", err="saved/variables/variables.data: error: cannot open: No such file or directory")
        (saved / "variables/variables.data").unlink()
        for name in "again", "variables/and_again":
            (saved / name).symlink_to(saved)
        self.a(4, "add", "saved", err="again: error: the folder leads back to one that it is in [io]\n  hint: remove the link")
        self.assertEqual(len(self.json(0, "log")["lines"]), 1)

    def test_folders_that_cannot_be_written(self):
        self.saved_model()
        self.a(0, "add", "saved")
        self.write("file", "mine")
        self.a(4, "get", "saved", "-o", "file/back", err="error: cannot create the folder: Not a directory")
        self.assertEqual((self.dir / "file").read_text(), "mine")
        # A path of somebody else's archive does not leave the folder.
        self.forge(lambda text: text.replace("variables/variables.data", "variables/../../outside"))
        self.a(2, "get", "saved", "-o", "back", err="has no model 'saved'")
        self.assertIn("an entry is malformed", self.a(1, "verify"))
        self.assertFalse((self.dir / "outside").exists())


class Sharing(ArchiveCase):
    def test_formats_share_weights(self):
        source = self.write("net.mlir", net(4))
        self.a(0, "add", source)
        first = self.json(0, "stats")
        for name in "net.shlo", "net.mlirbc":
            self.check(0, source, "-o", self.dir / name)
            self.a(0, "add", name, "--name=" + name.replace(".", "_"))
            self.a(0, "get", name.replace(".", "_"), "-o", "back")
            self.assertEqual((self.dir / "back").read_bytes(), (self.dir / name).read_bytes())
        self.a(0, "get", "net", "-o", "back.mlir")
        self.assertEqual((self.dir / "back.mlir").read_bytes(), source.read_bytes())
        stats = self.json(0, "stats")
        self.assertLess(stats["stored_size"] - first["stored_size"], 4000)
        self.assertGreater(stats["files_size"], 3 * stats["content_size"])
        self.assertLess(stats["stored_size"], stats["content_size"] * 0.9)  # exponents of floats
        self.write("tuned.mlir", net(4, changed=2))
        self.a(0, "add", "tuned.mlir", "--parent=net")
        tuned = self.json(0, "stats")
        self.assertLess(tuned["stored_size"] - stats["stored_size"], 4 * 4096 + 4000)
        self.assertIn("of which 48.0 KiB are shared", self.a(1, "diff", "net", "tuned"))

    def test_catalog_elsewhere(self):
        self.a(0, "add", MODELS / "model.mlir")
        shutil.copytree(self.archive, self.dir / "copy")
        (self.dir / "copy/catalog.sqlite").unlink()
        catalog = self.dir / "elsewhere.sqlite"
        self.a(0, "ls", f"--catalog={catalog}", archive=self.dir / "copy")
        self.assertTrue(catalog.exists())
        self.assertFalse((self.dir / "copy/catalog.sqlite").exists())
        self.a(0, "ls", archive=self.dir / "copy", env={"SHLO_ARCHIVE_CATALOG": str(catalog)})
        self.assertFalse((self.dir / "copy/catalog.sqlite").exists())
        self.assertEqual(self.a(0, "rebuild"), "rebuilt the catalog: 1 model in 1 pack\n")
        self.assertEqual(self.a(0, "rebuild", "--check"), "the catalog is what the packs say\n")
        # Where none can be, the packs are read each time.
        folder = self.dir / "folder"
        folder.mkdir()
        self.assertIn("model@1", self.a(0, "ls", f"--catalog={folder}", err=f"{folder}: warning: the catalog cannot be kept: "))
        self.a(0, "ls", f"--catalog={folder}", err="hint: pass --catalog=FILE to put it elsewhere")
        # A file of somebody else is left alone.
        mine = self.write("mine", "mine")
        self.assertIn("model@1", self.a(0, "ls", f"--catalog={mine}", err=f"{mine}: warning: the catalog cannot be kept: the file is not"))
        self.a(4, "rebuild", f"--catalog={mine}", err=f"{mine}: error: the file is not a catalog [io]")
        self.assertEqual(mine.read_text(), "mine")
        for own in self.archive / "lock", self.dir / "copy/catalog.sqlite":
            before = own.read_bytes() if own.exists() else None
            self.assertIn("model@1", self.a(0, "ls", f"--catalog={own}", err=f"{own}: warning: the catalog cannot be kept: "))
            self.assertEqual(own.read_bytes() if own.exists() else None, before)
        self.a(0, "ls", f"--catalog={self.archive}/../a/catalog.sqlite")

    def test_damaged_catalogs(self):
        """Commands report what the packs say, whatever happens to the catalog's file, and no version is given twice."""
        self.a(0, "add", MODELS / "model.mlir", "--name=net", "--tag=prod")
        catalog, first = self.archive / "catalog.sqlite", (MODELS / "model.mlir").read_text()
        listed, shown = self.a(0, "ls"), self.a(0, "show", "net")
        whole = catalog.read_bytes()
        source = random.Random(1)
        for i in range(60):
            damaged = bytearray(whole)
            at = source.randrange(len(damaged))
            for k in range(at, min(at + (1, 1, 100, 5000)[i % 4], len(damaged))):
                damaged[k] ^= 1 << source.randrange(8)
            damaged = bytes(damaged if i % 5 else damaged[:at])
            catalog.write_bytes(damaged)
            command = (["ls"], ["show", "net"], ["get", "net@prod"], ["rebuild", "--check"], ["verify"])[i % 5]
            out = self.a(0, *command)
            if i % 5 < 3:
                self.assertEqual(out, (listed, shown, first)[i % 5])
            self.assertNotEqual(catalog.read_bytes(), damaged)  # it was made again
        for version in range(2, 6):
            catalog.write_bytes(catalog.read_bytes().replace(b"net", b"nxt"))
            self.assertEqual(self.a(0, "add", MODELS / "changed.mlir", "--name=net", "--new-version"), f"net@{version}  added\n")
        # Readers need not be able to write it.
        catalog.write_bytes(whole[:-1])
        self.assertIn("net@5", self.a(0, "ls", preexec_fn=refused("flock", "EWOULDBLOCK")))
        self.assertEqual(catalog.read_bytes(), whole[:-1])
        # SQLite alone changes it: it is made again.
        import sqlite3
        with sqlite3.connect(catalog) as db:
            with self.assertRaises(sqlite3.DatabaseError):
                db.execute("SELECT * FROM nothing")
        db.close()
        self.a(0, "rebuild")
        with sqlite3.connect(catalog) as db:
            self.assertEqual(db.execute("SELECT count(*) FROM models").fetchone(), (5,))
            db.execute("UPDATE models SET tags='forged'")
        db.close()
        self.assertNotIn("forged", self.a(0, "ls"))
        self.a(0, "rebuild", "--check")

    def test_outputs_do_not_replace_an_archive(self):
        self.a(0, "add", MODELS / "model.mlir")
        self.a(0, "rebuild")
        before = {p: p.read_bytes() for p in self.archive.rglob("*") if p.is_file()}
        os.symlink(self.archive, self.dir / "link")
        os.symlink(self.archive / "packs", self.dir / "to_packs")
        pack = self.packs()[0].name
        targets = [self.archive / "shlo-archive", "a/shlo-archive", "a//./shlo-archive", "a/../a/packs/../shlo-archive", "link/shlo-archive",
                   "a/catalog.sqlite", "a/lock", f"a/packs/{pack}", f"to_packs/{pack}", "a/packs/0000000009.pack", "a/packs/new"]
        for target in targets:
            refuses = dict(err="error: the file belongs to an archive [usage]\n  hint: pass another output")
            with self.subTest(target):
                self.a(2, "get", "model", "-o", target, **refuses)
                self.a(2, "get", "model", "--emit=mlirbc", "-o", target, **refuses)
                self.a(2, "export", "model", "-o", target, **refuses)
                self.check(2, self.good, "-o", self.dir / target, cwd=self.dir, **refuses)
        self.a(2, "add", self.good, "--bundle=a/packs/0000000001.pack", err="belongs to an archive")
        self.a(0, "get", "model", "-o", "to_mark")  # the link is replaced
        self.assertFalse((self.dir / "to_mark").is_symlink())
        self.check(2, self.good, "--out-dir", self.archive / "packs", err="belongs to an archive")
        self.assertEqual({p: p.read_bytes() for p in self.archive.rglob("*") if p.is_file()}, before)
        # Other files in the folder are nobody's.
        self.a(0, "get", "model", "-o", "a/model.mlir")
        self.a(0, "verify")
        for name in "lock", "catalog.sqlite", "packs", "shlo-archive":
            self.check(0, self.good, "-o", self.dir / name)  # no archive

    def test_file_systems_without_locks(self):
        warning = f"{self.archive}: warning: the file system has no locks: of two writers at the same time, one will fail [io]"
        without = refused("flock", "ENOLCK")
        self.a(0, "add", MODELS / "model.mlir", preexec_fn=without, err=warning)
        self.a(0, "rebuild", preexec_fn=without, err=warning)
        self.assertIn("model@1", self.a(0, "ls", preexec_fn=without))
        self.a(4, "tag", "model", "--add=x", preexec_fn=refused("flock", "EIO"),
               err=f"{self.archive}/lock: error: cannot lock the archive: Input/output error [io]")
        (self.archive / "lock").unlink()
        (self.archive / "lock").mkdir()
        self.a(4, "tag", "model", "--add=x", err=f"{self.archive}/lock: error: cannot lock the archive: Is a directory [io]")
        self.assertEqual(self.json(0, "ls")["models"][0]["tags"], [])

    def test_two_writers(self):
        self.a(0, "add", MODELS / "model.mlir")
        import fcntl
        with open(self.archive / "lock", "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write("process 1 on elsewhere")
            lock.flush()
            self.a(4, "add", MODELS / "changed.mlir", "--wait=0", err="is being written by process 1 on elsewhere")
            self.assertIn("model@1", self.a(0, "ls"))  # readers do not wait
            waiting = subprocess.Popen([TOOL, "archive", "add", MODELS / "changed.mlir", "--wait=30"],
                                       env={**os.environ, "SHLO_ARCHIVE": str(self.archive)}, stderr=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
            self.assertIn(b"waiting for another writer", waiting.stderr.readline())
            fcntl.flock(lock, fcntl.LOCK_UN)
            self.assertIn(b"changed@1  added", waiting.communicate()[0])
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.truncate(0)  # as it is for a moment
            self.a(4, "tag", "model", "--add=x", "--wait=0", err="error: the archive is being written by another process [io]\n"
                   "  hint: try again later, or pass --wait=SECONDS")

class Goldens(ArchiveCase):
    def test_kept_and_computed_again(self):
        done = run("archive", "add", PROGRAMS, "--golden=random:1", env={**os.environ, "SHLO_ARCHIVE": str(self.archive)})
        # A program with dynamic dimensions has no inputs by itself.
        self.assertNotIn(b"dynamic@1", done.stdout)
        models = self.json(0, "ls")["models"]
        self.assertGreater(len(models), 15)
        document = self.json(0, "verify", "--goldens")
        self.assertEqual(document["summary"]["goldens"], len(models))
        self.assertTrue(all(g["equal"] for m in document["models"] for g in m["goldens"]))
        by_name = {m["model"]: self.json(0, "show", m["model"])["models"][0]["goldens"][0] for m in models}
        self.assertEqual(by_name["integers@1"]["tolerance"], 0)
        self.assertIn("the same bits", by_name["integers@1"]["reason"])
        self.assertEqual(by_name["linear_algebra@1"]["tolerance"] > 0,
                         "LAPACK" in by_name["linear_algebra@1"]["reason"])

    def test_tolerance_and_inputs(self):
        self.write("f64.mlir", "func.func @main(%a: tensor<2xf64>) -> tensor<2xf64> {\n"
                   "  %0 = stablehlo.sine %a : tensor<2xf64>\n  return %0 : tensor<2xf64>\n}\n")
        self.a(0, "add", "f64.mlir", "--golden=random:1")
        golden = self.json(0, "show", "f64")["models"][0]["goldens"][0]
        self.assertEqual(golden["tolerance"], 2.0 ** -26)
        self.assertIn("stablehlo.sine", golden["reason"])
        self.a(0, "get", "f64", "--golden", "-o", "golden.npz")
        with zipfile.ZipFile(self.dir / "golden.npz") as file:
            self.assertEqual(file.namelist(), ["arg0.npy", "result0.npy"])
            inputs = file.read("arg0.npy")
        # The same inputs, from a file, and another tolerance: a second golden.
        (self.dir / "arg0.npy").write_bytes(inputs)
        self.a(0, "add", "f64.mlir", "--golden=arg0.npy", "--tolerance=0.5")
        goldens = self.json(0, "show", "f64")["models"][0]["goldens"]
        self.assertEqual([g["tolerance"] for g in goldens], [2.0 ** -26, 0.5])
        self.assertEqual(goldens[0]["inputs"][0]["id"], goldens[1]["inputs"][0]["id"])
        self.a(0, "add", "f64.mlir", "--golden=random:1")
        self.assertEqual(len(self.json(0, "show", "f64")["models"][0]["goldens"]), 2)
        self.a(2, "add", "f64.mlir", "--golden=random:1", "--tolerance=-1", err="is not a number from 0")
        self.a(2, "add", "f64.mlir", "--tolerance=1", err="--tolerance requires --golden")
        self.a(3, "add", "f64.mlir", "--golden=golden.npz", err="array 'result0' is not one of 2 numbered arguments")
        self.write("token.mlir", "func.func @main() -> !stablehlo.token {\n  %0 = stablehlo.create_token : !stablehlo.token\n"
                   "  return %0 : !stablehlo.token\n}\n")
        self.a(3, "add", "token.mlir", "--golden=random:1", err="token.mlir: error: result 0 is not a tensor, so that no golden can keep it")
        # A constant that is small as long as nobody asks for its elements.
        huge = f"tensor<{300 << 20}xi8>"
        self.write("huge.mlir", f"func.func @main() -> {huge} {{\n  %0 = stablehlo.constant dense<1> : {huge}\n  return %0 : {huge}\n}}\n")
        self.a(3, "add", "huge.mlir", "--golden=random:1", err="huge.mlir: error: the golden exceeds the memory limit of 160 MiB [limit]")
        if "asan" not in TOOL:  # which needs more memory than that
            limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (250 << 20, 250 << 20))
            self.a(3, "add", "huge.mlir", "--golden=random:1", "--max-memory=400", preexec_fn=limit, err="huge.mlir: error: out of memory [limit]")
        self.write("token.mlir", "func.func @main(%a: !stablehlo.token) {\n  return\n}\n")
        self.a(3, "add", "token.mlir", "--golden=random:1", err="token.mlir: error: there are no random values of type !stablehlo.token")
        self.assertEqual(len(self.json(0, "ls")["models"]), 1)
        self.a(2, "get", "f64", "--golden=7", "-o", "x.npz", err="f64@1 has 2 goldens")

    def test_programs_of_a_text(self):
        # They have no names, and often the same function.
        text = (MODELS / "model.mlir").read_text()
        self.write("three.mlir", "// -----\n".join(text.replace("tanh", op) for op in ("tanh", "sine", "cosine")))
        self.assertEqual(self.a(0, "add", "three.mlir", "--golden=random:1"), "three@1  added, with 3 goldens\n")
        self.assertEqual(self.a(0, "verify", "--goldens"), "3 goldens of 1 model computed again\n")
        self.assertEqual([g["program"] for g in self.json(0, "show", "three")["models"][0]["goldens"]], [None, "2", "3"])
        for program in "7", "main", "0":
            self.forge(lambda entry: entry.replace('"program":"3"', f'"program":"{program}"'))
            self.a(3, "verify", "--goldens",
                   err=f"three@1: error: the golden is of a program '{program}', which the model does not have [malformed]")
            self.forge(lambda entry: entry.replace(f'"program":"{program}"', '"program":"3"'))
        self.forge(lambda entry: entry.replace('"program":"3"', '"program":"2"'))
        self.a(1, "verify", "--goldens", err="result 0 differs in")

    def test_a_result_that_changed_is_found(self):
        # The results of another program in the place of the kept ones: as if the evaluator had changed.
        self.a(0, "add", MODELS / "model.mlir", "--golden=random:1")
        shown = self.json(0, "show", "model")["models"][0]
        entry = next(l for l in self.json(0, "log")["lines"] if l["type"] == "golden")["entry"]
        wrong = struct.pack("<4f", 0.5, 1, 2, 3)
        forge = self.dir / "forged"
        self.a(0, "init", forge, archive=None)
        self.assertEqual(entry["results"][0]["id"], shown["goldens"][0]["results"][0]["id"])
        import archive_pack
        archive_pack.replace_data(self.packs()[-1], bytes.fromhex(entry["results"][0]["id"]), wrong,
                                  lambda text: text.replace(entry["results"][0]["id"], hashlib.sha256(wrong).hexdigest()))
        (self.archive / "catalog.sqlite").unlink()
        self.a(0, "verify")  # the bytes are as they were written
        self.a(1, "verify", "--goldens", err="result 0 differs in 4 of 4 elements")


class Migration(ArchiveCase):
    def test_proved_kept_and_pruned(self):
        for version in "1.9.0", "1.17.0":
            self.check(0, PROGRAMS / "attention.mlir", f"--target={version}", "-o", self.dir / f"v{version}.mlirbc",
                       "--expand", "--allow-outside-window")
        self.a(0, "add", "v1.9.0.mlirbc", "--name=old", "--golden=random:1")
        self.a(0, "add", "v1.17.0.mlirbc", "--name=newer")
        self.a(1, "add", SUB, "--name=ancient", err="operand #0 must be ranked tensor")
        self.a(0, "add", SUB, "--name=ancient", "--lenient", err="warning: 'stablehlo.sub' op operand #0")
        refused = self.json(1, "migrate", "--target=current", "--dry-run", "--allow-outside-window")  # what no release reads
        self.assertEqual(refused["summary"], {"migrated": 2, "failed": 1})
        dry = self.json(0, "migrate", "--target=current", "--dry-run", "--allow-outside-window", "--lenient")
        self.assertEqual(dry["summary"], {"migrated": 3})
        self.assertEqual(len(self.json(0, "show", "old")["models"][0]["forms"]), 1)
        document = self.json(0, "migrate", "--target=1.20.0", "--allow-outside-window", "--lenient")
        self.assertEqual(document["summary"], {"migrated": 3})
        self.assertTrue(all(m["evidence"] in ("laws", "congruence") for m in document["models"]))
        self.assertEqual([l["version"]["release"] for l in document["leaving"]], ["1.20.0"])
        self.assertEqual(len(document["leaving"][0]["models"]), 3)
        # Again, there is nothing to do.
        self.assertEqual(self.json(0, "migrate", "--target=1.20.0")["summary"], {"up-to-date": 3})
        self.assertIn("3 migrated", self.a(0, "migrate", "--target=current", "--lenient"))
        shown = self.json(0, "show", "old")["models"][0]
        self.assertEqual([f["version"]["n"] for f in shown["forms"]], [62, 73, 75])
        self.assertEqual(self.a(0, "verify", "--certificates", "--goldens").splitlines(),
                         ["1 golden of 3 models computed again", "6 certificates verified again"])
        self.assertRegex(self.a(0, "show", "old"), r"\nform       1\.20\.0 \(73\), mlirbc, .*, from 1\.9\.0 \(62\), proved by congruence\n")
        self.a(0, "get", "old", "--original", "-o", "original.mlirbc")
        self.assertEqual((self.dir / "original.mlirbc").read_bytes(), (self.dir / "v1.9.0.mlirbc").read_bytes())
        self.a(0, "get", "old", "--form=1.20.0", "-o", "form.mlirbc")
        self.check(0, "prove", self.dir / "form.mlirbc", self.dir / "v1.9.0.mlirbc")
        # prune removes what newer forms replace, and nothing else.
        self.assertIn("would be removed", self.a(0, "prune", "--superseded", "--keep-original", "--dry-run"))
        self.a(0, "prune", "--superseded", "--keep-original")
        self.a(0, "get", "old", "--original", "-o", "original.mlirbc")
        self.a(0, "prune", "--superseded")
        self.a(2, "get", "old", "--original", "-o", "gone.mlirbc", err="were removed")
        self.assertIn("old@1  a form was removed\n", self.a(0, "log", "old"))
        self.a(0, "get", "old", "--newest", "-o", "now.mlirbc")
        self.check(0, "prove", self.dir / "now.mlirbc", self.dir / "v1.9.0.mlirbc")
        self.a(0, "verify", "--files")
        self.assertEqual(self.json(0, "verify", "--goldens")["summary"]["failed"], 0)
        self.a(0, "prune", "ancient")
        self.a(2, "show", "ancient", err="has no model 'ancient'")

    def test_what_does_not_migrate(self):
        self.check(0, MODELS / "model.mlir", "--target=1.9.0", "-o", self.dir / "old.mlirbc")
        self.a(0, "add", "old.mlirbc")
        self.a(1, "migrate", "--target=current", "--window=backward=10d", err="outside-window")
        self.a(1, "migrate", "--target=current", "--at-least=congruence", err="@main is not proved equal by congruence: laws")
        self.a(2, "migrate", err="either --target or --policy")
        self.a(2, "migrate", "--target=nothing")
        policy = self.write("policy.toml", '[[migrate]]\nmatch = ["old"]\nskip = true\n')
        self.assertEqual(self.json(0, "migrate", f"--policy={policy}")["models"], [])
        for text, message in (("", "has no [[migrate]]"), ('[[migrate]]\ntarget = "current"\n', "has no 'match'"),
                              ('[[migrate]]\nmatch = "**"\n', "has no 'target'"),
                              ('[[migrate]]\nmatch = "**"\ntarget = "x"\n', "'target' is 'x'"),
                              ('[[migrate]]\nmatch = "**"\ntarget = "40"\nat-least = "much"\n', "'at-least' is 'much'")):
            policy.write_text(text)
            self.a(2, "migrate", f"--policy={policy}", err=message)
        policy.write_text('[[migrate]]\nmatch = ["**"]\ntarget = "current"\nat-least = "laws"\nexpand = true\n')
        self.a(0, "migrate", f"--policy={policy}")

    def test_the_list_of_what_leaves_the_window_is_short(self):
        text = (MODELS / "model.mlir").read_text()
        self.check(0, MODELS / "model.mlir", "--target=1.17.0", "-o", self.dir / "m.mlirbc")
        for i in range(21):
            (self.dir / "models").mkdir(exist_ok=True)
            self.check(0, self.write("m.mlir", text.replace("@main", f"@f{i}")), "--target=1.17.0", "-o", self.dir / f"models/m{i:02}.mlirbc")
        self.a(0, "add", "models")
        done = self.a(0, "migrate", "--target=1.17.0", "--dry-run").splitlines()
        self.assertEqual(done[0], "21 up-to-date")
        self.assertRegex(done[1], r"last day in the window: \d{4}-\d\d-\d\d, for 21 models at 1\.17\.0 \(70\)")
        self.assertEqual(done[2:], [f"  m{i:02}@1" for i in range(20)] + ["  ... 1 more"])
        self.assertEqual(len(self.json(0, "migrate", "--target=1.17.0", "--dry-run")["leaving"][0]["models"]), 21)

    def test_parts_and_bundles_make_the_whole(self):
        for i in range(6):
            self.write(f"m{i}.mlir", (MODELS / "model.mlir").read_text().replace("tanh", ["tanh", "sine", "cosine"][i % 3])
                       .replace("@main", f"@f{i}"))
            self.check(0, self.dir / f"m{i}.mlir", "--target=1.9.0", "-o", self.dir / f"m{i}.mlirbc")
            self.a(0, "add", f"m{i}.mlirbc")
        shutil.copytree(self.archive, self.dir / "whole")
        self.a(0, "migrate", "--target=current", archive=self.dir / "whole")
        for part in "12":
            self.a(0, "migrate", "--target=current", f"--part={part}/2", f"--bundle=part{part}")
        self.assertEqual(len(self.packs()), 6)
        # The models are in neither.
        self.a(0, "init", "empty", archive=None)
        self.a(3, "import", "part1", archive=self.dir / "empty",
               err="part1: error: it has an entry about a model that neither it nor the archive has: ")
        self.a(3, "import", "part1", archive=self.dir / "empty", err="hint: import the model first")
        self.assertEqual(self.json(0, "ls", archive=self.dir / "empty")["models"], [])
        self.a(0, "import", "part1", "part2")
        self.a(0, "import", "part2", "part1")  # again
        forms = lambda archive: {m["model"]: [f["files"][0]["id"] for f in m["forms"]] for m in
                                 self.json(0, "show", *[f"m{i}" for i in range(6)], archive=archive)["models"]}
        self.assertEqual(forms(self.archive), forms(self.dir / "whole"))
        self.assertTrue(all(len(f) == 2 for f in forms(self.archive).values()))
        self.a(0, "verify", "--files")
        # add with a bundle: nothing is written to the archive, whoever holds its lock.
        self.write("more.mlir", (MODELS / "changed.mlir").read_text())
        self.a(0, "add", "more.mlir", "--bundle=more")
        self.a(2, "show", "more")
        self.assertIn("more@1  imported", self.a(0, "import", "more"))


class Damage(ArchiveCase):
    def setUp(self):
        super().setUp()
        self.write("net.mlir", net(2))
        self.a(0, "add", "net.mlir")
        self.a(0, "add", MODELS / "model.mlir")
        shutil.copytree(self.archive, self.dir / "copy")

    def flip(self, path, at):
        data = bytearray(path.read_bytes())
        data[at] ^= 1
        path.write_bytes(data)

    def test_found_named_and_repaired(self):
        pack = self.packs()[0]
        self.flip(pack, pack.stat().st_size // 2)
        found = self.json(1, "verify")
        self.assertEqual([d["models"] for d in found["damage"]], [["net@1"]])
        self.assertIn("needed by net@1", self.a(1, "verify", "--checksums"))
        self.a(3, "get", "net", "-o", "x.mlir", err="damaged")
        self.assertFalse((self.dir / "x.mlir").exists())
        self.a(0, "get", "model")
        self.a(1, "verify", "net")
        self.a(0, "verify", "model")
        self.a(1, "repair", err="")
        self.assertEqual(self.a(0, "repair", f"--from={self.dir / 'copy'}"), "1 pack copied, 0 records repaired\n")
        self.a(0, "verify", "--files")
        self.a(0, "get", "net", "-o", "x.mlir")
        self.assertEqual((self.dir / "x.mlir").read_bytes(), (self.dir / "net.mlir").read_bytes())
        self.a(2, "repair", f"--from={self.dir}", err="the folder has no packs")

    def test_missing_packs(self):
        self.packs()[0].unlink()
        self.a(0, "ls", err="the pack is missing")
        self.assertEqual(self.json(1, "verify")["damage"][0]["models"], ["net@1"])
        self.a(0, "repair", f"--from={self.dir / 'copy'}")
        self.a(0, "verify", "--files")

    def test_packs_in_the_wrong_place(self):
        # Only they are named: the pack after them is as it was.
        self.a(0, "add", MODELS / "changed.mlir")
        first, second, third = self.packs()
        first.rename(self.dir / "first")
        second.rename(first)
        (self.dir / "first").rename(second)
        self.assertEqual([d["what"] for d in self.json(1, "verify")["damage"]], ["the pack does not belong here"] * 2)
        self.a(0, "repair", f"--from={self.dir / 'copy'}")
        with open(third, "r+b") as file:
            file.truncate(third.stat().st_size - 1)
        found = self.json(1, "verify")["damage"]
        self.assertEqual([(d["what"], d["models"]) for d in found], [("the trailer is damaged", ["changed@1"])])

    def test_entries_that_lie(self):
        import archive_pack
        pack, whole = self.packs()[-1], self.packs()[-1].read_bytes()

        def forge(old, new):
            pack.write_bytes(whole)
            archive_pack.replace_data(pack, None, b"", lambda text: text.replace(old, new, 1))
            (self.archive / "catalog.sqlite").unlink()

        forge('"size":', '"size":1')
        self.assertEqual(self.json(1, "verify")["damage"][0]["models"], ["model@1"])
        self.a(3, "get", "model", "-o", "x.mlir", err="'model.mlir' of model@1 does not have the size that its entry states")
        self.a(3, "get", "model", "--emit=mlirbc", "-o", "x.mlir", err="does not have the size")
        self.assertFalse((self.dir / "x.mlir").exists())
        for old, new in (('"size":', '"size":-'), ('"version":1}', '"version":0}'), ('"name":"model"', '"name":"../model"')):
            with self.subTest(new):
                forge(old, new)
                self.assertIn("an entry is malformed", self.a(1, "verify"))
                self.assertNotIn("model@1", self.a(0, "ls"))
        forge('"type":"model"', '"type":"later"')
        self.a(0, "verify")

    def test_packs_of_other_archives(self):
        self.a(0, "init", "other", archive=None)
        self.a(0, "add", MODELS / "changed.mlir", archive=self.dir / "other")
        shutil.copy(self.dir / "other/packs/0000000001.pack", self.archive / "packs/0000000009.pack")
        self.a(0, "export", "model", "-o", "bundle")
        wrong = self.archive / "packs/0000000009.pack"
        verify = "run 'shlo-compat archive verify'"
        for source, what, hint in ((self.dir / "other/packs/0000000001.pack", "is of another archive",
                                    "take it out of the folder, and add that archive with 'archive import'"),
                                   (self.dir / "bundle", "is a bundle", "add it with 'archive import'"),
                                   (self.packs()[0], "has sequence number 1, which is not in its name", "give it the name that it had"),
                                   (MODELS / "model.mlir", None, None)):
            with self.subTest(what):
                shutil.copy(source, wrong)
                if what:
                    self.assertIn("model@1", self.a(0, "ls", err=f"{wrong}: warning: the pack {what} [malformed]\n  hint: {hint}\n"))
                    self.assertIn(f"{wrong}:0: the pack does not belong here\n", self.a(1, "verify"))
                else:
                    self.assertIn(f"{wrong}:0: not a pack\n", self.a(1, "verify"))
                wrong.unlink()
        self.a(0, "rebuild")
        self.a(0, "verify")
        self.a(3, "import", MODELS / "model.mlir", err="not a bundle")
        self.assertIn("model@1  imported", self.a(0, "import", "bundle", archive=self.dir / "other"))
        self.assertIn("model@1  is there already", self.a(0, "import", "bundle", archive=self.dir / "other"))
        self.assertIn("changed@1  imported", self.a(0, "import", "other"))
        # A number that is in use is not used again.
        self.a(0, "init", "third", archive=None)
        self.a(0, "add", MODELS / "changed.mlir", "--name=model", archive=self.dir / "third")
        self.assertIn("model@2  imported, was model@1\n", self.a(0, "import", "third"))

    def test_without_its_packs(self):
        (self.archive / "packs").rename(self.dir / "packs")
        for command in ["ls"], ["add", "net.mlir"], ["verify"]:
            self.a(4, *command, err=f"{self.archive}/packs: error: cannot list the packs: No such file or directory [io]")
        (self.dir / "packs").rename(self.archive / "packs")
        self.a(0, "verify")

    def test_prune(self):
        self.a(0, "add", MODELS / "changed.mlir", "--name=model")
        self.assertIn("model@1  would be removed", self.a(0, "prune", "--keep=1", "--dry-run"))
        self.assertIn("model@1  removed", self.a(0, "prune", "--keep=1"))
        self.assertEqual([m["model"] for m in self.json(0, "ls")["models"]], ["model@2", "net@1"])
        self.assertEqual(len(self.packs()), 1)
        self.a(0, "verify", "--files")
        self.assertIn("removed", self.a(0, "log"))
        (self.archive / "catalog.sqlite").unlink()
        self.assertEqual([m["model"] for m in self.json(0, "ls")["models"]], ["model@2", "net@1"])


class Bundle:
    """Writes what no honest sender writes, with checksums that are right."""
    ORIGIN = {"time": "2026-01-31T12:00:00Z", "tool": "shlo-compat 0.1.0"}

    def __init__(self):
        self.records = []

    def data(self, content, kind=1, name=None):
        whole = content[0] * content[1] if isinstance(content, tuple) else content
        self.records.append((kind, 0, name or hashlib.sha256(whole).digest(), content))
        return self.records[-1][2].hex()

    def entry(self, **keys):
        text = json.dumps({**self.ORIGIN, **keys}, separators=(",", ":"), sort_keys=True).encode()
        self.records.append((3, len(self.records) + 1, hashlib.sha256(text).digest(), text))
        return self.records[-1][2].hex()

    def write(self, path):
        import archive_pack
        archive_pack.write(path, archive_pack.bundle_header(), self.records)


class Strangers(ArchiveCase):
    """Bundles of somebody else: the sender's word is not believed."""

    def files(self, text, ident=None):
        return [{"path": "net.mlir", "id": ident or hashlib.sha256(text).hexdigest(), "size": len(text)}]

    def facts(self, name):
        """Returns what an honest archive says of a file."""
        self.a(0, "init", "honest", archive=None)
        self.a(0, "add", name, "--name=x", "--new-version", archive=self.dir / "honest")
        program, = self.json(0, "show", "x", archive=self.dir / "honest")["models"][0]["forms"][0]["programs"]
        return [{"name": "", "version": program["version"]["n"], "ops": program["op_count"],
                 "custom_calls": program["custom_call_targets"],
                 **{key: program[key] for key in ("constants", "constant_bytes", "functions", "dialects")}}]

    def bundle(self, newer, certificate, evidence="congruence"):
        """Returns a bundle of a model with a newer form, which may be another program."""
        self.check(0, MODELS / "model.mlir", "--target=1.9.0", "-o", self.dir / "net.mlir")
        self.check(0, newer, "--target=1.20.0", "-o", self.dir / "newer.mlir")
        old, new = (self.dir / "net.mlir").read_bytes(), (self.dir / "newer.mlir").read_bytes()
        bundle = Bundle()
        bundle.data(old)
        bundle.data(new)
        proof = bundle.data(certificate)
        model = bundle.entry(type="model", name="net", version=1, files=self.files(old), format="text",
                             programs=self.facts("net.mlir"))
        bundle.entry(type="form", model=model, files=self.files(new), format="text", programs=self.facts("newer.mlir"),
                     proofs=[{"program": "", "certificate": proof, "evidence": evidence}], **{"from": model})
        return bundle

    def nothing(self):
        self.assertEqual(self.json(0, "ls")["models"], [])
        self.assertEqual(self.packs(), [])

    def test_another_program_with_no_proof(self):
        self.bundle(MODELS / "changed.mlir", b'{"no":"certificate"}').write(self.dir / "evil")
        self.a(3, "import", "evil", err="evil:net@1: error: not a certificate")
        self.nothing()

    def test_another_program_with_the_proof_of_the_right_one(self):
        # The certificate of the honest conversion, with the hash of the other program.
        self.check(0, MODELS / "model.mlir", "--target=1.9.0", "-o", self.dir / "net.mlir")
        self.check(0, MODELS / "model.mlir", "--target=1.20.0", "-o", self.dir / "newer.mlir")
        self.check(0, "prove", self.dir / "net.mlir", self.dir / "newer.mlir", f"--certificate={self.dir / 'c'}")
        certificate = json.loads((self.dir / "c").read_text())
        certificate["programs"][1]["name"] = "net.mlir"
        honest = json.dumps(certificate, separators=(",", ":")).encode() + b"\n"
        self.bundle(MODELS / "model.mlir", honest, "laws").write(self.dir / "good")
        self.check(0, MODELS / "changed.mlir", "--target=1.20.0", "-o", self.dir / "newer.mlir")
        certificate["programs"][1]["sha256"] = hashlib.sha256((self.dir / "newer.mlir").read_bytes()).hexdigest()
        forged = json.dumps(certificate, separators=(",", ":")).encode() + b"\n"
        self.bundle(MODELS / "changed.mlir", forged, "laws").write(self.dir / "evil")
        self.a(1, "import", "evil", err="the certificate does not hold")
        self.nothing()
        self.assertIn("net@1  imported\n", self.a(0, "import", "good"))
        self.assertIn("proved by laws", self.a(0, "show", "net"))
        self.assertEqual(self.json(0, "get", "net", "-o", "out.mlir")["form"]["accepted"], True)
        self.assertEqual(self.a(0, "verify", "--certificates"), "1 certificate verified again\n")

    def test_bytes_that_are_no_program(self):
        import archive_pack
        zeros, size = (b"\0", 4 << 20), 256 << 20
        bundle = Bundle()
        piece = bytes.fromhex(bundle.data(zeros))
        parts = b"".join(archive_pack.varint(zeros[1] * 4 + 1) + piece for _ in range(64))
        whole = hashlib.sha256(bytes(size)).digest()
        bundle.data(archive_pack.varint(size) + archive_pack.varint(64) + parts, kind=2, name=whole)
        bundle.entry(type="model", name="net", version=1, format="text", programs=[],
                     files=[{"path": "net.mlir", "id": whole.hex(), "size": size}])
        bundle.write(self.dir / "zeros")
        self.cheap("zeros", "raise the limit: --max-memory")
        self.a(3, "import", "zeros", "--max-memory=600", err="net@1")
        self.nothing()

    def usage(self, name):
        """Imports a bundle. Returns the exit code, what was said, kilobytes and seconds."""
        # A process begins with the peak of its parent, so that a small one starts the tool.
        small = ("import os, subprocess, sys; p = subprocess.Popen(sys.argv[1:]); _, s, u = os.wait4(p.pid, 0); "
                 "print(os.waitstatus_to_exitcode(s), u.ru_maxrss, u.ru_utime + u.ru_stime)")
        done = subprocess.run([sys.executable, "-c", small, TOOL, "archive", "import", name, "--archive", self.archive],
                              cwd=self.dir, capture_output=True, check=True)
        code, peak, seconds = done.stdout.split()
        return int(code), done.stderr.decode(), int(peak), float(seconds)

    def cheap(self, name, err, size=20_000, most=64 << 10):
        """Expects that a bundle of a few kilobytes is refused, and takes 64 MB and 1 s."""
        self.assertLess((self.dir / name).stat().st_size, size)
        code, text, peak, seconds = self.usage(name)
        self.assertEqual(code, 3, text)
        self.assertIn(err, text)
        if "asan" not in TOOL:
            self.assertLess(peak, most)
            self.assertLess(seconds, 1)

    def test_few_bytes_that_are_many(self):
        import archive_pack
        for byte, size in ((b"[", 66 << 20), (b"[", 15 << 20), (b"{", 1 << 20), (b"[", 60 << 10)):
            with self.subTest(size=size):
                bundle = Bundle()
                bundle.records.append((3, 1, hashlib.sha256(byte * size).digest(), (byte, size)))
                bundle.write(self.dir / "deep")
                self.cheap("deep", "error: ")
        # A program whose attribute takes ten times the memory of its text.
        piece, head, tail = b"1," * (1 << 12), b"module attributes {a.a = [", b"1]} {}"
        bundle = Bundle()
        parts = [head] + [piece] * 450 + [tail]
        listed = b"".join(archive_pack.varint(len(part) * 4 + 1) + hashlib.sha256(part).digest() for part in parts)
        whole = b"".join(parts)
        name = hashlib.sha256(whole).digest()
        for part in (head, piece, tail):
            bundle.data(part)
        bundle.data(archive_pack.varint(len(whole)) + archive_pack.varint(len(parts)) + listed, kind=2, name=name)
        bundle.entry(type="model", name="net", version=1, format="text", programs=[], files=self.files(whole))
        bundle.write(self.dir / "deep")
        self.cheap("deep", "error: ", 30_000)
        # A certificate of 15 MiB: a piece that is repeated.
        bundle = self.bundle(MODELS / "model.mlir", b"")
        piece = b"[1,1,1]," * 1024
        whole = b'{"matches":[' + piece * 1950
        bundle.records[2] = (1, 0, hashlib.sha256(piece).digest(), piece)
        parts = archive_pack.varint(12 * 4) + whole[:12] + 1950 * (archive_pack.varint(len(piece) * 4 + 1) + hashlib.sha256(piece).digest())
        name = hashlib.sha256(whole).digest()
        bundle.records.insert(3, (2, 0, name, archive_pack.varint(len(whole)) + archive_pack.varint(1951) + parts))
        form = json.loads(bundle.records.pop()[3])
        form["proofs"][0]["certificate"] = name.hex()
        bundle.entry(**form)
        bundle.write(self.dir / "deep")
        self.assertGreater(len(whole), 15 << 20)
        self.cheap("deep", "error: ", 100_000)
        self.nothing()

    def test_names_that_are_none(self):
        self.check(0, MODELS / "model.mlir", "-o", self.dir / "net.mlir")
        text = (self.dir / "net.mlir").read_bytes()
        for name, version, message in (("../net", 1, "a part of the name begins with a dot"), ("", 1, "the name is empty"),
                                       ("n\u00e9t", 1, "the name has a character"), ("net", 0, "'version'"),
                                       ("net", 10**9 + 1, "'version'"), ("net", 2**63, "'version'")):
            with self.subTest(name=name, version=version):
                bundle = Bundle()
                bundle.data(text)
                bundle.entry(type="model", name=name, version=version, files=self.files(text), format="text",
                             programs=self.facts("net.mlir"))
                bundle.write(self.dir / "bad")
                self.a(3, "import", "bad", err=message)
                self.nothing()

    def test_packs_that_are_put_into_the_folder(self):
        """A form that states its own acceptance is shown, and deletes nothing."""
        import archive_pack
        self.check(0, MODELS / "model.mlir", "--target=1.9.0", "-o", self.dir / "net.mlir")
        self.a(0, "add", "net.mlir")
        model = self.json(0, "show", "net")["models"][0]["entry"]
        self.check(0, MODELS / "changed.mlir", "--target=1.20.0", "-o", self.dir / "newer.mlir")
        new = (self.dir / "newer.mlir").read_bytes()
        pack = self.packs()[0].read_bytes()

        def put(accepted):
            bundle = Bundle()
            bundle.data(new)
            proof = bundle.data(b"{}")
            form = bundle.entry(type="form", model=model, files=self.files(new), format="text", programs=self.facts("newer.mlir"),
                                proofs=[{"program": "", "certificate": proof, "evidence": "laws"}], **{"from": model})
            if accepted:
                bundle.entry(type="accept", model=model, form=form)
            header = bytearray(pack[:64])
            struct.pack_into("<Q", header, 32, 2)
            header[40:56] = archive_pack.pack_hash(pack)
            struct.pack_into("<Q", header, 56, archive_pack.reader.hash64(bytes(header[:56])))
            archive_pack.write(self.archive / "packs/0000000002.pack", bytes(header), bundle.records)
            (self.archive / "catalog.sqlite").unlink()

        put(accepted=False)
        self.assertIn("claimed to be equal by laws: not accepted here", self.a(0, "show", "net"))
        self.assertIn("(1 form claimed)", self.a(0, "ls"))
        self.assertEqual(self.json(0, "ls")["models"][0]["claimed_forms"], 1)
        for flags in [], ["--target=1.20.0"]:
            form = self.json(0, "get", "net", *flags, "-o", "out.mlir")["form"]
            self.assertEqual((form["accepted"], form["from"]), (True, None))
        self.a(2, "get", "net", "--form=1.20.0", "-o", "out.mlir", err="is claimed: its certificates were not accepted here")
        self.a(2, "get", "net", "--form=1.20.0", "-o", "out.mlir", err="pass --claimed")
        self.a(0, "get", "net", "--form=1.20.0", "--claimed", "-o", "out.mlir")
        self.assertEqual((self.dir / "out.mlir").read_bytes(), new)
        self.assertEqual(self.json(0, "prune", "--superseded")["removed"], [])
        self.a(3, "verify", "--certificates", err="net@1: error: not a certificate")
        (self.archive / "packs").chmod(0o755)
        self.packs()[-1].unlink()
        (self.archive / "packs/0000000001.pack").write_bytes(pack)
        put(accepted=True)
        # Anyone who can write to the folder can state acceptance; nothing is deleted for it.
        self.a(3, "verify", "--certificates", err="net@1: error: not a certificate")
        self.a(3, "prune", "--superseded", err="net@1: error: not a certificate")
        self.a(0, "get", "net", "--original", "-o", "out.mlir")
        self.assertEqual((self.dir / "out.mlir").read_bytes(), (self.dir / "net.mlir").read_bytes())

    def test_export_after_the_original_is_gone(self):
        self.check(0, MODELS / "model.mlir", "--target=1.9.0", "-o", self.dir / "net.mlirbc")
        self.a(0, "add", "net.mlirbc")
        self.a(0, "migrate", "--target=current")
        self.a(0, "prune", "--superseded")
        self.a(0, "get", "net", "--newest", "-o", "out.mlirbc")  # this archive has checked it
        self.assertIn("1 form cannot be verified again", self.a(0, "verify", "--certificates"))
        self.a(0, "export", "net", "-o", "bundle")
        self.a(0, "init", "other", archive=None)
        self.a(0, "import", "bundle", archive=self.dir / "other", err="is claimed: the form that it comes from was removed")
        self.a(2, "get", "net", "-o", "x.mlirbc", archive=self.dir / "other", err="net@1 has only claimed forms")
        self.a(2, "migrate", "--target=current", "--dry-run", archive=self.dir / "other", err="")
        self.a(0, "get", "net", "--claimed", "-o", "x.mlirbc", archive=self.dir / "other")
        self.assertEqual((self.dir / "x.mlirbc").read_bytes(), (self.dir / "out.mlirbc").read_bytes())


class Numbers(ArchiveCase):
    """Everything that is acknowledged can be read again."""

    def test_versions_end(self):
        self.a(2, "add", MODELS / "model.mlir", "--name=net@9223372036854775807", err="the version is not a number from 1 to 1000000000")
        self.a(2, "add", MODELS / "model.mlir", "--name=net@18446744073709551616", err="the version is not a number")
        self.a(0, "add", MODELS / "model.mlir", "--name=net@1000000000")
        self.a(3, "add", MODELS / "changed.mlir", "--name=net", err="'net' has version 1000000000, the last one that a name can have")
        self.assertEqual([m["model"] for m in self.json(0, "ls")["models"]], ["net@1000000000"])
        self.a(0, "get", "net@1000000000", "-o", "x.mlir")
        self.a(2, "show", "net@1000000001", err="has no model 'net@1000000001'")
        self.a(0, "verify")

    def test_tolerances_and_times(self):
        for tolerance in "inf", "1e999", "nan", "-1":
            self.a(2, "add", MODELS / "model.mlir", "--golden=random:1", f"--tolerance={tolerance}", err="is not a number from 0")
        for epoch in "-1", "253402300800", "x", "99999999999999999999":
            self.a(2, "add", MODELS / "model.mlir", env={"SOURCE_DATE_EPOCH": epoch}, err="SOURCE_DATE_EPOCH is not a time")
        self.assertEqual(self.packs(), [])
        self.a(0, "add", MODELS / "model.mlir", env={"SOURCE_DATE_EPOCH": "253402300799"})
        self.assertEqual(self.json(0, "ls")["models"][0]["time"], "9999-12-31T23:59:59Z")

    def test_seconds_end(self):
        # More nanoseconds than a clock counts would be a time that is over.
        for flag in "--wait", "--timeout":
            self.a(2, "import", "x", f"{flag}=1000000001", err=flag)
        self.check(0, "verify", MODELS / "model.mlir", "--timeout=1000000000")

    def test_numbers_of_packs_end(self):
        self.a(0, "add", MODELS / "model.mlir")
        # A file named beyond the last number is not a pack.
        shutil.copy(self.packs()[0], self.archive / "packs/281474976710657.pack")
        self.a(0, "add", MODELS / "changed.mlir")
        (self.archive / "packs/281474976710657.pack").rename(self.archive / "packs/281474976710656.pack")
        self.a(3, "add", SUB, err="the archive has pack 281474976710656, and can have no other")


class Outside(ArchiveCase):
    def setUp(self):
        super().setUp()
        self.source = self.write("net.mlir", net(3))

    def p(self, code, *args, **options):
        return self.check(code, *args, cwd=self.dir, **options)

    def test_out_and_in_again(self):
        self.p(0, "net.mlir", "-o", "net.shlo")
        self.assertIn(b"unpacked 3 constants of 49152 bytes to small.safetensors",
                      self.p(0, "unpack", "net.shlo", "-o", "small.shlo").stdout)
        self.assertLess((self.dir / "small.shlo").stat().st_size, 3000)
        self.p(0, "pack", "small.shlo", "-o", "whole.shlo")
        self.assertEqual((self.dir / "whole.shlo").read_bytes(), (self.dir / "net.shlo").read_bytes())
        hashes = [json.loads(self.p(0, "inspect", "--json", name).stdout)["files"][0]["artifact"]["content_hash"]
                  for name in ("net.shlo", "small.shlo")]
        self.assertEqual(hashes[0], hashes[1])
        self.assertIn(b"outside        w0: 16384 bytes in small.safetensors", self.p(0, "inspect", "small.shlo").stdout)
        # As text, and through .npz.
        self.p(0, "unpack", "net.mlir", "-o", "small.mlir", "--tensors=weights.npz")
        self.assertIn("shlo_outside", (self.dir / "small.mlir").read_text())
        self.p(0, "prove", "small.mlir", "net.shlo")
        self.p(0, "pack", "small.mlir", "-o", "whole.mlirbc")
        self.p(0, "prove", "whole.mlirbc", "net.shlo")
        for name in "small.mlir", "small.shlo":
            self.p(0, "eval", name, "--inputs=random:1")
            self.p(0, "verify", name)
        # Constants that a file has leave the program, and it is not changed.
        before = (self.dir / "small.safetensors").read_bytes()
        self.write("tuned.mlir", net(3, changed=1))
        self.assertIn(b"unpacked 2 constants", self.p(0, "unpack", "tuned.mlir", "-o", "tuned.shlo", "--tensors=small.safetensors").stdout)
        self.assertEqual((self.dir / "small.safetensors").read_bytes(), before)
        self.p(0, "prove", "tuned.shlo", "tuned.mlir")

    def test_nothing_is_trusted_by_name(self):
        self.p(0, "unpack", "net.mlir", "-o", "small.shlo")
        self.p(0, "unpack", "net.mlir", "-o", "small.mlir", "--tensors=small.safetensors")
        weights = self.dir / "small.safetensors"
        good = weights.read_bytes()
        weights.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
        for name in "small.shlo", "small.mlir":
            self.p(3, "verify", name, err="is not the one that the program uses")
        weights.unlink()
        for name in "small.shlo", "small.mlir":
            self.p(4, "verify", name, err="was not found in 'small.safetensors'")
        (self.dir / "moved.safetensors").write_bytes(good)
        self.p(0, "verify", "small.shlo", "--weights=moved.safetensors")
        # A program does not say which files outside of its folder are opened.
        (self.dir / "inner").mkdir()
        self.p(0, "unpack", "net.mlir", "-o", "inner/up.shlo", "--tensors=moved.safetensors")
        self.p(4, "verify", "inner/up.shlo", err="outside of the program's folder")
        self.p(0, "verify", "inner/up.shlo", "--weights=moved.safetensors")
        text = (self.dir / "small.mlir").read_text()
        for old, new in (("sha256:", "sha:"), ("alignment:64", "alignment:3"), ("key:w0", "kee:w0"), ("size:", "size:x")):
            self.write("bad.mlir", text.replace(old, new))
            self.p(3, "verify", "bad.mlir", "--weights=moved.safetensors", err="a constant outside is")
        self.write("bad.mlir", text.replace("size:16384", "size:16383"))
        self.p(4, "verify", "bad.mlir", "--weights=moved.safetensors", err="was not found")

    def test_archives_have_constants(self):
        self.a(0, "add", "net.mlir")
        self.p(0, "unpack", "net.mlir", "-o", "small.shlo", f"--to-archive={self.archive}")
        self.p(4, "verify", "small.shlo", err="constant 'sha256:")
        self.p(0, "verify", "small.shlo", f"--weights={self.archive}")
        # An archive keeps the constants of a program that names them.
        self.a(0, "init", "other", archive=None)
        self.p(0, "unpack", "net.mlir", "-o", "named.shlo")
        self.a(0, "add", "named.shlo", archive=self.dir / "other")
        (self.dir / "named.safetensors").unlink()
        self.p(0, "prove", f"{self.dir / 'other'}:named", "net.mlir")
        self.a(0, "get", "named", "-o", "back.shlo", archive=self.dir / "other")
        self.assertEqual((self.dir / "back.shlo").read_bytes(), (self.dir / "named.shlo").read_bytes())
        self.a(0, "get", "named", "-o", "back.mlirbc", archive=self.dir / "other")
        self.p(0, "prove", "back.mlirbc", "net.mlir")
        self.a(0, "prune", archive=self.dir / "other")
        self.a(0, "verify", "--files", archive=self.dir / "other")

    def test_usage(self):
        self.p(2, "unpack", "net.mlir", err="no name for the file of tensors")
        self.p(2, "unpack", "net.mlir", "-o", "x.mlirbc", err="only .shlo files and texts")
        self.p(2, "unpack", "net.mlir", "-o", "x.shlo", "--tensors=a", "--to-archive=b", err="both say where constants go")
        self.p(2, "pack", "net.mlir", "--json", err="cannot write both JSON and a program")
        self.p(2, "unpack", "net.mlir", "-o", "-", "--json", "--tensors=a", err="cannot write both JSON and a program")
        self.write("two.mlir", net(1) + "// -----\n" + net(2))
        for command in "pack", "unpack":
            self.p(2, command, "two.mlir", "-o", "x.shlo", err="two.mlir: error: expected a file with 1 program, and not a container [usage]\n"
                   "  hint: split the file at its '// -----' lines")
            self.assertFalse((self.dir / "x.shlo").exists())
        self.p(2, "unpack", MODELS / "model.mlir", "-o", "x.shlo", err="no constant has 1024 bytes or more")
        self.assertIn(b"packed 0 constants", self.p(0, "pack", MODELS / "model.mlir", "-o", "y.shlo").stdout)


if __name__ == "__main__":
    unittest.main()
