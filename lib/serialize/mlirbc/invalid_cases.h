// Malformed artifacts: each is a valid file but for one thing, and states what the reader must say about it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "serialize/mlirbc/test_file.h"

namespace shlo::mlirbc {

struct InvalidCase {
  const char* name;
  std::function<void(TestFile&)> make;
  const char* message;  // what the diagnostic must say
};

inline std::string V(std::initializer_list<uint64_t> values) { return TestFile::V(values); }
inline std::string B(std::initializer_list<int> bytes) { return TestFile::B(bytes); }

// Every case, by the part of the file it is in.
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
  // A quantized type: types 3 and 4 are i8 and f32, attributes 8 and 9 a scale for so many blocks, and a zero
  // point for one.
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
  const auto again = [](int section) { return [=](F& f) { f.order.push_back(section); }; };
  // The section comes last and is said to be larger than what is left of the file.
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
      {"magic", [](F& f) { f.magic = "ML\xEFS"; }, "magic bytes"},
      {"format 7", [](F& f) { f.format = 7; }, "format is 7"},
      {"format huge", [](F& f) { f.format = ~0ull; }, "newest known"},
      {"no sections", [](F& f) { f.order.clear(); }, "'strings' is missing"},
      {"no strings", drop(kStringSection), "'strings' is missing"},
      {"no dialects", drop(kDialectSection), "'dialects' is missing"},
      {"no attributes", drop(kNodeSection), "'attributes and types' is missing"},
      {"no offsets", drop(kNodeOffsetSection), "'offsets of attributes and types' is missing"},
      {"no operations", drop(kIrSection), "'operations' is missing"},
      {"no properties", drop(kPropertySection), "'properties' is missing"},
      {"resources without offsets", drop(kResourceOffsetSection), "one is there without the other"},
      {"offsets without resources", drop(kResourceSection), "one is there without the other"},
      {"properties before format 5", [](F& f) { f.format = 4; }, "format 4 has no section"},
      {"a section twice", [](F& f) { f.order.push_back(kIrSection); }, "'operations' is there twice"},
      {"section 9", [](F& f) { f.order.push_back(9); }, "there is no section 9"},
      {"section 127", [](F& f) { f.order.push_back(127); }, "there is no section 127"},
      {"half a section", [](F& f) { f.after = B({0}); }, "end where a number is needed"},
      {"a section past the end", [](F& f) { f.order.pop_back(), f.after = B({8}) + V({1000}); },
       "has 1000 bytes"},
      {"a section of all bytes", [huge](F& f) { f.order.pop_back(), f.after = B({8}) + huge; }, "are left"},
      {"half a number",
       [](F& f) {
         f.after = B({8, 2});
       },
       "end inside a number"},
      {"alignment 3",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 3});
       },
       "no power of two"},
      {"alignment 0",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 0});
       },
       "no power of two"},
      {"alignment 2^40",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 1ull << 40});
       },
       "no power of two, or too large"},
      {"padding of another kind",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 1 << 20}) + std::string(16, '\1');
       },
       "padding before aligned bytes"},
      {"padding past the end",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 1 << 30});
       },
       "end where one more is needed"},

      {"strings: a count of all", replace(kStringSection, huge), "the count of"},
      {"strings: one too many", [](F& f) { f.stated_strings = 11; }, "string"},
      {"strings: one too few", [](F& f) { f.stated_strings = 9; }, "strings"},
      {"strings: none", replace(kStringSection, V({0})), "is string 0: there are 0"},
      {"strings: no NUL", replace(kStringSection, V({2, 2, 2}) + "abc" + B({0})), "does not end in NUL"},
      {"strings: size 0", replace(kStringSection, V({1, 0}) + "abc"), "string 0 has 0 bytes"},
      {"strings: size past the start", replace(kStringSection, V({1, 50}) + "abc"), "string 0 has 50 bytes"},
      {"strings: more bytes", append(kStringSection, "x"), "string"},

      {"dialects: a count of all", replace(kDialectSection, huge), "the count of"},
      {"dialects: name past the strings", [](F& f) { f.dialects[1].first = 10; }, "a dialect is string 10"},
      {"dialects: version elsewhere", replace(kDialectSection, V({1, 1}) + TestFile::Section(0, "x")),
       "section of another kind"},
      {"dialects: name of an op past the strings", [](F& f) { f.names[1].string = 77; },
       "an op is string 77"},
      {"dialects: an op of no dialect", [](F& f) { f.names[1].dialect = 2; }, "no dialect 2"},
      {"dialects: too few names", [](F& f) { f.stated_names = 9; }, "states 9 names of ops and has 5"},
      {"dialects: too many names", [](F& f) { f.stated_names = 1; }, "states 1 names of ops and has 5"},
      {"dialects: a run of all", append(kDialectSection, V({0}) + huge), "the count of"},
      {"an unknown portable op", [](F& f) { f.strings[5] = "add_v7"; },
       "unregistered operation 'vhlo.add_v7'"},
      {"an unknown op", [](F& f) { f.strings[1] = "stablehlo", f.strings[5] = "plus"; },
       "unregistered operation 'stablehlo."},

      {"offsets: a count of all", replace(kNodeOffsetSection, huge), "the count of"},
      {"offsets: too many attributes", [](F& f) { f.stated_attrs = 60; }, "the count of"},
      {"offsets: one attribute more", [](F& f) { f.stated_attrs = 9; }, "end where a number is needed"},
      {"offsets: one type less", [](F& f) { f.stated_types = 2; }, "more after the last type"},
      {"offsets: a run of none", replace(kNodeOffsetSection, V({1, 1, 0, 0, 0, 0, 0, 0})),
       "a run of attributes holds 0"},
      {"offsets: a long run", replace(kNodeOffsetSection, V({1, 1, 0, 5, 2, 2, 2, 2, 2})),
       "a run of attributes holds 5"},
      {"offsets: no dialect", [](F& f) { f.attrs[3].dialect = 5; }, "no dialect 5"},
      {"offsets: size past the end", [](F& f) { f.attrs[0].stated_size = 1000; }, "has 1000 bytes"},
      {"offsets: size overflows", [](F& f) { f.attrs[0].stated_size = INT64_MAX >> 1; }, "are left"},
      {"offsets: bytes left over", append(kNodeSection, "x"), "attributes and types take"},

      {"attribute: nothing", [](F& f) { f.attrs[3].stated_size = 0, f.attrs[3].bytes = ""; },
       "end where a number is needed"},
      {"attribute: unknown code", attr(3, V({63, 6})), "no attribute with the code 63"},
      {"attribute: code past all", attr(3, huge), "no attribute with the code"},
      {"attribute: longer than it is", attr(3, V({14, 6, 0})), "longer than what it holds"},
      {"attribute: string past the end", attr(3, V({14, 99})), "no string 99"},
      {"attribute: refers to itself", attr(1, V({1, 1, 1})), "refers to itself"},
      {"attribute: a cycle",
       [](F& f) {
         f.attrs[1].bytes = V({1, 1, 4}), f.attrs[4].bytes = V({1, 1, 1});
       },
       "refers to itself"},
      {"attribute: refers past the end", attr(1, V({1, 1, 50})), "no attribute 50"},
      {"attribute: list of all", attr(1, V({1}) + huge), "the count of"},
      {"attribute: a type past the end", attr(2, V({17, 3})), "no type 3"},
      {"attribute: boolean 2", attr(1, V({2, 2})), "neither 0 nor 1"},
      {"attribute: no case", attr(1, V({3, 6})), "no case of comparison_direction"},
      {"attribute: float of a tensor", attr(1, V({8, 1, 0})), "a float has a type that is none"},
      {"attribute: integer of a float", attr(1, V({9, 0, 0})), "an integer has a type that is none"},
      {"attribute: dictionary without a string", attr(1, V({6, 1, 2, 2})), "a name is an attribute"},
      {"attribute: dictionary with a key twice", attr(1, V({6, 2, 3, 3, 3, 3})), "a key twice"},
      {"attribute: accuracy without a mode", attr(1, V({20, 0, 0, 0, 3})), "mode of an accuracy"},
      {"attribute: part of an axis", attr(1, V({22, 3, 2})), "neither there nor absent"},
      {"attribute: axis of something", attr(1, V({22, 3, 1, 3})), "part of an axis is something else"},
      {"attribute: list that is none", attr(1, V({23, 3, 3})), "attribute of another kind"},
      {"attribute: optional bit",
       [](F& f) {
         f.attrs.push_back({1, V({1, 0})}), f.attrs[1].bytes = V({25, 8, 2});
       },
       "an optional attribute is neither there nor absent"},
      {"elements: blob past the end", attr(5, V({15, 1, 100})), "a constant has 100 bytes, and only 0 are left"},
      {"elements: wrong size", attr(5, V({15, 1, 3}) + "abc"), "2 elements of 4 bytes are stored in 3 bytes"},
      {"elements: no tensor", attr(5, V({15, 0, 4}) + "abcd"), "a type that is no tensor"},
      {"elements: dynamic",
       [](F& f) {
         f.types[1].bytes = V({20, 1}) + F::S(INT64_MIN) + V({0});
       },
       "without a static shape"},
      {"elements: of tokens", [](F& f) { f.types[0].bytes = V({22}); }, "cannot be stored"},
      {"location: file without a name", attr(7, V({11, 0, 3, 4})), "a name is an attribute of another kind"},
      {"location: huge line", attr(7, V({11, 6, 1ull << 40, 4})), "line or column exceeds 32 bits"},
      {"location: of nothing", attr(7, V({10, 6, 6})), "call site is no location"},
      {"location: fused of strings", attr(7, V({12, 1, 6})), "part of a location is no location"},
      {"location: five numbers", attr(7, V({22, 6, 5, 1, 1, 1, 1, 1})), "more than two lines"},
      {"text: no NUL",
       [](F& f) {
         f.attrs[7] = {0, "loc(unknown)", false};
       },
       "does not end in NUL"},
      {"text: nothing",
       [](F& f) {
         f.attrs[7] = {0, "", false};
       },
       "a text has no bytes"},
      {"text: no attribute",
       [](F& f) {
         f.attrs[1] = {0, std::string("][\0", 3), false};
       },
       "cannot be read"},
      {"text: two attributes",
       [](F& f) {
         f.attrs[1] = {0, std::string("1 2\0", 4), false};
       },
       "cannot be read"},
      {"text: no type",
       [](F& f) {
         f.types[1] = {0, std::string("tensor<\0", 8), false};
       },
       "cannot be read"},

      {"type: unknown code", type(0, V({43})), "no type with the code 43"},
      {"type: longer than it is", type(0, V({4, 0})), "longer than what it holds"},
      {"type: refers to itself", type(1, V({23, 1, 1})), "refers to itself"},
      {"type: refers past the end", type(1, V({25, 3})), "no type 3"},
      {"type: negative dimension", type(1, V({20, 1}) + F::S(-5) + V({0})), "dimension is negative"},
      {"type: all dimensions", type(1, V({20}) + huge), "the count of"},
      {"type: width 0",
       [](F& f) {
         f.types[0] = {0, V({0, 0})};
       },
       "no such width"},
      {"type: signedness 3",
       [](F& f) {
         f.types[0] = {0, V({0, 32 << 2 | 3})};
       },
       "no such width"},

      {"ops: nothing", [](F& f) { f.ir = ""; }, "end where a number is needed"},
      {"ops: two at the top", [](F& f) { f.ir = V({2 << 1}); }, "the top of a program"},
      {"ops: more after the last", [](F& f) { f.ir += "x"; }, "more after the last op"},
      {"ops: no name", body(V({1, 0, 1 << 1, 9})), "no name of an op 9"},
      {"ops: unknown parts", body(V({1, 0, 1 << 1, 4}) + B({128}) + V({0})), "parts of an unknown kind"},
      {"ops: no location", body(V({1, 0, 1 << 1, 4}) + B({0}) + V({99})), "no attribute 99"},
      {"ops: location that is none", body(V({1, 0, 1 << 1, 4}) + B({0}) + V({3})),
       "location is an attribute"},
      {"ops: attributes past the end", body(V({1, 0, 1 << 1, 4}) + B({1}) + V({0, 99})), "no attribute 99"},
      {"ops: attributes that are none", body(V({1, 0, 1 << 1, 4}) + B({1}) + V({0, 3})), "no dictionary"},
      {"ops: properties past the end", body(V({1, 1, 1 << 1, 2}) + B({66}) + V({0, 9, 1, 1})),
       "no properties 9"},
      {"ops: results of all", body(V({1, 0, 1 << 1, 4}) + B({2}) + V({0}) + huge), "the count of"},
      {"ops: result of no type", body(V({1, 1, 1 << 1, 3}) + B({2}) + V({0, 1, 9})), "no type 9"},
      {"ops: more results than values", body(V({1, 0, 1 << 1, 3}) + B({2}) + V({0, 1, 1})),
       "states 0 values and defines more"},
      {"ops: fewer results than values", body(V({1, 2, 1 << 1, 3}) + B({2}) + V({0, 1, 1})),
       "states 2 values and defines 1"},
      {"ops: operand past the end", body(V({1, 1, 1 << 1, 3}) + B({6}) + V({0, 1, 1, 1, 7})), "no value 7"},
      {"ops: operands of all", body(V({1, 0, 1 << 1, 4}) + B({4}) + V({0}) + huge), "the count of"},
      {"ops: successor past the end", body(V({1, 0, 1 << 1, 4}) + B({8}) + V({0, 1, 3})), "no block 3"},
      {"ops: no regions", body(V({1, 0, 1 << 1, 4}) + B({16}) + V({0, 0})), "has 0 regions"},
      {"ops: all regions", body(V({1, 0, 1 << 1, 4}) + B({16}) + V({0, 1ull << 50})), "regions, and"},
      {"ops: regions in another section",
       body(V({1, 0, 1 << 1, 1}) + B({16}) + V({0, 1 << 1 | 1}) + TestFile::Section(0, V({0}))),
       "section of another kind"},
      {"ops: regions of another length",
       body(V({1, 0, 1 << 1, 1}) + B({16}) + V({0, 1 << 1 | 1}) + TestFile::Section(4, V({0, 0}))),
       "more after the last region"},
      {"regions: all blocks", body(V({1ull << 40})), "the count of"},
      {"regions: all values", body(V({1, 1ull << 40})), "the count of"},
      {"blocks: all ops", body(V({1, 0, 1ull << 50})), "a block has"},
      {"blocks: all arguments", body(V({1, 0, 1}) + huge), "the count of"},
      {"blocks: argument of no type", body(V({1, 1, 1, 1, 9 << 1})), "no type 9"},
      {"blocks: more arguments than values", body(V({1, 0, 1, 1, 0})), "states 0 values and defines more"},
      {"blocks: unknown parts", body(V({1, 1, 1, 1, 1 << 1}) + B({1})), "a block has parts"},
      {"uses: no permutation", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({2 << 1, 1, 1})), "no permutation"},
      {"uses: past the end", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({2 << 1, 5, 1})), "no permutation"},
      {"uses: half a pair", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({3 << 1 | 1, 0, 1, 2})),
       "half a pair"},
      {"uses: all", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({1ull << 50})), "the count of"},
      {"uses: of more values than there are",
       body(V({1, 2, 1, 2, 1 << 1, 1 << 1}) + B({32}) + V({3, 0, 0, 0, 0, 0})),
       "more values have ordered uses"},

      {"properties: a count of all", replace(kPropertySection, huge), "the count of"},
      {"properties: one too many", [](F& f) { f.stated_properties = 4; }, "end where a number is needed"},
      {"properties: more bytes", append(kPropertySection, "x"), "more after the last properties"},
      {"properties: too short",
       [](F& f) {
         f.properties[1] = V({1, 2});
       },
       "end where a number is needed"},
      {"properties: too long",
       [](F& f) {
         f.properties[2] = V({5, 0});
       },
       "longer than what they hold"},
      {"properties: attribute past the end", [](F& f) { f.properties[2] = V({50}); }, "no attribute 50"},
      {"properties: half absent",
       [](F& f) {
         f.properties[0] = V({2, 0});
       },
       "neither there nor absent"},

      {"resources: no kind", replace(kResourceOffsetSection, V({0, 0, 1, 6, 0}) + B({9})), "of kind 9"},
      {"resources: past the end", replace(kResourceOffsetSection, V({0, 0, 1, 6, 9}) + B({0})),
       "has 9 bytes"},
      {"resources: no key", replace(kResourceOffsetSection, V({0, 0, 1, 99, 0}) + B({0})), "no string 99"},
      {"resources: a count of all", replace(kResourceOffsetSection, V({0, 0}) + huge), "the count of"},
      {"resources: no dialect", replace(kResourceOffsetSection, V({0, 7, 0})), "no dialect 7"},
      {"resources: all groups", replace(kResourceOffsetSection, huge), "the count of"},
      {"resources: bytes left over", append(kResourceSection, "x"), "more after the last resource"},
      {"a version that has it not",
       [](F& f) { f.strings[5] = "exponential_v2", f.producer = "StableHLO_v1.0.0"; },
       "does not exist at 1.0.0"},
      // --- the frame
      {"nothing at all", [](F& f) { f.cut = 0; }, "the file is empty"},
      {"half the magic", [](F& f) { f.cut = 3; }, "the file has 3 bytes, fewer than the magic"},
      {"the magic only", [](F& f) { f.cut = 4; }, "end where a number is needed"},
      {"half the producer", [](F& f) { f.cut = 9; }, "producer does not end"},
      {"half of the first section", [](F& f) { f.cut = 26; }, "the section 'dialects' has"},
      {"a section twice: strings", again(kStringSection), "'strings' is there twice"},
      {"a section twice: dialects", again(kDialectSection), "'dialects' is there twice"},
      {"a section twice: attributes", again(kNodeSection), "'attributes and types' is there twice"},
      {"a section twice: offsets", again(kNodeOffsetSection), "'offsets of attributes and types' is there twice"},
      {"a section twice: resources", again(kResourceSection), "'resources' is there twice"},
      {"a section twice: offsets of resources", again(kResourceOffsetSection), "'offsets of resources' is there twice"},
      {"a section twice: properties", again(kPropertySection), "'properties' is there twice"},
      {"a version of a dialect at the top", [](F& f) { f.order.push_back(kDialectVersionSection); },
       "stands outside of 'dialects'"},
      {"strings past the end", past_end(kStringSection), "the section 'strings' has 1000 bytes, and 0 are left"},
      {"dialects past the end", past_end(kDialectSection), "the section 'dialects' has 1000 bytes"},
      {"attributes past the end", past_end(kNodeSection), "the section 'attributes and types' has 1000 bytes"},
      {"offsets past the end", past_end(kNodeOffsetSection),
       "the section 'offsets of attributes and types' has 1000 bytes"},
      {"operations past the end", past_end(kIrSection), "the section 'operations' has 1000 bytes"},
      {"resources past the end", past_end(kResourceSection), "the section 'resources' has 1000 bytes"},
      {"offsets of resources past the end", past_end(kResourceOffsetSection),
       "the section 'offsets of resources' has 1000 bytes"},
      {"a section without an alignment", [](F& f) { f.after = B({0x88, 1}); }, "end where a number is needed"},

      // --- strings and dialects
      {"strings: an empty section", replace(kStringSection, ""), "end where a number is needed"},
      {"strings: count and nothing", replace(kStringSection, V({3})), "the count of strings is 3"},
      {"strings: a size that overflows", replace(kStringSection, V({1, 1ull << 62}) + "abc"), "string 0 has 46116"},
      {"dialects: an empty section", replace(kDialectSection, ""), "end where a number is needed"},
      {"dialects: one more than there is", replace(kDialectSection, V({2, 0})), "the count of dialects is 2"},
      {"dialects: a version that is not there", replace(kDialectSection, V({1, 1})), "end where one more is needed"},
      {"dialects: half a version", replace(kDialectSection, V({1, 1}) + B({7}) + V({40})),
       "the section 'dialect version' has 40 bytes"},
      {"dialects: an op name without a string", replace(kDialectSection, V({1, 0, 1, 0, 1})),
       "the count of names in a run is 1, and only 0 bytes"},
      {"dialects: more names than bytes", replace(kDialectSection, V({1, 0, 77})), "the count of names of ops is 77"},
      {"dialects: format 0 with flags", [](F& f) { f.format = 0, std::erase(f.order, kPropertySection); }, "which format 0 has not"},

      // --- attributes: the portable ones, each in its own way
      {"attribute: half a list", attr(1, V({1, 2, 4})), "the count of items of a list is 2, and only 1"},
      {"attribute: no type of comparison", attr(1, V({4, 6})), "6 is no case of comparison_type"},
      {"attribute: a type of comparison of a newer version", attr(1, V({4, 5})),
       "comparison_type 'WEAKORDER' does not exist in 1.9.0 (62)"},
      {"attribute: no version of an API", attr(1, V({5, 9})), "9 is no case of"},
      {"attribute: no type of transform", attr(1, V({7, 4})), "4 is no case of fft_type"},
      {"attribute: no precision", attr(1, V({11, 3})), "3 is no case of precision"},
      {"attribute: no random algorithm", attr(1, V({12, 3})), "3 is no case of rng_algorithm"},
      {"attribute: no random distribution", attr(1, V({13, 9})), "9 is no case of rng_distribution"},
      {"attribute: no transposition", attr(1, V({16, 9})), "9 is no case of transpose"},
      {"attribute: no mode of accuracy", attr(1, V({19, 9})), "9 is no case of result_accuracy_mode"},
      {"attribute: half an entry", attr(1, V({6, 1, 3})), "the count of items of a list is 1, and only 1"},
      {"attribute: float without bits", attr(1, V({8, 0})), "end where a number is needed"},
      {"attribute: integer of no type", attr(1, V({9, 9})), "no type 9"},
      {"attribute: integer without bits",
       [](F& f) {
         f.types[0].bytes = V({13}), f.attrs[1].bytes = V({9, 0});
       },
       "end where a number is needed"},
      {"attribute: small integer without a byte",
       [](F& f) {
         f.types[0].bytes = V({11}), f.attrs[1].bytes = V({9, 0});
       },
       "end where one more is needed"},
      {"attribute: wide integer of too many words",
       [](F& f) {
         f.types[0] = {0, V({0, 128 << 2})}, f.attrs[1] = {0, V({8, 0, 3, 1, 1, 1})};
       },
       "wider than its type"},
      {"attribute: wide integer of all words",
       [huge](F& f) {
         f.types[0] = {0, V({0, 128 << 2})}, f.attrs[1] = {0, V({8, 0}) + huge};
       },
       "the count of words of an integer"},
      {"attribute: wide float of too many words",
       [](F& f) {
         f.types[0] = {0, V({8})}, f.attrs[1] = {0, V({9, 0, 3, 1, 1, 1})};
       },
       "a float is wider than its type"},
      {"attribute: alias of half a tuple", attr(1, V({10, 3, 1})), "the count of items of a list is 3"},
      {"attribute: bounds of all", attr(1, V({18}) + huge), "the count of items of a list"},
      {"attribute: half a sub axis", attr(1, V({21, 2})), "end where a number is needed"},
      {"attribute: axis named by a type", attr(1, V({22, 2, 0})), "a name is an attribute of another kind"},
      {"attribute: devices past the end",
       [](F& f) {
         f.attrs.push_back({1, V({1, 0})}), f.attrs[1].bytes = V({25, 8, 99 << 1 | 1});
       },
       "there is no attribute 99: there are 9"},
      {"attribute: mesh axis without a size", attr(1, V({24, 3})), "end where a number is needed"},
      {"attribute: accuracy of all modes", attr(1, V({20, 0, 0, 0, 77})), "no attribute 77"},

      // --- builtin attributes
      {"builtin: a symbol named by a location", own(1, V({4, 7})), "a name is an attribute of another kind"},
      {"builtin: a nested symbol that is none", own(1, V({5, 6, 1, 6})), "a nested symbol is an attribute of another"},
      {"builtin: a string of no type", own(1, V({3, 6, 9})), "no type 9"},
      {"builtin: a type past the end", own(1, V({6, 12})), "no type 12"},
      {"builtin: an array of another size", own(1, V({17, 0, 3, 4}) + "abcd"), "an array of 3 elements has 4 bytes"},
      {"builtin: an array past the end", own(1, V({17, 0, 3, 12}) + "abcd"), "an array has 12 bytes, and only 4"},
      {"builtin: fewer strings than elements", own(1, V({19, 1, 0, 6})), "fewer strings than elements"},
      {"builtin: strings of what is no tensor", own(1, V({19, 0, 0, 6})), "a type that is no static tensor"},
      {"builtin: strings that are half equal", own(1, V({19, 1, 2, 6})), "neither 0 nor 1"},
      {"builtin: a string of elements past the end", own(1, V({19, 1, 1, 60})), "no string 60"},
      {"builtin: half a sparse tensor", own(1, V({20, 1, 4})), "end where a number is needed"},
      {"builtin: a resource that is not there", own(1, V({16, 1, 0})), "no resource 0: there are 0"},
      {"builtin: something distinct past the end", own(1, V({21, 50})), "no attribute 50"},
      {"location: a name around a string", own(7, V({14, 6, 3})), "a location is an attribute of another kind"},
      {"location: a range past every line", own(7, V({22, 6, 2, 1ull << 40, 1})), "line or column exceeds 32 bits"},
      {"location: half a call", own(7, V({10, 0})), "end where a number is needed"},
      {"location: a call of itself", own(7, V({10, 7, 0})), "the attribute refers to itself"},
      {"location: all parts", own(7, V({12}) + huge), "the count of items of a list"},

      // --- types
      {"type: nothing", type(1, ""), "end where a number is needed"},
      {"type: complex of nothing", type(0, V({1})), "end where a number is needed"},
      {"type: a function of all", type(2, V({8}) + huge), "the count of items of a list"},
      {"type: a function without results", type(2, V({8, 1, 1})), "end where a number is needed"},
      {"type: a function of itself", type(2, V({8, 1, 2, 1, 1})), "the type refers to itself"},
      {"type: an encoding past the end", type(1, V({21, 77, 1, 2, 0})), "no attribute 77"},
      {"type: half a dimension", type(1, V({20, 2, 1})), "the count of items of a list is 2"},
      {"type: half a quantization", type(1, V({24, 0, 0, 0})), "end where a number is needed"},
      {"type: a buffer with a negative side", type(1, V({41, 1}) + F::S(-3) + V({0})), "a dimension is negative"},
      {"type: a future of all", type(1, V({42}) + huge), "the count of items of a list"},
      {"type: a builtin one of no code",
       [](F& f) {
         f.types[0] = {0, V({33})};
       },
       "the dialect 'builtin' has no type with the code 33"},
      {"type: wider than any",
       [](F& f) {
         f.types[0] = {0, V({0, 1ull << 30})};
       },
       "no such width or signedness"},
      {"type: a vector with a side of 7",
       [](F& f) {
         f.types[1] = {0, V({20, 1}) + B({1}) + V({1}) + F::S(-7) + V({0})};
       },
       "a dimension is negative"},
      {"type: of a dialect without any",
       [](F& f) {
         f.strings.push_back("x"), f.dialects.push_back({10, false}), f.types[0] = {2, V({0})};
       },
       "the type of the dialect 'x' with the code 0 is encoded in a way"},
      {"attribute: of a dialect without any",
       [](F& f) {
         f.strings.push_back("x"), f.dialects.push_back({10, false}), f.attrs[1] = {2, V({0})};
       },
       "the attribute of the dialect 'x' with the code 0 is encoded in a way"},
      {"properties: of an op that is not known",
       [](F& f) {
         f.strings.push_back("x"), f.dialects.push_back({10, false}), f.names[2].dialect = 2;
       },
       "the properties of 'x.constant_v1' are laid out in a way that is not known here"},
      {"quantized: scales that are a string", sub_channel(V({6, 1, 3, 4, 0, 0, 0, 0, 6, 9}), 1),
       "scales or zero points are something else"},
      {"quantized: scales of another shape", sub_channel(V({6, 1, 3, 4, 0, 0, 0, 0, 8, 9}), 2),
       "scales and zero points do not have the same shape"},
      {"quantized: a dimension without a block", sub_channel(V({6, 1, 3, 4, 0, 0, 1, 0, 0, 8, 9}), 1),
       "numbers of dimensions and block sizes differ"},
      {"quantized: one scale for too many blocks", sub_channel(V({6, 1, 3, 4, 0, 0, 0, 0, 8, 9}), 1 << 30),
       "a type has more scales than the limit"},
      {"sdy: unknown code", sdy(V({18})), "with the code 18 is encoded in a way that is not known"},
      {"sdy: an axis that is none", sdy(V({5, 1, 0}) + B({1}) + V({0})), "of another kind than 'axis_ref'"},
      {"sdy: a part of an axis past the end", sdy(V({4, 2, 99 << 1 | 1})), "there is no attribute 99"},
      {"sdy: a name past the strings", sdy(V({1, 77, 2})), "there is no string 77"},
      {"sdy: a factor below zero", sdy(V({8, 1, 1})), "a factor has no such number"},
      {"sdy: no factors", sdy(V({8, 0})), "a dimension has no factors"},
      {"sdy: a count of all", sdy(V({2, 0}) + huge), "the count of numbers"},
      {"sdy: a boolean of 2", sdy(V({5, 0}) + B({2}) + V({0})), "a boolean is neither 0 nor 1"},
      {"sdy: a reduction of no kind", sdy(V({17, 8, 0, 0, 0, 14})), "a reduction is of no kind"},
      {"sdy: more bytes", sdy(V({3, 0, 0, 0})), "longer than what it holds"},
      {"sdy: much text of few bytes",
       [](F& f) {
         f.strings.push_back("sdy"), f.strings.push_back(std::string(1 << 20, 'x'));
         f.dialects.push_back({10, false});
         std::string mesh = V({2, 100});
         for (int i = 0; i < 100; ++i) mesh += V({f.attrs.size()});
         f.attrs[1] = {2, mesh + V({0})};
         f.attrs.push_back({2, V({1, 11, 2})});
       },
       "attributes that are kept as text are too long"},
      {"types that need each other",
       [](F& f) {
         f.types[0].bytes = V({1, 1}), f.types[1].bytes = V({1, 0});
       },
       "the type refers to itself"},
      {"a type and an attribute that need each other",
       [](F& f) {
         f.types[1].bytes = V({21, 1, 1, 2, 0}), f.attrs[1].bytes = V({17, 1});
       },
       "refers to itself"},

      // --- operations
      {"ops: a top that is no module", [](F& f) { f.ir = V({2, 4}) + B({0}) + V({0}); },
       "the top of a program is no builtin.module"},
      {"ops: a mask and nothing", body(V({1, 0, 1 << 1, 4}) + B({1})), "end where a number is needed"},
      {"ops: successors of all", body(V({1, 0, 1 << 1, 4}) + B({8}) + V({0}) + huge), "the count of successors"},
      {"ops: one region of two", body(V({1, 0, 1 << 1, 1}) + B({16}) + V({0, 2 << 1, 0})),
       "an op has 2 regions, and 1 bytes are left"},
      {"ops: fewer than the block has", body(V({1, 0, 2 << 1, 4}) + B({0}) + V({0})), "end where a number is needed"},
      {"ops: more than the block has", body(V({1, 0, 1 << 1, 4}) + B({0}) + V({0, 4}) + B({0}) + V({0})),
       "there is more after the last region"},
      {"ops: a value of the function outside", body(V({1, 1, 1 << 1, 3}) + B({6}) + V({0, 1, 1, 1, 1})), "no value 1"},
      {"ops: an attribute given twice",
       [](F& f) {
         f.strings.push_back("value");
         f.attrs.push_back({0, V({2, 10})}), f.attrs.push_back({0, V({1, 1, 8, 5})});
         f.ir = F::Ir(V({1, 1, 1 << 1, 2}) + B({67}) + V({0, 9, 2, 1, 1}));
       },
       "has the attribute 'value' twice"},
      {"ops: properties before there were any",
       [](F& f) { f.format = 4, std::erase(f.order, kPropertySection); }, "which format 4 has not"},
      {"ops: an order of uses before there was one",
       [](F& f) {
         f.format = 2, std::erase(f.order, kPropertySection);
         f.ir = V({2, 4}) + B({32}) + V({0});
       },
       "an op orders its uses, which format 2 has not"},
      {"blocks: a location past the end", body(V({1, 1, 1, 1, 1 << 1 | 1, 60})), "no attribute 60"},
      {"blocks: no mask", body(V({1, 1, 1, 1, 1 << 1})), "end where one more is needed"},
      {"uses: of a value that is not there",
       body(V({1, 2, 1, 2, 1 << 1, 1 << 1}) + B({32}) + V({1, 5, 2 << 1, 1, 0})), "value of this op or block 5"},
      {"uses: the same place twice", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({2 << 1, 0, 0})), "no permutation"},

      // --- properties
      {"properties: one past the end", replace(kPropertySection, V({1, 100})), "one of the properties has 100 bytes"},
      {"properties: all of them", replace(kPropertySection, V({1}) + huge), "one of the properties has"},
      {"properties: of the module, half",
       [](F& f) {
         f.properties[0] = V({0});
       },
       "end where a number is needed"},
      {"properties: of the module, past the end",
       [](F& f) {
         f.properties[0] = V({99 << 1 | 1, 0});
       },
       "there is no attribute 99: there are 8"},
      {"properties: of the function, past the end",
       [](F& f) {
         f.properties[1] = V({1, 2, 1, 3, 44});
       },
       "no attribute 44"},
      {"properties: of an op that is not registered",
       [](F& f) {
         f.names[2].registered = false, f.properties[2] = V({3});
       },
       "the properties of an op are no dictionary"},

      // --- resources
      {"resources: one twice", resources(V({0, 0, 2, 6, 2}) + B({0}) + V({6, 2}) + B({0}), V({1, 0, 1, 0})),
       "the resource 'main' is there twice"},
      {"resources: aligned to 3", resources(V({0, 0, 1, 6, 2}) + B({0}), V({3, 0})), "the alignment of a resource is"},
      {"resources: aligned to 0", resources(V({0, 0, 1, 6, 2}) + B({0}), V({0, 0})), "the alignment of a resource is"},
      {"resources: data past the end", resources(V({0, 0, 1, 6, 2}) + B({0}), V({1, 50})),
       "the data of a resource has 50 bytes, and only 0"},
      {"resources: data and more", resources(V({0, 0, 1, 6, 4}) + B({0}), V({1, 1}) + "ab"),
       "more after the bytes of a resource"},
      {"resources: half an alignment", resources(V({0, 0, 1, 6, 1}) + B({0}), V({1})), "end where a number is needed"},
      {"resources: other padding", resources(V({0, 0, 1, 6, 40}) + B({0}), V({64, 1}) + std::string(38, 'x')),
       "padding before aligned bytes"},
      {"resources: of nobody", resources(V({1, 99, 0}), ""), "no string 99"},

      // --- versions
      {"no version has all ops",
       [](F& f) {
         f.producer = "MLIR", f.strings[4] = "exponential_v1", f.strings[5] = "async_done_v1";
         f.ir = F::Ir(V({1, 2, 2 << 1, 2}) + B({2}) + V({0, 1, 1, 3}) + B({2}) + V({0, 1, 1}));
       },
       "no version has all ops of this program"},
      {"a version that has it no more", [](F& f) { f.strings[5] = "exponential_v1", f.producer = "StableHLO_v1.20.0"; },
       "does not exist at 1.20.0"},
  };
}

}  // namespace shlo::mlirbc
