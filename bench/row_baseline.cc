#include "row_baseline.h"

#include <zstd.h>

#include <string>
#include <vector>

#include "ir/table/trait.h"

namespace shlo::bench {
namespace {

class Rows {
 public:
  explicit Rows(const Module& module)
      : m_(module),
        values_(module.values.size()),
        strings_(module.strings.size()),
        types_(module.types.size()),
        attrs_(module.attrs.size()),
        payloads_(module.payloads.size()) {}

  std::string ops, tables;

  void WriteOp(OpId id) {
    const Op& op = m_.ops[id.v];
    if (m_.RevisionIdOf(op)) {
      Put(ops, m_.RevisionIdOf(op).v);
    } else {
      Put(ops, 0);
      Put(ops, String(m_.NameIdOf(op)));
    }
    if (m_.Has(op, Trait::kFunction)) next_value_ = 0;
    Put(ops, m_.NumOperands(op));
    for (ValueId v : m_.OperandsOf(op)) Put(ops, values_[v.v]);
    Put(ops, m_.NumResults(op));
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) {
      const ValueId v = m_.ResultOf(op, i);
      values_[v.v] = ++next_value_;
      Put(ops, Type(m_.TypeOf(v)));
    }
    for (AttrId slot : m_.InherentAttrsOf(op)) Put(ops, Attr(slot));
    Put(ops, m_.DiscardableAttrsOf(op).size());
    for (const NamedAttr& discardable : m_.DiscardableAttrsOf(op)) {
      Put(ops, String(discardable.name));
      Put(ops, Attr(discardable.value));
    }
    Put(ops, op.successors.count);
    for (BlockId b : m_.SuccessorsOf(op)) Put(ops, b.v);
    Put(ops, op.regions.count);
    for (RegionId r : m_.RegionsOf(op)) {
      Put(ops, m_.BlocksOf(r).size());
      for (BlockId b : m_.BlocksOf(r)) {
        const Block& block = m_.blocks[b.v];
        Put(ops, block.args.count);
        for (uint32_t i = 0; i < block.args.count; ++i) {
          const ValueId v = m_.ArgOf(b, i);
          values_[v.v] = ++next_value_;
          Put(ops, Type(m_.TypeOf(v)));
        }
        Put(ops, block.ops.count);
        for (OpId inner : m_.OpsOf(b)) WriteOp(inner);
      }
    }
  }

 private:
  static void Put(std::string& out, uint64_t x) {
    for (; x >= 0x80; x >>= 7) out += char(x | 0x80);
    out += char(x);
  }
  static void PutSigned(std::string& out, uint64_t x) { Put(out, x << 1 ^ -(x >> 63)); }
  void PutBytes(std::string_view bytes) {
    Put(tables, bytes.size());
    tables += bytes;
  }
  // Each returns the number of its argument, and writes a row if it is new.
  uint32_t String(StringId id) {
    if (id && !strings_[id.v]) {
      strings_[id.v] = ++next_string_;
      PutBytes(m_.strings[id]);
    }
    return strings_[id.v];
  }
  uint32_t Payload(PayloadId id) {
    if (id && !payloads_[id.v]) {
      payloads_[id.v] = ++next_payload_;
      PutBytes(m_.payloads[id].bytes());
    }
    return payloads_[id.v];
  }
  uint32_t Type(TypeId id) {
    if (id && !types_[id.v]) {
      const std::string row = Row(RowOf(m_.types.KindOf(id)), m_.types[id].words);
      types_[id.v] = ++next_type_;
      tables += row;
    }
    return types_[id.v];
  }
  uint32_t Attr(AttrId id) {
    if (id && !attrs_[id.v]) {
      const std::string row = Row(RowOf(m_.attrs.KindOf(id)), m_.attrs[id].words);
      attrs_[id.v] = ++next_attr_;
      tables += row;
    }
    return attrs_[id.v];
  }
  std::string Row(const KindRow& kind, std::span<const uint64_t> words) {
    std::string row;
    Put(row, kind.id);
    size_t at = 0;
    for (const FieldRow& field : kind.fields()) {
      uint64_t n = 1;
      if (IsList(field.type)) Put(row, n = words[at++]);
      for (uint64_t i = 0; i < n; ++i) {
        const uint32_t id = uint32_t(words[at]);
        switch (field.type) {
          case FieldType::kInt:
          case FieldType::kInts:
            PutSigned(row, words[at]);
            break;
          case FieldType::kFloat:
          case FieldType::kFloats:
            row.append(reinterpret_cast<const char*>(&words[at]), 8);
            break;
          case FieldType::kString:
          case FieldType::kStrings:
            Put(row, String(StringId(id)));
            break;
          case FieldType::kType:
          case FieldType::kTypes:
            Put(row, Type(TypeId(id)));
            break;
          case FieldType::kAttr:
          case FieldType::kOptAttr:
          case FieldType::kAttrs:
            Put(row, Attr(AttrId(id)));
            break;
          case FieldType::kPayload:
            Put(row, Payload(PayloadId(id)));
            break;
          case FieldType::kNamed:
            Put(row, String(StringId(id)));
            Put(row, Attr(AttrId(uint32_t(words[++at]))));
            break;
        }
        ++at;
      }
    }
    return row;
  }

  const Module& m_;
  std::vector<uint32_t> values_, strings_, types_, attrs_, payloads_;
  uint32_t next_value_ = 0, next_string_ = 0, next_type_ = 0, next_attr_ = 0, next_payload_ = 0;
};

uint64_t Compressed(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  return ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3);
}

}  // namespace

RowBaseline MeasureRowBaseline(const Module& module) {
  Rows rows(module);
  rows.WriteOp(module.top);
  return {Compressed(rows.ops), Compressed(rows.tables), Compressed(rows.tables + rows.ops)};
}

}  // namespace shlo::bench
