// Building and editing programs: a ModuleEditor whose callers are not trusted.
#include <optional>
#include <utility>

#include "base/format.h"
#include "base/printable.h"
#include "capi/internal.h"
#include "capi/op_attrs.h"
#include "ir/table/ops.h"
#include "ir/verify/infer.h"
#include "serialize/text/reader_fragments.h"
#include "shlo/editor.h"
#include "shlo/print.h"
#include "shlo/text_reader.h"

namespace shlo::capi {

class CheckedEditor {
 public:
  explicit CheckedEditor(Program program)
      : editor_(std::move(program.module)),
        source_(std::move(program.source)),
        name_(std::move(program.name)) {}

  ModuleEditor* operator->() { return &editor_; }
  const ModuleEditor* operator->() const { return &editor_; }
  Module& module() { return editor_.module(); }
  const Module& module() const { return editor_.module(); }

  // Each returns an id that the program has, or fails.
  OpId Op(shlo_op op) const { return Checked(OpId(op), "op"); }
  BlockId Block(shlo_block block) const { return Checked(BlockId(block), "block"); }
  RegionId Region(shlo_region region) const { return Checked(RegionId(region), "region"); }
  ValueId Value(shlo_value value) const { return Checked(ValueId(value), "value"); }
  TypeId Type(shlo_type type) const {
    if (type == 0 || type >= module().types.size())
      Fail(Code::kUsage, StrFormat("there is no type {}", type));
    return TypeId(type);
  }
  AttrId Attr(shlo_attr attr) const {
    if (attr == 0 || attr >= module().attrs.size())
      Fail(Code::kUsage, StrFormat("there is no attribute {}", attr));
    return AttrId(attr);
  }
  AttrId Location(shlo_attr attr) const {
    if (attr == 0) return {};
    const AttrId location = Attr(attr);
    if (!IsLocation(module().attrs.KindOf(location)))
      Fail(Code::kUsage, StrFormat("attribute {} is not a location", attr), "parse one: loc(\"a.py\":1:2)");
    return location;
  }
  std::vector<TypeId> Types(const shlo_type* types, size_t count) const {
    if (count) Require(types, "types");
    std::vector<TypeId> out;
    for (size_t i = 0; i < count; ++i) out.push_back(Type(types[i]));
    return out;
  }

  void InsertBefore(OpId op) {
    if (op == module().top) Fail(Code::kUsage, "nothing can be inserted before the module");
    editor_.InsertBefore(op);
  }

  OpId AddOp(const shlo_op_spec& spec) {
    Require(spec.name, "name");
    EditedSignature signature;
    NameOp(&module(), spec.name, &signature);
    const OpRevision& revision = RevisionOf(signature.revision);
    signature.inherent_attrs.resize(revision.attrs.size());
    for (size_t i = 0; i < spec.attr_count; ++i) {
      Require(spec.attr_names, "attr_names");
      Require(spec.attrs, "attrs");
      Require(spec.attr_names[i], "attr_names[i]");
      PlaceAttr(&module(), spec.attr_names[i], Attr(spec.attrs[i]), &signature);
    }
    FillAttrs(&module(), &signature);
    OpSpec op;
    op.loc = Location(spec.location);
    if (spec.operand_count) Require(spec.operands, "operands");
    if (spec.result_count) Require(spec.results, "results");
    if (spec.successor_count) Require(spec.successors, "successors");
    std::vector<ValueId> operands;
    for (size_t i = 0; i < spec.operand_count; ++i) operands.push_back(Value(spec.operands[i]));
    std::vector<TypeId> results = Types(spec.results, spec.result_count);
    std::vector<BlockId> successors;
    for (size_t i = 0; i < spec.successor_count; ++i) successors.push_back(Block(spec.successors[i]));
    if (spec.infer_results && spec.result_count)
      Fail(Code::kUsage, "result types are stated, and to be inferred", "state the result types");
    // Other ops have the results of their regions, which have no blocks yet.
    const bool from_operands = signature.revision && HasTypesOfOperands(RowOf(signature.revision));
    const bool none = signature.revision && revision.results.empty();
    if (spec.infer_results && spec.region_count && !from_operands && !none)
      Fail(Code::kUsage, "result types of an op with regions cannot be inferred", "state the result types");
    // Nothing of the program has changed so far.
    op.revision = signature.revision;
    op.name = signature.name;
    op.inherent_attrs = signature.inherent_attrs;
    op.discardable_attrs = signature.discardable_attrs;
    op.operands = operands;
    op.successors = successors;
    if (spec.infer_results && !spec.region_count) return Take(editor_.InsertInferred(op));
    if (spec.infer_results && from_operands)
      for (const ValueId operand : operands) results.push_back(module().TypeOf(operand));
    op.results = results;
    std::vector<RegionId> regions;
    for (size_t i = 0; i < spec.region_count; ++i) regions.push_back(editor_.NewRegion());
    op.regions = regions;
    return editor_.Insert(op);
  }

