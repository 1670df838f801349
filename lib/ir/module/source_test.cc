#include "shlo/source.h"

#include <gtest/gtest.h>

#include "ir/module/builder.h"
#include "ir/module/place_recorder.h"

namespace shlo {
namespace {

// The location of a diagnostic about an op without text is the first file location in the op's location.
TEST(Source, FileLocationsAreFoundInOthers) {
  Module m;
  Builder b(&m);
  const StringId file = m.strings.Intern("f.py"), name = m.strings.Intern("n");
  const AttrId at = m.Make(FileLineColLoc{.file = file, .line = 3, .column = 4});
  const AttrId other = m.Make(FileLineColLoc{.file = m.strings.Intern("g.py"), .line = 5, .column = 6});
  const AttrId range =
      m.Make(FileRangeLoc{.file = file, .start_line = 7, .start_column = 8, .end_line = 9, .end_column = 10});
  const AttrId unknown = m.Make(UnknownLoc{});
  const auto named = [&](AttrId child) { return m.Make(NameLoc{.name = name, .child = child}); };
  const auto fused = [&](std::vector<AttrId> parts) { return m.Make(FusedLoc{.locations = parts}); };
  const AttrId unnamed = m.Make(CallSiteLoc{.callee = unknown, .caller = at});
  AttrId deep = at;
  for (int i = 0; i < 32; ++i) deep = m.Make(CallSiteLoc{.callee = deep, .caller = unknown});
  const AttrId too_deep = m.Make(CallSiteLoc{.callee = deep, .caller = unknown});
  const std::pair<AttrId, std::string_view> rows[] = {
      {at, "f.py:3:4"},
      {range, "f.py:7:8"},
      {unknown, ""},
      {{}, ""},
      {named(at), "f.py:3:4"},
      {named(unknown), "n"},
      {named(fused({unknown, range})), "f.py:7:8"},
      {m.Make(CallSiteLoc{.callee = at, .caller = other}), "f.py:3:4"},
      {unnamed, ""},
      {fused({at, other}), "f.py:3:4"},
      {fused({unknown, other, at}), "g.py:5:6"},
      {fused({named(unknown), at}), "n"},
      {fused({unnamed, unknown}), ""},
      {named(fused({unnamed, unknown})), "n"},
      {deep, "f.py:3:4"},
      {too_deep, ""},
  };
  for (const auto& [loc, expected] : rows) {
    const OpId op = b.AddOp({.revision = NewestRevision(FindOp("stablehlo.create_token")), .loc = loc});
    const Place place = PlaceOf(m, op, nullptr);
    EXPECT_EQ(place.location, expected);
    EXPECT_EQ(place.line, 0u);
  }
  EXPECT_EQ(PlaceOf(m, OpId(uint32_t(m.ops.size())), nullptr).location, "");
}

TEST(Source, LinesAndColumns) {
  const std::string_view text = "ab\n\ncde";
  const SourcePlaces places(text, nullptr);
  const auto at = [&](uint64_t offset) {
    Place place;
    places.Locate(offset, 10, &place);
    return std::to_string(place.line) + ":" + std::to_string(place.column) + ":" + place.source_line;
  };
  EXPECT_EQ(at(0), "10:1:ab");
  EXPECT_EQ(at(1), "10:2:ab");
  EXPECT_EQ(at(2), "10:3:ab");  // the end of the line
  EXPECT_EQ(at(3), "11:1:");
  EXPECT_EQ(at(4), "12:1:cde");
  EXPECT_EQ(at(7), "12:4:cde");
  EXPECT_EQ(at(8), "0:0:");  // not in the text
  const std::string wide(5000, 'x');
  Place place;
  SourcePlaces(wide, nullptr).Locate(4999, 1, &place);
  EXPECT_EQ(place.column, 5000u);
  EXPECT_EQ(place.source_line, wide.substr(0, 4096));
}

// Each part of an op has a place; a part without one has none.
TEST(Source, PlacesOfParts) {
  PlaceRecorder places("text", nullptr);
  EXPECT_TRUE(places.empty());
  places.AddOps(1, SourcePlaces::kNone);
  places.AddOps(3, 100, 130);  // two ops, of which the reader added one
  const StringId axis = places.NameId("axis"), mark = places.NameId("mark");
  places.AddAttr(OpId(2), axis, 110, 105);
  places.AddAttr(OpId(2), mark, 120);
  places.AddOps(4, 200);
  places.AddAttr(OpId(3), mark, 210);
  places.AddArg(ValueId(3), 50);
  places.AddArg(ValueId(5), 60);
  const auto check = [&](const SourcePlaces& p, uint32_t first, uint32_t second, uint32_t third,
                         uint32_t args) {
    constexpr auto kNone = SourcePlaces::kNone;
    EXPECT_FALSE(p.empty());
    EXPECT_EQ(p.OffsetOfOp(OpId(first)), 100u);
    EXPECT_EQ(p.OffsetOfTypes(OpId(second)), 130u);
    EXPECT_EQ(p.OffsetOfOp(OpId(third)), 200u);
    EXPECT_EQ(p.OffsetOfTypes(OpId(third)), kNone);
    EXPECT_EQ(p.OffsetOfAttr(OpId(first), "axis"), kNone);
    EXPECT_EQ(p.OffsetOfAttr(OpId(second), "axis"), 110u);
    EXPECT_EQ(p.OffsetOfAttr(OpId(second), "axis", SourcePlaces::Part::kDictionary), 105u);
    EXPECT_EQ(p.OffsetOfAttr(OpId(second), "mark"), 120u);
    EXPECT_EQ(p.OffsetOfAttr(OpId(second), "mark", SourcePlaces::Part::kDictionary), kNone);
    EXPECT_EQ(p.OffsetOfAttr(OpId(second), "unknown"), kNone);
    EXPECT_EQ(p.OffsetOfAttr(OpId(third), "mark"), 210u);
    EXPECT_EQ(p.OffsetOfAttr(OpId(third), "axis"), kNone);
    EXPECT_EQ(p.OffsetOfOp(OpId(9)), kNone);
    EXPECT_EQ(p.OffsetOfTypes(OpId(9)), kNone);
    EXPECT_EQ(p.OffsetOfAttr(OpId(9), "mark"), kNone);
    EXPECT_EQ(p.OffsetOfArg(ValueId(args)), 50u);
    EXPECT_EQ(p.OffsetOfArg(ValueId(args + 1)), kNone);
    EXPECT_EQ(p.OffsetOfArg(ValueId(args + 2)), 60u);
    EXPECT_EQ(p.OffsetOfArg(ValueId(args + 3)), kNone);
    EXPECT_EQ(p.OffsetOfArg(ValueId(0)), kNone);
  };
  check(places, 1, 2, 3, 3);
  // The reader added no op in front; the third is now the first.
  const OpId ops[] = {OpId(0), OpId(3), OpId(1), OpId(2)};
  const ValueId values[] = {{}, ValueId(3), {}, ValueId(5)};
  check(places.Rearranged(ops, values), 2, 3, 1, 1);
  EXPECT_TRUE(SourcePlaces("text", nullptr).Rearranged(ops, values).empty());
}

TEST(Source, NamesOfArguments) {
  const std::string_view text = "f(%x: i1, %a.b :\n i1, \"g\"(: i1";
  PlaceRecorder places(text, nullptr);
  places.AddArg(ValueId(1), text.find("i1"));
  places.AddArg(ValueId(2), text.find("i1", 8));
  places.AddArg(ValueId(3), text.rfind("i1"));
  EXPECT_EQ(places.NameOfArg(ValueId(1)), "x");
  EXPECT_EQ(places.NameOfArg(ValueId(2)), "a.b");
  EXPECT_EQ(places.NameOfArg(ValueId(3)), "");
  EXPECT_EQ(places.NameOfArg(ValueId(4)), "");
}

}  // namespace
}  // namespace shlo
