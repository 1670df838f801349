"""Tests of the checks of texts: cpp_lexer.py and diagnostics_listing.py."""

import pathlib
import unittest

import cpp_lexer
import diagnostics_listing


def texts(source):
    return [literal.text for literal in cpp_lexer.literals(source)]


class Lexer(unittest.TestCase):
    def test_concatenates_neighbors_over_comments_and_lines(self):
        self.assertEqual(texts('f("a " // comment "x"\n  "b" /* "y" */ "c", "d");'), ["a bc", "d"])

    def test_decodes_escapes(self):
        self.assertEqual(texts(r'f("a\"b\n\x41\101\u00e9\\");'), ['a"b\nAA\u00e9\\'])

    def test_reads_raw_strings(self):
        self.assertEqual(texts('f(R"x(a "b" )" \\n)x");'), ['a "b" )" \\n'])

    def test_is_not_confused_by_quotes_elsewhere(self):
        self.assertEqual(texts("int a = 1'000'000; char b = '\"', c = '\\''; // don't\nf(\"x\");"), ["x"])

    def test_skips_includes_and_reads_macros(self):
        self.assertEqual(texts('#include "a b.h"\n#define X(a) f("x" \\\n  "y")\n'), ["xy"])

    def test_knows_the_calls_and_lines(self):
        literal = cpp_lexer.literals('\n// Mirrors MLIR.\nreturn Fail(at, fmt::format("a {}",\n 1));')[0]
        self.assertEqual((literal.calls, literal.line), (["format", "Fail"], 3))
        self.assertIn("Mirrors MLIR", literal.comment)

    def test_refuses_what_it_cannot_read(self):
        for source in ('f("a', "/* a", 'R"(a', "'"):
            with self.assertRaises(cpp_lexer.LexError):
                texts(source)


class Listing(unittest.TestCase):
    def is_text(self, source):
        return [diagnostics_listing.is_text(literal) for literal in cpp_lexer.literals(source)]

    def test_texts_have_two_words_or_are_in_a_diagnostic(self):
        self.assertEqual(self.is_text('f("two words", "{} is", "tensor<", "x"); Fail("overflow");'), [True, True, False, False, True])

    def test_mirrored_texts_are_marked_or_in_a_mirrored_file(self):
        plain, marked = cpp_lexer.literals('f("a b");\n\n// Mirrors MLIR.\nf("c d");')
        self.assertFalse(diagnostics_listing.is_mirrored(pathlib.Path("tools/x.cc"), plain))
        self.assertTrue(diagnostics_listing.is_mirrored(pathlib.Path("tools/x.cc"), marked))
        self.assertTrue(diagnostics_listing.is_mirrored(pathlib.Path("lib/ir/verify/rules/dot.cc"), plain))


if __name__ == "__main__":
    unittest.main()