  // Adds a block, and inserts at its end from now on.
  BlockId AddBlock(RegionId region, std::span<const TypeId> args) {
    const BlockId block = editor_.AddBlock(region, args);
    editor_.InsertAtEnd(block);
    return block;
  }

  void SetAttr(OpId op, std::string_view name, AttrId value) {
    editor_.EditSignature(op, [&](EditedSignature& signature) {
      ClearAttr(module(), name, &signature);
      if (value) PlaceAttr(&module(), name, value, &signature);
    });
  }

  void SetOperand(OpId op, size_t i, ValueId value) {
    const uint32_t count = module().NumOperands(editor_[op]);
    if (i >= count) Fail(Code::kUsage, StrFormat("the op has {}, not {}", Count(count, "operand"), i + 1));
    editor_.SetOperand(op, uint32_t(i), value);
  }

  void Erase(OpId op) {
    if (op == module().top) Fail(Code::kUsage, "the module cannot be erased");
    if (const OpId user = editor_.UserOutside(op))
      Fail(Code::kUsage, StrFormat("op {} has a use: an operand of op {}", op.v, user.v),
           "replace its uses first");
    editor_.Erase(op);
  }

  void MoveBefore(OpId op, OpId before) {
    if (op == before) return;
    OpId around = before;
    while (around && around != op) around = editor_.ParentOf(around);
    if (around || before == module().top)
      Fail(Code::kUsage, "an op cannot be moved into itself, and nothing before the module");
    editor_.MoveBefore(op, before);
  }

  void RenameSymbol(std::string_view name, std::string_view to) {
    if (editor_.FindSymbol(to)) Fail(Code::kUsage, StrFormat("there is a symbol {}", SymbolText(to)));
    if (!editor_.RenameSymbol(name, to))
      Fail(Code::kUsage, StrFormat("there is no symbol {}", SymbolText(name)));
  }

  // Returns the program.
  Program Finished() const {
    Program out;
    out.source = source_;
    out.name = name_;
    out.module = ModuleEditor(editor_).Finish(&out.source.places);
    return out;
  }

 private:
  template <typename IdT>
  IdT Checked(IdT id, const char* what) const {
    if (!editor_.Has(id)) Fail(Code::kUsage, StrFormat("there is no {} {}", what, id.v));
    return id;
  }

  ModuleEditor editor_;
  Source source_;
  std::string name_;
};

}  // namespace shlo::capi

struct shlo_builder {
  explicit shlo_builder(shlo::Program program, uint64_t size) : editor(std::move(program)), bytes(size) {}
  shlo::capi::CheckedEditor editor;
  uint64_t bytes;  // of the program that was copied, for limits
};

using namespace shlo::capi;
using shlo::Code;
using shlo::TypeId;

namespace {

CheckedEditor& EditorOf(shlo_builder* builder) {
  Require(builder, "builder");
  return builder->editor;
}

}  // namespace

