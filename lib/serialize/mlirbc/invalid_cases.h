// Malformed artifacts: each is a valid file except for one thing, and states the expected diagnostic.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "serialize/mlirbc/test_file.h"

namespace shlo::mlirbc {

struct InvalidCase {
  const char* name;
  std::function<void(TestFile&)> make;
  const char* message;  // part of the expected diagnostic
};

inline std::string V(std::initializer_list<uint64_t> values) { return TestFile::V(values); }
inline std::string B(std::initializer_list<int> bytes) { return TestFile::B(bytes); }

// Returns every case, by the part of the file that it changes.
inline std::vector<InvalidCase> InvalidCases() {
  using F = TestFile;
  const auto body = [](const std::string& bytes) { return [=](F& f) { f.ir = F::Ir(bytes); }; };
  const auto attr = [](size_t i, const std::string& bytes) {
    return [=](F& f) { f.attrs[i].bytes = bytes; };
  };
  const auto type = [](size_t i, const std::string& bytes) {
    return [=](F& f) { f.types[i].bytes = bytes; };
  };
  const auto append = [](int section, const std::string& bytes) {
    return [=](F& f) { f.appended.push_back({section, bytes}); };
  };
  const auto replace = [](int section, const std::string& bytes) {
    return [=](F& f) { f.replaced.push_back({section, bytes}); };
  };
  // An attribute of the builtin dialect.
  const auto own = [](size_t i, const std::string& bytes) { return [=](F& f) { f.attrs[i] = {0, bytes}; }; };
  // An attribute of the dialect sdy; attribute 8 is a symbol.
  const auto sdy = [](const std::string& bytes) {
    return [=](F& f) {
      f.strings.push_back("sdy"), f.dialects.push_back({10, false}), f.attrs[1] = {2, bytes};
      f.attrs.push_back({0, V({4, 3})});
    };
  };
  // A quantized type: types 3 and 4 are i8 and f32, attributes 8 and 9 a scale for `blocks` blocks, and a
  // zero point for one.
  const auto sub_channel = [](const std::string& bytes, int64_t blocks) {
    return [=](F& f) {
      f.strings.push_back("quant"), f.dialects.push_back({10, false}), f.types[0] = {2, bytes};
      f.types.push_back({0, V({0, 8 << 2})}), f.types.push_back({0, V({5})});
      f.types.push_back({0, V({13, 1}) + TestFile::S(blocks) + V({4})});
      f.types.push_back({0, V({13, 1}) + TestFile::S(1) + V({3})});
      f.attrs.push_back({0, V({18, 5, 4}) + B({0, 0, 0, 64})}),
          f.attrs.push_back({0, V({18, 6, 1}) + B({7})});
    };
  };
  // chlo.scan with its properties up to the sizes of its lists of operands: attribute 9 is a dimension of 0.
  const auto segments = [](const std::string& bytes) {
    return [=](F& f) {
      f.strings.insert(f.strings.end(), {"chlo", "scan"});
      f.dialects.push_back({10, false}), f.names[2] = {2, 11};
      f.properties[2] = V({5, 0, 5, 0}) + bytes;
    };
  };
  const auto again = [](int section) { return [=](F& f) { f.order.push_back(section); }; };
  // The section comes last and states a size larger than the rest of the file.
  const auto past_end = [](int section) {
    return [=](F& f) { std::erase(f.order, section), f.after = B({section}) + V({1000}); };
  };
  const auto resources = [](const std::string& offsets, const std::string& data) {
    return [=](F& f) { f.replaced = {{kResourceOffsetSection, offsets}, {kResourceSection, data}}; };
  };
  const auto drop = [](int section) { return [=](F& f) { std::erase(f.order, section); }; };
  const std::string huge = B({0, 255, 255, 255, 255, 255, 255, 255, 127});
  const std::string args = V({1 << 1, 1});
  return {
      {"magic", [](F& f) { f.magic = "ML\xEFS"; }, "magic number"},
      {"format 7", [](F& f) { f.format = 7; }, "unknown bytecode format 7"},
      {"format huge", [](F& f) { f.format = ~0ull; }, "the newest known format is"},
      {"no sections", [](F& f) { f.order.clear(); }, "'strings' is missing"},
      {"no strings", drop(kStringSection), "'strings' is missing"},
      {"no dialects", drop(kDialectSection), "'dialects' is missing"},
      {"no attributes", drop(kNodeSection), "'attributes and types' is missing"},
      {"no offsets", drop(kNodeOffsetSection), "'attribute and type offsets' is missing"},
      {"no operations", drop(kIrSection), "'operations' is missing"},
      {"no properties", drop(kPropertySection), "'properties' is missing"},
      {"resources without offsets", drop(kResourceOffsetSection), "only one of the sections 'resources' and"},
      {"offsets without resources", drop(kResourceSection), "only one of the sections 'resources' and"},
      {"properties before format 5", [](F& f) { f.format = 4; }, "format 4 has no section"},
      {"a section twice", [](F& f) { f.order.push_back(kIrSection); }, "duplicate section 'operations'"},
      {"section 9", [](F& f) { f.order.push_back(9); }, "unknown section 9"},
      {"section 127", [](F& f) { f.order.push_back(127); }, "unknown section 127"},
      {"half a section", [](F& f) { f.after = B({0}); }, "expected a number"},
      {"a section past the end", [](F& f) { f.order.pop_back(), f.after = B({8}) + V({1000}); },
       "has size 1000"},
      {"a section of all bytes", [huge](F& f) { f.order.pop_back(), f.after = B({8}) + huge; }, "with only"},
      {"half a number",
       [](F& f) {
         f.after = B({8, 2});
       },
       "end of data inside a number"},
      {"alignment 3",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 3});
       },
       "not a power of two"},
      {"alignment 0",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 0});
       },
       "not a power of two"},
      {"alignment 2^40",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 1ull << 40});
       },
       "not a power of two, or is too large"},
      {"padding of another kind",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 1 << 20}) + std::string(16, '\1');
       },
       "padding before aligned data"},
      {"padding past the end",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 1 << 30});
       },
       "expected another byte"},

      {"strings: a count of all", replace(kStringSection, huge), " count "},
      {"strings: one too many", [](F& f) { f.stated_strings = 11; }, "string"},
      {"strings: one too few", [](F& f) { f.stated_strings = 9; }, "string sizes"},
      {"strings: none", replace(kStringSection, V({0})), "has string index 0 out of range [0, 0)"},
      {"strings: no NUL", replace(kStringSection, V({2, 2, 2}) + "abc" + B({0})), "is not NUL-terminated"},
      {"strings: size 0", replace(kStringSection, V({1, 0}) + "abc"), "string 0 has size 0"},
      {"strings: size past the start", replace(kStringSection, V({1, 50}) + "abc"), "string 0 has size 50"},
      {"strings: more bytes", append(kStringSection, "x"), "string"},

      {"dialects: a count of all", replace(kDialectSection, huge), " count "},
      {"dialects: name past the strings", [](F& f) { f.dialects[1].first = 10; }, "dialect name has string index 10"},
      {"dialects: version elsewhere", replace(kDialectSection, V({1, 1}) + TestFile::Section(0, "x")),
       "expected section 'dialect version'"},
      {"dialects: name of an op past the strings", [](F& f) { f.names[1].string = 77; },
       "op name has string index 77"},
      {"dialects: an op of no dialect", [](F& f) { f.names[1].dialect = 2; }, "dialect index 2 out of range"},
      {"dialects: too few names", [](F& f) { f.stated_names = 9; }, "expected 9 op names, got 5"},
      {"dialects: too many names", [](F& f) { f.stated_names = 1; }, "expected 1 op name, got 5"},
      {"dialects: a run of all", append(kDialectSection, V({0}) + huge), " count "},
      {"an unknown portable op", [](F& f) { f.strings[5] = "add_v7"; },
       "unregistered operation 'vhlo.add_v7'"},
      {"an unknown op", [](F& f) { f.strings[1] = "stablehlo", f.strings[5] = "plus"; },
       "unregistered operation 'stablehlo."},

      {"offsets: a count of all", replace(kNodeOffsetSection, huge), " count "},
      {"offsets: too many attributes", [](F& f) { f.stated_attrs = 60; }, " count "},
      {"offsets: one attribute more", [](F& f) { f.stated_attrs = 9; }, "expected a number"},
      {"offsets: one type less", [](F& f) { f.stated_types = 2; }, "trailing data after the last type"},
      {"offsets: a run of none", replace(kNodeOffsetSection, V({1, 1, 0, 0, 0, 0, 0, 0})),
       "run of attributes has 0 entries"},
      {"offsets: a long run", replace(kNodeOffsetSection, V({1, 1, 0, 5, 2, 2, 2, 2, 2})),
       "run of attributes has 5 entries"},
      {"offsets: a long second run", replace(kNodeOffsetSection, V({3, 1, 0, 2, 2, 2, 0, 2, 2, 2})),
       "run of attributes has 2 entries, with only 1 left"},
      {"offsets: no dialect", [](F& f) { f.attrs[3].dialect = 5; }, "dialect index 5 out of range"},
      {"offsets: size past the end", [](F& f) { f.attrs[0].stated_size = 1000; }, "an entry of size 1000"},
      {"offsets: size overflows", [](F& f) { f.attrs[0].stated_size = INT64_MAX >> 1; }, "with only"},
      {"offsets: bytes left over", append(kNodeSection, "x"), "attributes and types use"},

      {"attribute: nothing", [](F& f) { f.attrs[3].stated_size = 0, f.attrs[3].bytes = ""; },
       "expected a number"},
      {"attribute: unknown code", attr(3, V({63, 6})), "unknown code 63 of an attribute"},
      {"attribute: code past all", attr(3, huge), " of an attribute in dialect"},
      {"attribute: longer than it is", attr(3, V({14, 6, 0})), "trailing bytes after the"},
      {"attribute: string past the end", attr(3, V({14, 99})), "string index 99 out of range"},
      {"attribute: refers to itself", attr(1, V({1, 1, 1})), "recursive "},
      {"attribute: a cycle",
       [](F& f) {
         f.attrs[1].bytes = V({1, 1, 4}), f.attrs[4].bytes = V({1, 1, 1});
       },
       "recursive "},
      {"attribute: refers past the end", attr(1, V({1, 1, 50})), "attribute index 50 out of range"},
      {"attribute: list of all", attr(1, V({1}) + huge), " count "},
      {"attribute: a type past the end", attr(2, V({17, 3})), "type index 3 out of range"},
      {"attribute: boolean 2", attr(1, V({2, 2})), "neither 0 nor 1"},
      {"attribute: no case", attr(1, V({3, 6})), "of comparison_direction"},
      {"attribute: float of a tensor", attr(1, V({8, 1, 0})), "float attribute has a non-float type"},
      {"attribute: integer of a float", attr(1, V({9, 0, 0})), "integer attribute has a non-integer type"},
      {"attribute: dictionary without a string", attr(1, V({6, 1, 2, 2})), "expected a string attribute as name"},
      {"attribute: dictionary with a key twice", attr(1, V({6, 2, 3, 3, 3, 3})), "dictionary has a duplicate key"},
      {"attribute: accuracy without a mode", attr(1, V({20, 0, 0, 0, 3})), "expected a result_accuracy_mode attribute as mode"},
      {"attribute: part of an axis", attr(1, V({22, 3, 2})), "flag of an optional attribute is neither 0 nor 1"},
      {"attribute: axis of something", attr(1, V({22, 3, 1, 3})), "expected a sub_axis_info attribute as part of an axis"},
      {"attribute: list that is none", attr(1, V({23, 3, 3})), "expected an array attribute"},
      {"attribute: optional one past the end",
       [](F& f) {
         f.attrs.push_back({1, V({1, 0})}), f.attrs[1].bytes = V({25, 8, uint64_t(f.attrs.size()) << 1 | 1});
       },
       "attribute index "},
      {"attribute: optional bit",
       [](F& f) {
         f.attrs.push_back({1, V({1, 0})}), f.attrs[1].bytes = V({25, 8, 2});
       },
       "flag of an optional attribute is neither 0 nor 1"},
      {"elements: blob past the end", attr(5, V({15, 1, 100})), "constant size 100 exceeds the 0 bytes left"},
      {"elements: wrong size", attr(5, V({15, 1, 3}) + "abc"), "expected 2 elements of 4 bytes, got 3 bytes"},
      {"elements: no tensor", attr(5, V({15, 0, 4}) + "abcd"), "elements attribute has a non-shaped type"},
      {"elements: dynamic",
       [](F& f) {
         f.types[1].bytes = V({20, 1}) + F::S(INT64_MIN) + V({0});
       },
       "not have a static shape"},
      {"elements: of tokens", [](F& f) { f.types[0].bytes = V({22}); }, "cannot be stored in an elements attribute"},
      {"location: file without a name", attr(7, V({11, 0, 3, 4})), "expected a string attribute as name"},
      {"location: huge line", attr(7, V({11, 6, 1ull << 40, 4})), "line or column exceeds 32 bits"},
      {"location: of nothing", attr(7, V({10, 6, 6})), "call site is not a location"},
      {"location: fused of strings", attr(7, V({12, 1, 6})), "part of a fused location is not a location"},
      {"location: five numbers", attr(7, V({22, 6, 5, 1, 1, 1, 1, 1})), "more than 4 line and column numbers"},
      {"text: no NUL",
       [](F& f) {
         f.attrs[7] = {0, "loc(unknown)", false};
       },
       "is not NUL-terminated"},
      {"text: nothing",
       [](F& f) {
         f.attrs[7] = {0, "", false};
       },
       "text of an attribute or type is empty"},
      {"text: no attribute",
       [](F& f) {
         f.attrs[1] = {0, std::string("][\0", 3), false};
       },
       "cannot parse"},
      {"text: two attributes",
       [](F& f) {
         f.attrs[1] = {0, std::string("1 2\0", 4), false};
       },
       "cannot parse"},
      {"text: no type",
       [](F& f) {
         f.types[1] = {0, std::string("tensor<\0", 8), false};
       },
       "cannot parse"},

      {"type: unknown code", type(0, V({43})), "unknown code 43 of a type"},
      {"type: longer than it is", type(0, V({4, 0})), "trailing bytes after the"},
      {"type: refers to itself", type(1, V({23, 1, 1})), "recursive "},
      {"type: refers past the end", type(1, V({25, 3})), "type index 3 out of range"},
      {"type: negative dimension", type(1, V({20, 1}) + F::S(-5) + V({0})), "negative dimension"},
      {"type: all dimensions", type(1, V({20}) + huge), " count "},
      {"type: width 0",
       [](F& f) {
         f.types[0] = {0, V({0, 0})};
       },
       "invalid width or signedness"},
      {"type: signedness 3",
       [](F& f) {
         f.types[0] = {0, V({0, 32 << 2 | 3})};
       },
       "invalid width or signedness"},

      {"ops: nothing", [](F& f) { f.ir = ""; }, "expected a number"},
      {"ops: two at the top", [](F& f) { f.ir = V({2 << 1}); }, "expected one top-level op"},
      {"ops: more after the last", [](F& f) { f.ir += "x"; }, "trailing data after the last op"},
      {"ops: no name", body(V({1, 0, 1 << 1, 9})), "op name index 9 out of range"},
      {"ops: unknown parts", body(V({1, 0, 1 << 1, 4}) + B({128}) + V({0})), "unknown bits in the op's encoding mask"},
      {"ops: no location", body(V({1, 0, 1 << 1, 4}) + B({0}) + V({99})), "attribute index 99 out of range"},
      {"ops: location that is none", body(V({1, 0, 1 << 1, 4}) + B({0}) + V({3})),
       "expected a location attribute"},
      {"ops: attributes past the end", body(V({1, 0, 1 << 1, 4}) + B({1}) + V({0, 99})), "attribute index 99 out of range"},
      {"ops: attributes that are none", body(V({1, 0, 1 << 1, 4}) + B({1}) + V({0, 3})), "not a dictionary"},
      {"ops: properties past the end", body(V({1, 1, 1 << 1, 2}) + B({66}) + V({0, 9, 1, 1})),
       "properties index 9 out of range"},
      {"ops: results of all", body(V({1, 0, 1 << 1, 4}) + B({2}) + V({0}) + huge), " count "},
      {"ops: result of no type", body(V({1, 1, 1 << 1, 3}) + B({2}) + V({0, 1, 9})), "type index 9 out of range"},
      {"ops: more results than values", body(V({1, 0, 1 << 1, 3}) + B({2}) + V({0, 1, 1})),
       "region declares 0 values, but defines more"},
      {"ops: fewer results than values", body(V({1, 2, 1 << 1, 3}) + B({2}) + V({0, 1, 1})),
       "region declares 2 values, but defines 1"},
      {"ops: operand past the end", body(V({1, 1, 1 << 1, 3}) + B({6}) + V({0, 1, 1, 1, 7})), "value index 7 out of range"},
      {"ops: operands of all", body(V({1, 0, 1 << 1, 4}) + B({4}) + V({0}) + huge), " count "},
      {"ops: successor past the end", body(V({1, 0, 1 << 1, 4}) + B({8}) + V({0, 1, 3})), "block index 3 out of range"},
      {"ops: no regions", body(V({1, 0, 1 << 1, 4}) + B({16}) + V({0, 0})), "op has 0 regions"},
      {"ops: all regions", body(V({1, 0, 1 << 1, 4}) + B({16}) + V({0, 1ull << 50})), " regions, with only"},
      {"ops: regions in another section",
       body(V({1, 0, 1 << 1, 1}) + B({16}) + V({0, 1 << 1 | 1}) + TestFile::Section(0, V({0}))),
       "expected section 'operations'"},
      {"ops: regions of another length",
       body(V({1, 0, 1 << 1, 1}) + B({16}) + V({0, 1 << 1 | 1}) + TestFile::Section(4, V({0, 0}))),
       "trailing data after the last region"},
      {"regions: all blocks", body(V({1ull << 40})), " count "},
      {"regions: all values", body(V({1, 1ull << 40})), " count "},
      {"blocks: all ops", body(V({1, 0, 1ull << 50})), "block has"},
      {"blocks: all arguments", body(V({1, 0, 1}) + huge), " count "},
      {"blocks: argument of no type", body(V({1, 1, 1, 1, 9 << 1})), "type index 9 out of range"},
      {"blocks: more arguments than values", body(V({1, 0, 1, 1, 0})), "region declares 0 values, but defines more"},
      {"blocks: unknown parts", body(V({1, 1, 1, 1, 1 << 1}) + B({1})), "unknown bits in the block's encoding mask"},
      {"uses: no permutation", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({2 << 1, 1, 1})), "not a permutation"},
      {"uses: past the end", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({2 << 1, 5, 1})), "not a permutation"},
      {"uses: half a pair", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({3 << 1 | 1, 0, 1, 2})),
       "use-list order has an odd number of indices"},
      {"uses: all", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({1ull << 50})), " count "},
      {"uses: of more values than there are",
       body(V({1, 2, 1, 2, 1 << 1, 1 << 1}) + B({32}) + V({3, 0, 0, 0, 0, 0})),
       "more use-list orders than values"},

      {"properties: a count of all", replace(kPropertySection, huge), " count "},
      {"properties: one too many", [](F& f) { f.stated_properties = 4; }, "expected a number"},
      {"properties: more bytes", append(kPropertySection, "x"), "trailing data after the last properties"},
      {"properties: too short",
       [](F& f) {
         f.properties[1] = V({1, 2});
       },
       "expected a number"},
      {"properties: too long",
       [](F& f) {
         f.properties[2] = V({5, 0});
       },
       "trailing bytes after the properties of an op"},
      {"properties: attribute past the end", [](F& f) { f.properties[2] = V({50}); }, "attribute index 50 out of range"},
      {"properties: half absent",
       [](F& f) {
         f.properties[0] = V({2, 0});
       },
       "flag of an optional attribute is neither 0 nor 1"},

      {"resources: no kind", replace(kResourceOffsetSection, V({0, 0, 1, 6, 0}) + B({9})), "unknown resource kind 9"},
      {"resources: past the end", replace(kResourceOffsetSection, V({0, 0, 1, 6, 9}) + B({0})),
       "resource has size 9"},
      {"resources: no key", replace(kResourceOffsetSection, V({0, 0, 1, 99, 0}) + B({0})), "string index 99 out of range"},
      {"resources: a count of all", replace(kResourceOffsetSection, V({0, 0}) + huge), " count "},
      {"resources: no dialect", replace(kResourceOffsetSection, V({0, 7, 0})), "dialect index 7 out of range"},
      {"resources: all groups", replace(kResourceOffsetSection, huge), " count "},
      {"resources: bytes left over", append(kResourceSection, "x"), "trailing data after the last resource"},
      {"a version that has it not",
       [](F& f) { f.strings[5] = "exponential_v2", f.producer = "StableHLO_v1.0.0"; },
       "does not exist in 1.0.0"},
      // --- the frame
      {"nothing at all", [](F& f) { f.cut = 0; }, "file is empty"},
      {"half the magic", [](F& f) { f.cut = 3; }, "file has 3 bytes, fewer than the magic"},
      {"the magic only", [](F& f) { f.cut = 4; }, "expected a number"},
      {"half the producer", [](F& f) { f.cut = 9; }, "producer string is not NUL-terminated"},
      {"half of the first section", [](F& f) { f.cut = 26; }, "section 'dialects' has size"},
      {"a section twice: strings", again(kStringSection), "duplicate section 'strings'"},
      {"a section twice: dialects", again(kDialectSection), "duplicate section 'dialects'"},
      {"a section twice: attributes", again(kNodeSection), "duplicate section 'attributes and types'"},
      {"a section twice: offsets", again(kNodeOffsetSection), "duplicate section 'attribute and type offsets'"},
      {"a section twice: resources", again(kResourceSection), "duplicate section 'resources'"},
      {"a section twice: offsets of resources", again(kResourceOffsetSection), "duplicate section 'resource offsets'"},
      {"a section twice: properties", again(kPropertySection), "duplicate section 'properties'"},
      {"a version of a dialect at the top", [](F& f) { f.order.push_back(kDialectVersionSection); },
       "is outside of section 'dialects'"},
      {"strings past the end", past_end(kStringSection), "section 'strings' has size 1000"},
      {"dialects past the end", past_end(kDialectSection), "section 'dialects' has size 1000"},
      {"attributes past the end", past_end(kNodeSection), "section 'attributes and types' has size 1000"},
      {"offsets past the end", past_end(kNodeOffsetSection),
       "section 'attribute and type offsets' has size 1000"},
      {"operations past the end", past_end(kIrSection), "section 'operations' has size 1000"},
      {"resources past the end", past_end(kResourceSection), "section 'resources' has size 1000"},
      {"offsets of resources past the end", past_end(kResourceOffsetSection),
       "section 'resource offsets' has size 1000"},
      {"a section without an alignment", [](F& f) { f.after = B({0x88, 1}); }, "expected a number"},

      // --- strings and dialects
      {"strings: an empty section", replace(kStringSection, ""), "expected a number"},
      {"strings: count and nothing", replace(kStringSection, V({3})), "string count 3 exceeds the 0 bytes left"},
      {"strings: a size that overflows", replace(kStringSection, V({1, 1ull << 62}) + "abc"), "string 0 has size 46116"},
      {"dialects: an empty section", replace(kDialectSection, ""), "expected a number"},
      {"dialects: one more than there is", replace(kDialectSection, V({2, 0})), "dialect count 2"},
      {"dialects: a version that is not there", replace(kDialectSection, V({1, 1})), "expected another byte"},
      {"dialects: half a version", replace(kDialectSection, V({1, 1}) + B({7}) + V({40})),
       "section 'dialect version' has size 40"},
      {"dialects: an op name without a string", replace(kDialectSection, V({1, 0, 1, 0, 1})),
       "op name count 1 exceeds the 0 bytes"},
      {"dialects: more names than bytes", replace(kDialectSection, V({1, 0, 77})), "op name count 77"},
      {"dialects: format 0 with flags", [](F& f) { f.format = 0, std::erase(f.order, kPropertySection); }, "which bytecode format 0 does not support"},

      // --- attributes of VHLO, each with its own encoding ----------------------------------------
      {"attribute: half a list", attr(1, V({1, 2, 4})), "list item count 2 exceeds the 1 byte left"},
      {"attribute: no type of comparison", attr(1, V({4, 6})), "unknown case 6 of comparison_type"},
      {"attribute: a type of comparison of a newer version", attr(1, V({4, 5})),
       "comparison_type 'WEAKORDER' does not exist in 1.9.0 (62)"},
      {"attribute: no version of an API", attr(1, V({5, 9})), "unknown case 9 of"},
      {"attribute: no type of transform", attr(1, V({7, 4})), "unknown case 4 of fft_type"},
      {"attribute: no precision", attr(1, V({11, 3})), "unknown case 3 of precision"},
      {"attribute: no random algorithm", attr(1, V({12, 3})), "unknown case 3 of rng_algorithm"},
      {"attribute: no random distribution", attr(1, V({13, 9})), "unknown case 9 of rng_distribution"},
      {"attribute: no transposition", attr(1, V({16, 9})), "unknown case 9 of transpose"},
      {"attribute: no mode of accuracy", attr(1, V({19, 9})), "unknown case 9 of result_accuracy_mode"},
      {"attribute: half an entry", attr(1, V({6, 1, 3})), "list item count 1 exceeds the 1 byte left"},
      {"attribute: float without bits", attr(1, V({8, 0})), "expected a number"},
      {"attribute: integer of no type", attr(1, V({9, 9})), "type index 9 out of range"},
      {"attribute: integer without bits",
       [](F& f) {
         f.types[0].bytes = V({13}), f.attrs[1].bytes = V({9, 0});
       },
       "expected a number"},
      {"attribute: small integer without a byte",
       [](F& f) {
         f.types[0].bytes = V({11}), f.attrs[1].bytes = V({9, 0});
       },
       "expected another byte"},
      {"attribute: wide integer of too many words",
       [](F& f) {
         f.types[0] = {0, V({0, 128 << 2})}, f.attrs[1] = {0, V({8, 0, 3, 1, 1, 1})};
       },
       "wider than its type"},
      {"attribute: wide integer of all words",
       [huge](F& f) {
         f.types[0] = {0, V({0, 128 << 2})}, f.attrs[1] = {0, V({8, 0}) + huge};
       },
       "integer word count"},
      {"attribute: wide float of too many words",
       [](F& f) {
         f.types[0] = {0, V({8})}, f.attrs[1] = {0, V({9, 0, 3, 1, 1, 1})};
       },
       "float is wider than its type"},
      {"attribute: alias of half a tuple", attr(1, V({10, 3, 1})), "list item count 3"},
      {"attribute: bounds of all", attr(1, V({18}) + huge), "list item count"},
      {"attribute: half a sub axis", attr(1, V({21, 2})), "expected a number"},
      {"attribute: axis named by a type", attr(1, V({22, 2, 0})), "expected a string attribute as name"},
      {"attribute: devices past the end",
       [](F& f) {
         f.attrs.push_back({1, V({1, 0})}), f.attrs[1].bytes = V({25, 8, 99 << 1 | 1});
       },
       "attribute index 99 out of range [0, 9)"},
      {"attribute: mesh axis without a size", attr(1, V({24, 3})), "expected a number"},
      {"attribute: accuracy of all modes", attr(1, V({20, 0, 0, 0, 77})), "attribute index 77 out of range"},

      // --- builtin attributes
      {"builtin: a symbol named by a location", own(1, V({4, 7})), "expected a string attribute as name"},
      {"builtin: a nested symbol that is none", own(1, V({5, 6, 1, 6})), "expected a symbol as nested symbol reference"},
      {"builtin: a string of no type", own(1, V({3, 6, 9})), "type index 9 out of range"},
      {"builtin: a type past the end", own(1, V({6, 12})), "type index 12 out of range"},
      {"builtin: an array of another size", own(1, V({17, 0, 3, 4}) + "abcd"), "expected array data of 3 elements, got 4 bytes"},
      {"builtin: an array past the end", own(1, V({17, 0, 3, 12}) + "abcd"), "array size 12 exceeds the 4 bytes left"},
      {"builtin: fewer strings than elements", own(1, V({19, 1, 0, 6})), "fewer strings than elements"},
      {"builtin: strings of what is no tensor", own(1, V({19, 0, 0, 6})), "not have a statically shaped type"},
      {"builtin: strings that are half equal", own(1, V({19, 1, 2, 6})), "neither 0 nor 1"},
      {"builtin: a string of elements past the end", own(1, V({19, 1, 1, 60})), "string index 60 out of range"},
      {"builtin: half a sparse tensor", own(1, V({20, 1, 4})), "expected a number"},
      {"builtin: a resource that is not there", own(1, V({16, 1, 0})), "resource index 0 out of range [0, 0)"},
      {"builtin: something distinct past the end", own(1, V({21, 50})), "attribute index 50 out of range"},
      {"location: a name around a string", own(7, V({14, 6, 3})), "expected a location attribute"},
      {"location: a range past every line", own(7, V({22, 6, 2, 1ull << 40, 1})), "line or column exceeds 32 bits"},
      {"location: half a call", own(7, V({10, 0})), "expected a number"},
      {"location: a call of itself", own(7, V({10, 7, 0})), "recursive attribute"},
      {"location: all parts", own(7, V({12}) + huge), "list item count"},

      // --- types
      {"type: nothing", type(1, ""), "expected a number"},
      {"type: complex of nothing", type(0, V({1})), "expected a number"},
      {"type: a function of all", type(2, V({8}) + huge), "list item count"},
      {"type: a function without results", type(2, V({8, 1, 1})), "expected a number"},
      {"type: a function of itself", type(2, V({8, 1, 2, 1, 1})), "recursive type"},
      {"type: an encoding past the end", type(1, V({21, 77, 1, 2, 0})), "attribute index 77 out of range"},
      {"type: half a dimension", type(1, V({20, 2, 1})), "list item count 2"},
      {"type: half a quantization", type(1, V({24, 0, 0, 0})), "expected a number"},
      {"type: a buffer with a negative side", type(1, V({41, 1}) + F::S(-3) + V({0})), "negative dimension"},
      {"type: a future of all", type(1, V({42}) + huge), "list item count"},
      {"type: a builtin one of no code",
       [](F& f) {
         f.types[0] = {0, V({33})};
       },
       "unknown code 33 of a type in dialect 'builtin'"},
      {"type: wider than any",
       [](F& f) {
         f.types[0] = {0, V({0, 1ull << 30})};
       },
       "invalid width or signedness"},
      {"type: a vector with a side of 7",
       [](F& f) {
         f.types[1] = {0, V({20, 1}) + B({1}) + V({1}) + F::S(-7) + V({0})};
       },
       "negative dimension"},
      {"type: of a dialect without any",
       [](F& f) {
         f.strings.push_back("x"), f.dialects.push_back({10, false}), f.types[0] = {2, V({0})};
       },
       "unknown encoding (code 0) of a type in dialect 'x'"},
      {"attribute: of a dialect without any",
       [](F& f) {
         f.strings.push_back("x"), f.dialects.push_back({10, false}), f.attrs[1] = {2, V({0})};
       },
       "unknown encoding (code 0) of an attribute in dialect 'x'"},
      {"properties: of an op that is not known",
       [](F& f) {
         f.strings.push_back("x"), f.dialects.push_back({10, false}), f.names[2].dialect = 2;
       },
       "unknown encoding of the properties of 'x.constant_v1'"},
      {"quantized: scales that are a string", sub_channel(V({6, 1, 3, 4, 0, 0, 0, 0, 6, 9}), 1),
       "scales or zero points are not dense elements"},
      {"quantized: scales of another shape", sub_channel(V({6, 1, 3, 4, 0, 0, 0, 0, 8, 9}), 2),
       "scales and zero points have different shapes"},
      {"quantized: a dimension without a block", sub_channel(V({6, 1, 3, 4, 0, 0, 1, 0, 0, 8, 9}), 1),
       "numbers of dimensions and block sizes differ"},
      {"quantized: one scale for too many blocks", sub_channel(V({6, 1, 3, 4, 0, 0, 0, 0, 8, 9}), 1 << 30),
       "number of scales exceeds the limit of 1048576"},
      {"sdy: unknown code", sdy(V({18})), "unknown encoding (code 18) of an attribute in dialect 'sdy'"},
      {"sdy: an axis that is none", sdy(V({5, 1, 0}) + B({1}) + V({0})), "expected an attribute 'axis_ref' in"},
      {"sdy: a part of an axis past the end", sdy(V({4, 2, 99 << 1 | 1})), "attribute index 99 out of range"},
      {"sdy: a name past the strings", sdy(V({1, 77, 2})), "string index 77 out of range"},
      {"sdy: a factor below zero", sdy(V({8, 1, 1})), "factor number out of range"},
      {"sdy: no factors", sdy(V({8, 0})), "dimension has no factors"},
      {"sdy: a count of all", sdy(V({2, 0}) + huge), "number count"},
      {"sdy: a boolean of 2", sdy(V({5, 0}) + B({2}) + V({0})), "boolean is neither 0 nor 1"},
      {"sdy: a reduction of no kind", sdy(V({17, 8, 0, 0, 0, 14})), "unknown reduction kind"},
      {"sdy: more bytes", sdy(V({3, 0, 0, 0})), "trailing bytes after the"},
      {"sdy: much text of few bytes",
       [](F& f) {
         f.strings.push_back("sdy"), f.strings.push_back(std::string(1 << 20, 'x'));
         f.dialects.push_back({10, false});
         std::string mesh = V({2, 100});
         for (int i = 0; i < 100; ++i) mesh += V({f.attrs.size()});
         f.attrs[1] = {2, mesh + V({0})};
         f.attrs.push_back({2, V({1, 11, 2})});
       },
       "size of attributes kept as text exceeds the limit of 64 MiB"},
      {"quantized: much text of few types",
       [](F& f) {
         f.strings.push_back("quant"), f.dialects.push_back({10, false});
         f.types.push_back({0, "!x." + std::string(1 << 20, 'x') + '\0', false});
         f.types[2].bytes = V({8, 64});
         for (int i = 0; i < 64; ++i) {
           f.types[2].bytes += V({f.types.size()});
           f.types.push_back({2, V({2, uint64_t(i), 0, 3, 0, 0})});
         }
         f.types[2].bytes += V({0});
       },
       "size of types kept as text exceeds the limit of 64 MiB"},
      {"quantized: scales of 16 bytes",
       [=](F& f) {
         sub_channel(V({6, 1, 3, 4, 0, 0, 0, 0, 8, 9}), 1)(f);
         f.types[4].bytes = V({8}), f.attrs[8].bytes = V({18, 5, 16}) + std::string(16, '\0');
       },
       "unsupported type of scales or zero points"},
      {"attribute: an integer of very many bits",
       [](F& f) {
         f.types[0] = {0, V({0, 65537 << 2})}, f.attrs[1] = {0, V({8, 0, 1, 1})};
       },
       "integer width exceeds the limit of 65536 bits"},
      {"elements: booleans of 2", [](F& f) { f.types[0].bytes = V({0}), f.attrs[5].bytes = V({15, 1, 2}) + B({1, 2}); },
       "boolean is neither 0 nor 1"},
      {"attribute: an algorithm with a boolean of 2",
       [](F& f) {
         f.strings.push_back("stablehlo"), f.dialects.push_back({10, false});
         f.attrs[1] = {2, V({15, 0, 0, 0, 1, 1, 1}) + B({2})};
       },
       "boolean is neither 0 nor 1"},
      {"dialects: more than 65536",
       [](F& f) {
         f.dialects.resize((1 << 16) + 1), f.attrs[1].dialect = 1 << 16;
       },
       "too many dialects"},
      {"types that need each other",
       [](F& f) {
         f.types[0].bytes = V({1, 1}), f.types[1].bytes = V({1, 0});
       },
       "recursive type"},
      {"a type and an attribute that need each other",
       [](F& f) {
         f.types[1].bytes = V({21, 1, 1, 2, 0}), f.attrs[1].bytes = V({17, 1});
       },
       "recursive "},

      // --- operations
      {"ops: a top that is no module", [](F& f) { f.ir = V({2, 4}) + B({0}) + V({0}); },
       "top-level op is not builtin.module"},
      {"ops: a mask and nothing", body(V({1, 0, 1 << 1, 4}) + B({1})), "expected a number"},
      {"ops: successors of all", body(V({1, 0, 1 << 1, 4}) + B({8}) + V({0}) + huge), "successor count"},
      {"ops: one region of two", body(V({1, 0, 1 << 1, 1}) + B({16}) + V({0, 2 << 1, 0})),
       "op has 2 regions, with only 1 byte"},
      {"ops: fewer than the block has", body(V({1, 0, 2 << 1, 4}) + B({0}) + V({0})), "expected a number"},
      {"ops: more than the block has", body(V({1, 0, 1 << 1, 4}) + B({0}) + V({0, 4}) + B({0}) + V({0})),
       "trailing data after the last region"},
      {"ops: a value of the function outside", body(V({1, 1, 1 << 1, 3}) + B({6}) + V({0, 1, 1, 1, 1})), "value index 1 out of range"},
      {"ops: an attribute given twice",
       [](F& f) {
         f.strings.push_back("value");
         f.attrs.push_back({0, V({2, 10})}), f.attrs.push_back({0, V({1, 1, 8, 5})});
         f.ir = F::Ir(V({1, 1, 1 << 1, 2}) + B({67}) + V({0, 9, 2, 1, 1}));
       },
       "op has a duplicate attribute 'value'"},
      {"ops: properties before there were any",
       [](F& f) { f.format = 4, std::erase(f.order, kPropertySection); }, "which bytecode format 4 does not support"},
      {"ops: an order of uses before there was one",
       [](F& f) {
         f.format = 2, std::erase(f.order, kPropertySection);
         f.ir = V({2, 4}) + B({32}) + V({0});
       },
       "op has use-list orders, which bytecode format 2 does not support"},
      {"ops: deeper than the limit",
       [](F& f) {
         std::string deep;
         for (int i = 0; i < 600; ++i) deep += V({1, 0, 1 << 1, 4}) + B({16}) + V({0, 1 << 1});
         f.ir = F::Ir(deep + V({0}));
       },
       "nesting of regions exceeds the limit of 500"},
      {"ops: a discardable attribute given twice",
       [](F& f) {
         f.names[2].registered = false;
         f.attrs.push_back({0, V({2, 6})}), f.attrs.push_back({0, V({1, 1, 8, 5})});
         f.properties[2] = V({9}), f.ir = F::Ir(V({1, 1, 1 << 1, 2}) + B({67}) + V({0, 9, 2, 1, 1}));
       },
       "op has a duplicate attribute 'main'"},
      {"ops: dimension numbers that are a number",
       [](F& f) {
         f.strings.insert(f.strings.end(), {"stablehlo", "dot_general", "dot_dimension_numbers"});
         f.dialects.push_back({10, false}), f.names[2] = {2, 11};
         f.attrs.push_back({0, V({2, 12})}), f.attrs.push_back({0, V({1, 1, 8, 5})});
         f.ir = F::Ir(V({1, 1, 1 << 1, 2}) + B({3}) + V({0, 9, 1, 1}));
       },
       "expected attribute 'dot_dimension_numbers' to be of kind 'dot'"},
      {"segments: one size for two lists", segments(V({1 << 1, 1})),
       "number of segment sizes differs from the number of segments"},
      {"segments: an index of 9 bits", segments(V({1 << 1 | 1, 9, 1})), "segment index out of range"},
      {"segments: the third of two", segments(V({1 << 1 | 1, 2, 1 << 2 | 2})), "segment index out of range"},
      {"segments: the largest", segments(V({2 << 1, 1, 1ull << 31})), "segment size is too large"},
      {"a version that no version contains",
       [](F& f) {
         f.producer = "x", f.strings[5] = "all_gather_v1", f.types.push_back({1, V({36})}), f.types[2].bytes = V({8, 2, 1, 3, 1, 1});
       },
       "no version can represent this program: type 'f8E3M4' does not exist in 1.4.0 (57)"},
      {"blocks: a location past the end", body(V({1, 1, 1, 1, 1 << 1 | 1, 60})), "attribute index 60 out of range"},
      {"blocks: no mask", body(V({1, 1, 1, 1, 1 << 1})), "expected another byte"},
      {"uses: of a value that is not there",
       body(V({1, 2, 1, 2, 1 << 1, 1 << 1}) + B({32}) + V({1, 5, 2 << 1, 1, 0})), "use-list value index 5"},
      {"uses: the same place twice", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({2 << 1, 0, 0})), "not a permutation"},

      // --- properties
      {"properties: one past the end", replace(kPropertySection, V({1, 100})), "op property size 100"},
      {"properties: all of them", replace(kPropertySection, V({1}) + huge), "op property size"},
      {"properties: of the module, half",
       [](F& f) {
         f.properties[0] = V({0});
       },
       "expected a number"},
      {"properties: of the module, past the end",
       [](F& f) {
         f.properties[0] = V({99 << 1 | 1, 0});
       },
       "attribute index 99 out of range [0, 8)"},
      {"properties: of the function, past the end",
       [](F& f) {
         f.properties[1] = V({1, 2, 1, 3, 44});
       },
       "attribute index 44 out of range"},
      {"properties: of an op that is not registered",
       [](F& f) {
         f.names[2].registered = false, f.properties[2] = V({3});
       },
       "properties of an op are not a dictionary"},

      // --- resources
      {"resources: one twice", resources(V({0, 0, 2, 6, 2}) + B({0}) + V({6, 2}) + B({0}), V({1, 0, 1, 0})),
       "duplicate resource 'main'"},
      {"resources: aligned to 3", resources(V({0, 0, 1, 6, 2}) + B({0}), V({3, 0})), "resource alignment"},
      {"resources: aligned to 0", resources(V({0, 0, 1, 6, 2}) + B({0}), V({0, 0})), "resource alignment"},
      {"resources: data past the end", resources(V({0, 0, 1, 6, 2}) + B({0}), V({1, 50})),
       "resource data size 50 exceeds the 0 bytes left"},
      {"resources: data and more", resources(V({0, 0, 1, 6, 4}) + B({0}), V({1, 1}) + "ab"),
       "trailing bytes after the data of a resource"},
      {"resources: half an alignment", resources(V({0, 0, 1, 6, 1}) + B({0}), V({1})), "expected a number"},
      {"resources: other padding", resources(V({0, 0, 1, 6, 40}) + B({0}), V({64, 1}) + std::string(38, 'x')),
       "padding before aligned data"},
      {"resources: of nobody", resources(V({1, 99, 0}), ""), "string index 99 out of range"},

      // --- versions
      {"no version has all ops",
       [](F& f) {
         f.producer = "MLIR", f.strings[4] = "exponential_v1", f.strings[5] = "async_done_v1";
         f.ir = F::Ir(V({1, 2, 2 << 1, 2}) + B({2}) + V({0, 1, 1, 3}) + B({2}) + V({0, 1, 1}));
       },
       "no version contains both '"},
      {"a version that has it no more", [](F& f) { f.strings[5] = "exponential_v1", f.producer = "StableHLO_v1.20.0"; },
       "does not exist in 1.20.0"},
  };
}

}  // namespace shlo::mlirbc
