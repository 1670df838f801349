// Files of dialects: what they define, and every mistake in one.
#include "shlo/dialect.h"

#include "dialect/test_dialect.h"

namespace shlo {
namespace {

TEST(Dialect, HasVersionsAndNames) {
  const Dialect d = TestDialect();
  EXPECT_EQ(d.newest(), 4);
  EXPECT_EQ(d.VersionName(1), "acme 1");
  EXPECT_EQ(d.VersionName(3), "acme 2.0 (3)");
  EXPECT_EQ(d.VersionName(0), "acme 0");
  EXPECT_EQ(d.VersionName(5), "acme 5");
  ASSERT_NE(d.Find("acme.add", 1), nullptr);
  EXPECT_EQ(d.Find("acme.add", 1), d.Find("acme.plus", 2));
  EXPECT_EQ(d.Find("acme.add", 1), d.Find("acme.sum", 4));
  EXPECT_EQ(d.Find("acme.add", 2), nullptr);
  EXPECT_EQ(d.Find("acme.sum", 2), nullptr);
  EXPECT_EQ(d.Find("acme.late", 2), nullptr);
  EXPECT_EQ(d.Find("acmesum", 4), nullptr);
  EXPECT_EQ(d.Find("other.sum", 4), nullptr);
  EXPECT_EQ(*ParseDialectVersion(d, "2"), 2);
  EXPECT_EQ(*ParseDialectVersion(d, "2.1"), 4);
  EXPECT_EQ(*ParseDialectVersion(d, "current"), 4);
  for (const char* wrong : {"0", "5", "3.0", "", "99999999", "2x"})
    EXPECT_FALSE(ParseDialectVersion(d, wrong));
  const auto near = ParseDialectVersion(d, "2.11");
  ASSERT_FALSE(near);
  EXPECT_EQ(near.error()[0].message, "'2.11' is not a version of 'acme'");
  EXPECT_EQ(near.error()[0].hint, "did you mean '2.1'?");
  // The first version goes with any release.
  EXPECT_EQ(DialectVersionFor(d, Version{41}), 1);
  EXPECT_EQ(DialectVersionFor(d, *ParseVersion("1.9.0")), 2);
  EXPECT_EQ(DialectVersionFor(d, *ParseVersion("1.10.0")), 2);
  EXPECT_EQ(DialectVersionFor(d, kCurrentVersion), 4);
}

struct Mistake {
  const char* toml;
  const char* message;
  const char* hint = nullptr;
};

TEST(Dialect, MistakesAreReported) {
  const std::string kStart = "dialect = \"acme\"\nversion = [{number = 1}, {number = 2}, {number = 3}]\n";
  const Mistake mistakes[] = {
      {"type = [{name = \"t\"", "", "the file is TOML; see docs/dialect.md"},
      {"[#x]", ""},
      {"op = '\xC3\xA9' \xC3\xA9 # \xC3\xA9", "a character beyond ASCII is not in a string"},
      {"\xCC\x87 = 1", "a character beyond ASCII is not in a string"},
      {"op = '\xC3'", "the text is not UTF-8"},
      {"op = '\xC0\xAF'", "the text is not UTF-8"},
      {"op = '\xED\xA0\x80'", "the text is not UTF-8"},
      {"op = '\xF4\x90\x80\x80'", "the text is not UTF-8"},
      {"op = '\x80'", "the text is not UTF-8"},
      {"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1", "a key has more than 16 parts"},
      {"['a.b'.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a]", "a key has more than 16 parts"},
      {"op = ~", "Error while parsing value: could not determine value type"},
      {"op = \"\"\"\xC3\xA9\\\n \xC3\xA9\"\"\"", "'op' is not a list of tables"},
      // Quotes within a word begin no string.
      {"op = 4'444\xCC\x86", "Error while parsing decimal integer"},
      {"op = [1.'\xC3\xA9']", "Error while parsing floating-point"},
      {"op = \"\"\"\xC3\xA9\\\n x\xC3\xA9\"\"\"", "'op' is not a list of tables"},
      {"op = \"\\\"\xC3\xA9", ""},
      {"ops = 1", "unknown key 'ops'", "did you mean 'op'?"},
      {"op = 1", "'op' is not a list of tables", "write it as [[op]]"},
      {"[[op]]\nname = 1", "'name' is not a string"},
      {"[[op]]", "an [[op]] has no 'name'"},
      {"[[op]]\nname = \"a b\"", "invalid name 'a b' of an [[op]]"},
      {"[[op]]\nname = \"a\"\nsince = 4", "'since' is not a number from 1 to 3"},
      {"[[op]]\nname = \"a\"\nsince = \"1\"", "'since' is not a number from 1 to 3"},
      {"[[op]]\nname = \"a\"\nsince = 3\nuntil = 2", "it ends at version 2, before it begins at 3"},
      {"[[op]]\nname = \"a\"\nsince = 2\nattributes = [{name = \"x\", kind = \"unit\", optional = true, "
       "since = 1}]",
       "it exists in versions without the thing it belongs to"},
      {"[[op]]\nname = \"a\"\n[[op]]\nname = \"a\"", "op 'a' is defined twice in one version"},
      {"[[op]]\nname = \"a\"\nformerly = [{name = \"b\"}]", "a former name has no 'until'"},
      {"[[op]]\nname = \"a\"\nformerly = [{until = 1}]", "a former name has no 'name'"},
      {"[[op]]\nname = \"a\"\nuntil = 1\nformerly = [{name = \"b\", until = 1}]",
       "a former name ends when the op does", "the last name is the op's own"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", type = \"tensr\"}]",
       "unknown type 'tensr'; did you mean 'tensor'?", "docs/dialect.md describes types"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", type = \"tensor<f23>\"}]",
       "unknown element type 'f23'; did you mean 'f32'?"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", type = \"tensor<complex<f23>>\"}]",
       "unknown element type 'complex<f23>'"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", type = \"tensor<f32\"}]",
       "'tensor<f32' lacks a '>'"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", type = \"!a b\"}]", "invalid type name '!a b'"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", type = \"tensor<!1>\"}]", "invalid type name '!1'"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", type = 1}]", "'type' is not a list of strings"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", type = \"!none\"}]", "there is no type '!none'"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", arity = \"many\"}]",
       "unknown value 'many' of 'arity'", "write one of: one, optional, list"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", arity = \"lst\"}]", "unknown value 'lst' of 'arity'",
       "did you mean 'list'?"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", since = 2}]",
       "an operand that some versions lack must be optional or a list"},
      {"[[op]]\nname = \"a\"\nresults = [{name = \"x\", until = 2}]",
       "a result that some versions lack must be optional or a list"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\", list-since = 2}]", "'list-since' belongs to a list"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"x\"}]\nresults = [{name = \"x\"}]",
       "operand or result 'x' is defined twice in one version"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\", kind = \"strng\"}]",
       "unknown kind of attribute 'strng'; did you mean 'string'?",
       "docs/dialect.md describes kinds of attributes"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\", kind = \"array<x>\"}]",
       "unknown element type 'x'"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\", kind = \"#1\"}]", "invalid attribute name '#1'"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\", kind = \"#none\"}]",
       "there is no attribute '#none'"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\", optional = 1}]",
       "'optional' is not true or false"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\", default = \"<\"}]",
       "'default' is not an attribute: ", "write it as MLIR does: default = \"1 : i64\""},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\", kind = \"i32\", default = \"1 : i64\"}]",
       "'default' is not of kind 'i32'"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\", default = \"1 : i64\", optional = true}]",
       "an attribute with a default is not optional"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\", since = 2}]",
       "an attribute that some versions lack must have a default or be optional"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"x\"}, {name = \"x\"}]",
       "attribute 'x' is defined twice in one version"},
      {"[[op]]\nname = \"a\"\nattributes = [{name = \"operandSegmentSizes\"}]",
       "'operandSegmentSizes' follows from the operands and results"},
      {"[[op]]\nname = \"a\"\nregions = [{name = \"x\", arity = \"optional\"}]", "a region is one or a list"},
      {"[[op]]\nname = \"a\"\nregions = [{name = \"x\", arity = \"list\"}, {name = \"y\"}]",
       "a region follows a list of regions"},
      {"[[op]]\nname = \"a\"\nregions = [{name = \"x\", since = 2}]",
       "a region that some versions lack must be a list"},
      {"[[op]]\nname = \"a\"\nregions = [{name = \"x\"}, {name = \"x\"}]",
       "region 'x' is defined twice in one version"},
      {"[[op]]\nname = \"a\"\nsame = [{what = \"type\", of = [\"x\"]}]",
       "'of' names less than two operands or results"},
      {"[[op]]\nname = \"a\"\noperands = [{name = \"abc\"}]\nsame = [{what = \"type\", of = [\"abc\", "
       "\"abd\"]}]",
       "there is no operand or result 'abd'", "did you mean 'abc'?"},
      {"[[type]]\nname = \"t\"\n[[type]]\nname = \"t\"", "type 't' is defined twice in one version"},
      {"[[attribute]]\nname = \"t\"\n[[attribute]]\nname = \"t\"",
       "attribute 't' is defined twice in one version"},
      {"[[type]]\nname = \"t\"\nparameters = [{name = \"p\"}]", "a parameter has no 'kind'"},
      {"[[type]]\nname = \"t\"\nparameters = [{name = \"p\", kind = \"case\"}]",
       "'cases' belong to parameters of kind \"case\""},
      {"[[type]]\nname = \"t\"\nparameters = [{name = \"p\", kind = \"type\", cases = [{name = \"x\"}]}]",
       "'cases' belong to parameters of kind \"case\""},
      {"[[type]]\nname = \"t\"\nparameters = [{name = \"p\", kind = \"case\", cases = [{name = \"x\"}, {name "
       "= "
       "\"x\"}]}]",
       "case 'x' is defined twice in one version"},
  };
  for (const Mistake& mistake : mistakes) {
    const auto dialect = ParseDialect(kStart + mistake.toml, "f.toml");
    ASSERT_FALSE(dialect) << mistake.toml;
    const Diagnostic& d = dialect.error()[0];
    EXPECT_EQ(d.message.substr(0, std::string_view(mistake.message).size()), mistake.message) << mistake.toml;
    EXPECT_TRUE(!mistake.hint || d.hint == mistake.hint) << mistake.toml << d.hint;
    EXPECT_EQ(d.code, Code::kUsage);
    EXPECT_EQ(d.place.file, "f.toml");
    EXPECT_GE(d.place.line, 3u) << mistake.toml;
  }
  const Mistake starts[] = {
      {"", "the file does not name its dialect", "write dialect = \"NAME\" first"},
      {"dialect = \"a b\"", "invalid dialect name 'a b'"},
      {"dialect = \"chlo\"", "'chlo' is a dialect that shlo-compat has", "choose another name"},
      {"dialect = \"a\"", "the dialect has no version", "write [[version]] and number = 1"},
      {"dialect = \"a\"\nversion = [{number = 2}]", "expected version number 1",
       "versions are numbered from 1, without gaps"},
      {"dialect = \"a\"\nversion = [{number = 1, stablehlo = \"x\"}]", "invalid version 'x'"},
      {"dialect = \"a\"\nversion = [{number = 1, stablehlo = \"1.2.0\"}, {number = 2, stablehlo = "
       "\"1.1.0\"}]",
       "a version has an older release of StableHLO than the one before it"},
      {"dialect = \"a\"\nversion = [{number = 1, release = \"x\"}, {number = 2, release = \"x\"}]",
       "release 'x' names two versions"},
  };
  for (const Mistake& mistake : starts) {
    const auto dialect = ParseDialect(mistake.toml, "f.toml");
    ASSERT_FALSE(dialect) << mistake.toml;
    EXPECT_EQ(dialect.error()[0].message.substr(0, std::string_view(mistake.message).size()),
              mistake.message);
    EXPECT_TRUE(!mistake.hint || dialect.error()[0].hint == mistake.hint) << dialect.error()[0].hint;
  }
}

}  // namespace
}  // namespace shlo
