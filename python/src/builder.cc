// Programs that are being made or changed.
#include "bind.h"

namespace shlo::python {
namespace {

// (program, warnings)
nb::object Finish(const Builder& builder, nb::dict dict) {
  Options options(std::move(dict));
  shlo_verify_options verify = SHLO_VERIFY_OPTIONS_INIT;
  options.Get("lenient", &verify.lenient);
  options.Get("dialects", &verify.dialects, &verify.dialect_count);
  options.Get("limits", &verify.limits);
  options.End();
  shlo_diagnostics* warnings = nullptr;
  verify.warnings = &warnings;
  shlo_program* out = nullptr;
  Check(WithoutGil([&] { return shlo_builder_finish(builder.handle, &verify, &out); }));
  return nb::make_tuple(new Program(out), TakeDiagnostics(warnings));
}

// The bytes are copied unless they are those of a `bytes` object.
shlo_attr Elements(const Builder& builder, shlo_type type, nb::handle data, bool splat) {
  const Input input(data);
  shlo_attr out = 0;
  const bool borrow = PyBytes_CheckExact(data.ptr()) != 0;
  void* held = borrow ? Hold(data) : nullptr;
  Check(WithoutGil([&] {
    return shlo_builder_elements(builder.handle, type, input.data(), input.size(), splat ? 1 : 0,
                                 borrow ? 1 : 0, borrow ? &ReleaseHeld : nullptr, held, &out);
  }));
  return out;
}

// `results` None: infer them.
shlo_op AddOp(const Builder& builder, const std::string& name, const std::vector<shlo_value>& operands,
              nb::handle results, const std::vector<std::pair<std::string, shlo_attr>>& attributes,
              size_t region_count, const std::vector<shlo_block>& successors, shlo_attr location) {
  shlo_op_spec spec = SHLO_OP_SPEC_INIT;
  spec.name = name.c_str();
  spec.operands = operands.data();
  spec.operand_count = operands.size();
  std::vector<shlo_type> types;
  if (results.is_none()) {
    spec.infer_results = 1;
  } else {
    types = nb::cast<std::vector<shlo_type>>(results);
    spec.results = types.data();
    spec.result_count = types.size();
  }
  std::vector<const char*> names;
  std::vector<shlo_attr> values;
  for (const auto& [attribute, value] : attributes) {
    names.push_back(attribute.c_str());
    values.push_back(value);
  }
  spec.attr_names = names.data();
  spec.attrs = values.data();
  spec.attr_count = values.size();
  spec.region_count = region_count;
  spec.successors = successors.data();
  spec.successor_count = successors.size();
  spec.location = location;
  shlo_op out = 0;
  Check(shlo_builder_op(builder.handle, &spec, &out));
  return out;
}

}  // namespace

void DefineBuilder(nb::module_& module) {
  nb::class_<Builder>(module, "Builder");
  module.def("builder_finish", &Finish);
  module.def("builder_elements", &Elements);
  module.def("builder_op", &AddOp, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
             nb::arg(), nb::arg());
  SHLO_BIND(builder_create);
  SHLO_BIND_WORK(builder_copy);
  SHLO_BIND(builder_type);
  SHLO_BIND(builder_attr);
  SHLO_BIND(builder_op_attr);
  SHLO_BIND(builder_type_text);
  SHLO_BIND(builder_string);
  SHLO_BIND(builder_function);
  SHLO_BIND(builder_insert_at_end);
  SHLO_BIND(builder_insert_before);
  SHLO_BIND(builder_block);
  SHLO_BIND(builder_result);
  SHLO_BIND(builder_region);
  SHLO_BIND(builder_region_block);
  SHLO_BIND(builder_block_arg);
  SHLO_BIND(builder_value_type);
  SHLO_BIND(builder_set_attr);
  SHLO_BIND(builder_set_location);
  SHLO_BIND(builder_set_operand);
  SHLO_BIND(builder_set_type);
  SHLO_BIND(builder_replace_uses);
  SHLO_BIND(builder_erase);
  SHLO_BIND(builder_move_before);
  SHLO_BIND(builder_rename_symbol);
}

}  // namespace shlo::python