extern "C" {

shlo_error* shlo_builder_create(shlo_version version, shlo_builder** out) {
  return Make(out, [&] {
    shlo::Program program;
    program.source.name = "<builder>";
    if (version) program.module.version = shlo::Version{uint16_t(version)};
    if (version > UINT16_MAX || !shlo::FindVersion(program.module.version))
      Fail(Code::kUnknownVersion, shlo::StrFormat("unknown version {}", version));
    return new shlo_builder(std::move(program), 0);
  });
}

shlo_error* shlo_builder_copy(const shlo_program* program, shlo_builder** out) {
  return Make(out, [&] {
    const shlo::Limits limits = LimitsOf(nullptr, Get(program).bytes);
    const shlo_program& from = Valid(program, limits);
    return new shlo_builder(from.program, from.bytes);
  });
}

void shlo_builder_free(shlo_builder* builder) { delete builder; }

shlo_error* shlo_builder_finish(const shlo_builder* builder, const shlo_verify_options* given,
                                shlo_program** out) {
  return Make(out, [&] {
    Require(builder, "builder");
    const shlo_verify_options options = OptionsOf(given, "shlo_verify_options");
    if (options.warnings) *options.warnings = nullptr;
    const std::vector<shlo::Dialect> dialects = DialectsOf(options.dialects, options.dialect_count);
    ProgramPtr program = NewProgram(builder->editor.Finished());
    const shlo::Module& m = program->program.module;
    program->bytes = builder->bytes;
    for (uint32_t i = 1; i < m.payloads.size(); ++i) program->bytes += m.payloads.SizeOf(shlo::PayloadId(i));
    shlo::VerifyOptions verify;
    if (options.lenient) verify.strictness = shlo::Strictness::kLenient;
    if (options.max_diagnostics) verify.max_diagnostics = options.max_diagnostics;
    verify.limits = LimitsOf(options.limits, program->bytes);
    shlo::Diagnostics found = shlo::VerifyProgram(program->program, dialects, verify);
    if (shlo::HasErrors(found)) throw Failed{std::move(found), shlo::RequestStatus::kNegative};
    program->findings = found;
    program->verified = true;
    PutDiagnostics(std::move(found), options.warnings);
    return program.release();
  });
}

shlo_error* shlo_builder_type(shlo_builder* builder, const char* text, shlo_type* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Require(text, "text");
    const auto owner = std::make_shared<std::string>(text);
    *out = Take(shlo::ReadTypeText(&EditorOf(builder).module(), *owner, owner)).v;
  });
}

shlo_error* shlo_builder_attr(shlo_builder* builder, const char* text, shlo_attr* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Require(text, "text");
    const auto owner = std::make_shared<std::string>(text);
    *out = Take(shlo::ReadAttrText(&EditorOf(builder).module(), *owner, owner)).v;
  });
}

shlo_error* shlo_builder_op_attr(shlo_builder* builder, const char* op, const char* name, const char* text,
                                 shlo_attr* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Require(op, "op");
    Require(name, "name");
    Require(text, "text");
    *out = ParseOpAttr(&EditorOf(builder).module(), op, name, text).v;
  });
}

shlo_error* shlo_builder_type_text(const shlo_builder* builder, shlo_type type, shlo_buffer** out) {
  return Make(out, [&] {
    Require(builder, "builder");
    const CheckedEditor& editor = builder->editor;
    std::string text;
    if (!shlo::PrintType(editor.module(), editor.Type(type), shlo::Spelling::kStablehlo,
                         LimitsOf(nullptr, builder->bytes).max_output, &text))
      Fail(Code::kLimit, "the text is too long, or nested too deeply");
    return NewBuffer(std::move(text));
  });
}

