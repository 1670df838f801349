// The parts of a program by their numbers: ops, values, blocks, regions, types and attributes.
#include <unordered_set>

#include "call.h"

namespace shlo::python {
namespace {

// Names repeat: Python keeps one object of each.
nb::object Name(shlo_str text) {
  PyObject* made = Text(text).release().ptr();
  PyUnicode_InternInPlace(&made);
  return nb::steal(made);
}

template <typename Number>
nb::list List(const Number* numbers, size_t count) {
  nb::list out;
  for (size_t i = 0; i < count; ++i) out.append(numbers[i]);
  return out;
}

// A list that the C API has as an array.
template <auto Get>
nb::list Array(const Program& program, uint32_t id) {
  size_t count = 0;
  const uint32_t* numbers = Get(program.handle, id, &count);
  return List(numbers, count);
}

// A list of consecutive numbers.
template <auto Count, auto Get>
nb::list Consecutive(const Program& program, uint32_t id) {
  nb::list out;
  const uint32_t count = Count(program.handle, id);
  for (uint32_t i = 0; i < count; ++i) out.append(Get(program.handle, id, i));
  return out;
}

template <auto Get>
uint32_t Number(const Program& program, uint32_t id) {
  return Get(program.handle, id);
}

// The ops below `root`, each before those in its regions; with `name`, those with that name.
nb::list Walk(const Program& program, shlo_op root, nb::handle name) {
  const auto wanted = name.is_none() ? std::string() : nb::cast<std::string>(name);
  nb::list out;
  std::vector<shlo_op> stack = {root};
  std::vector<shlo_op> inner;
  while (!stack.empty()) {
    const shlo_op op = stack.back();
    stack.pop_back();
    if (op != root) {
      const shlo_str found = shlo_op_name(program.handle, op);
      if (name.is_none() || std::string_view(found.data, found.size) == wanted) out.append(op);
    }
    inner.clear();
    size_t regions = 0;
    const shlo_region* region = shlo_op_regions(program.handle, op, &regions);
    for (size_t r = 0; r < regions; ++r) {
      size_t blocks = 0;
      const shlo_block* block = shlo_region_blocks(program.handle, region[r], &blocks);
      for (size_t b = 0; b < blocks; ++b) {
        size_t ops = 0;
        const shlo_op* first = shlo_block_ops(program.handle, block[b], &ops);
        inner.insert(inner.end(), first, first + ops);
      }
    }
    stack.insert(stack.end(), inner.rbegin(), inner.rend());
  }
  return out;
}

// [(op, index of the operand)]
nb::list Uses(const Program& program, shlo_value value) {
  const shlo_use* uses = nullptr;
  size_t count = 0;
  Check(WithoutGil([&] { return shlo_value_uses(program.handle, value, &uses, &count); }));
  nb::list out;
  for (size_t i = 0; i < count; ++i) out.append(nb::make_tuple(uses[i].op, uses[i].operand));
  return out;
}

// [(name, attribute, inherent)]
nb::list OpAttributes(const Program& program, shlo_op op) {
  nb::list out;
  const uint32_t count = shlo_op_attr_count(program.handle, op);
  for (uint32_t i = 0; i < count; ++i) {
    shlo_named_attr named{};
    if (shlo_op_attr_at(program.handle, op, i, &named) == 0) break;
    out.append(nb::make_tuple(Name(named.name), named.value, named.inherent != 0));
  }
  return out;
}

// The names of the groups of attributes that are written.
nb::list OpAttrGroups(const Program& program, shlo_op op) {
  nb::list out;
  for (uint32_t i = 0;; ++i) {
    const shlo_str name = shlo_op_attr_group(program.handle, op, i);
    if (name.size == 0) return out;
    out.append(Name(name));
  }
}

nb::object OpAttrGroupText(const Program& program, shlo_op op, uint32_t i) {
  shlo_buffer* out = nullptr;
  Check(shlo_op_attr_group_text(program.handle, op, i, &out));
  return TakeText(out);
}

nb::object Place(const shlo_place& place) {
  return nb::make_tuple(Text(place.file), place.line, place.column);
}

nb::object OpPlace(const Program& program, shlo_op op) {
  shlo_place place = SHLO_PLACE_INIT;
  return shlo_op_place(program.handle, op, &place) == 0 ? nb::none() : Place(place);
}

nb::object LocationPlace(const Program& program, shlo_attr location) {
  shlo_place place = SHLO_PLACE_INIT;
  return shlo_location_place(program.handle, location, &place) == 0 ? nb::none() : Place(place);
}

template <auto Print>
nb::object Printed(const Program& program, uint32_t id) {
  shlo_buffer* out = nullptr;
  Check(Print(program.handle, id, &out));
  return TakeText(out);
}

nb::object OpText(const Program& program, shlo_op op, size_t max_bytes) {
  shlo_buffer* out = nullptr;
  Check(shlo_op_text(program.handle, op, max_bytes, &out));
  return TakeText(out);
}

nb::object Dimensions(const int64_t* sizes, uint32_t rank) {
  if (sizes == nullptr && rank != 0) return nb::none();
  nb::list out;
  for (uint32_t i = 0; i < rank; ++i)
    out.append(sizes[i] == SHLO_DYNAMIC ? nb::none() : nb::object(nb::int_(sizes[i])));
  return nb::tuple(out);
}

// (shape or None, bounds or None, element type, encoding, kind, bits, bytes of the element), or None for a
// type without a shape.
nb::object TypeInfo(const Program& program, shlo_type type) {
  shlo_type_info info = SHLO_TYPE_INFO_INIT;
  if (shlo_type_get(program.handle, type, &info) == 0) return nb::none();
  return nb::make_tuple(info.shaped != 0, info.ranked == 0 ? nb::none() : Dimensions(info.shape, info.rank),
                        info.bounds == nullptr ? nb::none() : Dimensions(info.bounds, info.rank),
                        info.element, info.encoding, Text(info.element_kind), info.element_bits,
                        info.element_bytes);
}

// A value and what it is: "int", "float", "str", "type", "attr", "bytes".
nb::object Item(const Program& program, const shlo_field& field, size_t i) {
  switch (field.kind) {
    case SHLO_FIELD_INT:
    case SHLO_FIELD_INTS:
      return nb::int_(shlo_field_int(&field, i));
    case SHLO_FIELD_FLOAT:
    case SHLO_FIELD_FLOATS:
      return nb::float_(shlo_field_float(&field, i));
    case SHLO_FIELD_STRING:
    case SHLO_FIELD_STRINGS:
      return Text(shlo_field_string(program.handle, &field, i));
    case SHLO_FIELD_NAMED: {
      const shlo_named_attr named = shlo_field_named(program.handle, &field, i);
      return nb::make_tuple(Name(named.name), named.value);
    }
    default:
      return nb::int_(shlo_field_id(&field, i));
  }
}

// [(name, kind, value or list of values)]
template <auto Count, auto Get>
nb::list Fields(const Program& program, uint32_t id) {
  nb::list out;
  const uint32_t count = Count(program.handle, id);
  for (uint32_t i = 0; i < count; ++i) {
    shlo_field field = SHLO_FIELD_INIT;
    if (Get(program.handle, id, i, &field) == 0) break;
    nb::object value = nb::none();
    if (field.kind >= SHLO_FIELD_INTS) {
      nb::list items;
      for (size_t j = 0; j < field.count; ++j) items.append(Item(program, field, j));
      value = items;
    } else if (field.kind != SHLO_FIELD_BYTES) {
      value = Item(program, field, 0);
    }
    out.append(nb::make_tuple(Text(field.name), field.kind, value));
  }
  return out;
}

// The value of an attribute that is simple: (what, value) with what = "int", "bool", "float", "str",
// "symbol", "enum", "type", "array", "dict"; None for others.
nb::object AttrValue(const Program& program, shlo_attr attr) {
  const shlo_program* p = program.handle;
  int boolean = 0;
  int64_t integer = 0;
  double number = 0;
  shlo_str text{};
  shlo_type type = 0;
  if (shlo_attr_bool(p, attr, &boolean) != 0) return nb::make_tuple("bool", boolean != 0);
  if (shlo_attr_int(p, attr, &integer) != 0) return nb::make_tuple("int", integer);
  if (shlo_attr_float(p, attr, &number) != 0) return nb::make_tuple("float", number);
  if (shlo_attr_string(p, attr, &text) != 0) return nb::make_tuple("str", Text(text));
  if (shlo_attr_symbol(p, attr, &text) != 0) return nb::make_tuple("symbol", Text(text));
  if (shlo_attr_enum(p, attr, &text) != 0) return nb::make_tuple("enum", Text(text));
  if (shlo_attr_type_value(p, attr, &type) != 0) return nb::make_tuple("type", type);
  const shlo_str kind = shlo_attr_kind(p, attr);
  const std::string_view name(kind.data, kind.size);
  // array<...> has the same kind as [...], but elements.
  shlo_elements elements = SHLO_ELEMENTS_INIT;
  shlo_error* none = name == "array" ? shlo_attr_elements(p, attr, &elements) : nullptr;
  shlo_error_free(none);
  if (none != nullptr) {
    nb::list out;
    for (size_t i = 0; i < shlo_attr_array_count(p, attr); ++i) out.append(shlo_attr_array_at(p, attr, i));
    return nb::make_tuple("array", out);
  }
  if (name == "dictionary") {
    nb::list out;
    for (size_t i = 0; i < shlo_attr_dict_count(p, attr); ++i) {
      shlo_named_attr named{};
      if (shlo_attr_dict_at(p, attr, i, &named) != 0)
        out.append(nb::make_tuple(Name(named.name), named.value));
    }
    return nb::make_tuple("dict", out);
  }
  return nb::none();
}

// (type, element type, kind of the element, shape, number of elements, splat, bytes), or None if the
// attribute has no elements.
nb::object AttrElements(nb::object owner, shlo_attr attr) {
  const auto& program = nb::cast<const Program&>(owner);
  shlo_elements e = SHLO_ELEMENTS_INIT;
  shlo_error* error = WithoutGil([&] { return shlo_attr_elements(program.handle, attr, &e); });
  if (error != nullptr && shlo_error_code(error) == SHLO_CODE_UNSUPPORTED) {
    shlo_error_free(error);
    return nb::none();
  }
  Check(error);
  return nb::make_tuple(e.type, e.element, Text(e.element_kind), Dimensions(e.shape, e.rank), e.count,
                        e.splat != 0,
                        nb::cast(new View{owner, e.data, e.size}, nb::rv_policy::take_ownership));
}

}  // namespace

void DefineWalk(nb::module_& module) {
  const auto number = [&](const char* name, auto get) {
    module.def(name, get, nb::arg("program"), nb::arg("id"));
  };
  module.def("module_op", [](const Program& p) { return shlo_module_op(p.handle); });
  module.def("functions", [](const Program& p) {
    nb::list out;
    for (uint32_t i = 0; i < shlo_function_count(p.handle); ++i) out.append(shlo_function_at(p.handle, i));
    return out;
  });
  module.def("function_find", [](const Program& p, const std::string& name) {
    return shlo_function_find(p.handle, name.c_str());
  });
  module.def("value_count", [](const Program& p) { return shlo_value_count(p.handle); });
  number("op_name", [](const Program& p, uint32_t op) { return Name(shlo_op_name(p.handle, op)); });
  number("op_vhlo_name", [](const Program& p, uint32_t op) { return Name(shlo_op_vhlo_name(p.handle, op)); });
  number("op_symbol", [](const Program& p, uint32_t op) { return Name(shlo_op_symbol(p.handle, op)); });
  number("op_block", &Number<shlo_op_block>);
  number("op_parent", &Number<shlo_op_parent>);
  number("op_operands", &Array<shlo_op_operands>);
  number("op_regions", &Array<shlo_op_regions>);
  number("op_successors", &Array<shlo_op_successors>);
  number("op_results", &Consecutive<shlo_op_result_count, shlo_op_result>);
  number("op_attributes", &OpAttributes);
  module.def("op_attr", [](const Program& p, uint32_t op, const std::string& name) {
    return shlo_op_attr(p.handle, op, name.c_str());
  });
  number("op_attr_groups", &OpAttrGroups);
  module.def("op_attr_group_text", &OpAttrGroupText, nb::arg("program"), nb::arg("op"), nb::arg("i"));
  number("op_location", &Number<shlo_op_location>);
  number("op_place", &OpPlace);
  module.def("op_text", &OpText, nb::arg("program"), nb::arg("op"), nb::arg("max_bytes"));
  module.def("walk", &Walk, nb::arg("program"), nb::arg("root"), nb::arg("name").none());
  number("block_ops", &Array<shlo_block_ops>);
  number("block_args", &Consecutive<shlo_block_arg_count, shlo_block_arg>);
  number("block_region", &Number<shlo_block_region>);
  number("region_blocks", &Array<shlo_region_blocks>);
  number("region_op", &Number<shlo_region_op>);
  number("value_type", &Number<shlo_value_type>);
  number("value_op", &Number<shlo_value_op>);
  number("value_block", &Number<shlo_value_block>);
  number("value_index", &Number<shlo_value_index>);
  number("value_name",
         [](const Program& p, uint32_t value) { return Text(shlo_value_name(p.handle, value)); });
  number("value_uses", &Uses);
  number("location_place", &LocationPlace);
  number("type_text", &Printed<shlo_type_text>);
  number("attr_text", &Printed<shlo_attr_text>);
  number("type_kind", [](const Program& p, uint32_t type) { return Name(shlo_type_kind(p.handle, type)); });
  number("attr_kind", [](const Program& p, uint32_t attr) { return Name(shlo_attr_kind(p.handle, attr)); });
  number("type_get", &TypeInfo);
  number("type_fields", &Fields<shlo_type_field_count, shlo_type_field>);
  number("attr_fields", &Fields<shlo_attr_field_count, shlo_attr_field>);
  number("attr_value", &AttrValue);
  number("attr_type", &Number<shlo_attr_type>);
  module.def("attr_elements", &AttrElements, nb::arg("program"), nb::arg("id"));
}

}  // namespace shlo::python
