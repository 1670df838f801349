#include "ir/module/import.h"

#include <utility>

#include "base/stack.h"
#include "ir/module/node_words.h"

namespace shlo {

Importer::Importer(std::shared_ptr<const Module> from, Module* to, Builder* builder,
                   std::map<std::string, std::string, std::less<>> names)
    : owner_(std::move(from)), m_(*owner_), out_(*to), builder_(*builder), names_(std::move(names)) {
  values_.resize(m_.values.size());
  blocks_.resize(m_.blocks.size());
}

StringId Importer::Renamed(StringId name) {
  const auto found = names_.find(m_.strings[name]);
  return out_.strings.Intern(found == names_.end() ? m_.strings[name] : found->second);
}

TypeId Importer::Import(TypeId type) {
  CheckStack();
  if (!type) return type;
  if (const auto found = types_.find(type.v); found != types_.end()) return found->second;
  const auto node = m_.types[type];
  const TypeId added = out_.types.Intern(node.kind, Words(RowOf(node.kind), node.words, false));
  types_[type.v] = added;
  return added;
}

AttrId Importer::Import(AttrId attr) {
  CheckStack();
  if (!attr) return attr;
  if (const auto found = attrs_.find(attr.v); found != attrs_.end()) return found->second;
  const auto node = m_.attrs[attr];
  AttrId added;
  if (const auto resource = node.As<ResourceElementsAttr>()) {
    // Keys of resources could be those of another module's: their bytes become part of the program.
    for (const Resource& r : m_.resources)
      if (r.key == resource->key) {
        const Payload bytes = m_.payloads[r.payload];
        added = out_.Elements(Import(resource->type), out_.payloads.AddView(bytes.data, bytes.size, owner_),
                              false);
      }
  }
  if (!added)
    added =
        out_.attrs.Intern(node.kind, Words(RowOf(node.kind), node.words, node.kind == AttrKind::kSymbolRef));
  attrs_[attr.v] = added;
  return added;
}

std::vector<uint64_t> Importer::Words(const KindRow& row, std::span<const uint64_t> node, bool symbol) {
  return MappedWords(row, node, [&](FieldType type, uint64_t word) -> uint64_t {
    const uint32_t id = uint32_t(word);
    switch (type) {
      case FieldType::kString:
      case FieldType::kStrings:
        return symbol && type == FieldType::kString ? Renamed(StringId(id)).v
                                                    : out_.strings.Intern(m_.strings[StringId(id)]).v;
      case FieldType::kType:
      case FieldType::kTypes:
        return Import(TypeId(id)).v;
      case FieldType::kAttr:
      case FieldType::kOptAttr:
      case FieldType::kAttrs:
        return Import(AttrId(id)).v;
      case FieldType::kPayload: {
        const Payload bytes = m_.payloads[PayloadId(id)];
        return out_.payloads.AddView(bytes.data, bytes.size, owner_).v;
      }
      default:
        return word;
    }
  });
}

AttrId Importer::Slot(const Cell& cell, AttrId attr) {
  // The name of a definition is a string.
  if (const auto name = attr && cell.name == "sym_name" ? m_.As<StringAttr>(attr) : std::nullopt)
    return out_.String(std::string(out_.strings[Renamed(name->value)]));
  return Import(attr);
}

OpId Importer::Copy(OpId id) {
  CheckStack();
  const Op& op = m_.ops[id.v];
  std::vector<RegionId> regions;
  for (RegionId region : m_.RegionsOf(op)) {
    regions.push_back(builder_.NewRegion());
    for (BlockId block : m_.BlocksOf(region)) blocks_[block.v] = builder_.NewBlock();
    for (BlockId block : m_.BlocksOf(region))
      for (uint32_t i = 0; i < m_.blocks[block.v].args.count; ++i) {
        const ValueId arg = m_.ArgOf(block, i);
        values_[arg.v] =
            builder_.AddBlockArg(blocks_[block.v], Import(m_.TypeOf(arg)), Import(m_.values[arg.v].loc));
      }
    for (BlockId block : m_.BlocksOf(region)) {
      builder_.BeginBlock(regions.back(), blocks_[block.v]);
      for (OpId nested : m_.OpsOf(block)) Copy(nested);
      builder_.EndBlock();
    }
    builder_.EndRegion(regions.back());
  }
  std::vector<ValueId> operands;
  for (ValueId operand : m_.OperandsOf(op)) operands.push_back(values_[operand.v]);
  std::vector<BlockId> successors;
  for (BlockId block : m_.SuccessorsOf(op)) successors.push_back(blocks_[block.v]);
  const EditedSignature signature = Import(m_.SignatureOf(op));
  OpSpec spec;
  spec.revision = signature.revision;
  spec.name = signature.name;
  spec.operands = operands;
  spec.operand_types = signature.operand_types;
  spec.results = signature.result_types;
  spec.inherent_attrs = signature.inherent_attrs;
  spec.discardable_attrs = signature.discardable_attrs;
  spec.regions = regions;
  spec.successors = successors;
  spec.loc = Import(op.loc);
  const OpId copy = builder_.AddOp(spec);
  const Op& added = out_.ops[copy.v];
  for (uint32_t i = 0; i < spec.results.size(); ++i) values_[m_.ResultOf(op, i).v] = out_.ResultOf(added, i);
  for (uint32_t i = 0; i < operands.size(); ++i)
    if (!operands[i]) late_.push_back({added.first_operand + i, m_.OperandsOf(op)[i]});
  return copy;
}

EditedSignature Importer::Import(const OpSignature& from) {
  EditedSignature out(from);
  if (from.name) out.name = out_.strings.Intern(m_.strings[from.name]);
  for (size_t i = 0; i < out.inherent_attrs.size(); ++i)
    out.inherent_attrs[i] = Slot(RevisionOf(from.revision).attrs[i], from.inherent_attrs[i]);
  for (NamedAttr& attr : out.discardable_attrs)
    attr = {out_.strings.Intern(m_.strings[attr.name]), Import(attr.value)};
  for (TypeId& type : out.operand_types) type = Import(type);
  for (TypeId& type : out.result_types) type = Import(type);
  return out;
}

void Importer::Finish() {
  for (const Late& late : late_) out_.operands[late.operand] = values_[late.value.v];
}

}  // namespace shlo
