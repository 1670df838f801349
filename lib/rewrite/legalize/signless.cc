// stablehlo-convert-to-signless: integers of every type without their signs, as some dialects need them.
// What unsigned values mean to ops changes with it: see docs/quantization.md.
#include "base/deadline.h"
#include "ir/table/ops.h"
#include "rewrite/element_types.h"
#include "rewrite/pass.h"
#include "shlo/editor.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

class Signless {
 public:
  explicit Signless(const Module& module) : editor_(module), m_(editor_.module()) {}

  Module Run(SourcePlaces* places) {
    for (const OpId op : editor_.Ops()) {
      Tick();
      const Op& o = editor_[op];
      const Range results = m_.ResultsOf(o);
      for (uint32_t i = 0; i < results.count; ++i) Retype(ValueId(results.first + i));
      const auto regions = m_.RegionsOf(o);
      for (const RegionId region : std::vector<RegionId>(regions.begin(), regions.end()))
        for (const BlockId block : editor_.BlocksOf(region)) {
          const Range args = m_.blocks[block.v].args;
          for (uint32_t i = 0; i < args.count; ++i) Retype(ValueId(args.first + i));
        }
      if (m_.Is(o, ops::kFunc)) RetypeFunction(op);
      if (m_.Is(o, ops::kConstant) || m_.Is(o, ops::kArithConstant)) RetypeConstant(op);
    }
    return std::move(editor_).Finish(places);
  }

 private:
  TypeId Element(TypeId type) {
    if (const auto integer = m_.As<IntegerType>(type)) return m_.IntegerType(integer->width);
    const TypeKind kind = m_.types.KindOf(type);
    return IsUnsignedInteger(kind) ? m_.IntegerType(BitWidth(kind)) : type;
  }

  TypeId Of(TypeId type) {
    const TypeId before = ElementOf(m_, type), element = Element(before);
    return element == before ? type : WithElement(m_, type, element);
  }

  void Retype(ValueId value) {
    if (const TypeId type = Of(m_.TypeOf(value)); type != m_.TypeOf(value)) editor_.SetType(value, type);
  }

  void RetypeFunction(OpId op) {
    const auto type = m_.FunctionTypeOf(editor_[op]);
    if (!type) return;
    std::vector<TypeId> inputs = type->inputs.ToVector(), results = type->results.ToVector();
    for (TypeId& t : inputs) t = Of(t);
    for (TypeId& t : results) t = Of(t);
    editor_.SetAttr(op, "function_type", m_.TypeAttr(m_.FunctionType(inputs, results)));
  }

  void RetypeConstant(OpId op) {
    const AttrId value = m_.AttributeOf(editor_[op], "value");
    if (const auto elements = m_.As<ElementsAttr>(value))
      editor_.SetAttr(
          op, "value",
          m_.Make(ElementsAttr{
              .type = Of(elements->type), .splat = elements->splat, .payload = elements->payload}));
  }

  ModuleEditor editor_;
  Module& m_;
};

}  // namespace

Result<void> ConvertToSignless(const PassRun&, Program* program) {
  SourcePlaces places = program->source.places;
  program->module = Signless(program->module).Run(&places);
  program->source.places = std::move(places);
  return {};
}

}  // namespace shlo::rewrite
