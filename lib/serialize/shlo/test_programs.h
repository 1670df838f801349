// Programs for the tests of `.shlo`, built by hand.
#pragma once

#include <string>
#include <vector>

#include "ir/module/builder.h"
#include "shlo/module.h"

namespace shlo {

// A function of two tensors named `name`, with `ops` additions, every other one of a constant.
inline OpId AddFunction(Builder* b, const std::string& name, int ops, bool locations) {
  Module& m = b->module();
  const TypeId f32 = m.Type(TypeKind::kF32);
  const int64_t shape[] = {2, 3};
  const TypeId tensor = m.TensorType(shape, f32);
  const auto loc = [&](int line) {
    return locations ? m.Make(FileLineColLoc{.file = m.strings.Intern("a.py"), .line = line, .column = 7})
                     : AttrId();
  };
  const RegionId body = b->NewRegion();
  const BlockId entry = b->NewBlock();
  ValueId last = b->AddBlockArg(entry, tensor, loc(1));
  const ValueId other = b->AddBlockArg(entry, tensor);
  b->BeginBlock(body, entry);
  for (int i = 0; i < ops; ++i) {
    ValueId rhs = other;
    if (i % 2) {
      const float value = 1.5f + float(i);
      const std::string bytes(reinterpret_cast<const char*>(&value), 4);
      const AttrId inherent_attrs[] = {m.Elements(tensor, m.payloads.AddCopy(bytes), true)};
      const OpId constant = b->AddOp({.revision = NewestRevision(FindOp("stablehlo.constant")),
                                      .results = std::span(&tensor, 1),
                                      .inherent_attrs = inherent_attrs,
                                      .loc = loc(10 + i)});
      rhs = m.ResultOf(m.ops[constant.v], 0);
    }
    const ValueId operands[] = {last, rhs};
    const OpId add = b->AddOp({.revision = NewestRevision(FindOp("stablehlo.add")),
                               .operands = operands,
                               .results = std::span(&tensor, 1),
                               .loc = loc(20 + i)});
    last = m.ResultOf(m.ops[add.v], 0);
  }
  b->AddOp({.revision = NewestRevision(FindOp("func.return")), .operands = std::span(&last, 1)});
  b->EndBlock();
  b->EndRegion(body);
  const TypeId inputs[] = {tensor, tensor};
  const AttrId inherent_attrs[] = {m.String(name), m.TypeAttr(m.FunctionType(inputs, std::span(&tensor, 1))),
                                   AttrId(), AttrId(), AttrId()};
  return b->AddOp({.revision = NewestRevision(FindOp("func.func")),
                   .inherent_attrs = inherent_attrs,
                   .regions = std::span(&body, 1)});
}

// Wraps what `fill` adds in a module.
template <typename Fill>
Module MakeModule(Fill&& fill) {
  Module m;
  Builder b(&m);
  const RegionId body = b.NewRegion();
  const BlockId block = b.NewBlock();
  b.BeginBlock(body, block);
  fill(&b);
  b.EndBlock();
  b.EndRegion(body);
  const AttrId inherent_attrs[2] = {};
  m.top = b.AddOp({.revision = NewestRevision(FindOp("builtin.module")),
                   .inherent_attrs = inherent_attrs,
                   .regions = std::span(&body, 1)});
  return m;
}

// `depth` ops in a module, each in the region of the one before.
inline Module NestedRegions(int depth) {
  return MakeModule([&](Builder* b) {
    const StringId name = b->module().strings.Intern("x.y");
    RegionId inner;
    for (int i = 0; i < depth; ++i) {
      const RegionId region = b->NewRegion();
      b->BeginBlock(region, b->NewBlock());
      if (inner) b->AddOp({.name = name, .regions = std::span(&inner, 1)});
      b->EndBlock();
      b->EndRegion(region);
      inner = region;
    }
    b->AddOp({.name = name, .regions = std::span(&inner, 1)});
  });
}

inline Module TwoFunctions(bool locations = true) {
  return MakeModule([&](Builder* b) {
    AddFunction(b, "first", 4, locations);
    AddFunction(b, "second", 7, locations);
  });
}

// One of everything a stream can hold: an op without a row, with regions, several blocks, successors, a use
// before the definition, discardable attributes, attributes and types of many kinds.
inline Module Everything() {
  Module out = MakeModule([](Builder* b) {
    Module& m = b->module();
    const TypeId i32 = m.IntegerType(32), i7 = m.IntegerType(7), si128 = m.IntegerType(128, 1);
    const int64_t shape[] = {2, kDynamic};
    const AttrId bounds = m.Make(TypeExtensionsAttr{.bounds = std::array<int64_t, 2>{kDynamic, 9}});
    const TypeId bounded = m.TensorType(shape, m.ComplexType(m.Type(TypeKind::kF32)), bounds);
    const TypeId quantized = m.Make(UniformQuantizedType{.storage = m.Type(TypeKind::kI8),
                                                         .expressed = m.Type(TypeKind::kF32),
                                                         .flags = 1,
                                                         .scale = 0.1,
                                                         .zero_point = -3,
                                                         .storage_min = -128,
                                                         .storage_max = 127});
    const TypeId opaque =
        m.Make(OpaqueType{.dialect = m.strings.Intern("mine"), .text = m.strings.Intern(".t<4>")});
    const TypeId types[] = {bounded, m.TupleType(std::array{i7, si128, quantized}), opaque};

    std::vector<NamedAttr> discardable_attrs;
    const auto discardable = [&](const char* name, AttrId value) {
      discardable_attrs.push_back({m.strings.Intern(name), value});
    };
    discardable("b.text", m.String(std::string("nul \0 inside", 12)));
    discardable("a.unit", m.Unit());
    discardable("c.float", m.Float(m.Type(TypeKind::kF64), 0x3FF0000000000001));
    discardable("d.dict",
                m.Dict({{m.strings.Intern("z"), m.I64(-1)}, {m.strings.Intern("y"), m.Symbol("first")}}));
    discardable("e.array", m.Array(std::array{m.I64(INT64_MIN), m.I32(-5), m.TypeAttr(opaque), m.Array({})}));
    discardable("f.wide", m.Make(IntegerAttr{.type = si128, .value = std::array<int64_t, 2>{1, -1}}));
    discardable("g.empty", m.I64Elements(std::array<int64_t, 1>{0}, {}));
    discardable("h.list", m.I64s(std::array<int64_t, 3>{3, 1, 2}));
    discardable("i.name", m.Make(NameLoc{.name = m.strings.Intern("")}));
    discardable("j.resource",
                m.Make(ResourceElementsAttr{.type = m.TensorType(std::array<int64_t, 1>{4}, i32),
                                            .key = m.strings.Intern("blob")}));

    const RegionId region = b->NewRegion();
    const BlockId entry = b->NewBlock(), exit = b->NewBlock();
    b->AddBlockArg(entry, bounded, m.Make(UnknownLoc{}));
    b->BeginBlock(region, entry);
    const uint32_t next = uint32_t(m.values.size());
    const ValueId early[] = {ValueId(next + 3)};  // of the op after this one
    b->AddOp({.name = m.strings.Intern("mine.early"),
              .operands = early,
              .results = types,
              .operand_types = std::span(types, 1)});
    b->AddOp({.name = m.strings.Intern("mine.late"), .results = std::span(types, 1)});
    b->AddOp({.name = m.strings.Intern("mine.branch"), .successors = std::array{exit, entry}});
    b->EndBlock();
    b->BeginBlock(region, exit);
    b->AddOp({.name = m.strings.Intern("mine.stop")});
    b->EndBlock();
    b->EndRegion(region);
    const RegionId empty = b->NewRegion();
    b->EndRegion(empty);
    const OpId op =
        b->AddOp({.name = m.strings.Intern("mine.op"),
                  .results = types,
                  .discardable_attrs = discardable_attrs,
                  .regions = std::array{region, empty},
                  .loc = m.Make(FileLineColLoc{.file = m.strings.Intern("x"), .line = 1, .column = 2})});
    const ValueId all[] = {m.ResultOf(m.ops[op.v], 2), m.ResultOf(m.ops[op.v], 0), m.ResultOf(m.ops[op.v], 1),
                           m.ResultOf(m.ops[op.v], 2)};
    b->AddOp({.name = m.strings.Intern("mine.use"), .operands = all});
    AddFunction(b, "first", 2, true);
  });
  out.resources.push_back({out.strings.Intern("blob"), out.payloads.AddCopy("0123456789abcdef"), 64});
  return out;
}

// A program with constants of these bytes, one op each.
inline Module Constants(const std::vector<std::string>& payloads, TypeKind element = TypeKind::kUI8) {
  return MakeModule([&](Builder* b) {
    Module& m = b->module();
    for (const std::string& bytes : payloads) {
      const TypeId type = m.TensorType(std::array{int64_t(bytes.size())}, m.Type(element));
      const PayloadId payload = m.payloads.AddCopy(bytes);
      const AttrId value = m.Make(ElementsAttr{.type = type, .payload = payload});
      b->AddOp({.revision = NewestRevision(FindOp("stablehlo.constant")),
                .results = std::span(&type, 1),
                .inherent_attrs = std::span(&value, 1)});
    }
  });
}

}  // namespace shlo