shlo_error* shlo_builder_elements(shlo_builder* builder, shlo_type type, const void* data, size_t size,
                                  int splat, int borrow, shlo_release release, void* context,
                                  shlo_attr* out) {
  return Try([&] {
    const shlo::InputFile bytes = BytesOf(data, size, borrow != 0, release, context, {});
    Require(out, "out");
    *out = 0;
    CheckedEditor& editor = EditorOf(builder);
    shlo::Module& m = editor.module();
    const auto tensor = m.As<shlo::TensorType>(editor.Type(type));
    uint64_t count = 0;
    const uint64_t element = tensor ? m.ElementBytes(tensor->element) : 0;
    if (!tensor || !element || !shlo::Module::ElementCount(tensor->shape, &count))
      Fail(Code::kUsage, "expected a static tensor type whose elements have bytes");
    if (splat) count = 1;
    if (bytes.bytes.size() / element != count || bytes.bytes.size() % element)
      Fail(Code::kUsage,
           shlo::StrFormat("expected {} ({} of {}), got {}", shlo::Count(count * element, "byte"),
                           shlo::Count(count, "element"), shlo::Count(element, "byte"), size));
    *out = m.Elements(TypeId(type), m.payloads.AddView(bytes.bytes.data(), bytes.bytes.size(), bytes.owner),
                      splat != 0)
               .v;
  });
}

shlo_error* shlo_builder_string(shlo_builder* builder, const char* data, size_t size, shlo_attr* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    if (size) Require(data, "data");
    *out = EditorOf(builder).module().String({data, size}).v;
  });
}

shlo_error* shlo_builder_function(shlo_builder* builder, const char* name, const shlo_type* inputs,
                                  size_t input_count, const shlo_type* results, size_t result_count,
                                  shlo_op* out) {
  return Try([&] {
    if (out) *out = 0;
    Require(name, "name");
    CheckedEditor& editor = EditorOf(builder);
    shlo::Module& m = editor.module();
    const std::vector<TypeId> args = editor.Types(inputs, input_count);
    const std::vector<TypeId> returned = editor.Types(results, result_count);
    const char* const names[] = {"sym_name", "function_type"};
    const shlo_attr attrs[] = {m.String(name).v, m.TypeAttr(m.FunctionType(args, returned)).v};
    shlo_op_spec spec{};
    spec.name = "func.func";
    spec.attr_names = names;
    spec.attrs = attrs;
    spec.attr_count = 2;
    spec.region_count = 1;
    editor->InsertAtEnd(editor->body());
    const shlo::OpId function = editor.AddOp(spec);
    editor.AddBlock(m.RegionsOf(m.ops[function.v])[0], args);
    if (out) *out = function.v;
  });
}

shlo_error* shlo_builder_op(shlo_builder* builder, const shlo_op_spec* spec, shlo_op* out) {
  return Try([&] {
    if (out) *out = 0;
    Require(spec, "spec");
    const shlo::OpId op = EditorOf(builder).AddOp(OptionsOf(spec, "shlo_op_spec"));
    if (out) *out = op.v;
  });
}

shlo_error* shlo_builder_insert_at_end(shlo_builder* builder, shlo_block block) {
  return Try([&] {
    CheckedEditor& editor = EditorOf(builder);
    editor->InsertAtEnd(editor.Block(block));
  });
}

shlo_error* shlo_builder_insert_before(shlo_builder* builder, shlo_op op) {
  return Try([&] {
    CheckedEditor& editor = EditorOf(builder);
    editor.InsertBefore(editor.Op(op));
  });
}

shlo_error* shlo_builder_block(shlo_builder* builder, shlo_region region, const shlo_type* args,
                               size_t arg_count, shlo_block* out) {
  return Try([&] {
    if (out) *out = 0;
    CheckedEditor& editor = EditorOf(builder);
    const shlo::RegionId checked = editor.Region(region);
    const shlo::BlockId block = editor.AddBlock(checked, editor.Types(args, arg_count));
    if (out) *out = block.v;
  });
}

