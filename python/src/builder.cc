// Programs that are being made or changed.
#include "call.h"

namespace shlo::python {
namespace {

shlo_builder* Of(const Builder& builder) { return builder.handle; }

Builder* Create(shlo_version version) {
  shlo_builder* out = nullptr;
  Check(shlo_builder_create(version, &out));
  return new Builder(out);
}

Builder* Copy(const Program& program) {
  shlo_builder* out = nullptr;
  Check(WithoutGil([&] { return shlo_builder_copy(program.handle, &out); }));
  return new Builder(out);
}

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
  Check(WithoutGil([&] { return shlo_builder_finish(Of(builder), &verify, &out); }));
  return nb::make_tuple(new Program(out), TakeDiagnostics(warnings));
}

shlo_type ParseType(const Builder& builder, const std::string& text) {
  shlo_type out = 0;
  Check(shlo_builder_type(Of(builder), text.c_str(), &out));
  return out;
}

shlo_attr ParseAttr(const Builder& builder, const std::string& text) {
  shlo_attr out = 0;
  Check(shlo_builder_attr(Of(builder), text.c_str(), &out));
  return out;
}

shlo_attr ParseOpAttr(const Builder& builder, const std::string& op, const std::string& name,
                      const std::string& text) {
  shlo_attr out = 0;
  Check(shlo_builder_op_attr(Of(builder), op.c_str(), name.c_str(), text.c_str(), &out));
  return out;
}

nb::object TypeText(const Builder& builder, shlo_type type) {
  shlo_buffer* out = nullptr;
  Check(shlo_builder_type_text(Of(builder), type, &out));
  return TakeText(out);
}

shlo_attr String(const Builder& builder, nb::bytes text) {
  shlo_attr out = 0;
  Check(shlo_builder_string(Of(builder), text.c_str(), text.size(), &out));
  return out;
}

// The bytes are copied unless they are those of a `bytes` object.
shlo_attr Elements(const Builder& builder, shlo_type type, nb::handle data, bool splat) {
  const Input input(data);
  shlo_attr out = 0;
  const bool borrow = PyBytes_CheckExact(data.ptr()) != 0;
  void* held = borrow ? Hold(data) : nullptr;
  Check(WithoutGil([&] {
    return shlo_builder_elements(Of(builder), type, input.data(), input.size(), splat ? 1 : 0, borrow ? 1 : 0,
                                 borrow ? &ReleaseHeld : nullptr, held, &out);
  }));
  return out;
}

shlo_op AddFunction(const Builder& builder, const std::string& name, const std::vector<shlo_type>& inputs,
                    const std::vector<shlo_type>& results) {
  shlo_op out = 0;
  Check(shlo_builder_function(Of(builder), name.c_str(), inputs.data(), inputs.size(), results.data(),
                              results.size(), &out));
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
  Check(shlo_builder_op(Of(builder), &spec, &out));
  return out;
}

shlo_block AddBlock(const Builder& builder, shlo_region region, const std::vector<shlo_type>& args) {
  shlo_block out = 0;
  Check(shlo_builder_block(Of(builder), region, args.data(), args.size(), &out));
  return out;
}

}  // namespace

void DefineBuilder(nb::module_& module) {
  nb::class_<Builder>(module, "Builder");
  module.def("builder_create", &Create, nb::arg("version"));
  module.def("builder_copy", &Copy, nb::arg("program"));
  module.def("builder_finish", &Finish, nb::arg("builder"), nb::arg("options"));
  module.def("builder_type", &ParseType, nb::arg("builder"), nb::arg("text"));
  module.def("builder_attr", &ParseAttr, nb::arg("builder"), nb::arg("text"));
  module.def("builder_op_attr", &ParseOpAttr, nb::arg("builder"), nb::arg("op"), nb::arg("name"),
             nb::arg("text"));
  module.def("builder_type_text", &TypeText, nb::arg("builder"), nb::arg("type"));
  module.def("builder_string", &String, nb::arg("builder"), nb::arg("text"));
  module.def("builder_elements", &Elements, nb::arg("builder"), nb::arg("type"), nb::arg("data"),
             nb::arg("splat"));
  module.def("builder_function", &AddFunction, nb::arg("builder"), nb::arg("name"), nb::arg("inputs"),
             nb::arg("results"));
  module.def("builder_op", &AddOp, nb::arg("builder"), nb::arg("name"), nb::arg("operands"),
             nb::arg("results").none(), nb::arg("attributes"), nb::arg("region_count"), nb::arg("successors"),
             nb::arg("location"));
  module.def("builder_insert_at_end",
             [](const Builder& b, shlo_block block) { Check(shlo_builder_insert_at_end(Of(b), block)); });
  module.def("builder_insert_before",
             [](const Builder& b, shlo_op op) { Check(shlo_builder_insert_before(Of(b), op)); });
  module.def("builder_block", &AddBlock, nb::arg("builder"), nb::arg("region"), nb::arg("args"));
  module.def("builder_result",
             [](const Builder& b, shlo_op op, size_t i) { return shlo_builder_result(Of(b), op, i); });
  module.def("builder_region",
             [](const Builder& b, shlo_op op, size_t i) { return shlo_builder_region(Of(b), op, i); });
  module.def("builder_region_block", [](const Builder& b, shlo_region region, size_t i) {
    return shlo_builder_region_block(Of(b), region, i);
  });
  module.def("builder_block_arg", [](const Builder& b, shlo_block block, size_t i) {
    return shlo_builder_block_arg(Of(b), block, i);
  });
  module.def("builder_value_type",
             [](const Builder& b, shlo_value value) { return shlo_builder_value_type(Of(b), value); });
  module.def("builder_set_attr", [](const Builder& b, shlo_op op, const std::string& name, shlo_attr value) {
    Check(shlo_builder_set_attr(Of(b), op, name.c_str(), value));
  });
  module.def("builder_set_location", [](const Builder& b, shlo_op op, shlo_attr location) {
    Check(shlo_builder_set_location(Of(b), op, location));
  });
  module.def("builder_set_operand", [](const Builder& b, shlo_op op, size_t i, shlo_value value) {
    Check(shlo_builder_set_operand(Of(b), op, i, value));
  });
  module.def("builder_set_type", [](const Builder& b, shlo_value value, shlo_type type) {
    Check(shlo_builder_set_type(Of(b), value, type));
  });
  module.def("builder_replace_uses", [](const Builder& b, shlo_value value, shlo_value with) {
    Check(shlo_builder_replace_uses(Of(b), value, with));
  });
  module.def("builder_erase", [](const Builder& b, shlo_op op) { Check(shlo_builder_erase(Of(b), op)); });
  module.def("builder_move_before", [](const Builder& b, shlo_op op, shlo_op before) {
    Check(shlo_builder_move_before(Of(b), op, before));
  });
  module.def("builder_rename_symbol", [](const Builder& b, const std::string& name, const std::string& to) {
    Check(shlo_builder_rename_symbol(Of(b), name.c_str(), to.c_str()));
  });
}

}  // namespace shlo::python