shlo_value shlo_builder_result(const shlo_builder* builder, shlo_op op, size_t i) {
  if (!builder || !builder->editor->Has(shlo::OpId(op))) return 0;
  const shlo::Module& module = builder->editor.module();
  const shlo::Range results = module.ResultsOf(module.ops[op]);
  return i < results.count ? results.first + uint32_t(i) : 0;
}

shlo_region shlo_builder_region(const shlo_builder* builder, shlo_op op, size_t i) {
  if (!builder || !builder->editor->Has(shlo::OpId(op))) return 0;
  const shlo::Module& module = builder->editor.module();
  const auto regions = module.RegionsOf(module.ops[op]);
  return i < regions.size() ? regions[i].v : 0;
}

shlo_block shlo_builder_region_block(const shlo_builder* builder, shlo_region region, size_t i) {
  return Ask(0u, [&] {
    if (!builder) return 0u;
    const auto blocks = builder->editor->BlocksOf(builder->editor.Region(region));
    return i < blocks.size() ? blocks[i].v : 0;
  });
}

shlo_value shlo_builder_block_arg(const shlo_builder* builder, shlo_block block, size_t i) {
  if (!builder || !builder->editor->Has(shlo::BlockId(block))) return 0;
  const shlo::Range args = builder->editor.module().blocks[block].args;
  return i < args.count ? args.first + uint32_t(i) : 0;
}

shlo_type shlo_builder_value_type(const shlo_builder* builder, shlo_value value) {
  if (!builder || !builder->editor->Has(shlo::ValueId(value))) return 0;
  return builder->editor.module().values[value].type.v;
}

shlo_error* shlo_builder_set_attr(shlo_builder* builder, shlo_op op, const char* name, shlo_attr value) {
  return Try([&] {
    Require(name, "name");
    CheckedEditor& editor = EditorOf(builder);
    const shlo::OpId checked = editor.Op(op);
    editor.SetAttr(checked, name, value ? editor.Attr(value) : shlo::AttrId());
  });
}

shlo_error* shlo_builder_set_location(shlo_builder* builder, shlo_op op, shlo_attr location) {
  return Try([&] {
    CheckedEditor& editor = EditorOf(builder);
    const shlo::OpId checked = editor.Op(op);
    editor->SetLocation(checked, editor.Location(location));
  });
}

shlo_error* shlo_builder_set_operand(shlo_builder* builder, shlo_op op, size_t i, shlo_value value) {
  return Try([&] {
    CheckedEditor& editor = EditorOf(builder);
    const shlo::OpId checked = editor.Op(op);
    editor.SetOperand(checked, i, editor.Value(value));
  });
}

shlo_error* shlo_builder_set_type(shlo_builder* builder, shlo_value value, shlo_type type) {
  return Try([&] {
    CheckedEditor& editor = EditorOf(builder);
    const shlo::ValueId checked = editor.Value(value);
    editor->SetType(checked, editor.Type(type));
  });
}

shlo_error* shlo_builder_replace_uses(shlo_builder* builder, shlo_value value, shlo_value with) {
  return Try([&] {
    CheckedEditor& editor = EditorOf(builder);
    const shlo::ValueId checked = editor.Value(value);
    editor->ReplaceUses(checked, editor.Value(with));
  });
}

shlo_error* shlo_builder_erase(shlo_builder* builder, shlo_op op) {
  return Try([&] {
    CheckedEditor& editor = EditorOf(builder);
    editor.Erase(editor.Op(op));
  });
}

shlo_error* shlo_builder_move_before(shlo_builder* builder, shlo_op op, shlo_op before) {
  return Try([&] {
    CheckedEditor& editor = EditorOf(builder);
    const shlo::OpId checked = editor.Op(op);
    editor.MoveBefore(checked, editor.Op(before));
  });
}

shlo_error* shlo_builder_rename_symbol(shlo_builder* builder, const char* name, const char* to) {
  return Try([&] {
    Require(name, "name");
    Require(to, "to");
    EditorOf(builder).RenameSymbol(name, to);
  });
}

}  // extern "C"
